//! The owner of a port, its key and its values, and the types that it can change to.

use serde_json::{Value, json};

use crate::harness::world::{World, accept_all, refuse_all};

fn port(field: &str, value: Value) -> Value {
    json!([{"port": {"device": "node-1", "name": "p", "type": "ETHERNET", field: value}}])
}

#[test]
fn a_port_has_one_owner() {
    let world = World::small();
    let rack = json!({"site": "ams1", "rack": "A14"});
    let both = json!([{"port": {"device": "node-1", "rack": rack, "name": "p", "type": "ETHERNET"}}]);
    let none = json!([{"port": {"name": "p", "type": "ETHERNET"}}]);
    accept_all(&world, &[("of a rack", json!([{"port": {"rack": rack, "name": "p", "type": "POWER_OUTLET"}}]))]);
    refuse_all(
        &world,
        &[
            ("both", both, "INVALID", "rack", "must not be given for a port of a device"),
            ("none", none, "INVALID", "device", "device, rack or virtualMachine is required to create a Port"),
        ],
    );
}

#[test]
fn names_are_unique_in_a_family() {
    let types = [
        ("ETHERNET", 0),
        ("OPTICAL", 0),
        ("WIRELESS", 0),
        ("LAG", 0),
        ("VIRTUAL", 0),
        ("SERIAL", 1),
        ("POWER_INLET", 2),
        ("POWER_OUTLET", 3),
        ("PATCH_FRONT", 4),
        ("PATCH_REAR", 5),
    ];
    let create = |kind: &str| json!([{"create": {"port": {"device": "node-1", "name": "1", "type": kind}}}]);
    for (there, family) in types {
        let mut world = World::small();
        world.write(create(there));
        for (new, other) in types {
            let what = format!("{new} beside {there}");
            match family == other {
                true => refuse_all(&world, &[(&what, create(new), "DUPLICATE", "name", "taken by port/ams1/node-1/1")]),
                false => accept_all(&world, &[(&what, create(new))]),
            }
        }
    }
}

#[test]
fn a_port_cannot_change_to_a_family_where_its_name_is_taken() {
    let mut world = World::small();
    world.write(json!([
        {"port": {"device": "node-1", "name": "1", "type": "PATCH_FRONT"}},
        {"port": {"device": "node-1", "name": "1", "type": "PATCH_REAR"}}
    ]));
    let kind = world.snapshot.registry().named("port").unwrap();
    let front = world.snapshot.table(kind.id).keys().next().unwrap().1;
    let id = world.snapshot.table(kind.id).row(front).unwrap().common().id;
    let changed = json!([{"port": {"id": id, "type": "PATCH_REAR"}}]);
    refuse_all(&world, &[("rear already", changed, "DUPLICATE", "name", "the name 1 is already taken by")]);
    world.write(json!([{"port": {"id": id, "type": "ETHERNET"}}]));
}

#[test]
fn values() {
    let mut world = World::small();
    let everything = json!([{"port": {
        "device": "node-1", "name": "p", "type": "ETHERNET", "connector": "10gbase-x-sfpp", "speedBps": 100_000_000_000_u64,
        "mtu": 9214, "mac": "00-00-5E-00-53-01", "addresses": ["192.0.2.1/24", "2001:DB8::1/64"], "mgmtOnly": true,
        "enabled": false, "markConnected": true, "positions": 1024
    }}]);
    world.write(everything);
    assert_eq!(world.field("port", "p", "mac"), "00:00:5e:00:53:01");
    // An interface for IP over InfiniBand has 20 bytes.
    let infiniband = "80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1";
    world.write(
        json!([{"port": {"device": "leaf-1", "name": "ib0", "type": "ETHERNET", "mac": infiniband.to_uppercase()}}]),
    );
    assert_eq!(world.field("port", "ib0", "mac"), infiniband);
    assert_eq!(world.field("port", "p", "addresses"), json!(["192.0.2.1/24", "2001:db8::1/64"]));
    let world = World::small();
    let table = [
        ("type", json!("USB"), "type", "must be one of ETHERNET, OPTICAL, WIRELESS, LAG, VIRTUAL, SERIAL, POWER_INLET"),
        ("speedBps", json!(0), "speedBps", "must be a whole number of at least 1, not 0"),
        ("mtu", json!(0), "mtu", "must be a whole number from 1 to 65536"),
        ("mtu", json!(65_537), "mtu", "must be a whole number from 1 to 65536"),
        ("positions", json!(0), "positions", "must be a whole number from 1 to 1024"),
        ("positions", json!(1025), "positions", "must be a whole number from 1 to 1024"),
        ("mac", json!("00:00:5e:00:53"), "mac", "must be a MAC address such as 00:00:5e:00:53:01"),
        ("mac", json!("zz:00:5e:00:53:01"), "mac", "must be a MAC address"),
        ("addresses", json!(["192.0.2.1"]), "addresses[0]", "must be an IP address with its prefix length"),
        ("addresses", json!(["192.0.2.1/24", "192.0.2.1/33"]), "addresses[1]", "must be an IP address"),
        ("addresses", json!(["2001:db8::1/64", "2001:DB8:0::1/64"]), "addresses[1]", "is in the list already"),
        ("addresses", json!([7]), "addresses[0]", "must be an IP address"),
        ("addresses", json!("192.0.2.1/24"), "addresses", "must be a list of texts"),
        ("enabled", json!("yes"), "enabled", "must be true or false"),
        ("mgmtOnly", json!(1), "mgmtOnly", "must be true or false"),
        ("connector", json!("x".repeat(254)), "connector", "at most 253 characters"),
    ];
    for (field, value, path, says) in table {
        refuse_all(&world, &[(field, port(field, value), "INVALID", path, says)]);
    }
    let mut world = world;
    world.write(port("mtu", Value::Null));
    for (field, value) in [("enabled", json!(true)), ("positions", json!(1)), ("mgmtOnly", json!(false))] {
        assert_eq!(world.field("port", "p", field), value, "the default of {field}");
    }
}

