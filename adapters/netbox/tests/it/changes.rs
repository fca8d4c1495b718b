//! Looks at one object, and the hints of the change log.

use serde_json::json;
use tokio::time::timeout;
use underlay_kit::sync::{Adapter as _, AdapterError, ExternalId, Hint, HintStream};
use underlay_testing::HANG;

use crate::replay::{Fault, Replay};
use crate::{netbox, scan};

async fn next(hints: &mut HintStream) -> Result<Option<Hint>, AdapterError> {
    timeout(HANG, hints.next()).await.expect("a hint")
}

#[tokio::test]
async fn a_look_yields_what_a_scan_does() {
    let replay = Replay::demo().await;
    replay.change(
        "ipam/ip-addresses",
        "ipam.ipaddress",
        31,
        json!({
            "assigned_object_type": "dcim.interface", "assigned_object_id": 1,
        }),
    );
    let netbox = netbox(&replay);
    let seen = scan(&netbox).await;
    // One of each type, and all that need others: devices with parents, members of LAGs.
    let mut types = std::collections::BTreeMap::<&str, usize>::new();
    let mut looked = 0;
    for item in &seen.items {
        let of = item.id().id.split(':').next().expect("a type");
        let count = types.entry(of).or_default();
        *count += 1;
        let needs = item.fields().get("lag").is_some_and(|lag| !lag.is_null()) || of == "dcim.device";
        if *count > 2 && !needs {
            continue;
        }
        looked += 1;
        let found = netbox.look(item.id()).await.expect("a look").expect("it is there");
        assert_eq!(found, std::slice::from_ref(item), "{}", item.id());
    }
    assert!(looked > 100 && types.len() >= 20, "{looked} looks at {} types", types.len());
}

#[tokio::test]
async fn a_look_tells_what_is_gone_from_what_is_wrong() {
    let replay = Replay::demo().await;
    let netbox = netbox(&replay);
    let id = ExternalId::new("device", "dcim.device:27");
    assert_eq!(netbox.look(&id).await.expect("a look").expect("it is there").len(), 1);
    replay.delete("dcim/devices", "dcim.device", 27);
    assert_eq!(netbox.look(&id).await, Ok(None));
    replay.fail("dcim/devices", Fault::NotFound);
    let error = netbox.look(&id).await.expect_err("a page for people is no answer").to_string();
    assert!(error.contains("/api/dcim/devices/27/") && error.contains("check the URL"), "{error}");
    replay.heal();
    replay.fail("dcim/devices", Fault::Forbidden);
    let error = netbox.look(&id).await.expect_err("refused");
    assert!(matches!(error, AdapterError::Refused { .. }), "{error}");
}

#[tokio::test]
async fn changes_become_hints_once() {
    let replay = Replay::demo().await;
    replay.change("dcim/devices", "dcim.device", 34, json!({"serial": "before"}));
    let netbox = netbox(&replay);
    let scanned = scan(&netbox).await.scanned;
    assert_eq!(scanned.cursor.as_deref(), Some("1"));
    let mut hints = netbox.hints().expect("hints");
    replay.change("dcim/devices", "dcim.device", 27, json!({"serial": "x"}));
    assert_eq!(next(&mut hints).await, Ok(Some(Hint::Changed(ExternalId::new("device", "dcim.device:27")))));
    // VLANs have no kind.
    replay.put("ipam/vlans", "ipam.vlan", json!({"id": 9_999, "vid": 1}));
    replay.delete("dcim/cables", "dcim.cable", 1);
    assert_eq!(next(&mut hints).await, Ok(Some(Hint::Changed(ExternalId::new("cable", "dcim.cable:1")))));
    replay.change(
        "ipam/ip-addresses",
        "ipam.ipaddress",
        31,
        json!({
            "assigned_object_type": "dcim.interface", "assigned_object_id": 1,
        }),
    );
    assert_eq!(next(&mut hints).await, Ok(Some(Hint::Changed(ExternalId::new("port", "dcim.interface:1")))));
    // A temporary failure does not end the hints.
    replay.fail("core/object-changes", Fault::Broken(9));
    replay.change("dcim/device-types", "dcim.devicetype", 8, json!({"model": "AP7902"}));
    assert_eq!(next(&mut hints).await, Ok(Some(Hint::Everything)));
}

#[tokio::test]
async fn a_long_log_and_another_one_become_one_full_scan() {
    let replay = Replay::demo().await;
    replay.page(10);
    let netbox = netbox(&replay);
    let mut hints = netbox.hints().expect("hints");
    scan(&netbox).await;
    let vlan = |id: u64| replay.put("ipam/vlans", "ipam.vlan", json!({ "id": id, "vid": 1 }));
    (10_000..10_200).for_each(vlan);
    assert_eq!(next(&mut hints).await, Ok(Some(Hint::Everything)));
    // NetBox is restored from a backup: its log is shorter than before.
    replay.forget_changes();
    assert_eq!(next(&mut hints).await, Ok(Some(Hint::Everything)));
    replay.change("dcim/devices", "dcim.device", 27, json!({"serial": "x"}));
    assert_eq!(next(&mut hints).await, Ok(Some(Hint::Changed(ExternalId::new("device", "dcim.device:27")))));
}

#[tokio::test]
async fn without_the_right_to_read_changes_there_are_only_scans() {
    let replay = Replay::demo().await;
    replay.fail("core/object-changes", Fault::Forbidden);
    let netbox = netbox(&replay);
    let mut hints = netbox.hints().expect("hints");
    let error = next(&mut hints).await.expect_err("refused");
    assert!(matches!(error, AdapterError::Refused { .. }), "{error}");
    assert_eq!(next(&mut hints).await, Ok(None));
    let seen = scan(&netbox).await;
    assert_eq!((seen.items.len(), seen.scanned.cursor), (4_013 + 720, None));
}
