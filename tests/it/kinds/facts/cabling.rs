//! The cabling of hosts: verdicts over what is heard and what is recorded.

use serde_json::{Value, json};
use underlay_facts::Sections;
use underlay_inventory::ObjectRef;
use underlay_kinds::facts::cabling::CablingVerdict::{
    self, Agrees, Differs, NoPort, NotHeard, NotRecorded, UnknownNeighbour,
};
use underlay_kinds::facts::cabling::Judge;

use crate::harness::world::World;

/// A case: (description, what is recorded besides, what is heard at `eth0`, verdict, the object that the last neighbour
/// leads to).
type Case = (&'static str, Value, Value, CablingVerdict, &'static str);

fn port(device: &str, name: &str, more: Value) -> Value {
    let mut port = json!({"device": {"site": "s", "device": device}, "name": name, "type": "ETHERNET"});
    port.as_object_mut().expect("fields").extend(more.as_object().expect("members").clone());
    json!({ "port": port })
}

fn end(device: &str, port: &str) -> Value {
    json!([{"port": {"site": "s", "device": device, "port": port}}])
}

fn cable(name: &str, a: Value, b: Value) -> Value {
    json!({"cable": {"name": name, "aEnds": a, "bEnds": b}})
}

/// A server `srv` with two ports, and a leaf and a spine with three ports each.
fn world() -> World {
    let device = |name: &str, role: &str| json!({"device": {"site": "s", "name": name, "role": role}});
    let mut world = World::of(json!([
        {"site": {"name": "s", "type": "DATACENTER"}},
        {"site": {"name": "t", "type": "DATACENTER"}},
        device("srv", "SERVER"),
        device("leaf", "LEAF"),
        device("spine", "SPINE"),
        port("srv", "eth0", json!({"mac": "02:00:5e:00:00:01"})),
        port("srv", "eth1", json!({"mac": "02:00:5e:00:00:02"})),
    ]));
    for (device, number) in [("leaf", 1), ("spine", 2)] {
        for at in 1..=3 {
            let mac = format!("02:00:5e:0{number}:00:0{at}");
            let more = json!({"mac": mac, "description": format!("server {at}")});
            world.write(json!([port(device, &format!("Ethernet{at}"), more)]));
        }
    }
    world
}

fn direct() -> Value {
    json!([cable("c", end("srv", "eth0"), end("leaf", "Ethernet1"))])
}

/// A neighbour at `eth0` that says its name and that of its port.
fn named(system: &str, port: &str) -> Value {
    json!({"interface": "eth0", "permanentMac": "02:00:5e:00:00:01", "chassisId": "02:99:00:00:00:01",
        "chassisIdSubtype": "MAC_ADDRESS", "portId": port, "portIdSubtype": "INTERFACE_NAME", "systemName": system})
}

/// A neighbour at `eth0` that says MAC addresses.
fn with_macs(chassis: &str, port: &str) -> Value {
    json!({"interface": "eth0", "chassisId": chassis, "chassisIdSubtype": "MAC_ADDRESS", "portId": port,
        "portIdSubtype": "MAC_ADDRESS"})
}

/// A neighbour whose port is a number that nobody knows, with a description.
fn with_description(text: &str) -> Value {
    let mut neighbour = named("leaf", "517");
    neighbour["portDescription"] = json!(text);
    neighbour
}

fn sections(neighbours: &Value) -> Sections {
    let interface = |name: &str, mac: &str| json!({"name": name, "permanentMac": mac});
    serde_json::from_value(json!({
        "interfaces": {"complete": true, "found": [interface("eth0", "02:00:5E:00:00:01"), interface("eth1", "02:00:5e:00:00:02")]},
        "neighbours": {"complete": false, "found": neighbours},
    }))
    .expect("sections")
}

fn object(world: &World, kind: &str, name: &str) -> ObjectRef {
    let kind = world.snapshot.registry().named(kind).expect("a kind");
    let (slot, _) =
        world.snapshot.table(kind.id).rows(0).find(|(_, row)| row.common().name == name).expect("an object");
    ObjectRef { kind: kind.id, slot }
}

/// Judges an interface: the verdict, the recorded far ends, and what the last neighbour leads to.
fn judged(world: &World, machine: &str, interface: &str, sections: &Sections) -> (CablingVerdict, Vec<String>, String) {
    let judge = Judge::new(&world.snapshot, object(world, "device", machine), sections);
    let found = judge.cabling().find(|it| it.interface == interface).expect("the interface");
    let path = |object: ObjectRef| world.snapshot.path(object);
    let lead = found.heard.last().and_then(|heard| heard.port.or(heard.device)).map(path).unwrap_or_default();
    (found.verdict, found.recorded.iter().copied().map(path).collect(), lead)
}

