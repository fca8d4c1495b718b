//! Looks at one object, and the hints of the change log.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tokio::time::timeout;
use underlay_kit::sync::{Adapter as _, AdapterError, ExternalId, Hint, HintStream};
use underlay_testing::{HANG, until};

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

/// Waits until hints have named all of these, in any order, and nothing else.
#[track_caller]
fn all<'a>(hints: &'a mut HintStream, expected: &[(&str, &str)]) -> impl Future<Output = ()> + 'a {
    let mut left: BTreeSet<_> = expected.iter().map(|(kind, id)| ((*kind).to_owned(), (*id).to_owned())).collect();
    let named = left.clone();
    async move {
        while !left.is_empty() {
            let Ok(Some(Hint::Changed(ExternalId { kind, id }))) = next(hints).await else {
                panic!("no hint: {left:?}")
            };
            assert!(named.contains(&(kind.clone(), id.clone())), "{kind} {id} is none of {named:?}");
            left.remove(&(kind, id));
        }
    }
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
    all(&mut hints, &[("device", "dcim.device:27")]).await;
    // VLANs have no kind.
    replay.put("ipam/vlans", "ipam.vlan", json!({"id": 9_999, "vid": 1}));
    replay.delete("dcim/cables", "dcim.cable", 1);
    all(&mut hints, &[("cable", "dcim.cable:1")]).await;
    // A temporary failure does not end the hints.
    replay.fail("core/object-changes", Fault::Broken(9));
    replay.change("dcim/device-types", "dcim.devicetype", 8, json!({"model": "AP7902"}));
    loop {
        match next(&mut hints).await {
            Ok(Some(Hint::Everything)) => break,
            other => assert_eq!(other, Ok(Some(Hint::Changed(ExternalId::new("cable", "dcim.cable:1"))))),
        }
    }
}

/// The primary address of a device is an object of its own, which can be changed, and lost with its interface or with
/// the address inside of it. NetBox does not log that for the device.
#[tokio::test]
async fn an_address_is_one_of_its_interface_and_of_its_device() {
    let replay = Replay::demo().await;
    let port = replay.list("dcim/interfaces").remove(0);
    let (port, device) = (port["id"].as_u64().expect("an id"), port["device"]["id"].as_u64().expect("an id"));
    let address = |id: u64, members: Value| {
        let mut object = json!({"id": id, "address": format!("192.0.2.{}/24", id % 100), "assigned_object_id": null,
            "assigned_object_type": null, "nat_inside": null});
        object.as_object_mut().expect("an object").extend(members.as_object().expect("an object").clone());
        replay.put("ipam/ip-addresses", "ipam.ipaddress", object);
    };
    let on_port = json!({"assigned_object_id": port, "assigned_object_type": "dcim.interface"});
    address(9_001, on_port.clone());
    address(9_002, json!({"nat_inside": {"id": 9_001}}));
    let netbox = netbox(&replay);
    scan(&netbox).await;
    let mut hints = netbox.hints().expect("hints");
    let [port_id, device_id] = [format!("dcim.interface:{port}"), format!("dcim.device:{device}")];
    let on_machine = format!("virtualization.vminterface:{port}");
    let mut expected = vec![("port", port_id.as_str()), ("device", device_id.as_str())];
    // The log does not say whether the interface is one of a device or of a machine.
    let machine = replay.list("virtualization/interfaces").into_iter().find(|it| it["id"] == port);
    let machine = machine.map(|it| format!("virtualization.virtualmachine:{}", it["virtual_machine"]["id"]));
    if let Some(machine) = &machine {
        expected.extend([("port", on_machine.as_str()), ("virtualMachine", machine.as_str())]);
    }
    replay.change("ipam/ip-addresses", "ipam.ipaddress", 9_001, json!({"address": "192.0.2.50/24"}));
    all(&mut hints, &expected).await;
    replay.change("ipam/ip-addresses", "ipam.ipaddress", 9_002, json!({"address": "198.51.100.1/32"}));
    all(&mut hints, &expected).await;
    replay.delete("ipam/ip-addresses", "ipam.ipaddress", 9_002);
    all(&mut hints, &expected).await;
    replay.delete("dcim/interfaces", "dcim.interface", port);
    all(&mut hints, &expected[..2]).await;
}

