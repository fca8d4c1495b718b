//! Tests what is rejected when Milo's form is read and when it is written.

use serde_json::{Value, json};

use super::{FLEET, items, read, values};
use underlay_milo::to_milo;

/// Reads one manifest and returns its errors as they are printed.
fn refused(kind: &str, spec: &Value) -> Vec<String> {
    let version = underlay_milo::API_VERSION;
    let text = json!({"apiVersion": version, "kind": kind, "metadata": {"name": "x"}, "spec": spec}).to_string();
    let errors = read(&text).err().unwrap_or_default();
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn input_that_milo_rejects_is_rejected() {
    let rack = |feed: Value| json!({"siteRef": {"name": "s"}, "heightU": 42, "powerFeeds": [feed]});
    let node = |member: &str, value: Value| {
        let hardware = json!({"cpuCores": 1, "cpuArchitecture": "amd64", "memoryBytes": 1});
        let mut node = json!({"siteRef": {"name": "s"}, "hardware": hardware});
        node[member] = value;
        node
    };
    let port = |kind: &str, speed: Value| {
        let device = json!({"kind": kind, "name": "d"});
        json!({"deviceRef": device, "type": "Optical", "name": "1", "speed": speed})
    };
    let link = |endpoints: Value| json!({"endpoints": endpoints, "type": "Logical"});
    let place = |face: &str, unit: Value| {
        node("placement", json!({"rackRef": {"name": "r"}, "startUnit": unit, "unitHeight": 1, "face": face}))
    };
    for (kind, spec, expected) in [
        ("Rock", json!({}), "kind: Milo has no kind \"Rock\"; did you mean Rack? Allowed: Region, Site, Cluster, Node"),
        ("Region", json!({}), "spec.displayName: is missing, and it is required"),
        ("Region", json!({"displayName": ""}), "spec.displayName: must not be empty"),
        ("Region", json!(null), "spec: is missing"),
        ("Region", json!("x"), "spec: must be an object"),
        (
            "Region",
            json!({"displayName": "R", "coordinates": {"latitude": 91, "longitude": 0}}),
            "spec.coordinates.latitude: must be a number of degrees from -90 to 90, not the number 91",
        ),
        (
            "Region",
            json!({"displayName": "R", "coordinates": {"latitude": 1}}),
            "spec.coordinates.longitude: is missing",
        ),
        (
            "Site",
            json!({"displayName": "S", "regionRef": {"name": "r"}, "type": "datacenter"}),
            "spec.type: \"datacenter\" is not allowed; did you mean Datacenter? Allowed: Datacenter, AvailabilityZone",
        ),
        (
            "Site",
            json!({"displayName": "S", "regionRef": "r", "type": "Edge"}),
            "spec.regionRef: must be an object, not the",
        ),
        (
            "Site",
            json!({"displayName": "S", "regionRef": {"name": "r", "namespace": "n"}, "type": "Edge"}),
            "spec.regionRef.namespace: there is no such field; allowed: name",
        ),
        (
            "Cluster",
            json!({"displayName": "C", "controlPlaneSiteRef": {"name": 5}, "role": "Edge", "provider": "p"}),
            "spec.controlPlaneSiteRef.name: must be a text, not the number 5: put it in quotation marks",
        ),
        (
            "Rack",
            json!({"siteRef": {"name": "s"}, "heightU": "42"}),
            "spec.heightU: must be a whole number, from 1 to 2147",
        ),
        ("Rack", json!({"siteRef": {"name": "s"}, "heightU": 0}), "spec.heightU: must be a whole number, from 1"),
        ("Rack", json!({"siteRef": {"name": "s"}, "heightU": 1.5}), "spec.heightU: must be a whole number, from 1"),
        (
            "Rack",
            json!({"siteRef": {"name": "s"}, "heightU": 42, "name": "a b"}),
            "spec.name: \"a b\" cannot be kept: it",
        ),
        (
            "Rack",
            json!({"siteRef": {"name": "s"}, "heigthU": 42, "heightU": 42}),
            "spec.heigthU: there is no such field; did you mean heightU? Allowed: siteRef, cage, row, name, heightU",
        ),
        ("Rack", rack(json!({})), "spec.powerFeeds[0].name: is missing"),
        ("Rack", rack(json!({"name": "A", "phase": "Three"})), "spec.powerFeeds[0].phase: \"Three\" is not allowed"),
        (
            "Rack",
            rack(json!({"name": "A", "voltage": 3_000_000_000_i64})),
            "spec.powerFeeds[0].voltage: must be a whole",
        ),
        ("Node", node("hardware", json!(null)), "spec.hardware: is missing"),
        (
            "Node",
            node("addresses", json!([{"type": "Management", "address": "x"}])),
            "spec.addresses[0].type: \"Management",
        ),
        ("Node", node("assignment", json!({"clusterRef": {"name": "c"}})), "spec.assignment.role: is missing"),
        (
            "Node",
            node("assignment", json!({"clusterRef": {"name": "c"}, "role": "worker"})),
            "spec.assignment.role: \"worker\" is not allowed; did you mean Worker? Allowed: ControlPlane, Worker",
        ),
        ("Node", place("Top", json!(1)), "spec.placement.face: \"Top\" is not allowed"),
        ("Node", place("Front", json!(0.5)), "spec.placement.startUnit: must be a whole number"),
        ("NetworkDevice", json!({"siteRef": {"name": "s"}, "role": "Leaf"}), "spec.clusterRef: is missing"),
        (
            "Port",
            port("Cable", json!("1G")),
            "spec.deviceRef.kind: \"Cable\" is not allowed; allowed: Node, NetworkDevice, R",
        ),
        ("Port", port("Node", json!("1 Gbps")), "spec.speed: must be a quantity as Kubernetes writes it"),
        ("Port", port("Node", json!("-1G")), "spec.speed: must be a quantity as Kubernetes writes it"),
        ("Port", port("Node", json!("250m")), "spec.speed: must be a whole number of bits per second"),
        ("Port", port("Node", json!("10E")), "spec.speed: must be a whole number of bits per second"),
        ("Link", link(json!([])), "spec.endpoints: must have exactly two elements, not 0"),
        (
            "Link",
            link(json!([{"kind": "Site", "name": "a"}, {"kind": "Node", "name": "b"}])),
            "spec.endpoints[1].kind: \"Node\" is not allowed; allowed: Site, Cluster, NetworkDevice",
        ),
        ("Link", link(json!([{"kind": "Site", "name": "a"}, {"kind": "Site"}])), "spec.endpoints[1].name: is missing"),
        (
            "Cable",
            json!({"endpoints": [{"name": "a"}, {"name": "b"}], "media": "AOC"}),
            "spec.media: \"AOC\" is not allowed",
        ),
        (
            "Cable",
            json!({"endpoints": [{"name": "a"}], "media": "DAC"}),
            "spec.endpoints: must have exactly two elements",
        ),
        (
            "Circuit",
            json!({"providerRef": {"name": "p"}, "type": "Transit", "aEnd": {"kind": "Site", "name": "a"}}),
            "spec.zEnd: is missing",
        ),
        ("VirtualMachine", json!({"hostRef": {"name": "h"}}), "spec.allocation: is missing"),
        (
            "VirtualMachine",
            json!({"hostRef": {"name": "h"}, "allocation": {"vcpus": 1, "memoryBytes": "16Gi"}}),
            "spec.allocation.memoryBytes: must be a whole number, at least 1, not the text \"16Gi\"",
        ),
    ] {
        let errors = refused(kind, &spec);
        assert_eq!(errors.len(), 1, "{kind} {spec}: {errors:?}");
        assert!(errors[0].starts_with(&format!("f, document 1, {kind}/x, {expected}")), "{kind} {spec}: {errors:?}");
    }
}

#[test]
fn metadata_is_checked() {
    let region = |metadata: &str| {
        let version = underlay_milo::API_VERSION;
        let text = format!("{{apiVersion: {version}, kind: Region, metadata: {metadata}, spec: {{displayName: R}}}}");
        let errors = read(&text).err().unwrap_or_default();
        errors.iter().map(ToString::to_string).collect::<String>()
    };
    for (metadata, expected) in [
        ("{}", "f, document 1, Region, metadata.name: is missing"),
        ("", "f, document 1, Region, metadata: is missing"),
        ("{name: 007x, labels: {a: 1}}", "Region/007x, metadata.labels.a: must be a text, not the number 1"),
        ("{name: 12}", "metadata.name: must be a text, not the number 12: put it in quotation marks"),
        ("{name: r, labels: []}", "metadata.labels: must be an object, not a list"),
        (
            "{name: r, namespace: default}",
            "metadata.namespace: there is no such field; allowed: name, labels, annotations",
        ),
    ] {
        assert!(region(metadata).contains(expected), "{metadata}: {}", region(metadata));
    }
    let rack = "{apiVersion: inventory.miloapis.com/v1alpha1, kind: Rack,
        metadata: {name: r, labels: {underlay/rack-name: B}}, spec: {siteRef: {name: s}, heightU: 1, name: A}}";
    let errors = read(rack).err().unwrap_or_default();
    assert_eq!(errors[0].field.as_deref(), Some("metadata.labels[\"underlay/rack-name\"]"));
}

