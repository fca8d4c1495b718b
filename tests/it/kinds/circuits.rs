//! Providers, provider networks, circuits and their ends.

use serde_json::{Value, json};
use underlay::write::Status;

use super::world::{How, with};
use super::{World, accept_all, refuse_all};

#[test]
fn providers() {
    let world = World::empty();
    let provider = |field: &str, value: Value| json!([{"provider": {"name": "p", "type": "CLOUD", field: value}}]);
    let contract = json!({"contractId": "1", "accountId": "2", "portalUrl": "https://portal.example/x", "notes": "n"});
    let identifiers = json!([{"name": "asn", "identifier": "64500"}]);
    accept_all(
        &world,
        &[
            ("a contract", provider("contract", contract)),
            ("http", provider("contract", json!({"portalUrl": "http://portal.example"}))),
            ("identifiers", provider("serviceIdentifiers", identifiers)),
        ],
    );
    for kind in ["HOSTING", "COLOCATION", "TRANSIT", "INTERNET_EXCHANGE", "DARK_FIBER", "CLOUD", "OTHER"] {
        accept_all(&world, &[(kind, provider("type", json!(kind)))]);
    }
    let url = "must be an http or https URL";
    let twice = json!([{"name": "a", "identifier": "1"}, {"name": "a", "identifier": "2"}]);
    let table = [
        ("type", json!("FRIEND"), "type", "must be one of HOSTING, COLOCATION, TRANSIT"),
        ("contract", json!({"portalUrl": "ftp://x"}), "contract.portalUrl", url),
        ("contract", json!({"portalUrl": "https://"}), "contract.portalUrl", url),
        ("contract", json!({"portalUrl": "javascript:alert(1)"}), "contract.portalUrl", url),
        ("contract", json!({"portalUrl": "https://a b"}), "contract.portalUrl", url),
        ("contract", json!({"portalUrl": 7}), "contract.portalUrl", url),
        ("contract", json!({"price": 1}), "contract", "price"),
        ("contract", json!("c"), "contract", "must be an object with contractId"),
        ("serviceIdentifiers", json!([{"identifier": "x"}]), "serviceIdentifiers[0].name", "is required"),
        ("serviceIdentifiers", json!([{"name": "a"}]), "serviceIdentifiers", "identifier"),
        ("serviceIdentifiers", twice, "serviceIdentifiers[1].name", "is in the list already"),
    ];
    for (field, value, path, says) in table {
        refuse_all(&world, &[(field, provider(field, value), "INVALID", path, says)]);
    }
}

/// A circuit `c` of lumen, a network of lumen, and ports up1, up2 on leaf-1 and far on node-9.
fn world() -> World {
    let mut world = World::small();
    world.write(json!([
        {"providerNetwork": {"provider": "lumen", "name": "net"}},
        {"circuit": {"provider": "lumen", "name": "c", "circuitId": "L-1", "type": "TRANSIT"}},
        {"port": {"device": "leaf-1", "name": "up1", "type": "OPTICAL"}},
        {"port": {"device": "leaf-1", "name": "up2", "type": "PATCH_FRONT"}},
        {"port": {"device": "leaf-1", "name": "psu", "type": "POWER_INLET"}},
        {"port": {"device": "leaf-1", "name": "po", "type": "LAG"}},
        {"port": {"device": "node-9", "name": "far", "type": "OPTICAL"}}
    ]));
    world
}

fn port(device: &str, name: &str) -> Value {
    json!({"device": device, "port": name})
}

fn circuit(field: &str, value: Value) -> Value {
    json!([{"circuit": {"provider": "lumen", "name": "c", field: value}}])
}

#[test]
fn circuits() {
    let world = world();
    for kind in ["CROSS_CONNECT", "PROVIDER_CIRCUIT", "TRANSIT", "PEERING"] {
        let items = json!([{"circuit": {"provider": "lumen", "name": "n", "type": kind}}]);
        accept_all(&world, &[(kind, items)]);
    }
    let everything = json!([{"circuit": {
        "provider": "equinix", "name": "n", "circuitId": "L-1", "type": "CROSS_CONNECT", "bandwidthMbps": 100_000,
        "distanceM": 12.5, "latencyMs": 0.1, "installedOn": "2026-02-28", "riskGroups": ["duct-1"], "status": "PLANNED",
        "serviceRef": {"apiGroup": "g", "kind": "k", "name": "n", "namespace": "ns"}
    }}]);
    accept_all(&world, &[("everything, with an id that is taken at another provider", everything)]);
    let named = |name: &str| json!({"apiGroup": "g", "kind": "k", "name": name});
    let table = [
        ("type", json!("ROPE"), "type", "must be one of CROSS_CONNECT, PROVIDER_CIRCUIT, TRANSIT, PEERING"),
        ("bandwidthMbps", json!(0), "bandwidthMbps", "must be a whole number of at least 1, not 0"),
        ("distanceM", json!(-1), "distanceM", "must be a number of at least 0, not -1"),
        ("latencyMs", json!(-0.5), "latencyMs", "must be a number of at least 0"),
        ("installedOn", json!("2026-02-30"), "installedOn", "must be a date such as 2026-11-20"),
        ("installedOn", json!("yesterday"), "installedOn", "must be a date such as 2026-11-20"),
        ("installedOn", json!(20260228), "installedOn", "must be a date such as 2026-11-20"),
        ("installedOn", json!("0000-12-31"), "installedOn", "must be a date from 0001-01-01 to 9999-12-31, not \"0000"),
        ("installedOn", json!("-0004-02-29"), "installedOn", "must be a date from 0001-01-01 to 9999-12-31"),
        ("installedOn", json!("+10000-01-01"), "installedOn", "must be a date from 0001-01-01 to 9999-12-31"),
        ("serviceRef", named(""), "serviceRef.name", "is required and must not be empty"),
        ("serviceRef", json!({"name": "n", "kind": "k"}), "serviceRef.apiGroup", "is required"),
        ("serviceRef", json!("x"), "serviceRef.apiGroup", "is required"),
        ("status", json!("LIT"), "status", "must be one of"),
    ];
    for (field, value, path, says) in table {
        refuse_all(&world, &[(field, circuit(field, value), "INVALID", path, says)]);
    }
    let taken = json!([{"circuit": {"provider": "lumen", "name": "d", "circuitId": "L-1", "type": "TRANSIT"}}]);
    let says = "the circuitId L-1 is already taken by circuit/lumen/c";
    refuse_all(&world, &[("the id of another", taken, "DUPLICATE", "circuitId", says)]);
}

