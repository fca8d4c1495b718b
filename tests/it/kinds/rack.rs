//! Racks: their fields, their height, and moves to another site with all that belongs to them.

use serde_json::{Value, json};

use super::device::placement;
use super::location::{furnished, locations};
use crate::harness::world::{How, accept_all, refuse_all};

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
fn a_rack_cannot_shrink_below_its_devices() {
    let mut world = placement::rack();
    let height = |height: i32| json!([{"rack": {"site": "ams1", "name": "A14", "heightU": height}}]);
    accept_all(&world, &[("down to the highest", height(20))]);
    let says = "must be at least 20: tray stands up to U20";
    refuse_all(&world, &[("one less", height(19), "INCOMPATIBLE", "heightU", says)]);
    // Moved down in the same batch, it does.
    world.write(json!([
        {"rack": {"site": "ams1", "name": "A14", "heightU": 12}},
        {"device": {"site": "ams1", "name": "tray", "placement": {"rack": "A14", "startUnit": 1, "unitHeight": 0.5}}}
    ]));
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
