//! The first scan of an Ironic, and a scan in which nothing changed.
//!
//! Ironic is replayed on this machine, so a scan measures the synchronizer and the server, and not Ironic, which is
//! slower. A scan reads the lists page by page, and the inventory of each node by a call of its own.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::replay::Served;
use super::synchronizer::{Scan, Source, Synchronizer};
use super::{memory, write};
use crate::fleets;
use crate::problem::Result;
use crate::quantity::{Quantity, thousands};
use crate::report::Report;
use crate::server::Server;
use crate::table::{Row, Target};

/// The number of ports of a node, each with a cable to a switch.
const PORTS: usize = 2;
/// The number of ports of a switch.
const SWITCH_PORTS: usize = 48;
/// The name of the site of the nodes.
const SITE: &str = "ironic";
/// The headers with the microversions that are offered.
const VERSIONS: [(&str, &str); 2] =
    [("x-openstack-ironic-api-minimum-version", "1.1"), ("x-openstack-ironic-api-maximum-version", "1.115")];

/// Measures a synchronizer of an Ironic with so many nodes.
pub async fn measure(report: &mut Report, folder: &Path, nodes: usize) -> Result<()> {
    let served = Served::start(Router::new().fallback(answer).with_state(Arc::new(Fleet { nodes })))?;
    let server = Server::start(&fleets::url(&folder.join("ironic.db"))).await?;
    write(server.address(), &json!({"site": {"name": SITE, "type": "DATACENTER"}})).await?;
    let state = folder.join("ironic.state");
    let source = format!("Ironic, {} nodes with {PORTS} ports each", thousands(&nodes.to_string()));

    let first = scan(&served, server.address(), &state).await?;
    let items = first.counts.items;
    first.counts.should(items > 0 && first.counts.created == items, "created all items")?;
    let row = Row::new("first scan of a source", &source, Quantity::Seconds(first.seconds));
    report.add(row.should(Target::AtMost(Quantity::Seconds(20.0))));
    let again = scan(&served, server.address(), &state).await?;
    again.counts.should(again.counts.unchanged == items, "found nothing changed")?;
    let row = Row::new("scan in which nothing changed", &source, Quantity::Seconds(again.seconds));
    report.add(row.should(Target::AtMost(Quantity::Seconds(20.0))));
    let most = first.max_memory.max(again.max_memory);
    let row = Row::new("scan, memory of the synchronizer at the most", &source, memory(most));
    report.add(row.should(Target::AtMost(Quantity::Bytes(250e6))));
    server.stop().await
}

async fn scan(served: &Served, server: SocketAddr, state: &Path) -> Result<Scan> {
    let arguments = ["sync", "ironic", "--url", &served.url, "--site", SITE];
    Synchronizer::once(&Source::new(arguments), server, state).await
}

/// The nodes of the replayed Ironic.
struct Fleet {
    nodes: usize,
}

async fn answer(State(fleet): State<Arc<Fleet>>, uri: Uri) -> Response {
    let parts: Vec<&str> = uri.path().trim_start_matches('/').split('/').collect();
    let parameter = |name: &str| {
        let mut pairs = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(it, _)| *it == name).map(|(_, value)| value)
    };
    let limit = parameter("limit").and_then(|limit| limit.parse().ok()).unwrap_or(1_000).min(1_000);
    let begin = parameter("marker").and_then(number).map_or(0, |last| last + 1);
    let page = |list: &str, count: usize, object: fn(usize) -> Value| {
        let end = (begin + limit).min(count);
        let objects: Vec<Value> = (begin..end).map(object).collect();
        let next = (end < count).then_some("http://next");
        json_of(&json!({ list: objects, "next": next }))
    };
    match parts.as_slice() {
        ["v1"] => (VERSIONS, "{}").into_response(),
        ["v1", "nodes"] => page("nodes", fleet.nodes, node),
        ["v1", "ports"] => page("ports", fleet.nodes * PORTS, port),
        ["v1", "portgroups"] => page("portgroups", 0, port),
        ["v1", "nodes", id, "inventory"] => number(id).map_or_else(missing, |index| json_of(&inventory(index))),
        _ => missing(),
    }
}

fn json_of(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, axum::Json(json!({"error_message": "not found"}))).into_response()
}

/// The id of an object, which contains its index.
fn id(index: usize) -> String {
    format!("00000000-0000-4000-8000-{index:012}")
}