#[tokio::test]
async fn what_interfaces_name_is_found_when_it_is_renamed() {
    let replay = Replay::demo().await;
    let ports: Vec<u64> = replay.list("dcim/interfaces").iter().filter_map(|it| it["id"].as_u64()).take(3).collect();
    let machine = replay.list("virtualization/interfaces").remove(0)["id"].as_u64().expect("an id");
    let vrf = json!({"id": 5, "name": "red", "display": "red"});
    replay.put("ipam/vrfs", "ipam.vrf", json!({"id": 5, "name": "red", "rd": null}));
    let of = "virtualization.vminterface";
    replay.change("virtualization/interfaces", of, machine, json!({ "vrf": vrf }));
    let bridge = json!({"id": ports[0], "name": "br0", "display": "br0"});
    replay.change("dcim/interfaces", "dcim.interface", ports[1], json!({"vrf": vrf, "bridge": bridge}));
    replay.change("dcim/interfaces", "dcim.interface", ports[2], json!({ "bridge": bridge }));
    let netbox = netbox(&replay);
    scan(&netbox).await;
    let mut hints = netbox.hints().expect("hints");
    let ids = ports.iter().map(|id| format!("dcim.interface:{id}")).collect::<Vec<_>>();
    let on_machine = format!("{of}:{machine}");
    replay.change("ipam/vrfs", "ipam.vrf", 5, json!({"rd": "65000:1"}));
    replay.change("ipam/vrfs", "ipam.vrf", 5, json!({"name": "blue"}));
    all(&mut hints, &[("port", &ids[1]), ("port", &on_machine)]).await;
    replay.change("dcim/interfaces", "dcim.interface", ports[0], json!({"name": "br1"}));
    all(&mut hints, &[("port", &ids[0]), ("port", &ids[1]), ("port", &ids[2])]).await;
    // What cannot be found any more, or is found with everything else, needs a scan.
    replay.fail("dcim/interfaces", Fault::Ignores);
    replay.change("ipam/vrfs", "ipam.vrf", 5, json!({"name": "green"}));
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

/// A deletion in the log is no proof while the object is there, and neither is an object that does not answer, because
/// NetBox hides what the token may not view.
#[tokio::test]
async fn a_deletion_is_proved_by_the_log_and_the_right_to_view() {
    let replay = Replay::demo().await;
    let netbox = netbox(&replay);
    scan(&netbox).await;
    let mut hints = netbox.hints().expect("hints");
    let [device, cable, hidden] = [("device", "dcim.device:27"), ("cable", "dcim.cable:1"), ("cable", "dcim.cable:2")]
        .map(|(kind, id)| ExternalId::new(kind, id));
    let proved = async |id: &ExternalId| netbox.has_deleted(id).await.expect("an answer");
    replay.hide("dcim/cables", 2);
    assert_eq!(netbox.look(&hidden).await, Ok(None));
    assert!(!proved(&device).await && !proved(&hidden).await, "the log says nothing");
    replay.delete("dcim/devices", "dcim.device", 27);
    let end = json!([{"object_type": "dcim.interface", "object_id": 157}]);
    replay.change("dcim/cables", "dcim.cable", 1, json!({"a_terminations": [], "b_terminations": end}));
    all(&mut hints, &[("device", "dcim.device:27"), ("cable", "dcim.cable:1")]).await;
    until("the log was read to its end", async || proved(&device).await).await;
    assert!(proved(&cable).await, "a cable with one end is none any more");
    // The right to view this type was taken away.
    replay.fail("dcim/devices", Fault::Forbidden);
    let error = netbox.has_deleted(&device).await.expect_err("refused");
    assert!(matches!(error, AdapterError::Refused { .. }), "{error}");
    replay.heal();
    // It is there again.
    let back = replay.list("dcim/devices").remove(0);
    let mut back = back.as_object().expect("an object").clone();
    back.insert("id".to_owned(), json!(27));
    replay.insert("dcim/devices", Value::Object(back));
    assert!(!proved(&device).await);
}