fn check(cases: Vec<Case>) {
    for (what, items, heard, verdict, lead) in cases {
        let mut world = world();
        if items != json!([]) {
            world.write(items);
        }
        let (found, recorded, leads_to) = judged(&world, "srv", "eth0", &sections(&heard));
        assert_eq!((found, leads_to.as_str()), (verdict, lead), "{what}: {recorded:?}");
    }
}

#[test]
fn the_far_end_is_recognised_by_mac_name_and_description() {
    let (e1, e2) = ("port/s/leaf/Ethernet1", "port/s/leaf/Ethernet2");
    check(vec![
        ("names", direct(), json!([named("leaf", "Ethernet1")]), Agrees, e1),
        ("other case", direct(), json!([named("LEAF", "ethernet1")]), Agrees, e1),
        ("a domain", direct(), json!([named("leaf.example.org", "Ethernet1")]), Agrees, e1),
        ("another port", direct(), json!([named("leaf", "Ethernet2")]), Differs, e2),
        ("another device", direct(), json!([named("spine", "Ethernet1")]), Differs, "port/s/spine/Ethernet1"),
        ("a MAC address", direct(), json!([with_macs("02:98:00:00:00:01", "02:00:5E:01:00:01")]), Agrees, e1),
        ("another one", direct(), json!([with_macs("02:98:00:00:00:01", "02:00:5e:01:00:02")]), Differs, e2),
        (
            "the chassis",
            direct(),
            json!([with_macs("02:00:5e:01:00:03", "02:98:00:00:00:02")]),
            Agrees,
            "device/s/leaf",
        ),
        (
            "another chassis",
            direct(),
            json!([with_macs("02:00:5e:02:00:03", "02:98:00:00:00:02")]),
            Differs,
            "device/s/spine",
        ),
        ("a port that is not recorded", direct(), json!([named("leaf", "Ethernet9")]), Agrees, "device/s/leaf"),
        ("the name as description", direct(), json!([with_description("Ethernet1")]), Agrees, e1),
        ("the description", direct(), json!([with_description("Server 1")]), Agrees, e1),
        ("another description", direct(), json!([with_description("server 2")]), Differs, e2),
        ("a stranger", direct(), json!([named("core", "Ethernet1")]), UnknownNeighbour, ""),
        ("no cable", json!([]), json!([named("leaf", "Ethernet1")]), NotRecorded, e1),
        ("no cable and a stranger", json!([]), json!([named("core", "Ethernet1")]), UnknownNeighbour, ""),
        ("nothing", direct(), json!([]), NotHeard, ""),
    ]);
}

#[test]
fn the_far_end_is_recognised_if_other_objects_fit_too() {
    let twin = json!([
        {"device": {"site": "t", "name": "leaf", "role": "LEAF"}},
        {"port": {"device": {"site": "t", "device": "leaf"}, "name": "Ethernet1", "type": "ETHERNET"}},
    ]);
    let and_direct = |items: &Value| {
        [items.as_array().expect("items").clone(), direct().as_array().expect("items").clone()].concat()
    };
    // The MAC address of the far end was recorded at another port.
    let moved = json!([port("spine", "Ethernet1", json!({"mac": "02:00:5e:0a:00:01"}))]);
    let mut says_both = named("leaf", "Ethernet1");
    says_both["chassisId"] = json!("02:00:5e:0a:00:01");
    check(vec![
        (
            "a device of another site",
            json!(and_direct(&twin)),
            json!([named("leaf", "Ethernet1")]),
            Agrees,
            "port/s/leaf/Ethernet1",
        ),
        (
            "nothing but names of two sites",
            twin.clone(),
            json!([named("leaf", "Ethernet1")]),
            NotRecorded,
            "port/s/leaf/Ethernet1",
        ),
        ("the chassis of another", json!(and_direct(&moved)), json!([says_both]), Agrees, "port/s/spine/Ethernet1"),
    ]);
}

