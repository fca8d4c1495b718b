//! The fields of devices, their site, the bays of a chassis, and the members of a stack.

use serde_json::{Value, json};

use crate::harness::world::{World, accept_all, refuse_all};

#[test]
fn fields() {
    let mut world = World::small();
    world.write(json!([{"location": {"site": "ams1", "name": "hall"}}, {"location": {"site": "fra1", "name": "far"}}]));
    let device =
        |field: &str, value: Value| json!([{"device": {"site": "ams1", "name": "d", "role": "OTHER", field: value}}]);
    let everything = json!([{"device": {
        "site": "ams1", "name": "d", "role": "SERVER", "location": "hall", "cluster": "k1",
        "placement": {"rack": "A14", "startUnit": 1, "unitHeight": 2, "face": "REAR", "fullDepth": true},
        "manufacturer": "m", "model": "x", "serial": "s", "assetTag": "t", "platform": "p", "forwards": true,
        "plane": "MANAGEMENT", "inletsRequired": 2,
        "addresses": [{"type": "INTERNAL", "address": "10.0.0.1"}, {"type": "HOSTNAME", "address": "d.example"}],
        "hardware": {"cpuCores": 64, "cpuArchitecture": "AMD64", "memoryBytes": 1_099_511_627_776_u64,
            "disks": [{"name": "nvme0n1", "sizeBytes": 1, "type": "NVME"}, {"name": "sda", "sizeBytes": 9, "type": "HDD"}]},
        "status": "STAGED"
    }}]);
    accept_all(&world, &[("everything", everything)]);
    let roles = [
        "SERVER",
        "SPINE",
        "LEAF",
        "BORDER_ROUTER",
        "ROUTER",
        "SWITCH",
        "FIREWALL",
        "LOAD_BALANCER",
        "CONSOLE_SERVER",
        "PDU",
        "UPS",
        "PATCH_PANEL",
        "CHASSIS",
        "STORAGE",
        "OTHER",
    ];
    for role in roles {
        accept_all(&world, &[(role, device("role", json!(role)))]);
    }
    for kind in ["INTERNAL", "EXTERNAL", "HOSTNAME", "MANAGEMENT"] {
        accept_all(&world, &[(kind, device("addresses", json!([{"type": kind, "address": "a"}])))]);
    }
    let disk = |disk: Value| json!({"disks": [disk]});
    let table = [
        ("role", json!("TOASTER"), "INVALID", "role", "must be one of SERVER, SPINE, LEAF, BORDER_ROUTER"),
        ("location", json!("far"), "INCOMPATIBLE", "location", "must be of the site of the device"),
        ("cluster", json!("k9"), "NOT_FOUND", "cluster", "Cluster k9 does not exist"),
        ("plane", json!("AIR"), "INVALID", "plane", "must be one of DATA, MANAGEMENT"),
        ("forwards", json!("yes"), "INVALID", "forwards", "must be true or false, not \"yes\""),
        ("inletsRequired", json!(0), "INVALID", "inletsRequired", "must be a whole number from 1"),
        ("addresses", json!([{"address": "a"}]), "INVALID", "addresses", "type"),
        ("addresses", json!([{"type": "INTERNAL"}]), "INVALID", "addresses[0].address", "1 to 253 characters"),
        ("addresses", json!([{"type": "HOME", "address": "a"}]), "INVALID", "addresses", "HOME"),
        ("addresses", json!([{"type": "INTERNAL", "address": "a b"}]), "INVALID", "addresses[0].address", "spaces"),
        (
            "addresses",
            json!([{"type": "INTERNAL", "address": "a"}, {"type": "INTERNAL", "address": "a"}]),
            "INVALID",
            "addresses[1]",
            "is a, which is in the list already",
        ),
        ("hardware", json!({"cpuCores": 0}), "INVALID", "hardware.cpuCores", "a whole number of at least 1, not 0"),
        ("hardware", json!({"memoryBytes": 0}), "INVALID", "hardware.memoryBytes", "at least 1, not 0"),
        ("hardware", json!({"memoryBytes": 1.5}), "INVALID", "hardware.memoryBytes", "at least 1, not 1.5"),
        ("hardware", json!({"cpuArchitecture": "Z80"}), "INVALID", "hardware", "Z80"),
        ("hardware", json!({"gpus": 1}), "INVALID", "hardware", "gpus"),
        ("hardware", disk(json!({"sizeBytes": 1, "type": "SSD"})), "INVALID", "hardware.disks[0].name", "is required"),
        (
            "hardware",
            disk(json!({"name": "a", "sizeBytes": 0, "type": "SSD"})),
            "INVALID",
            "hardware.disks[0].sizeBytes",
            "at least 1, not 0",
        ),
        ("hardware", disk(json!({"name": "a", "sizeBytes": 1, "type": "TAPE"})), "INVALID", "hardware", "TAPE"),
        (
            "hardware",
            json!({"disks": [{"name": "a", "sizeBytes": 1, "type": "SSD"}, {"name": "a", "sizeBytes": 1, "type": "SSD"}]}),
            "INVALID",
            "hardware.disks[1].name",
            "is in the list already",
        ),
        ("status", json!("UP"), "INVALID", "status", "must be one of"),
        (
            "placement",
            json!({"rack": "B1"}),
            "INCOMPATIBLE",
            "placement.rack",
            "must be a rack of the site of the device",
        ),
    ];
    for (field, value, code, path, says) in table {
        refuse_all(&world, &[(field, device(field, value), code, path, says)]);
    }
    world.write(device("status", Value::Null));
    for (field, value) in [("status", json!("ACTIVE")), ("plane", json!("DATA")), ("inletsRequired", json!(1))] {
        assert_eq!(world.field("device", "d", field), value, "the default of {field}");
    }
}

