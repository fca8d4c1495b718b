//! A scan emits each object of Ironic once, and reports what it cannot map.

use serde_json::{Value, json};
use underlay_ironic::{Ironic, Rule, Settings};
use underlay_kit::sync::{Adapter as _, ExternalId};

use crate::replay::Replay;
use crate::{ironic, scan, settings};

/// Returns a node that is deployed, with an inventory and two cables.
fn deployed(replay: &Replay) -> String {
    let node = replay.node(
        "gpu-1",
        json!({
            "driver": "redfish", "resource_class": "gpu.large", "provision_state": "active", "power_state": "power on",
            "driver_info": {"redfish_address": "https://10.0.0.7", "redfish_system_id": "/redfish/v1/Systems/1",
                "redfish_username": "root", "redfish_password": "******", "redfish_verify_ca": false},
            "extra": {"rack": "a1", "unit": 4}, "traits": ["CUSTOM_GPU"], "boot_mode": "uefi", "secure_boot": true,
        }),
    );
    let link = json!({"switch_id": "52:54:00:aa:00:01", "port_id": "Eth1", "switch_info": "leaf-1"});
    replay.port(&node, "52:54:00:00:00:01", json!({"local_link_connection": link, "pxe_enabled": true}));
    replay.port(&node, "52:54:00:00:00:02", json!({"pxe_enabled": false}));
    replay.inventory(
        &node,
        json!({"inventory": {
            "system_vendor": {"manufacturer": "ACME", "product_name": "R1", "serial_number": "S7"},
            "cpu": {"count": 64, "architecture": "x86_64"}, "memory": {"physical_mb": 262_144},
            "disks": [{"name": "/dev/nvme0n1", "size": 1_000_000_000_000_u64, "rotational": false}],
            "interfaces": [
                {"name": "eno1", "mac_address": "52:54:00:00:00:01", "speed_mbps": 25_000},
                {"name": "eno2", "mac_address": "52:54:00:00:00:02", "lldp": [[1, "04525400aa0002"], [2, "0545746831"], [5, "6c6561662d32"]]}
            ]
        }}),
    );
    node
}

#[tokio::test]
async fn a_node_becomes_a_device_a_host_ports_and_cables() {
    let replay = Replay::start().await;
    let node = deployed(&replay);
    let rules = ["extra.rack={rack}", "extra.unit={unit}"].map(|rule| Rule::parse(rule).expect("a rule"));
    let ironic = Ironic::new(Settings { places: rules.into(), ..settings(&replay) }).expect("an adapter");
    let seen = scan(&ironic).await;
    assert!(seen.bad.is_empty() && seen.secrets.is_empty(), "{seen:?}");
    let kinds: Vec<&str> = seen.items.iter().map(|item| item.id().kind.as_str()).collect();
    let switch = ["device", "port", "cable"];
    let expected = ["hostClass", "rack", "credential", "device", "host", "port", "port"].into_iter();
    assert_eq!(kinds, expected.chain(switch).chain(switch).collect::<Vec<_>>());
    let device = seen.fields("device", &node);
    assert_eq!(
        (&device["name"], &device["serial"], &device["site"]),
        (&json!("gpu-1"), &json!("S7"), &json!({"site": "ams1"}))
    );
    assert_eq!(device["placement"], json!({"rack": {"externalId": "a1"}, "startUnit": 4.0, "unitHeight": 1.0}));
    assert_eq!(device["hardware"]["memoryBytes"], json!(274_877_906_944_u64));
    let host = seen.fields("host", &node);
    for (field, expected) in [
        ("machine", json!({"device": {"externalId": node}})),
        ("class", json!({"externalId": "gpu.large"})),
        ("arrivesAs", json!("INSTALLED")),
        ("bmcUrl", json!("redfish://10.0.0.7/redfish/v1/Systems/1")),
        ("bmcCredential", json!({"externalId": node})),
        ("bmcInsecure", json!(true)),
        ("bootMac", json!("52:54:00:00:00:01")),
        ("bootMode", json!("UEFI_SECURE")),
        ("maintenance", json!({})),
    ] {
        assert_eq!(host[field], expected, "{field}");
    }
    assert_eq!(host["attributes"]["ironic"]["power"], "power on");
    assert_eq!(host["externalRefs"][0]["url"], format!("{}/v1/nodes/{node}", replay.url));
    let names: Vec<Value> =
        seen.items.iter().filter(|item| item.id().kind == "port").map(|item| item.fields()["name"].clone()).collect();
    assert_eq!(names, ["eno1", "eno2", "Eth1", "Eth1"]);
    assert_eq!(seen.count("cable"), 2);
}

