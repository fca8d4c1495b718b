//! The ends of circuits: where an end is, its side, which is its name, and what is plugged into it.

use serde_json::{Value, json};
use underlay_engine::write::Status;

use super::circuit::{circuit, port, world};
use crate::harness::world::{How, refuse_all, with};

#[test]
fn an_end_is_at_a_site_or_in_a_provider_network() {
    let world = world();
    let both = json!({"site": "ams1", "providerNetwork": "net"});
    let plugged = json!({"providerNetwork": "net", "port": port("leaf-1", "up1")});
    let table = [
        ("both", both, "INVALID", "aEnd.site", "must not be given with a provider network"),
        ("a port there", plugged, "INVALID", "aEnd.port", "must not be given with a provider network"),
        ("a site that is not there", json!({"site": "x"}), "NOT_FOUND", "aEnd.site", "Site x does not exist"),
        ("another member", json!({"rack": "A14"}), "INVALID", "aEnd.rack", "has no field aEnd.rack"),
        ("its side", json!({"side": "Z"}), "INVALID", "aEnd.side", "has no field aEnd.side"),
        ("text", json!("ams1"), "INVALID", "aEnd", "must be an object with site, providerNetwork, port"),
        (
            "another site",
            json!({"site": "ams1", "port": port("node-9", "far")}),
            "INCOMPATIBLE",
            "aEnd.port",
            "at the site",
        ),
        ("power", json!({"port": port("leaf-1", "psu")}), "INCOMPATIBLE", "aEnd.port", "must be a data or patch port"),
        ("a LAG", json!({"port": port("leaf-1", "po")}), "INCOMPATIBLE", "aEnd.port", "must be a data or patch port"),
    ];
    for (what, value, code, field, says) in table {
        refuse_all(&world, &[(what, circuit("aEnd", value), code, field, says)]);
    }
}

#[test]
fn a_port_with_a_circuit_takes_no_cable() {
    let mut world = world();
    let plugged = json!({"site": "ams1", "port": port("leaf-1", "up1")});
    world.write(circuit("aEnd", plugged.clone()));
    let cable = |a: Value, b: Value| json!([{"cable": {"name": "k", "aEnds": [a], "bEnds": [b]}}]);
    let end = json!({"circuitTermination": {"provider": "lumen", "circuit": "c", "side": "A"}});
    let up = |name: &str| json!({"port": port("leaf-1", name)});
    let other = json!([{"circuit": {"provider": "equinix", "name": "x", "type": "TRANSIT", "aEnd": plugged}}]);
    refuse_all(
        &world,
        &[
            ("a cable on the port", cable(up("up1"), up("up2")), "INCOMPATIBLE", "aEnds[0]", "plugged into it"),
            ("a cable on the end", cable(up("up2"), end.clone()), "INCOMPATIBLE", "bEnds[0]", "straight into a port"),
            ("another circuit", other, "DUPLICATE", "aEnd.port", "is already taken by circuitTermination/lumen/c/A"),
            (
                "its other end",
                circuit("zEnd", json!({"site": "ams1", "port": port("leaf-1", "up1")})),
                "DUPLICATE",
                "zEnd.port",
                "is already taken by circuitTermination/lumen/c/A",
            ),
        ],
    );
    world.write(circuit("aEnd", json!({"providerNetwork": "net"})));
    let says = "ends at a provider network and takes no cable";
    refuse_all(&world, &[("in a network", cable(up("up2"), end.clone()), "INCOMPATIBLE", "bEnds[0]", says)]);
    // With a cable, it can be neither plugged in nor taken into the network, nor removed.
    world.write(circuit("aEnd", json!({"site": "ams1"})));
    world.write(cable(up("up2"), end));
    let cabled = "must not be given for an end that has a cable";
    refuse_all(
        &world,
        &[
            (
                "plugged",
                circuit("aEnd", json!({"site": "ams1", "port": port("leaf-1", "up1")})),
                "INCOMPATIBLE",
                "aEnd.port",
                cabled,
            ),
            (
                "into the network",
                circuit("aEnd", json!({"providerNetwork": "net"})),
                "INCOMPATIBLE",
                "aEnd.providerNetwork",
                cabled,
            ),
            (
                "plugged into a port with a cable",
                circuit("zEnd", json!({"site": "ams1", "port": port("leaf-1", "up2")})),
                "DUPLICATE",
                "zEnd.port",
                "is already taken by cable/k",
            ),
            ("removed", circuit("aEnd", Value::Null), "IN_USE", "", "is still in use by 1 Cable (k)"),
        ],
    );
}