#[test]
fn a_connected_port_must_keep_fitting_its_cable() {
    let mut world = World::small();
    world.write(json!([
        {"port": {"device": "node-1", "name": "a", "type": "ETHERNET", "positions": 4}},
        {"port": {"device": "leaf-1", "name": "b", "type": "ETHERNET", "positions": 4}},
        {"port": {"device": "leaf-1", "name": "c", "type": "OPTICAL"}},
        {"cable": {"name": "cable", "aEnds": [{"port": {"device": "node-1", "port": "a"}}],
            "bEnds": [{"port": {"device": "leaf-1", "port": "b"}}], "lanes": [{"aPosition": 3, "bPosition": 1}]}},
        {"circuit": {"provider": "lumen", "name": "c", "type": "TRANSIT",
            "aEnd": {"site": "ams1", "port": {"device": "leaf-1", "port": "c"}}}}
    ]));
    let change =
        |name: &str, field: &str, value: Value| json!([{"port": {"id": world.id("port", name), field: value}}]);
    accept_all(
        &world,
        &[
            ("still data", change("a", "type", json!("OPTICAL"))),
            ("still data with a circuit", change("c", "type", json!("ETHERNET"))),
            ("as many as the lanes need", change("a", "positions", json!(3))),
            ("one lane only", change("b", "positions", json!(1))),
        ],
    );
    refuse_all(
        &world,
        &[
            ("power", change("a", "type", json!("POWER_INLET")), "INCOMPATIBLE", "type", "cannot be joined with"),
            ("a LAG", change("b", "type", json!("LAG")), "INCOMPATIBLE", "type", "takes no cable"),
            (
                "marked",
                change("a", "markConnected", json!(true)),
                "INCOMPATIBLE",
                "markConnected",
                "a cable is on this",
            ),
            (
                "too few positions for the lanes",
                change("a", "positions", json!(2)),
                "INCOMPATIBLE",
                "positions",
                "must be at least 3",
            ),
            (
                "power with a circuit",
                change("c", "type", json!("POWER_INLET")),
                "INCOMPATIBLE",
                "type",
                "circuitTermination/lumen/c/A is plugged into it",
            ),
            (
                "a LAG with a circuit",
                change("c", "type", json!("LAG")),
                "INCOMPATIBLE",
                "type",
                "circuitTermination/lumen/c/A is plugged into it",
            ),
        ],
    );
}

#[test]
fn an_outlet_that_supplies_a_feed_stays_an_outlet() {
    let mut world = World::small();
    world.write(json!([
        {"port": {"device": "leaf-1", "name": "out", "type": "POWER_OUTLET"}},
        {"powerFeed": {"site": "ams1", "name": "f", "upstream": {"port": {"device": "leaf-1", "port": "out"}}}}
    ]));
    let id = world.id("port", "out");
    let changed = json!([{"port": {"id": id, "type": "SERIAL"}}]);
    refuse_all(&world, &[("another type", changed, "INCOMPATIBLE", "type", "must stay POWER_OUTLET: it supplies f")]);
}
