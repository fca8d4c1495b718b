//! Power feeds: their fields, their key, what supplies them, and the outlets that they feed.

use serde_json::{Value, json};

use crate::harness::world::{How, World, accept_all, refuse_all};

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
fn no_power_runs_in_a_circle() {
    let mut world = World::small();
    let outlet = |device: &str| json!({"port": {"device": device, "family": "OUTLET", "port": "out"}});
    let inlet = |device: &str| json!({"port": {"device": device, "family": "INLET", "port": "in"}});
    let cord = |name: &str, from: Value, to: &str| json!({"cable": {"name": name, "media": "POWER", "aEnds": [from], "bEnds": [inlet(to)]}});
    let mut items = vec![json!({"powerFeed": {"site": "ams1", "name": "f"}})];
    for pdu in ["p1", "p2", "p3"] {
        items.push(json!({"device": {"site": "ams1", "name": pdu, "role": "PDU"}}));
        items.push(json!({"port": {"device": pdu, "name": "in", "type": "POWER_INLET"}}));
        items.push(json!({"port": {"device": pdu, "name": "out", "type": "POWER_OUTLET", "fedBy": [inlet(pdu)]}}));
    }
    items.push(cord("c12", outlet("p1"), "p2"));
    items.push(cord("c23", outlet("p2"), "p3"));
    world.write(json!(items));

    let closes = "closes a circle of power";
    let back = json!([cord("c31", outlet("p3"), "p1")]);
    refuse_all(&world, &[("by a cord", back.clone(), "INVALID", "aEnds", closes)]);
    let named = &world.refused(back, &How::default())[0].2;
    assert!(named.contains("port/ams1/p1/in") && named.contains("port/ams1/p2/out"), "{named}");
    // A feed is no way round, whichever of its two sides comes last.
    let upstream = json!({"powerFeed": {"site": "ams1", "name": "f", "upstream": outlet("p3")}});
    let supplied = cord("cf", json!({"powerFeed": "f"}), "p1");
    refuse_all(&world, &[("both at once", json!([upstream.clone(), supplied.clone()]), "INVALID", "upstream", closes)]);
    let both = world.snapshot.clone();
    world.write(json!([upstream.clone()]));
    refuse_all(&world, &[("then the cord", json!([supplied.clone()]), "INVALID", "aEnds", closes)]);
    world.snapshot = both;
    world.write(json!([supplied]));
    refuse_all(&world, &[("then the feed", json!([upstream]), "INVALID", "upstream", closes)]);
    // An outlet that begins to be fed closes a circle too.
    world.write(json!([{"port": {"device": "p3", "name": "out", "type": "POWER_OUTLET", "fedBy": []}}]));
    world.write(json!([{"cable": {"name": "cf", "aEnds": [outlet("p3")]}}]));
    let fed = json!([{"port": {"device": "p3", "name": "out", "type": "POWER_OUTLET", "fedBy": [inlet("p3")]}}]);
    refuse_all(&world, &[("by an outlet", fed, "INVALID", "fedBy", closes)]);
    // Two ways to one inlet are no circle.
    world.write(json!([
        {"device": {"site": "ams1", "name": "p4", "role": "UPS"}},
        {"port": {"device": "p4", "name": "in", "type": "POWER_INLET"}},
        {"port": {"device": "p4", "name": "in2", "type": "POWER_INLET"}},
        {"port": {"device": "p4", "name": "out", "type": "POWER_OUTLET", "fedBy": [inlet("p4"), {"port": {"device": "p4", "port": "in2"}}]}},
        cord("d1", json!({"powerFeed": "f"}), "p4"),
        {"powerFeed": {"site": "ams1", "name": "g", "upstream": {"powerFeed": "f"}}},
        {"cable": {"name": "d2", "media": "POWER", "aEnds": [{"powerFeed": "g"}], "bEnds": [{"port": {"device": "p4", "port": "in2"}}]}},
    ]));
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