#[test]
fn the_ends_are_written_through_the_circuit() {
    let mut world = world();
    let end = |world: &World| -> Value {
        let id = world.id("circuitTermination", "A");
        json!(["site", "providerNetwork", "port", "side"].map(|field| world.field_of(id, field)))
    };
    let site = json!(world.id("site", "ams1"));
    let up1 = json!(world.id("port", "up1"));
    let made = world.write(circuit("aEnd", json!({"site": "ams1", "port": port("leaf-1", "up1")})));
    assert_eq!(made[0].status, Status::Updated);
    assert_eq!(end(&world), json!([site, null, up1, "A"]));
    let again = world.write(circuit("aEnd", json!({"site": "ams1", "port": port("leaf-1", "up1")})));
    assert_eq!(again[0].status, Status::Unchanged);
    // Replaced as a whole: what is left out goes.
    let first = world.id("circuitTermination", "A");
    world.write(circuit("aEnd", json!({"site": "ams1"})));
    assert_eq!(end(&world), json!([site, null, null, "A"]));
    assert_eq!(world.id("circuitTermination", "A"), first, "it is the same end");
    world.write(circuit("aEnd", json!({"providerNetwork": "net"})));
    assert_eq!(end(&world), json!([null, world.id("providerNetwork", "net"), null, "A"]));
    world.write(circuit("zEnd", json!({"site": "fra1", "port": port("node-9", "far")})));
    // An item that says nothing of an end leaves it alone.
    assert_eq!(world.write(circuit("status", json!("ACTIVE")))[0].status, Status::Unchanged);
    assert!(world.find("circuitTermination", "A").is_some());
    // Null removes it.
    let removed = world.write(circuit("aEnd", Value::Null));
    assert_eq!(removed[0].status, Status::Updated);
    assert_eq!(world.find("circuitTermination", "A"), None);
    assert_eq!(world.write(circuit("aEnd", Value::Null))[0].status, Status::Unchanged);
}

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
fn a_new_circuit_can_have_its_ends_and_their_cable_in_one_batch() {
    let mut world = world();
    world.write(json!([
        {"cable": {"name": "k", "aEnds": [{"circuitTermination": {"provider": "equinix", "circuit": "x", "side": "Z"}}],
            "bEnds": [{"port": port("leaf-1", "up1")}]}},
        {"circuit": {"provider": "equinix", "name": "x", "type": "CROSS_CONNECT", "zEnd": {"site": "ams1"},
            "aEnd": {"site": "ams1"}}}
    ]));
    assert!(world.find("cable", "k").is_some());
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
fn a_circuit_and_a_network_move_to_another_provider() {
    let mut world = world();
    world.write(circuit("aEnd", json!({"site": "ams1", "port": port("leaf-1", "up1")})));
    let ids = [world.id("circuit", "c"), world.id("providerNetwork", "net"), world.id("circuitTermination", "A")];
    let moved = json!([
        {"circuit": {"id": ids[0], "provider": "equinix"}}, {"providerNetwork": {"id": ids[1], "provider": "equinix"}}
    ]);
    world.write(moved);
    let provider = json!(world.id("provider", "equinix"));
    assert_eq!(world.field("circuit", "c", "provider"), provider);
    assert_eq!(world.field("providerNetwork", "net", "provider"), provider);
    assert_eq!(world.id("circuitTermination", "A"), ids[2], "the ends stay");
    // The name and the id of the circuit are those of the new provider.
    let with = |provider: &str, name: &str| json!([{"create": {"circuit": {"provider": provider, "name": name, "circuitId": "L-1", "type": "TRANSIT"}}}]);
    accept_all(&world, &[("at the old one", with("lumen", "c"))]);
    refuse_all(
        &world,
        &[
            ("the name", with("equinix", "c"), "DUPLICATE", "name", "is already taken by circuit/equinix/c"),
            ("the id", with("equinix", "d"), "DUPLICATE", "circuitId", "is already taken by circuit/equinix/c"),
        ],
    );
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