#[test]
fn an_end_is_named_after_its_side() {
    let mut world = world();
    let end = |side: &str| json!({"circuitTermination": {"circuit": "c", "side": side, "site": "ams1"}});
    let made = world.write(json!([end("A"), end("Z")]));
    assert_eq!(made.iter().map(|it| it.status).collect::<Vec<_>>(), [Status::Created; 2]);
    assert_eq!(made[1].name.as_deref(), Some("Z"));
    assert_eq!(world.holders("circuitTermination", "Z").iter().filter(|(field, _)| field == "name").count(), 0);
    // It is found by its key again, whether or not the name is given.
    let again = world.write(json!([end("A"), with(&end("Z"), "name", json!("Z"))]));
    assert_eq!(again.iter().map(|it| it.status).collect::<Vec<_>>(), [Status::Unchanged; 2]);
    let described = world.write(json!([with(&end("A"), "description", json!("cage 7"))]));
    assert_eq!((described[0].status, described[0].id), (Status::Updated, made[0].id));
    let other = json!([{"circuitTermination": {"circuit": "c", "side": "A", "name": "left"}}]);
    let bare = json!([{"circuitTermination": {"circuit": "c", "site": "ams1"}}]);
    let there = json!([{"create": end("A")}]);
    refuse_all(
        &world,
        &[
            ("a second one", there, "DUPLICATE", "name", "the name A is already taken by circuitTermination/lumen/c/A"),
            ("another name", other, "INVALID", "name", "must be \"A\", the side of the circuit"),
            ("no side", bare, "INVALID", "side", "side"),
        ],
    );
}

#[test]
fn an_end_without_a_name_is_found_by_items_that_refer_to_it() {
    let mut world = world();
    world.write(json!([
        {"cable": {"name": "k", "aEnds": [{"circuitTermination": {"provider": "equinix", "circuit": "x", "side": "Z"}}],
            "bEnds": [{"port": port("leaf-1", "up1")}]}},
        {"circuitTermination": {"circuit": {"provider": "equinix", "circuit": "x"}, "side": "Z", "site": "ams1"}},
        {"circuit": {"provider": "equinix", "name": "x", "type": "CROSS_CONNECT"}}
    ]));
    assert!(world.find("cable", "k").is_some());
    // Again it is found by its key, in a later batch; given twice in one batch it is refused as any other object.
    let end = |tag: &str| json!({"circuitTermination": {"circuit": "c", "side": "A", "description": tag}});
    assert_eq!(world.statuses(json!([end("1")]), &How::per_item()), [Status::Created]);
    assert_eq!(world.statuses(json!([end("2"), end("3")]), &How::per_item()), [Status::Updated, Status::Failed]);
}

#[test]
fn the_ends_of_a_circuit_swap_their_sides_and_change_their_circuit() {
    let mut world = world();
    world.write(circuit("aEnd", json!({"site": "ams1", "port": port("leaf-1", "up1")})));
    world.write(circuit("zEnd", json!({"providerNetwork": "net"})));
    let (a, z) = (world.id("circuitTermination", "A"), world.id("circuitTermination", "Z"));
    let end = |id: uuid::Uuid, side: &str| json!({"circuitTermination": {"id": id, "side": side}});
    let says = "is already taken by circuitTermination/lumen/c/Z";
    refuse_all(&world, &[("one alone", json!([end(a, "Z")]), "DUPLICATE", "name", says)]);
    let named = json!([{"circuitTermination": {"id": a, "side": "Z", "name": "A"}}]);
    refuse_all(&world, &[("the old name", named, "INVALID", "name", "must be \"Z\", the side of the circuit")]);
    world.write(json!([end(a, "Z"), end(z, "A")]));
    assert_eq!((world.id("circuitTermination", "Z"), world.id("circuitTermination", "A")), (a, z));
    assert_eq!(world.field_of(a, "port"), json!(world.id("port", "up1")), "an end keeps what is plugged into it");
    assert_eq!(world.field_of(z, "side"), "A");

    world.write(json!([{"circuit": {"provider": "lumen", "name": "d", "type": "TRANSIT"}}]));
    world.write(json!([{"circuitTermination": {"id": a, "circuit": "d"}}]));
    assert_eq!(world.field_of(a, "circuit"), json!(world.id("circuit", "d")));
}
