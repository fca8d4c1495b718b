//! Scans of the demo data.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tokio::time::timeout;
use underlay_testing::HANG;

use crate::replay::Replay;
use crate::{netbox, scan};

/// The external ids that a value refers to.
fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| references(value, found)),
        Value::Object(members) => {
            if let (Some(Value::String(id)), 1) = (members.get("externalId"), members.len()) {
                found.push(id.clone());
            }
            members.values().for_each(|value| references(value, found));
        }
        _ => {}
    }
}

#[tokio::test]
async fn the_demo_loads_whole() {
    let replay = Replay::demo().await;
    let seen = scan(&netbox(&replay)).await;
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for item in &seen.items {
        *kinds.entry(item.id().kind.as_str()).or_default() += 1;
    }
    let expected = [
        ("cable", 108),
        ("circuit", 29),
        ("circuitTermination", 45),
        ("cluster", 32),
        ("device", 72),
        ("location", 4),
        ("port", 3_348 + 720),
        ("powerFeed", 48 + 4),
        ("provider", 9),
        ("providerNetwork", 1),
        ("rack", 42),
        ("region", 67),
        ("site", 24),
        ("virtualMachine", 180),
    ];
    assert_eq!(kinds, expected.into_iter().collect());
    assert_eq!(seen.items.len(), 4_013 + 720);
    assert!(seen.bad.is_empty(), "{:#?}", seen.bad);
    let ids: BTreeSet<_> = seen.items.iter().map(|item| item.id()).collect();
    assert_eq!(ids.len(), seen.items.len(), "an id names one object");
}

#[tokio::test]
async fn every_object_is_counted_and_none_is_dropped_in_silence() {
    let replay = Replay::demo().await;
    // A list that only a newer version has.
    replay.insert("dcim/teleporters", json!({"id": 1}));
    let seen = scan(&netbox(&replay)).await;
    let all: u64 = replay.counts().values().sum();
    assert_eq!(all, 6_143 + 1);
    assert_eq!(seen.report.totals().0, all);
    let types: BTreeMap<_, _> = seen.report.types().collect();
    let mapped: u64 = types.values().map(|counts| counts.mapped).sum();
    assert_eq!(mapped, 4_013 + 720);
    for (name, counts) in &types {
        let kept: u64 = counts.mapped + counts.put_aside.values().sum::<u64>() + counts.left_out.values().sum::<u64>();
        assert!(kept >= counts.read, "{name}: {counts:?}");
    }
    assert_eq!(types["ipam.vlan"].left_out, BTreeMap::from([("no kind".to_owned(), 63)]));
    assert_eq!(types["dcim/teleporters"].left_out, BTreeMap::from([("no kind".to_owned(), 1)]));
    assert_eq!(types["ipam.ipaddress"].left_out, BTreeMap::from([("no interface has it".to_owned(), 180)]));
    assert_eq!(types["extras.tag"].put_aside, BTreeMap::from([("labels".to_owned(), 26)]));
}