#[test]
fn several_neighbours_at_a_port_are_normal_and_a_machine_does_not_hear_itself() {
    let peer = with_macs("02:00:5e:00:00:02", "02:00:5E:00:00:02");
    let (good, bad) = (named("leaf", "Ethernet1"), named("spine", "Ethernet1"));
    let guest = json!([
        {"virtualMachine": {"name": "vm", "host": {"site": "s", "device": "srv"}}},
        {"port": {"virtualMachine": {"host": "srv", "virtualMachine": "vm"}, "name": "eth0", "type": "VIRTUAL", "mac": "02:00:5e:0b:00:01"}},
    ]);
    let e1 = "port/s/leaf/Ethernet1";
    check(vec![
        ("the last agrees", direct(), json!([bad, good]), Agrees, e1),
        ("the first agrees", direct(), json!([good, bad]), Agrees, "port/s/spine/Ethernet1"),
        ("none agrees", direct(), json!([bad, named("core", "1")]), Differs, ""),
        ("the other port of a bond", direct(), json!([peer]), NotHeard, ""),
        ("and the leaf", direct(), json!([peer, good]), Agrees, e1),
        ("a guest", guest, json!([with_macs("02:00:5e:0b:00:01", "02:00:5e:0b:00:01")]), NotHeard, ""),
    ]);
}

#[test]
fn lines_are_followed_through_panels_and_over_circuits() {
    let patch = |device: &str| {
        let rear = port(device, "1", json!({"type": "PATCH_REAR"}));
        let pass = json!([{"rear": {"site": "s", "device": device, "family": "REAR", "port": "1"}}]);
        [
            json!({"device": {"site": "s", "name": device, "role": "PATCH_PANEL"}}),
            rear,
            port(device, "1", json!({"type": "PATCH_FRONT", "passThrough": pass})),
        ]
    };
    let panel_end =
        |device: &str, family: &str| json!([{"port": {"site": "s", "device": device, "family": family, "port": "1"}}]);
    let mut panels: Vec<Value> = [patch("p1"), patch("p2")].concat();
    panels.push(cable("a", end("srv", "eth0"), panel_end("p1", "FRONT")));
    let unfinished = json!(panels);
    panels.push(cable("b", panel_end("p1", "REAR"), panel_end("p2", "REAR")));
    panels.push(cable("d", panel_end("p2", "FRONT"), end("leaf", "Ethernet1")));

    let circuit = |z: Value| {
        json!([
            {"provider": {"name": "lumen", "type": "TRANSIT"}},
            {"providerNetwork": {"provider": "lumen", "name": "n"}},
            {"circuit": {"provider": "lumen", "name": "x", "type": "PROVIDER_CIRCUIT", "aEnd": {"site": "s"}, "zEnd": z}},
            cable("a", end("srv", "eth0"), json!([{"circuitTermination": {"provider": "lumen", "circuit": "x", "side": "A"}}])),
        ])
    };
    let across = circuit(json!({"port": {"site": "s", "device": "leaf", "port": "Ethernet1"}}));
    let network = json!({"providerNetwork": {"provider": "lumen", "providerNetwork": "n"}});
    let (good, bad) = (json!([named("leaf", "Ethernet1")]), json!([named("leaf", "Ethernet2")]));
    let (e1, e2) = ("port/s/leaf/Ethernet1", "port/s/leaf/Ethernet2");
    check(vec![
        ("panels", json!(panels), good.clone(), Agrees, e1),
        ("panels, and another port", json!(panels), bad.clone(), Differs, e2),
        ("a line that ends in a panel", unfinished, good.clone(), NotRecorded, e1),
        ("a circuit", across.clone(), good.clone(), Agrees, e1),
        ("a circuit, and another port", across, bad.clone(), Differs, e2),
        ("a circuit to a site", circuit(json!({"site": "t"})), bad.clone(), NotRecorded, e2),
        ("to a network of a provider", circuit(network), bad.clone(), Agrees, e2),
        ("outside", json!([port("srv", "eth0", json!({"markConnected": true}))]), bad, Agrees, e2),
        (
            "outside, and a stranger",
            json!([port("srv", "eth0", json!({"markConnected": true}))]),
            json!([named("core", "1")]),
            Agrees,
            "",
        ),
    ]);
}