#[tokio::test]
async fn pages_follow_each_other_without_the_links() {
    let replay = Replay::start().await;
    for number in 0..23 {
        let node = replay.node(&format!("n{number}"), json!({}));
        replay.port(&node, &format!("52:54:00:00:00:{number:02x}"), json!({}));
    }
    replay.page(5);
    let seen = scan(&ironic(&replay)).await;
    assert_eq!((seen.count("device"), seen.count("host"), seen.count("port")), (23, 23, 23));
    assert_eq!(replay.calls("GET /v1/nodes?").len(), 5);
    let (_, counts) = seen.report.types().find(|(of, _)| *of == "node").expect("nodes");
    assert_eq!((counts.read, counts.mapped), (23, 23));
}

#[tokio::test]
async fn skips_nodes_that_underlay_registered_itself() {
    let replay = Replay::start().await;
    let ours = replay.node("ours", json!({"extra": {"underlay": {"host": "7"}}}));
    replay.port(&ours, "52:54:00:00:00:01", json!({}));
    let other = replay.node("other", json!({}));
    let ironic = ironic(&replay);
    let seen = scan(&ironic).await;
    assert_eq!((seen.count("host"), seen.count("port")), (1, 0));
    assert!(seen.bad.is_empty());
    seen.fields("host", &other);
    assert_eq!(ironic.look(&ExternalId::new("host", ours)).await, Ok(None));
}

#[tokio::test]
async fn a_sparse_inventory_removes_nothing() {
    let replay = Replay::start().await;
    let node = deployed(&replay);
    let ironic = ironic(&replay);
    assert!(scan(&ironic).await.fields("device", &node).get("hardware").is_some());
    for inventory in [
        json!({"inventory": {"memory": {"physical_mb": 1}}, "plugin_data": {}}),
        json!({}),
        json!({"inventory": {"cpu": "fast", "disks": {}, "system_vendor": [], "interfaces": 7}}),
    ] {
        replay.inventory(&node, inventory);
        let seen = scan(&ironic).await;
        let (device, host) = (seen.fields("device", &node), seen.fields("host", &node));
        assert!(["hardware", "serial", "model"].iter().all(|field| device.get(*field).is_none()), "{device}");
        assert!(["uid", "architecture"].iter().all(|field| host.get(*field).is_none()), "{host}");
        assert_eq!(host["bootMac"], "52:54:00:00:00:01");
    }
}

#[tokio::test]
async fn a_port_group_becomes_a_lag() {
    let replay = Replay::start().await;
    let node = replay.node("n1", json!({}));
    let group = replay.portgroup(&node, json!({"name": "bond0", "address": "52:54:00:00:00:09", "mode": "802.3ad"}));
    let port = replay.port(&node, "52:54:00:00:00:01", json!({"portgroup_uuid": group}));
    let seen = scan(&ironic(&replay)).await;
    assert_eq!(
        (&seen.fields("port", &group)["type"], &seen.fields("port", &group)["name"]),
        (&json!("LAG"), &json!("bond0"))
    );
    assert_eq!(seen.fields("port", &port)["lag"], json!({"externalId": group}));
}

#[tokio::test]
async fn a_look_says_what_a_scan_says() {
    let replay = Replay::start().await;
    let node = deployed(&replay);
    let ironic = ironic(&replay);
    let seen = scan(&ironic).await;
    let found = ironic.look(&ExternalId::new("host", &*node)).await.expect("a look").expect("it is there");
    assert_eq!(found, seen.items[..found.len()], "everything of the node");
    assert_eq!(found.len(), 6);
    replay.delete("nodes", &node);
    assert_eq!(ironic.look(&ExternalId::new("host", node)).await, Ok(None));
    let switch = ironic.look(&ExternalId::new("device", "switch:52:54:00:aa:00:01")).await;
    assert_eq!(switch, Ok(Some(Vec::new())), "only a scan says something of switches");
}