/// Nothing that NetBox has is dropped without a word, and nothing counts as kept that is not.
#[tokio::test]
async fn the_report_names_what_is_not_kept_of_an_object() {
    let replay = Replay::demo().await;
    let own = |of: &str, seen: &crate::Seen| -> BTreeMap<String, u64> {
        let types: BTreeMap<_, _> = seen.report.types().collect();
        types[of].left_out.clone()
    };
    let before = scan(&netbox(&replay)).await;
    let fields = before.report.types().flat_map(|(of, counts)| {
        let fields = counts.left_out.keys().filter_map(|reason| reason.strip_prefix("its field "));
        fields.map(move |field| format!("{of} {field}"))
    });
    let known = ["comments", "exclude_from_utilization", "part_number", "subdevice_role"]
        .map(|it| format!("dcim.devicetype {it}"));
    let unknown: Vec<String> = fields.filter(|field| !known.contains(field)).collect();
    assert_eq!(unknown, [] as [String; 0], "the mapping overlooks these");
    assert_eq!(own("dcim.devicetype", &before)["its field part_number"], 4);

    let named = json!({"id": 1, "name": "x", "display": "x"});
    replay.change("dcim/devices", "dcim.device", 27, json!({"config_template": named, "cooling_method": "liquid"}));
    replay.change("dcim/racks", "dcim.rack", 1, json!({"cooling_capacity": 20, "cooling_capability": "liquid"}));
    let ports: Vec<u64> = replay.list("dcim/interfaces").iter().filter_map(|it| it["id"].as_u64()).take(2).collect();
    let mac = |id: u64| json!({"id": id, "mac_address": format!("02:00:00:00:00:0{id}"), "display": "x"});
    (1..=3).for_each(|id| replay.insert("dcim/mac-addresses", mac(id)));
    let more = json!({"vdcs": [named], "wireless_lans": [named], "primary_mac_address": mac(1), "mac_addresses": [mac(1), mac(2)]});
    replay.change("dcim/interfaces", "dcim.interface", ports[0], more);
    let address =
        json!({"assigned_object_type": "dcim.interface", "assigned_object_id": ports[0], "dns_name": "a.example"});
    replay.change("ipam/ip-addresses", "ipam.ipaddress", 31, address);
    let modules = replay.list("dcim/modules");
    let module = json!({"id": modules[0]["id"], "module_bay": {"id": 1, "name": "Bay 1"}});
    for port in &ports {
        replay.change("dcim/interfaces", "dcim.interface", *port, json!({"module": module}));
    }
    replay.change("dcim/cables", "dcim.cable", 1, json!({"b_terminations": []}));
    let seen = scan(&netbox(&replay)).await;
    for (of, fields) in [
        ("dcim.device", &["config_template", "cooling_method"][..]),
        ("dcim.rack", &["cooling_capability", "cooling_capacity"]),
        ("dcim.interface", &["vdcs", "wireless_lans"]),
        ("ipam.ipaddress", &["dns_name"]),
    ] {
        for field in fields {
            assert_eq!(own(of, &seen).get(&format!("its field {field}")), Some(&1), "{of} {field}");
        }
    }
    let types: BTreeMap<_, _> = seen.report.types().collect();
    let split = |of: &str| -> [u64; 2] { [&types[of].put_aside, &types[of].left_out].map(|it| it.values().sum()) };
    assert_eq!(split("dcim.macaddress"), [1, 2], "{:?}", types["dcim.macaddress"]);
    let [kept, lost] = split("dcim.module");
    assert_eq!(kept + lost, modules.len() as u64);
    let on_ports: BTreeSet<String> = [
        "dcim/interfaces",
        "dcim/front-ports",
        "dcim/rear-ports",
        "dcim/power-ports",
        "dcim/power-outlets",
        "dcim/console-ports",
    ]
    .iter()
    .flat_map(|path| replay.list(path))
    .filter_map(|port| port["module"]["id"].as_u64())
    .map(|id| id.to_string())
    .collect();
    assert_eq!(kept, on_ports.len() as u64, "modules with ports");
    assert_eq!(own("dcim.cable", &seen), BTreeMap::from([("skipped: only a rest of it is there".to_owned(), 1)]));
}

#[tokio::test]
async fn a_second_scan_and_one_with_small_pages_yield_equal_items() {
    let replay = Replay::demo().await;
    let netbox = netbox(&replay);
    let first = scan(&netbox).await;
    let second = scan(&netbox).await;
    assert_eq!(first.sorted(), second.sorted());
    assert_eq!(first.report, second.report);
    replay.page(37);
    assert_eq!(first.sorted(), scan(&netbox).await.sorted());
    let (calls, at_once) = replay.calls();
    assert!(at_once <= 4, "{at_once} calls at a time");
    let pages = calls.iter().filter(|call| call.contains("/dcim/interfaces/") && !call.contains("type=lag")).count();
    assert!(pages > 1_500 / 37, "{pages} pages");
}

#[tokio::test]
async fn four_lists_are_read_at_a_time() {
    let replay = Replay::demo().await;
    // None of them is answered before all four are asked for.
    replay.gather(4);
    let seen = timeout(HANG, scan(&netbox(&replay))).await.expect("a scan that asks for four lists");
    assert_eq!(seen.items.len(), 4_013 + 720);
    let (_, at_once) = replay.calls();
    assert_eq!(at_once, 4);
}

#[tokio::test]
async fn items_come_in_the_order_of_their_references() {
    let replay = Replay::demo().await;
    // A blade that is older than its chassis, a region that is older than the one above it, and an interface that is
    // older than its parent.
    let chassis = replay.list("dcim/devices").last().expect("a device")["id"].clone();
    let site = replay.list("dcim/devices").last().expect("a device")["site"].clone();
    replay.change(
        "dcim/devices",
        "dcim.device",
        27,
        json!({
            "site": site, "rack": null, "position": null,
            "parent_device": {"id": chassis, "display": "x", "name": "x", "device_bay": {"id": 1, "name": "Bay 1"}},
        }),
    );
    replay.change("dcim/regions", "dcim.region", 4, json!({"parent": {"id": 60, "name": "x", "slug": "x"}}));
    let own = replay.list("dcim/interfaces")[0].clone();
    let last = own["id"].as_u64().expect("an id") + 1;
    replay.change(
        "dcim/interfaces",
        "dcim.interface",
        last - 1,
        json!({
            "parent": {"id": last, "name": "x", "device": own["device"]},
        }),
    );
    let seen = scan(&netbox(&replay)).await;
    let mut there = BTreeSet::new();
    for item in &seen.items {
        let mut needed = Vec::new();
        references(&Value::Object(item.fields().clone()), &mut needed);
        for id in needed {
            assert!(there.contains(&id), "{} comes before {id}", item.id());
        }
        there.insert(item.id().id.clone());
    }
    let blade = seen.fields("dcim.device:27");
    assert_eq!(blade["parent"], json!({"externalId": format!("dcim.device:{chassis}")}));
    assert_eq!((&blade["slot"], &blade["placement"]), (&json!("Bay 1"), &Value::Null));
}
