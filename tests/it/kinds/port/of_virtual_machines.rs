//! The ports of virtual machines: allowed fields, forbidden fields, and deletes.

use serde_json::{Value, json};
use underlay_engine::write::Status;

use crate::harness::world::{World, accept_all, refuse_all, with};

/// Two virtual machines, one with a port.
fn world() -> World {
    let mut world = World::small();
    world.write(json!([
        {"virtualMachine": {"name": "vm-1", "cluster": "k1"}},
        {"virtualMachine": {"name": "vm-2", "host": "node-1"}},
        {"port": {"virtualMachine": "vm-1", "name": "eth0", "type": "VIRTUAL"}},
        {"port": {"virtualMachine": {"host": "node-1", "virtualMachine": "vm-2"}, "name": "eth0", "type": "VIRTUAL"}}
    ]));
    world
}

fn port(field: &str, value: Value) -> Value {
    let port = json!({"port": {"virtualMachine": "vm-1", "name": "p", "type": "VIRTUAL"}});
    json!([with(&port, field, value)])
}

#[test]
fn a_port_of_a_virtual_machine_is_a_logical_interface() {
    let world = world();
    accept_all(
        &world,
        &[
            ("plain", port("enabled", json!(false))),
            ("with a MAC address", port("mac", json!("00:00:5e:00:53:01"))),
            ("with an MTU", port("mtu", json!(9000))),
            ("with addresses", port("addresses", json!(["192.0.2.1/24"]))),
            ("with a parent", port("parent", json!({"virtualMachine": "vm-1", "port": "eth0"}))),
            ("with labels", port("labels", json!({"env": "lab"}))),
        ],
    );
    let nothing = "must not be given for a port of a virtual machine: nothing is plugged into it";
    let elsewhere = json!({"virtualMachine": "vm-2", "port": "eth0"});
    let same = "parent must be a port of the same virtual machine";
    refuse_all(
        &world,
        &[
            (
                "copper",
                port("type", json!("ETHERNET")),
                "INCOMPATIBLE",
                "type",
                "must be VIRTUAL for a port of a virtual machine, not ETHERNET",
            ),
            ("power", port("type", json!("POWER_INLET")), "INCOMPATIBLE", "type", "not POWER_INLET"),
            ("a bundle", port("type", json!("LAG")), "INCOMPATIBLE", "type", "not LAG"),
            ("a connector", port("connector", json!("lc-apc")), "INCOMPATIBLE", "connector", nothing),
            ("lanes", port("positions", json!(4)), "INCOMPATIBLE", "positions", nothing),
            ("joined to the outside", port("markConnected", json!(true)), "INCOMPATIBLE", "markConnected", nothing),
            ("the parent of another", port("parent", elsewhere), "INCOMPATIBLE", "parent", same),
            (
                "a device as well",
                port("device", json!("node-1")),
                "INVALID",
                "virtualMachine",
                "must not be given for a port of a device",
            ),
        ],
    );
    let cable = json!([{"cable": {"name": "k", "aEnds": [{"port": {"virtualMachine": "vm-1", "port": "eth0"}}],
        "bEnds": [{"port": {"virtualMachine": "vm-2", "port": "eth0"}}]}}]);
    refuse_all(&world, &[("a cable", cable, "INCOMPATIBLE", "aEnds", "port/k1/vm-1/eth0 (VIRTUAL) takes no cable")]);
}

#[test]
fn a_port_is_found_by_the_key_of_its_virtual_machine() {
    let mut world = world();
    let eth0 = |vm: Value| json!([{"port": {"virtualMachine": vm, "name": "eth0", "mtu": 1500}}]);
    for vm in [json!("vm-1"), json!({"cluster": "k1", "virtualMachine": "vm-1"})] {
        world.write(eth0(vm.clone()));
        assert_eq!(world.write(eth0(vm))[0].status, Status::Unchanged);
    }
    let taken = json!([{"create": {"port": {"virtualMachine": "vm-1", "name": "eth0", "type": "VIRTUAL"}}}]);
    refuse_all(&world, &[("its name", taken, "DUPLICATE", "name", "is already taken by port/k1/vm-1/eth0")]);
    // Neither does it go to another owner, nor a port of a device to it.
    let id = world.id("port", "eth0");
    let moved = json!([{"port": {"id": id, "virtualMachine": "vm-2"}}]);
    refuse_all(&world, &[("another owner", moved, "IMMUTABLE", "virtualMachine", "k1/vm-1")]);
}

#[test]
fn deleting_a_virtual_machine_deletes_its_ports() {
    let mut world = world();
    let kind = world.snapshot.registry().named("port").expect("a kind").id;
    let gone = json!([{"delete": {"virtualMachine": "vm-1"}}]);
    refuse_all(&world, &[("without cascade", gone, "IN_USE", "", "is still in use by 1 Port")]);
    world.write(json!([{"delete": {"virtualMachine": "vm-1"}, "cascade": true}]));
    assert_eq!(world.snapshot.table(kind).len(), 1, "the port of the other one stays");
}
