//! Locations: their site and parent, their key, and moves to another site with all that is in them.

use serde_json::{Value, json};

use crate::harness::world::{How, World, accept_all, refuse_all};

/// Two sites: one with a row in a hall, the other with a lobby.
pub fn locations() -> World {
    World::of(json!([
        {"site": {"name": "ams1", "type": "DATACENTER"}},
        {"site": {"name": "fra1", "type": "DATACENTER"}},
        {"location": {"site": "ams1", "name": "hall"}},
        {"location": {"site": "ams1", "parent": "hall", "name": "row"}},
        {"location": {"site": "fra1", "name": "lobby"}}
    ]))
}

#[test]
fn locations_stay_in_their_site_and_form_no_cycle() {
    let world = locations();
    let location = |site: &str, name: &str, parent: &str| json!([{"location": {"id": world.id("location", name), "site": site, "name": name, "parent": parent}}]);
    let new = |site: &str, parent: &str| json!([{"location": {"site": site, "name": "new", "parent": parent}}]);
    let cycle = json!([
        {"location": {"site": "ams1", "name": "x", "parent": {"location": "y"}}},
        {"location": {"site": "ams1", "name": "y", "parent": {"location": "x"}}}
    ]);
    refuse_all(
        &world,
        &[
            ("another site", new("fra1", "hall"), "INCOMPATIBLE", "parent", "must be a location of the same site"),
            ("itself", location("ams1", "hall", "hall"), "INCOMPATIBLE", "parent", "must not be the location itself"),
            ("beneath it", location("ams1", "hall", "row"), "INCOMPATIBLE", "parent", "or one within it"),
            ("a cycle of new ones", cycle, "INVALID", "parent", "is its own ancestor"),
        ],
    );
    for r#type in ["BUILDING", "FLOOR", "ROOM", "CAGE", "ROW"] {
        accept_all(&world, &[(r#type, json!([{"location": {"site": "ams1", "name": "n", "type": r#type}}]))]);
    }
    let door = json!([{"location": {"site": "ams1", "name": "n", "type": "DOOR"}}]);
    refuse_all(&world, &[("type", door, "INVALID", "type", "must be one of BUILDING, FLOOR, ROOM, CAGE, ROW")]);
}

#[test]
fn the_key_of_a_location_is_in_its_site_and_parent() {
    let world = locations();
    let create = |site: &str, parent: Option<&str>, name: &str| json!([{"create": {"location": {"site": site, "parent": parent, "name": name}}}]);
    accept_all(
        &world,
        &[
            ("beneath another parent", create("ams1", Some("row"), "row")),
            ("at the top", create("ams1", None, "row")),
            ("at another site", create("fra1", None, "hall")),
        ],
    );
    refuse_all(
        &world,
        &[
            ("beside it", create("ams1", Some("hall"), "row"), "DUPLICATE", "name", "taken by location/ams1/hall/row"),
            ("at the top", create("ams1", None, "hall"), "DUPLICATE", "name", "taken by location/ams1/hall"),
        ],
    );
}

/// A hall with a row in it, and a rack with a device, an appliance, a feed and an outlet. One circuit is plugged into
/// the rack, and another feed supplies the outlet.
pub fn furnished() -> World {
    let mut world = World::small();
    world.write(json!([
        {"location": {"site": "ams1", "name": "hall"}},
        {"location": {"site": "ams1", "parent": "hall", "name": "row"}},
        {"rack": {"site": "ams1", "name": "A14", "location": "row"}},
        {"device": {"site": "ams1", "name": "node-1", "placement": {"rack": "A14"}}},
        {"device": {"site": "ams1", "name": "leaf-1", "location": "hall"}},
        {"appliance": {"name": "pod", "type": "MANUAL", "site": "ams1", "rack": "A14"}},
        {"powerFeed": {"site": "ams1", "rack": "A14", "name": "f"}},
        {"powerFeed": {"site": "ams1", "name": "main"}},
        {"port": {"rack": "A14", "name": "o", "type": "POWER_OUTLET", "fedBy": [{"powerFeed": "main"}]}},
        {"port": {"rack": "A14", "name": "patch", "type": "PATCH_FRONT"}},
        {"circuit": {"provider": "lumen", "name": "c", "type": "TRANSIT",
            "aEnd": {"site": "ams1", "port": {"rack": "A14", "port": "patch"}}}}
    ]));
    world
}

#[test]
fn a_location_moves_to_another_site_with_all_that_is_in_it() {
    let mut world = furnished();
    let moved = |kind: &str, name: &str| json!({kind: {"id": world.id(kind, name), "site": "fra1"}});
    let contents = [
        ("location", "row", "hall"),
        ("device", "leaf-1", "hall"),
        ("rack", "A14", "row"),
        ("device", "node-1", "A14"),
        ("powerFeed", "f", "A14"),
        ("appliance", "pod", "A14"),
        ("powerFeed", "main", "A14"),
        ("circuitTermination", "A", "A14"),
    ];
    for (left, (_, name, within)) in contents.iter().enumerate() {
        let others = contents.iter().enumerate().filter(|(at, _)| *at != left);
        let others = others.map(|(_, (kind, name, _))| moved(kind, name));
        let planned = world.plan(std::iter::once(moved("location", "hall")).chain(others).collect(), &How::default());
        let refused = planned.outcomes.iter().filter_map(|outcome| outcome.error.as_ref());
        let found = refused
            .filter(|error| error.code().as_str() == "INCOMPATIBLE")
            .any(|error| error.to_string().starts_with(&format!("site must be that of {name}, which")));
        assert!(found, "{name} in {within}: {:?}", planned.outcomes);
    }
    let all: Value = std::iter::once(moved("location", "hall"))
        .chain(contents.iter().map(|(kind, name, _)| moved(kind, name)))
        .collect();
    world.write(all);
    let site = json!(world.id("site", "fra1"));
    for (kind, name) in [("location", "hall"), ("location", "row"), ("rack", "A14"), ("device", "leaf-1")] {
        assert_eq!(world.field(kind, name, "site"), site, "{name}");
    }
    let create = json!([{"create": {"location": {"site": "fra1", "parent": "hall", "name": "row"}}}]);
    refuse_all(&world, &[("the key", create, "DUPLICATE", "name", "is already taken by location/fra1/hall/row")]);
}