#[test]
fn an_asset_tag_is_unique() {
    let mut world = World::small();
    world.write(json!([{"device": {"site": "ams1", "name": "node-1", "assetTag": "t1"}}]));
    let tagged = json!([{"device": {"site": "fra1", "name": "node-9", "assetTag": "t1"}}]);
    let says = "the assetTag t1 is already taken by device/ams1/node-1";
    refuse_all(&world, &[("at another site", tagged, "DUPLICATE", "assetTag", says)]);
    world.write(json!([{"device": {"site": "ams1", "name": "node-1", "assetTag": null}}]));
    world.write(json!([{"device": {"site": "fra1", "name": "node-9", "assetTag": "t1"}}]));
}

fn chassis() -> World {
    let mut world = World::small();
    world.write(json!([
        {"device": {"site": "ams1", "name": "chassis", "role": "CHASSIS"}},
        {"device": {"site": "ams1", "name": "blade-1", "role": "SERVER", "parent": "chassis", "slot": "1"}},
        {"device": {"site": "ams1", "name": "card", "role": "OTHER", "parent": "blade-1"}}
    ]));
    world
}

#[test]
fn a_device_in_a_chassis() {
    let world = chassis();
    let blade = |fields: Value| {
        let mut item = json!({"site": "ams1", "name": "blade-2", "role": "SERVER"});
        item.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!([{"device": item}])
    };
    accept_all(
        &world,
        &[
            ("another slot", blade(json!({"parent": "chassis", "slot": "2"}))),
            ("no slot", blade(json!({"parent": "chassis"}))),
            ("the same slot of another", blade(json!({"parent": "blade-1", "slot": "1"}))),
        ],
    );
    let placed = blade(json!({"parent": "chassis", "placement": {"rack": "A14", "startUnit": 1, "unitHeight": 1}}));
    refuse_all(
        &world,
        &[
            (
                "the same slot",
                blade(json!({"parent": "chassis", "slot": "1"})),
                "DUPLICATE",
                "slot",
                "the slot 1 is already taken by device/ams1/blade-1",
            ),
            ("a slot alone", blade(json!({"slot": "1"})), "INVALID", "slot", "needs a parent that has the slot"),
            (
                "placed too",
                placed,
                "INCOMPATIBLE",
                "placement",
                "must not be given for a device that is in another one",
            ),
            (
                "in a rack without a unit",
                blade(json!({"parent": "chassis", "placement": {"rack": "A14"}})),
                "INCOMPATIBLE",
                "placement",
                "must not be given",
            ),
            ("at another site", blade(json!({"parent": "node-9"})), "INCOMPATIBLE", "parent", "at the same site"),
        ],
    );
}

#[test]
fn a_device_cannot_contain_itself() {
    let world = chassis();
    for parent in ["chassis", "blade-1", "card"] {
        let items = json!([{"device": {"site": "ams1", "name": "chassis", "parent": parent}}]);
        let says = "must not be the device itself or one in it";
        refuse_all(&world, &[(parent, items, "INCOMPATIBLE", "parent", says)]);
    }
}

#[test]
fn a_device_moves_with_its_contents() {
    let mut world = chassis();
    let id = world.id("device", "chassis");
    let moved = |id: uuid::Uuid| json!({"device": {"id": id, "site": "fra1"}});
    let alone = json!([moved(id)]);
    refuse_all(&world, &[("alone", alone, "INCOMPATIBLE", "site", "must be that of blade-1, which is in the device")]);
    let all = [id, world.id("device", "blade-1"), world.id("device", "card")].map(moved);
    world.write(json!(all));
}

