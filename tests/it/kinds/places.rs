//! Regions, sites, locations, racks, power feeds.

use serde_json::{Value, json};

use super::world::How;
use super::{World, accept_all, refuse_all};

#[test]
fn regions_cannot_form_a_cycle() {
    let mut world = World::of(json!([
        {"region": {"name": "a"}},
        {"region": {"name": "b", "parent": "a"}},
        {"region": {"name": "c", "parent": "b"}}
    ]));
    let parent = |name: &str, parent: &str| json!([{"region": {"name": name, "parent": parent}}]);
    for (what, items) in [("itself", parent("a", "a")), ("its child", parent("a", "b")), ("below", parent("a", "c"))] {
        refuse_all(&world, &[(what, items, "INVALID", "parent", "must not be the region itself or a part of it")]);
    }
    let cycle = json!([{"region": {"name": "x", "parent": "y"}}, {"region": {"name": "y", "parent": "x"}}]);
    refuse_all(&world, &[("two new ones", cycle, "INVALID", "parent", "must not be the region itself")]);
    // Reversed in one batch it is no cycle.
    world.write(json!([{"region": {"name": "a", "parent": "c"}}, {"region": {"name": "b", "parent": null}}]));
    world.write(json!([{"region": {"name": "a", "parent": null}}]));
}

