//! Converts every kind of Milo to items and back.

use serde_json::{Value, json};

use super::{FLEET, items, read, values};
use underlay_milo::to_milo;

#[test]
fn each_kind_is_mapped() {
    let milo = |name: &str| json!({"source": "milo", "externalId": name});
    let placement = |rack: &str, face: &str| {
        let rack = json!({"site": "oslo-1", "rack": rack});
        json!({"rack": rack, "startUnit": 10, "unitHeight": 2, "face": face})
    };
    let feed = |name: &str| {
        json!({"powerFeed": {
            "name": name, "phase": "THREE_PHASE", "voltage": 400, "ampsRated": 32,
            "site": {"site": "oslo-1"}, "rack": {"site": "oslo-1", "rack": "oslo-1-r01"},
        }})
    };
    let disk = json!([{"name": "nvme0", "sizeBytes": 960_000_000_000_i64, "type": "NVME"}]);
    let expected = [
        json!({"region": {"name": "nordics", "displayName": "Nordics",
            "coordinates": {"latitude": 59.9, "longitude": -10.5}}}),
        json!({"provider": {"name": "fjordnet", "displayName": "Fjordnet", "type": "INTERNET_EXCHANGE",
            "contract": {"contractId": "C-1", "accountId": "77", "portalUrl": "https://f.example", "notes": "call"},
            "serviceIdentifiers": [{"name": "asn", "identifier": "AS64500"}]}}),
        json!({"site": {"name": "oslo-1", "labels": {"env": "lab"}, "displayName": "Oslo 1",
            "region": {"region": "nordics"}, "type": "AVAILABILITY_ZONE", "address": "Kai 1",
            "provider": {"provider": "fjordnet"}}}),
        json!({"rack": {"name": "oslo-1-r01", "labels": {"underlay/rack-name": "R01"}, "site": {"site": "oslo-1"},
            "cage": "K2", "row": "4", "heightU": 47}}),
        feed("A"),
        feed("B"),
        json!({"cluster": {"name": "k1", "displayName": "K1", "controlPlaneSite": {"site": "oslo-1"},
            "role": "GATEWAY", "platform": "talos", "endpoint": "https://k1.example:6443"}}),
        json!({"device": {"name": "srv-1", "labels": {"underlay/cluster-role": "ControlPlane"}, "role": "SERVER",
            "site": {"site": "oslo-1"},
            "hardware": {"cpuCores": 64, "cpuArchitecture": "ARM64", "memoryBytes": 549_755_813_888_i64, "disks": disk},
            "addresses": [{"type": "INTERNAL", "address": "10.9.0.1"}, {"type": "HOSTNAME", "address": "s1.example"}],
            "cluster": {"cluster": "k1"}, "placement": placement("oslo-1-r01", "FRONT")}}),
        json!({"device": {"name": "br-1", "cluster": {"cluster": "k1"}, "site": {"site": "oslo-1"},
            "role": "BORDER_ROUTER", "addresses": [{"type": "MANAGEMENT", "address": "10.9.0.254"}],
            "placement": placement("oslo-1-r01", "REAR")}}),
        json!({"port": {"name": "et-0/0/1", "externalRefs": [milo("br-1-et1")], "device": {"device": "br-1"},
            "type": "OPTICAL", "speedBps": 400_000_000_000_i64}}),
        json!({"port": {"name": "psu1", "externalRefs": [milo("srv-1-psu1")], "device": {"device": "srv-1"},
            "type": "POWER_INLET"}}),
        json!({"port": {"name": "1", "externalRefs": [milo("r01-out1")], "rack": {"rack": "oslo-1-r01"},
            "type": "POWER_OUTLET"}}),
        json!({"port": {"name": "1", "externalRefs": [milo("r01-pp1")], "rack": {"rack": "oslo-1-r01"},
            "type": "PATCH_FRONT"}}),
        json!({"cable": {"name": "w1", "aEnds": [{"port": milo("br-1-et1")}], "bEnds": [{"port": milo("r01-pp1")}],
            "media": "FIBER_SMF", "lengthM": 2.5, "label": "W-1"}}),
        json!({"link": {"name": "l1", "a": {"cluster": {"cluster": "k1"}}, "b": {"device": {"device": "br-1"}},
            "type": "INTERNET", "capacityMbps": 40_000, "latencyMs": 0.25, "cables": [{"cable": "w1"}]}}),
        json!({"circuit": {"name": "c1", "provider": {"provider": "fjordnet"}, "type": "CROSS_CONNECT",
            "circuitId": "FJ-9", "bandwidthMbps": 100_000, "aEnd": {"port": milo("br-1-et1")},
            "zEnd": {"site": {"site": "oslo-1"}},
            "serviceRef": {"apiGroup": "net.example", "kind": "Vpc", "name": "blue", "namespace": "prod"}}}),
        json!({"virtualMachine": {"name": "vm-1", "host": {"device": "srv-1"}, "provider": {"provider": "fjordnet"},
            "projectRef": {"apiGroup": "res.example", "kind": "Project", "name": "p1"},
            "allocation": {"vcpus": 8, "memoryBytes": 17_179_869_184_i64, "disks": disk}}}),
    ];
    let found = items(FLEET);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    let mapped = read(FLEET).expect("manifests");
    let names: Vec<_> = mapped[3..6].iter().map(|mapped| mapped.name.as_deref()).collect();
    let feeds = ["Rack/oslo-1-r01 (its power feed A)", "Rack/oslo-1-r01 (its power feed B)"];
    assert_eq!(names, [None, Some(feeds[0]), Some(feeds[1])]);
}