#[test]
fn a_device_does_not_leave_its_rack_or_its_circuits_behind() {
    let mut world = World::small();
    world.write(json!([
        {"device": {"site": "ams1", "name": "node-1", "placement": {"rack": "A14"}}},
        {"port": {"device": "leaf-1", "name": "up", "type": "OPTICAL"}},
        {"circuit": {"provider": "lumen", "name": "c", "type": "TRANSIT",
            "aEnd": {"site": "ams1", "port": {"device": "leaf-1", "port": "up"}}}}
    ]));
    let moved = |name: &str| json!([{"device": {"id": world.id("device", name), "site": "fra1"}}]);
    refuse_all(
        &world,
        &[
            ("placed", moved("node-1"), "INCOMPATIBLE", "placement.rack", "must be a rack of the site of the device"),
            ("plugged", moved("leaf-1"), "INCOMPATIBLE", "site", "a circuit is plugged into port up"),
        ],
    );
}

/// A switch with two members of its stack, and a stack that is a device of its own with one member.
fn stacks() -> World {
    let mut world = World::small();
    let placed = |name: &str, unit: i32| {
        json!({"site": "ams1", "name": name, "role": "SWITCH",
        "placement": {"rack": "A14", "startUnit": unit, "unitHeight": 1}})
    };
    let member = |name: &str, unit: i32, parent: &str, slot: Value| {
        let mut device = placed(name, unit);
        (device["parent"], device["slot"]) = (json!(parent), slot);
        json!({"device": device})
    };
    world.write(json!([
        {"device": placed("sw-1", 1)},
        member("sw-2", 2, "sw-1", Value::Null),
        {"device": {"site": "ams1", "name": "vc", "role": "SWITCH"}},
        member("vc-1", 10, "vc", json!("1")),
        {"device": {"site": "ams1", "name": "fan", "role": "OTHER", "parent": "sw-1"}}
    ]));
    world
}

#[test]
fn a_member_of_a_stack_has_its_own_place() {
    let mut world = stacks();
    let device =
        |name: &str, field: &str, value: Value| json!([{"device": {"site": "ams1", "name": name, field: value}}]);
    let at = |rack: &str, unit: i32| json!({"rack": rack, "startUnit": unit, "unitHeight": 1});
    let member = "must stay that of a stack: vc-1, which is in it, has its own placement";
    refuse_all(
        &world,
        &[
            (
                "where another one is",
                device("sw-2", "placement", at("A14", 10)),
                "OVERLAP",
                "placement",
                "overlaps vc-1 at U10",
            ),
            (
                "above the rack",
                device("vc-1", "placement", at("A14", 43)),
                "OVERLAP",
                "placement",
                "does not fit within rack A14",
            ),
            (
                "at another site",
                device("vc-1", "placement", at("B1", 1)),
                "INCOMPATIBLE",
                "placement.rack",
                "must be a rack of the site",
            ),
            (
                "in a slot of a member",
                device("sw-2", "slot", json!("2")),
                "INCOMPATIBLE",
                "placement",
                "it is in slot 2 of sw-1",
            ),
            ("the stack as a chassis", device("vc", "role", json!("CHASSIS")), "INCOMPATIBLE", "role", member),
            ("the stack in a rack", device("vc", "placement", at("A14", 20)), "INCOMPATIBLE", "placement", member),
        ],
    );
    // They move on their own, and the LAGs of the stack stay whole.
    world.write(device("sw-2", "placement", at("A14", 3)));
    world.write(json!([
        {"port": {"device": "sw-1", "name": "po1", "type": "LAG"}},
        {"port": {"device": "sw-2", "name": "e1", "type": "ETHERNET", "lag": {"device": "sw-1", "port": "po1"}}}
    ]));
    let left = "must be in the stack of the LAG that port e1 is a part of";
    refuse_all(&world, &[("without its LAG", device("sw-2", "parent", Value::Null), "INCOMPATIBLE", "parent", left)]);
}

#[test]
fn a_stack_does_not_contain_its_members() {
    let mut world = stacks();
    let delete = |name: &str| json!([{"delete": {"device": name}, "cascade": true}]);
    // The cascade takes the contents of the device, but a member with a placement of its own only refers to it.
    let used = "is still in use by 1 Device (sw-2)";
    refuse_all(&world, &[("the first member", delete("sw-1"), "IN_USE", "", used)]);
    world.write(json!([{"device": {"site": "ams1", "name": "sw-2", "parent": null}}]));
    world.write(delete("sw-1"));
    assert_eq!((world.find("device", "fan"), world.find("device", "sw-2").is_some()), (None, true));
    assert!(!is_inside(&world, "vc-1", "vc"), "a member is not within the stack");
    world.write(json!([{"device": {"site": "ams1", "name": "vc-1", "placement": null}}]));
    assert!(is_inside(&world, "vc-1", "vc"), "without a place of its own it is");
}

/// Returns true if a device is directly within another one.
fn is_inside(world: &World, name: &str, of: &str) -> bool {
    let object = |name: &str| world.snapshot.find(world.id("device", name)).expect("an object");
    world.snapshot.nearest_containers(object(name)).any(|container| container == object(of))
}