#[test]
fn sites() {
    let world = World::of(json!([{"region": {"name": "eu"}}, {"provider": {"name": "equinix", "type": "COLOCATION"}}]));
    let site = |field: &str, value: Value| json!([{"site": {"name": "s", "type": "EDGE", field: value}}]);
    let everything = json!([{"site": {
        "name": "s", "type": "DATACENTER", "displayName": "S", "region": "eu", "provider": "equinix",
        "address": "Street 1\n1000 Town", "coordinates": {"latitude": 52.3, "longitude": 4.9},
        "timeZone": "Europe/Amsterdam", "status": "PLANNED"
    }}]);
    accept_all(&world, &[("everything", everything)]);
    for r#type in ["DATACENTER", "AVAILABILITY_ZONE", "EDGE", "VIRTUAL", "OTHER"] {
        accept_all(&world, &[(r#type, site("type", json!(r#type)))]);
    }
    for status in ["PLANNED", "STAGED", "ACTIVE", "OFFLINE", "FAILED", "DECOMMISSIONING", "RETIRED"] {
        accept_all(&world, &[(status, site("status", json!(status)))]);
    }
    let table = [
        (
            "type",
            json!("MOON"),
            "INVALID",
            "type",
            "one of DATACENTER, AVAILABILITY_ZONE, EDGE, VIRTUAL, OTHER, not \"MOON\"",
        ),
        ("type", json!("edge"), "INVALID", "type", "must be one of"),
        ("status", json!("DEAD"), "INVALID", "status", "PLANNED, STAGED, ACTIVE, OFFLINE, FAILED"),
        ("timeZone", json!("Amsterdam"), "INVALID", "timeZone", "must be an IANA time zone such as Europe/Amsterdam"),
        ("coordinates", json!({"latitude": 91, "longitude": 0}), "INVALID", "coordinates.latitude", "-90 to 90"),
        ("region", json!("mars"), "NOT_FOUND", "region", "Region mars does not exist"),
        ("provider", json!("acme"), "NOT_FOUND", "provider", "Provider acme does not exist"),
        ("region", json!(7), "INVALID", "region", "must be a reference to a Region, not 7"),
    ];
    for (field, value, code, path, says) in table {
        refuse_all(&world, &[(field, site(field, value), code, path, says)]);
    }
    let mut world = world;
    world.write(site("displayName", Value::Null));
    assert_eq!(world.field("site", "s", "status"), "ACTIVE", "the default");
}

fn locations() -> World {
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

#[test]
fn racks() {
    let world = locations();
    let rack =
        |field: &str, value: Value| json!([{"rack": {"site": "ams1", "name": "A14", "heightU": 42, field: value}}]);
    let everything = json!([{"rack": {
        "site": "ams1", "name": "A14", "location": "row", "cage": "7", "row": "A", "heightU": 100, "serial": "s",
        "assetTag": "t", "status": "STAGED"
    }}]);
    accept_all(&world, &[("everything", everything), ("the smallest", rack("heightU", json!(1)))]);
    let table = [
        ("heightU", json!(0), "INVALID", "heightU", "must be a whole number from 1 to 100, not 0"),
        ("heightU", json!(101), "INVALID", "heightU", "must be a whole number from 1 to 100, not 101"),
        ("heightU", json!(42.5), "INVALID", "heightU", "must be a whole number from 1 to 100, not 42.5"),
        ("heightU", json!("42"), "INVALID", "heightU", "must be a whole number"),
        ("location", json!("lobby"), "INCOMPATIBLE", "location", "must be of the site of the rack"),
        ("location", json!("roof"), "NOT_FOUND", "location", "Location roof does not exist"),
        ("site", json!("mars"), "NOT_FOUND", "site", "Site mars does not exist"),
        ("status", json!("GONE"), "INVALID", "status", "must be one of"),
    ];
    for (field, value, code, path, says) in table {
        refuse_all(&world, &[(field, rack(field, value), code, path, says)]);
    }
}

#[test]
fn power_feeds() {
    let mut world = World::small();
    world.write(json!([
        {"powerFeed": {"site": "ams1", "name": "main"}},
        {"powerFeed": {"site": "ams1", "name": "sub", "upstream": {"powerFeed": "main"}}},
        {"port": {"device": "leaf-1", "name": "out", "type": "POWER_OUTLET"}},
        {"port": {"device": "leaf-1", "name": "eth", "type": "ETHERNET"}}
    ]));
    let feed = |field: &str, value: Value| json!([{"powerFeed": {"site": "ams1", "name": "f", field: value}}]);
    let everything = json!([{"powerFeed": {
        "site": "ams1", "rack": "A14", "name": "f", "phase": "THREE_PHASE", "voltage": 400, "ampsRated": 63,
        "upstream": {"port": {"device": "leaf-1", "port": "out"}}, "riskGroups": ["ups-a"], "status": "ACTIVE"
    }}]);
    accept_all(&world, &[("everything", everything), ("one phase", feed("phase", json!("SINGLE_PHASE")))]);
    let port = |name: &str| json!({"port": {"device": "leaf-1", "port": name}});
    let table = [
        ("rack", json!("B1"), "INCOMPATIBLE", "rack", "must be a rack of the site of the feed"),
        ("phase", json!("TWO"), "INVALID", "phase", "must be one of SINGLE_PHASE, THREE_PHASE"),
        ("voltage", json!(0), "INVALID", "voltage", "must be a whole number from 1"),
        ("ampsRated", json!(0), "INVALID", "ampsRated", "must be a whole number from 1"),
        ("ampsRated", json!(2_147_483_648_u64), "INVALID", "ampsRated", "to 2147483647"),
        ("upstream", port("eth"), "INCOMPATIBLE", "upstream", "must be a power feed or a port of type POWER_OUTLET"),
        ("upstream", json!({}), "INVALID", "upstream", "must have exactly one of powerFeed, port"),
        ("upstream", json!({"rack": "A14"}), "INVALID", "upstream", "must have exactly one of powerFeed, port"),
        ("upstream", json!("main"), "INVALID", "upstream", "must have exactly one of powerFeed, port"),
        ("upstream", json!({"powerFeed": "x"}), "NOT_FOUND", "upstream.powerFeed", "PowerFeed x does not exist"),
        ("riskGroups", json!(["a", "a"]), "INVALID", "riskGroups[1]", "is in the list already"),
        ("riskGroups", json!([" "]), "INVALID", "riskGroups[0]", "must be text of 1 to 253 characters"),
        ("riskGroups", json!([7]), "INVALID", "riskGroups[0]", "must be text of 1 to 253 characters"),
        ("riskGroups", json!("a"), "INVALID", "riskGroups", "must be a list of texts"),
        ("riskGroups", json!(vec!["x".repeat(254)]), "INVALID", "riskGroups[0]", "1 to 253 characters"),
        ("status", json!("HOT"), "INVALID", "status", "must be one of"),
    ];
    for (field, value, code, path, says) in table {
        refuse_all(&world, &[(field, feed(field, value), code, path, says)]);
    }
    let many: Vec<_> = (0..257).map(|at| at.to_string()).collect();
    let says = "has 257 entries; at most 256 are allowed";
    refuse_all(&world, &[("too many", feed("riskGroups", json!(many)), "INVALID", "riskGroups", says)]);
    let up =
        |upstream: &str| json!([{"powerFeed": {"site": "ams1", "name": "main", "upstream": {"powerFeed": upstream}}}]);
    for upstream in ["main", "sub"] {
        let says = "must not be the feed itself or one that it supplies";
        refuse_all(&world, &[(upstream, up(upstream), "INVALID", "upstream", says)]);
    }
}

#[test]
fn the_key_of_a_power_feed_is_in_its_rack_or_site() {
    let mut world = World::small();
    world.write(json!([
        {"powerFeed": {"site": "ams1", "name": "a"}}, {"powerFeed": {"site": "ams1", "rack": "A14", "name": "a"}}
    ]));
    let create = |rack: Option<&str>| json!([{"create": {"powerFeed": {"site": "ams1", "rack": rack, "name": "a"}}}]);
    refuse_all(
        &world,
        &[
            ("of the site", create(None), "DUPLICATE", "name", "is already taken by powerFeed/ams1/a"),
            ("of the rack", create(Some("A14")), "DUPLICATE", "name", "is already taken by powerFeed/ams1/A14/a"),
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

#[test]
fn an_object_that_moves_to_another_site_must_fit_there() {
    let mut world = World::small();
    world.write(json!([
        {"powerFeed": {"site": "ams1", "name": "f"}},
        {"port": {"rack": {"site": "ams1", "rack": "A14"}, "name": "o", "type": "POWER_OUTLET",
            "fedBy": [{"powerFeed": "f"}]}}
    ]));
    let id = world.id("powerFeed", "f");
    let moved = json!([{"powerFeed": {"id": id, "site": "fra1"}}]);
    refuse_all(&world, &[("a feed of an outlet", moved, "INCOMPATIBLE", "site", "it feeds o")]);
}

/// A hall with a row in it, and a rack with a device, an appliance, a feed and an outlet. One circuit is plugged into the
/// rack, and another feed supplies the outlet.
fn furnished() -> World {
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
fn a_rack_moves_to_another_site_with_all_that_belongs_to_it() {
    let mut world = furnished();
    let moved = |kind: &str, name: &str| {
        let mut item = json!({kind: {"id": world.id(kind, name), "site": "fra1"}});
        if kind == "rack" {
            item[kind]["location"] = Value::Null;
        }
        item
    };
    let contents = [
        ("device", "node-1"),
        ("powerFeed", "f"),
        ("appliance", "pod"),
        ("powerFeed", "main"),
        ("circuitTermination", "A"),
    ];
    // Whatever is left behind is named.
    for (left, (_, name)) in contents.iter().enumerate() {
        let others =
            contents.iter().enumerate().filter(|(at, _)| *at != left).map(|(_, (kind, name))| moved(kind, name));
        let planned = world.plan(std::iter::once(moved("rack", "A14")).chain(others).collect(), &How::default());
        let errors: Vec<_> = planned.outcomes.iter().filter_map(|outcome| outcome.error.as_ref()).collect();
        let says = format!("site must be that of {name}, which belongs to the rack: write both in one batch");
        let found = errors.iter().any(|error| error.code().as_str() == "INCOMPATIBLE" && error.to_string() == says);
        assert!(found, "{name}: {errors:?}");
    }
    let id = world.id("rack", "A14");
    let all = std::iter::once(moved("rack", "A14")).chain(contents.iter().map(|(kind, name)| moved(kind, name)));
    let all: Value = all.collect();
    world.write(all);
    let (site, rack) = (json!(world.id("site", "fra1")), json!(id));
    assert_eq!(
        (world.field("rack", "A14", "site"), world.id("rack", "A14")),
        (site.clone(), id),
        "it is the same rack"
    );
    assert_eq!(world.field("device", "node-1", "placement")["rack"], rack);
    assert_eq!(world.field("device", "node-1", "site"), site);
    // Its name is that of a rack of the new site.
    let taken = json!([{"create": {"rack": {"site": "fra1", "name": "A14", "heightU": 1}}}]);
    refuse_all(&world, &[("the key", taken, "DUPLICATE", "name", "is already taken by rack/fra1/A14")]);
    accept_all(
        &world,
        &[("the old key", json!([{"create": {"rack": {"site": "ams1", "name": "A14", "heightU": 1}}}]))],
    );
    // A name can be there already.
    let made = world.write(json!([{"rack": {"site": "ams1", "name": "B1", "heightU": 42}}]));
    let b1 = json!([{"rack": {"id": made[0].id, "site": "fra1"}}]);
    refuse_all(&world, &[("a name that is taken", b1, "DUPLICATE", "name", "is already taken by rack/fra1/B1")]);
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