#[test]
fn objects_that_milo_cannot_express_are_rejected() {
    let fleet = items(FLEET);
    // Each row: the object of the fleet to change, the field, the value, and the expected message.
    for (object, field, value, expected) in [
        ("srv-1", "role", json!("PDU"), "device/srv-1: Milo has no kind for a device with the role \"PDU\""),
        ("srv-1", "serial", json!("S1"), "device/srv-1, serial: Milo has no field for it (it is the text \"S1\")"),
        ("srv-1", "status", json!("FAILED"), "device/srv-1, status: Milo has no field for it"),
        ("srv-1", "labels", json!({}), "device/srv-1, labels: underlay/cluster-role is not set, and Milo requires it"),
        (
            "srv-1",
            "labels",
            json!({"underlay/cluster-role": "boss"}),
            "labels[\"underlay/cluster-role\"]: Milo has only C",
        ),
        ("srv-1", "hardware", json!(null), "device/srv-1, hardware: is not set, and Milo requires it"),
        ("srv-1", "hardware", json!([]), "device/srv-1, hardware: is not set"),
        ("srv-1", "hardware", json!(7), "device/srv-1, hardware: must be an object, not the number 7"),
        ("srv-1", "placement", json!({"rack": {"rack": "r"}}), "placement.startUnit: is not set, and Milo requires it"),
        (
            "srv-1",
            "placement",
            json!({"rack": {"rack": "r"}, "startUnit": 1.5, "unitHeight": 1.0, "fullDepth": false}),
            "device/srv-1, placement.startUnit: Milo has only whole numbers from 1 here, not the number 1.5",
        ),
        (
            "srv-1",
            "placement",
            json!({"rack": {"id": "7"}, "startUnit": 1, "unitHeight": 1, "fullDepth": true}),
            "device/srv-1, placement.rack: must refer by name ({rack: …})",
        ),
        (
            "srv-1",
            "addresses",
            json!([{"type": "MANAGEMENT", "address": "a"}]),
            "addresses[0].type: Milo has only INTERNAL",
        ),
        ("srv-1", "name", json!("Server 1"), "name: \"Server 1\" is no name in Milo"),
        ("br-1", "cluster", json!(null), "device/br-1, cluster: is not set, and Milo requires it"),
        (
            "br-1",
            "addresses",
            json!([{"type": "INTERNAL", "address": "a"}]),
            "addresses[0]: Milo knows only the MANAGEMENT",
        ),
        ("oslo-1", "timeZone", json!("Europe/Oslo"), "site/oslo-1, timeZone: Milo has no field for it"),
        ("psu1", "type", json!("POWER_OUTLET"), "port/psu1, type: Milo has only POWER_INLET, SERIAL"),
        ("psu1", "type", json!("LAG"), "port/psu1, type: Milo has only"),
        ("psu1", "externalRefs", json!([]), "port/psu1, externalRefs: has none of source milo"),
        (
            "psu1",
            "device",
            json!({"device": "ghost"}),
            "port/psu1, device: the role of the device \"ghost\" is not known",
        ),
        ("psu1", "device", json!(null), "port/psu1, device: (or rack) is not set, and Milo requires it"),
        ("psu1", "positions", json!(4), "port/psu1, positions: Milo has no field for it"),
        ("w1", "media", json!("AOC"), "cable/w1, media: Milo has only COPPER, FIBER_SMF, FIBER_MMF, POWER, DAC"),
        ("w1", "aEnds", json!([]), "cable/w1, aEnds: is not set, and Milo requires two ends"),
        ("w1", "aEnds", json!([{"port": {"port": "1"}}, {}]), "cable/w1, aEnds: Milo allows exactly one here"),
        (
            "w1",
            "aEnds",
            json!([{"powerFeed": {}}]),
            "cable/w1, aEnds[0].powerFeed: Milo can refer only to Port here, not",
        ),
        (
            "w1",
            "aEnds",
            json!([{"port": {"port": "1"}}]),
            "cable/w1, aEnds[0].port: says neither the device nor the rack",
        ),
        (
            "w1",
            "aEnds",
            json!([{"port": {"device": "srv-1", "port": "9"}}]),
            "aEnds[0].port: the port \"9\" of \"srv-1\" is",
        ),
        ("w1", "lengthM", json!(1.23456789e-9), "cable/w1, lengthM: Milo has no quantity for the number"),
        ("l1", "b", json!({"device": {"device": "srv-1"}}), "link/l1, b.device: Milo cannot refer to a Node here"),
        (
            "c1",
            "zEnd",
            json!({"providerNetwork": {}}),
            "circuit/c1, zEnd.providerNetwork: Milo can refer only to Site, Port here",
        ),
        (
            "vm-1",
            "host",
            json!({"device": "br-1"}),
            "virtualMachine/vm-1, host.device: Milo cannot refer to a NetworkDevice",
        ),
        (
            "A",
            "upstream",
            json!({"powerFeed": {}}),
            "rack/oslo-1-r01, powerFeeds[0].upstream: Milo has no field for it",
        ),
        ("A", "rack", json!(null), "powerFeed/A: has no rack: Milo knows only the power feeds of racks"),
        (
            "A",
            "rack",
            json!({"site": "x", "rack": "oslo-1-r01"}),
            "powerFeed/A: its rack must be written together with it",
        ),
    ] {
        let mut fleet = fleet.clone();
        let named =
            |item: &&mut Value| item.as_object().is_some_and(|item| item.values().any(|it| it["name"] == object));
        let item = fleet.iter_mut().find(named).and_then(Value::as_object_mut).expect("an object of the fleet");
        item.values_mut().for_each(|fields| fields[field] = value.clone());
        let export = to_milo(&fleet);
        let refused: Vec<String> = export.refused.iter().map(ToString::to_string).collect();
        assert!(refused.iter().any(|error| error.contains(expected)), "{object} {field}: {refused:?}");
    }
}