fn number(id: &str) -> Option<usize> {
    id.rsplit('-').next()?.parse().ok()
}

fn mac(port: usize) -> String {
    let [.., a, b, c] = port.to_be_bytes();
    format!("52:54:00:{a:02x}:{b:02x}:{c:02x}")
}

/// A node as Ironic has it with all details. The members that are not read are there too, because they are sent.
fn node(index: usize) -> Value {
    let long = json!({
        "agent_cached_clean_steps": {"deploy": [{"step": "erase_devices", "priority": 10, "abortable": true}]},
        "last_power_state_change": "2026-11-20T08:15:00.000000", "is_whole_disk_image": true,
        "agent_url": "https://10.0.0.1:9999", "agent_version": "10.1.0", "hardware_manager_version": {"generic": "1.2"},
    });
    json!({
        "uuid": id(index), "name": format!("node-{index:05}"), "driver": "redfish", "driver_internal_info": long,
        "driver_info": {"redfish_address": format!("https://10.{}.{}.{}", 1 + index / 62_500, index / 250 % 250, index % 250 + 1),
            "redfish_system_id": "/redfish/v1/Systems/1", "redfish_username": "root", "redfish_password": "******"},
        "properties": {"cpus": 64, "memory_mb": 262_144, "local_gb": 930, "cpu_arch": "x86_64", "capabilities": "boot_mode:uefi"},
        "extra": {}, "instance_info": {"image_source": "http://10.0.0.1/image.qcow2", "root_gb": 930}, "instance_uuid": null,
        "resource_class": format!("class-{}", index % 7), "traits": ["CUSTOM_GPU", "CUSTOM_NVME"], "description": null,
        "owner": null, "lessee": null, "conductor_group": "", "power_state": "power on", "target_power_state": null,
        "provision_state": "active", "target_provision_state": null, "provision_updated_at": "2026-11-20T08:15:00+00:00",
        "last_error": null, "maintenance": false, "maintenance_reason": null, "fault": null, "retired": false,
        "protected": false, "automated_clean": null, "reservation": null, "boot_mode": "uefi", "secure_boot": false,
        "boot_interface": "redfish-virtual-media", "deploy_interface": "direct", "inspect_interface": "agent",
        "inspection_finished_at": "2026-11-20T08:00:00+00:00", "created_at": "2026-11-01T08:00:00+00:00",
        "updated_at": "2026-11-20T08:15:00+00:00", "links": [{"href": "http://10.0.0.1:6385/v1/nodes/1", "rel": "self"}],
    })
}

fn port(index: usize) -> Value {
    let (switch, at) = (index / SWITCH_PORTS, index % SWITCH_PORTS);
    json!({
        "uuid": id(1_000_000 + index), "node_uuid": id(index / PORTS), "address": mac(index), "name": null,
        "pxe_enabled": index.is_multiple_of(PORTS), "portgroup_uuid": null, "physical_network": null, "extra": {},
        "local_link_connection": {"switch_id": mac(0x0080_0000 + switch), "port_id": format!("Ethernet{at}"),
            "switch_info": format!("leaf-{switch}")},
        "created_at": "2026-11-01T08:00:00+00:00", "updated_at": null,
    })
}

fn inventory(index: usize) -> Value {
    let interface = |nth: usize| {
        json!({
            "name": format!("eno{}", nth + 1), "mac_address": mac(index * PORTS + nth), "ipv4_address": null,
            "has_carrier": true, "lldp": null, "vendor": "0x8086", "product": "0x1572", "speed_mbps": 25_000,
        })
    };
    let disk =
        |nth: usize| json!({"name": format!("/dev/nvme{nth}n1"), "size": 960_197_124_096_u64, "rotational": false});
    json!({
        "inventory": {
            "interfaces": (0..PORTS).map(interface).collect::<Vec<_>>(),
            "cpu": {"model_name": "Fast", "count": 64, "architecture": "x86_64", "flags": vec!["flag"; 100]},
            "memory": {"total": 270_000_000_000_u64, "physical_mb": 262_144}, "disks": (0..4).map(disk).collect::<Vec<_>>(),
            "system_vendor": {"product_name": "R1", "serial_number": format!("SN{index:07}"), "manufacturer": "ACME"},
            "boot": {"current_boot_mode": "uefi", "pxe_interface": mac(index * PORTS)}, "hostname": "localhost",
        },
        "plugin_data": {"root_disk": disk(0), "boot_interface": mac(index * PORTS)},
    })
}
