//! Scans and looks without faults.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use underlay_bcm::simulator::Fleet;
use underlay_kit::sync::{Adapter as _, ExternalId, Sink};

use crate::{bcm, scan, start};

#[tokio::test]
async fn lite_nodes_become_devices_and_hosts_and_others_are_counted() {
    let running = start(Fleet::of(20)).await;
    let seen = scan(&bcm(&running)).await;
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for item in &seen.items {
        *kinds.entry(item.id().kind.as_str()).or_default() += 1;
    }
    let expected = [("credential", 20), ("device", 20), ("host", 20), ("hostClass", 2), ("rack", 2)];
    assert_eq!(kinds, expected.into_iter().collect());
    assert!(seen.bad.is_empty(), "{:#?}", seen.bad);
    let types: BTreeMap<_, _> = seen.report.types().collect();
    assert_eq!((types["LiteNode"].read, types["LiteNode"].mapped), (20, 20));
    for of in ["HeadNode", "PhysicalNode"] {
        assert_eq!(types[of].left_out, BTreeMap::from([("no lite node".to_owned(), 1)]), "{of}");
    }
    assert_eq!((seen.secrets.len(), seen.secrets[7].value.as_str()), (20, "simulated-7"));
    assert!(!format!("{:?}", seen.secrets).contains("simulated-"), "{:?}", seen.secrets);
    let host = seen.fields("host", "gpu-001");
    assert_eq!(host["title"], "GPU node 1");
    assert_eq!(host["bmcUrl"], "redfish-virtualmedia://10.142.0.1");
    assert_eq!(seen.fields("hostClass", "gpu-large")["title"], "Large GPU nodes");
    let second = scan(&bcm(&running)).await;
    assert_eq!((second.items, second.report), (seen.items, seen.report));
}

#[tokio::test]
async fn items_come_in_the_order_of_their_references() {
    let running = start(Fleet::of(20)).await;
    let seen = scan(&bcm(&running)).await;
    let mut there = BTreeSet::new();
    for item in &seen.items {
        let fields = item.fields();
        let kinds = [
            ("rack", fields.get("placement").map(|it| &it["rack"])),
            ("device", fields.get("machine").map(|it| &it["device"])),
            ("hostClass", fields.get("class")),
            ("credential", fields.get("bmcCredential")),
        ];
        for (kind, reference) in kinds {
            let id = reference.and_then(|it| it["externalId"].as_str());
            assert!(id.is_none_or(|id| there.contains(&(kind, id.to_owned()))), "{} before {id:?}", item.id());
        }
        let kind = ["rack", "device", "hostClass", "credential", "host"].into_iter().find(|it| *it == item.id().kind);
        there.insert((kind.expect("a kind"), item.id().id.clone()));
    }
}

#[tokio::test]
async fn a_bad_node_is_reported_and_the_rest_goes_on() {
    let running = start(Fleet::of(3)).await;
    running.simulator.change(|fleet| {
        fleet.device("gpu-001").expect("a node")["hostname"] = json!("gpu/001");
        fleet.device("gpu-002").expect("a node")["mac"] = json!("zz");
        fleet.racks[0]["name"] = Value::Null;
    });
    let seen = scan(&bcm(&running)).await;
    let reported: Vec<String> = seen
        .bad
        .iter()
        .map(|it| format!("{} {} {}", it.kind.as_deref().unwrap_or_default(), &it.external_id[..8], it.message))
        .collect();
    assert_eq!(reported.iter().filter(|it| it.contains("hostname must be")).count(), 3, "{reported:#?}");
    assert!(reported.contains(&"rack 00000002 name is empty".to_owned()), "{reported:#?}");
    assert!(reported.iter().any(|it| it.starts_with("host 00000003 mac must be six bytes")), "{reported:#?}");
    assert_eq!(reported.iter().filter(|it| it.contains("BCM has no such rack")).count(), 2, "{reported:#?}");
    assert_eq!(seen.fields("device", "gpu-002").get("placement"), None, "it stays where it is");
    assert_eq!(seen.fields("host", "gpu-002").get("bootMac"), None);
    assert_eq!(seen.fields("host", "gpu-003")["bootMac"], "52:54:00:ab:00:03");
}

#[tokio::test]
async fn one_object_can_be_read_again() {
    let running = start(Fleet::of(3)).await;
    let bcm = bcm(&running);
    let seen = scan(&bcm).await;
    for item in &seen.items {
        let found = bcm.look(item.id()).await.expect("a look").expect("it is there");
        assert_eq!(found, vec![item.clone()], "{}", item.id());
    }
    // Nodes were read one by one, because their host names are known.
    assert_eq!((running.simulator.calls("getDevices"), running.simulator.calls("getDevice")), (1, 9));
    let of = |kind: &str, name: &str| {
        let item = seen.items.iter().find(|it| it.id().kind == kind && it.fields()["name"] == name);
        item.expect("an item").id().clone()
    };
    running.simulator.change(|fleet| {
        fleet.remove("gpu-001");
        fleet.device("gpu-002").expect("a node")["hostname"] = json!("renamed");
        fleet.device("gpu-003").expect("a node")["bmcSettings"] = Value::Null;
    });
    // BCM answers null for a name that it does not know.
    assert_eq!(bcm.look(&of("host", "gpu-001")).await, Ok(None));
    let renamed = bcm.look(&of("host", "gpu-002")).await.expect("a look").expect("it is there");
    assert_eq!(renamed[0].fields()["name"], "renamed");
    assert_eq!(bcm.look(&of("credential", "bmc-gpu-003")).await, Ok(None));
    assert_eq!(bcm.look(&ExternalId::new("rack", "none")).await, Ok(None));
    running.simulator.change(|fleet| {
        fleet.device("gpu-003").expect("a node")["childType"] = json!("PhysicalNode");
    });
    assert_eq!(bcm.look(&of("device", "gpu-003")).await, Ok(None), "it is no lite node any more");
    assert!(bcm.hints().is_none());
}

#[tokio::test]
async fn a_renewed_certificate_is_used_without_a_restart() {
    let mut running = start(Fleet::of(1)).await;
    let bcm = bcm(&running);
    assert_eq!(scan(&bcm).await.items.len(), 6);
    // A simulator that starts anew at the same address has other certificates, in the same files.
    let at = running.simulator.url().trim_start_matches("https://").parse().expect("an address");
    drop(running.simulator);
    let again = underlay_testing::until("the address is free again", async || {
        underlay_bcm::simulator::Simulator::start(at, running.folder.path(), Fleet::of(1)).await
    });
    running.simulator = again.await;
    assert_eq!(scan(&bcm).await.items.len(), 6);
}

#[tokio::test]
async fn a_scan_stops_with_its_runner() {
    let running = start(Fleet::of(3)).await;
    let (mut sink, receiver) = Sink::new(1);
    drop(receiver);
    let stopped = bcm(&running).scan(&mut sink).await;
    assert_eq!(stopped, Err(underlay_kit::sync::AdapterError::Stopped));
}