/// Collects the positions of all values within a value, as JSON pointers.
fn pointers(value: &Value, at: &str, into: &mut Vec<String>) {
    into.push(at.to_owned());
    match value {
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(index, element)| pointers(element, &format!("{at}/{index}"), into));
        }
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            let name = name.replace('~', "~0").replace('/', "~1");
            pointers(member, &format!("{at}/{name}"), into);
        }),
        _ => {}
    }
}

/// Puts odd values in every position of every manifest and item, and checks that nothing panics.
#[test]
fn odd_values_make_neither_direction_panic() {
    let odd = [json!(null), json!(-0.5), json!("x"), json!([]), json!([{}]), json!({}), json!({"name": [7]})];
    for document in values(FLEET) {
        let mut found = Vec::new();
        pointers(&document, "", &mut found);
        for (pointer, odd) in found.iter().flat_map(|pointer| odd.iter().map(move |odd| (pointer, odd))) {
            let mut document = document.clone();
            *document.pointer_mut(pointer).expect("a value") = odd.clone();
            let _ = read(&document.to_string());
        }
    }
    let fleet = items(FLEET);
    for (number, item) in fleet.iter().enumerate() {
        let mut found = Vec::new();
        pointers(item, "", &mut found);
        for (pointer, odd) in found.iter().flat_map(|pointer| odd.iter().map(move |odd| (pointer, odd))) {
            let mut fleet = fleet.clone();
            *fleet[number].pointer_mut(pointer).expect("a value") = odd.clone();
            let export = to_milo(&fleet);
            assert!(export.documents.len() <= fleet.len());
        }
    }
}
