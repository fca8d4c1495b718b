//! Changes at Ironic between two scans lead to the same changes in the inventory.

use serde_json::json;
use tokio::time::timeout;
use underlay_kit::sync::{Adapter as _, AdapterError, ExternalId, Hint, HintStream};
use underlay_testing::{HANG, until};

use crate::replay::{Fault, Replay};
use crate::{ironic, scan};

async fn next(hints: &mut HintStream) -> Result<Option<Hint>, AdapterError> {
    timeout(HANG, hints.next()).await.expect("a hint")
}

fn changed(uuid: &str) -> Result<Option<Hint>, AdapterError> {
    Ok(Some(Hint::Changed(ExternalId::new("host", uuid))))
}

#[tokio::test]
async fn changes_become_hints_once() {
    let replay = Replay::start().await;
    let nodes: Vec<String> = (0..60).map(|number| replay.node(&format!("n{number}"), json!({}))).collect();
    let ironic = ironic(&replay);
    scan(&ironic).await;
    let mut hints = ironic.hints().expect("hints");
    replay.change("nodes", &nodes[7], json!({"power_state": "power off"}));
    assert_eq!(next(&mut hints).await, changed(&nodes[7]));
    // Neither a failure that passes nor a wrong answer ends the hints.
    replay.fail("nodes", Fault::Text("{}"));
    replay.change("nodes", &nodes[3], json!({"provision_state": "available"}));
    let failed = replay.calls("GET /v1/nodes").len() + 2;
    until("two looks have failed", async || replay.calls("GET /v1/nodes").len() >= failed).await;
    replay.heal();
    assert_eq!(next(&mut hints).await, changed(&nodes[3]));
    // A new node that nothing changed yet has no time of a change.
    let new = replay.node("new", json!({}));
    replay.change("nodes", &new, json!({"updated_at": null}));
    assert_eq!(next(&mut hints).await, changed(&new));
    let ours = replay.node("ours", json!({"extra": {"underlay": {}}}));
    replay.change("nodes", &ours, json!({"power_state": "power on"}));
    replay.change("nodes", &nodes[5], json!({"maintenance": true}));
    assert_eq!(next(&mut hints).await, changed(&nodes[5]), "ours gives no hint");
}

#[tokio::test]
async fn many_changes_become_one_full_scan() {
    let replay = Replay::start().await;
    let nodes: Vec<String> = (0..1_100).map(|number| replay.node(&format!("n{number}"), json!({}))).collect();
    let ironic = ironic(&replay);
    scan(&ironic).await;
    nodes.iter().for_each(|node| replay.change("nodes", node, json!({"power_state": "power on"})));
    let mut hints = ironic.hints().expect("hints");
    let all = async {
        while let Ok(Some(hint)) = hints.next().await {
            if hint == Hint::Everything {
                return true;
            }
        }
        false
    };
    assert!(timeout(HANG, all).await.expect("hints"));
}

#[tokio::test]
async fn an_inventory_is_read_again_only_when_its_node_changed() {
    let replay = Replay::start().await;
    let node = replay.node("n1", json!({}));
    replay.inventory(&node, json!({"inventory": {"system_vendor": {"serial_number": "S1"}}}));
    let ironic = ironic(&replay);
    let read = || replay.calls(&format!("GET /v1/nodes/{node}/inventory")).len();
    assert_eq!(scan(&ironic).await.fields("device", &node)["serial"], "S1");
    assert_eq!(scan(&ironic).await.fields("device", &node)["serial"], "S1");
    assert_eq!(read(), 1);
    replay.inventory(&node, json!({"inventory": {"system_vendor": {"serial_number": "S2"}}}));
    assert_eq!(scan(&ironic).await.fields("device", &node)["serial"], "S2");
    assert_eq!(read(), 2);
}

#[tokio::test]
async fn a_node_that_is_deleted_between_two_pages_does_not_end_the_scan() {
    let replay = Replay::start().await;
    let nodes: Vec<String> = (0..40).map(|number| replay.node(&format!("n{number}"), json!({}))).collect();
    replay.page(10);
    let ironic = ironic(&replay);
    let (mut sink, mut receiver) = underlay_kit::sync::Sink::new(1);
    let scanning = async {
        let scanned = ironic.scan(&mut sink).await;
        drop(sink);
        scanned
    };
    let gather = async {
        let mut hosts = Vec::new();
        while let Some(emitted) = receiver.recv().await {
            if let underlay_kit::sync::Emitted::Item(item) = emitted
                && item.id().kind == "host"
            {
                // The last nodes of the first page are deleted before the second page is read.
                if hosts.is_empty() {
                    nodes[8..10].iter().for_each(|node| replay.delete("nodes", node));
                }
                hosts.push(item.id().id.clone());
            }
        }
        hosts
    };
    let (scanned, hosts) = tokio::join!(scanning, gather);
    assert_eq!(scanned.map(|_| hosts), Ok(nodes.clone()));
}