#[test]
fn a_round_trip_gives_the_same_manifests() {
    let export = to_milo(&items(FLEET));
    assert_eq!(export.refused, []);
    assert_eq!(export.documents, values(FLEET));
}

/// Writes manifests as documents of one text.
fn lines(documents: &[Value]) -> String {
    documents.iter().map(|document| format!("---\n{document}\n")).collect()
}

#[test]
fn every_word_of_milo_survives_a_round_trip() {
    let words = [
        ("Site", "type", "Datacenter AvailabilityZone Edge Virtual"),
        ("Cluster", "role", "Compute Management Edge Gateway"),
        ("NetworkDevice", "role", "BorderRouter Spine Leaf Firewall"),
        ("Provider", "type", "Hosting Colocation Transit InternetExchange DarkFiber Cloud"),
        ("Link", "type", "Physical Logical Internet"),
        ("Cable", "media", "Copper FiberSMF FiberMMF Power DAC"),
        ("Circuit", "type", "CrossConnect ProviderCircuit Transit Peering"),
        ("Port", "type", "Power Serial Ethernet Optical PatchPanel"),
    ];
    for (kind, field, words) in words {
        for word in words.split(' ') {
            let mut fleet = values(FLEET);
            let document = fleet.iter_mut().find(|document| document["kind"] == kind).expect("one of each kind");
            document["spec"][field] = word.into();
            let export = to_milo(&items(&lines(&fleet)));
            assert_eq!((export.documents, export.refused), (fleet, vec![]), "{kind} {word}");
        }
    }
}

#[test]
fn members_of_kubernetes_are_ignored_and_quantities_normalised() {
    let text = "
apiVersion: inventory.miloapis.com/v1alpha1
kind: Link
metadata:
  name: l1
  uid: 0f
  resourceVersion: '12'
  generation: 3
  creationTimestamp: 2026-01-01T00:00:00Z
  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}
  finalizers: []
  managedFields: [{manager: kubectl}]
  labels:
spec:
  endpoints: [{kind: Site, name: a}, {kind: Site, name: b}]
  type: Logical
  latencyMs: '0.50'
  cableRefs: null
status:
  conditions: [{type: Ready, status: 'True'}]
";
    let items = items(text);
    let ends = json!({"a": {"site": {"site": "a"}}, "b": {"site": {"site": "b"}}});
    assert_eq!(
        items,
        [json!({"link": {"name": "l1", "a": ends["a"], "b": ends["b"], "type": "LOGICAL", "latencyMs": 0.5}})]
    );
    assert_eq!(to_milo(&items).documents[0]["spec"]["latencyMs"], "500m");
    assert_eq!(to_milo(&items).documents[0]["metadata"], json!({"name": "l1"}));
}

#[test]
fn objects_are_written_back_together() {
    let mut fleet = items(FLEET);
    // Milo leaves defaults out; a reference can name a port by its key.
    let defaults = json!({"status": "CONNECTED", "color": null, "riskGroups": [], "lanes": []});
    for item in &mut fleet {
        if let Some(cable) = item.get_mut("cable").and_then(Value::as_object_mut) {
            cable.extend(defaults.as_object().cloned().unwrap_or_default());
            cable["bEnds"] = json!([{"port": {"rack": "oslo-1-r01", "family": "FRONT", "port": "1"}}]);
        }
        if let Some(feed) = item.get_mut("powerFeed") {
            feed["status"] = json!("ACTIVE");
        }
    }
    let export = to_milo(&fleet);
    assert_eq!((export.documents, export.refused), (values(FLEET), vec![]));

    let twice = to_milo(&[fleet[0].clone(), fleet[0].clone(), json!({"location": {"name": "hall"}}), json!(7)]);
    let refused: Vec<String> = twice.refused.iter().map(ToString::to_string).collect();
    assert_eq!(twice.documents.len(), 1);
    assert_eq!(
        refused,
        [
            "item: is not an object with the one member that names its kind",
            "region/nordics: another Region has the same name, and names in Milo are not within a site",
            "location/hall: Milo has no kind like \"location\"",
        ]
    );
}