#[test]
fn parts_of_a_port_and_members_of_a_stack_are_the_far_end() {
    let member = |name: &str, slot: &str| json!({"device": {"site": "s", "name": name, "role": "LEAF", "parent": {"site": "s", "device": "stack"}, "slot": slot}});
    let stack = json!([
        {"device": {"site": "s", "name": "stack", "role": "LEAF"}},
        member("m1", "1"),
        member("m2", "2"),
        port("m1", "Gi1/0/1", json!({})),
        port("m2", "Gi2/0/1", json!({})),
        cable("c", end("srv", "eth0"), end("m2", "Gi2/0/1")),
    ]);
    let breakout = json!([
        port("leaf", "Ethernet1", json!({"positions": 4})),
        port("leaf", "Ethernet1/2", json!({"type": "VIRTUAL", "parent": {"site": "s", "device": "leaf", "port": "Ethernet1"}})),
        {"cable": {"name": "c", "aEnds": [end("srv", "eth0")[0], end("srv", "eth1")[0]], "bEnds": end("leaf", "Ethernet1"),
            "lanes": [{"aEnd": 1, "aPosition": 1, "bEnd": 1, "bPosition": 1}, {"aEnd": 2, "aPosition": 1, "bEnd": 1, "bPosition": 2}]}},
    ]);
    check(vec![
        ("the stack", stack.clone(), json!([named("stack", "Gi2/0/1")]), Agrees, "port/s/m2/Gi2/0/1"),
        ("the other member", stack.clone(), json!([named("stack", "Gi1/0/1")]), Differs, "port/s/m1/Gi1/0/1"),
        ("a member", stack, json!([named("m1", "mgmt")]), Agrees, "device/s/m1"),
        (
            "a port that is split",
            breakout.clone(),
            json!([named("leaf", "Ethernet1/2")]),
            Agrees,
            "port/s/leaf/Ethernet1/2",
        ),
        ("as a whole", breakout.clone(), json!([named("leaf", "Ethernet1")]), Agrees, "port/s/leaf/Ethernet1"),
        ("another port", breakout, json!([named("leaf", "Ethernet2")]), Differs, "port/s/leaf/Ethernet2"),
    ]);
}

#[test]
fn swapped_cables_differ_at_both_hosts() {
    let mut world = world();
    world.write(json!([
        {"device": {"site": "s", "name": "srv-2", "role": "SERVER"}},
        port("srv-2", "eth0", json!({"mac": "02:00:5e:00:01:01"})),
        cable("c1", end("srv", "eth0"), end("leaf", "Ethernet1")),
        cable("c2", end("srv-2", "eth0"), end("leaf", "Ethernet2")),
    ]));
    let first = sections(&json!([named("leaf", "Ethernet2")]));
    let (e1, e2) = ("port/s/leaf/Ethernet1".to_owned(), "port/s/leaf/Ethernet2".to_owned());
    assert_eq!(judged(&world, "srv", "eth0", &first), (Differs, vec![e1.clone()], e2.clone()));
    let mut second = named("leaf", "Ethernet1");
    second["permanentMac"] = json!("02:00:5e:00:01:01");
    let second = json!({
        "interfaces": {"complete": true, "found": [{"name": "eth0", "permanentMac": "02:00:5e:00:01:01"}]},
        "neighbours": {"complete": true, "found": [second]},
    });
    let second: Sections = serde_json::from_value(second).expect("sections");
    assert_eq!(judged(&world, "srv-2", "eth0", &second), (Differs, vec![e2], e1));
}

#[test]
fn interfaces_are_the_ports_with_their_mac_addresses_else_names() {
    let mut world = world();
    world.write(direct());
    let ports = |interfaces: Value| {
        let read = json!({"interfaces": {"complete": true, "found": interfaces}, "neighbours": {"complete": true, "found": []}});
        let read: Sections = serde_json::from_value(read).expect("sections");
        let judge = Judge::new(&world.snapshot, object(&world, "device", "srv"), &read);
        let shown = |port: Option<ObjectRef>| port.map(|port| world.snapshot.path(port));
        judge.cabling().map(|it| (it.interface.to_owned(), shown(it.port), it.verdict)).collect::<Vec<_>>()
    };
    let of = |name: &str, port: Option<&str>, verdict| {
        (name.to_owned(), port.map(|port| format!("port/s/srv/{port}")), verdict)
    };
    assert_eq!(
        ports(
            json!([{"name": "eth1", "permanentMac": "02:00:5e:00:00:01"}, {"name": "ETH1", "permanentMac": "02:00:5e:09:00:01"}, {"name": "ens5"}])
        ),
        [of("eth1", Some("eth0"), NotHeard), of("ETH1", Some("eth1"), NotHeard), of("ens5", None, NoPort)]
    );
    assert_eq!(
        ports(
            json!([{"name": "eth0", "permanentMac": "02:00:5e:09:00:01"}, {"name": "eth9", "permanentMac": "02:00:5e:00:00:01"}])
        ),
        [of("eth0", None, NoPort), of("eth9", Some("eth0"), NotHeard)],
        "a port has one interface"
    );
}
