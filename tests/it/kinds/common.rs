//! The rules of all kinds: names, common fields, required and immutable fields, unknown fields.

use serde_json::{Value, json};

use crate::harness::world::{How, World, accept_all, refuse_all, with, without};

/// A minimal new object of each kind in `World::small`, with its required fields besides the name.
fn minimal() -> Vec<(Value, Vec<&'static str>)> {
    let termination = json!({"circuit": {"provider": "lumen", "name": "c-1", "type": "TRANSIT", "aEnd": {}}});
    vec![
        (json!({"region": {"name": "new"}}), vec![]),
        (json!({"site": {"name": "new", "type": "EDGE"}}), vec!["type"]),
        (json!({"location": {"name": "new", "site": "ams1"}}), vec!["site"]),
        (json!({"rack": {"name": "new", "site": "ams1", "heightU": 1}}), vec!["site", "heightU"]),
        (json!({"powerFeed": {"name": "new", "site": "ams1"}}), vec!["site"]),
        (json!({"device": {"name": "new", "site": "ams1", "role": "OTHER"}}), vec!["site", "role"]),
        (json!({"port": {"name": "new", "device": "node-1", "type": "ETHERNET"}}), vec!["type"]),
        (
            json!({"link": {"name": "new", "a": {"site": "ams1"}, "b": {"site": "fra1"}, "type": "INTERNET"}}),
            vec!["a", "b", "type"],
        ),
        (json!({"provider": {"name": "new", "type": "CLOUD"}}), vec!["type"]),
        (json!({"providerNetwork": {"name": "new", "provider": "lumen"}}), vec!["provider"]),
        (json!({"circuit": {"name": "new", "provider": "lumen", "type": "TRANSIT"}}), vec!["provider", "type"]),
        (termination, vec![]),
        (json!({"cluster": {"name": "new"}}), vec![]),
        (json!({"virtualMachine": {"name": "new", "cluster": "k1"}}), vec![]),
        (json!({"source": {"name": "new", "type": "netbox"}}), vec!["type"]),
        (json!({"hostClass": {"name": "new"}}), vec![]),
        (json!({"credential": {"name": "new", "type": "BASIC"}}), vec!["type"]),
        (json!({"profile": {"name": "new", "purpose": "WIPE"}}), vec!["purpose"]),
        (json!({"appliance": {"name": "new", "type": "MANUAL"}}), vec!["type"]),
        (json!({"host": {"name": "new"}}), vec![]),
    ]
}

#[test]
fn every_kind_needs_its_required_fields_and_nothing_else() {
    let world = World::small();
    for (item, required) in minimal() {
        accept_all(&world, &[(&item.to_string(), json!([item]))]);
        let mut required = required;
        // A host without a name gets one.
        if item.get("host").is_none() {
            required.push("name");
        }
        for field in required {
            let what = format!("{item} without {field}");
            refuse_all(&world, &[(&what, json!([without(&item, field)]), "INVALID", field, "is required to create a")]);
            let null = json!([with(&item, field, Value::Null)]);
            refuse_all(&world, &[(&format!("{item} with {field} null"), null, "INVALID", field, field)]);
        }
    }
}

#[test]
fn a_required_field_cannot_be_cleared() {
    let mut world = World::small();
    for (item, required) in minimal() {
        world.write(json!([item]));
        for field in required {
            let kind = item.as_object().unwrap().keys().next().unwrap();
            let id = world.id(kind, item[kind]["name"].as_str().unwrap());
            let cleared = json!([{kind: {"id": id, field: null}}]);
            refuse_all(&world, &[(&format!("{kind}.{field}"), cleared, "INVALID", field, "cannot be cleared")]);
        }
    }
}

#[test]
fn an_immutable_field_cannot_change_but_can_be_repeated() {
    let mut world = World::small();
    world.write(json!([
        {"port": {"device": {"site": "ams1", "device": "node-1"}, "name": "p", "type": "ETHERNET"}},
        {"port": {"rack": {"site": "ams1", "rack": "A14"}, "name": "o", "type": "POWER_OUTLET"}},
        {"cluster": {"name": "k2", "controlPlaneSite": "ams1"}}
    ]));
    let table = [
        ("port", "p", "device", "node-1", "leaf-1"),
        ("port", "o", "rack", "A14", "B1"),
        ("cluster", "k2", "controlPlaneSite", "ams1", "fra1"),
    ];
    for (kind, name, field, same, other) in table {
        let id = world.id(kind, name);
        let changed = json!([{kind: {"id": id, field: other}}]);
        let what = format!("{kind}.{field}");
        refuse_all(&world, &[(&what, changed, "IMMUTABLE", field, "cannot change after the")]);
        let errors = world.refused(json!([{kind: {"id": id, field: other}}]), &How::default());
        assert!(errors[0].2.contains(same), "the message names what it is: {}", errors[0].2);
        world.write(json!([{kind: {"id": id, field: same}}]));
    }
    // A field that was not set when the object was created cannot be set later either.
    let id = world.id("cluster", "k1");
    let input = json!([{"cluster": {"id": id, "controlPlaneSite": "ams1"}}]);
    refuse_all(&world, &[("controlPlaneSite of k1", input, "IMMUTABLE", "controlPlaneSite", "cannot change")]);
}

#[test]
fn names_have_limits() {
    let world = World::small();
    let name = |name: &str| json!([{"region": {"name": name}}]);
    let long = "é".repeat(253);
    accept_all(
        &world,
        &[("253 characters", name(&long)), ("one character", name("x")), ("spaces inside", name("New York / 5th"))],
    );
    let table = [
        ("empty", name(""), "must not be empty"),
        ("254 characters", name(&format!("{long}é")), "must be text of at most 253 characters"),
        ("a leading space", name(" x"), "must not begin or end with a space"),
        ("a trailing space", name("x "), "must not begin or end with a space"),
        ("a no-break space at the end", name("x\u{a0}"), "must not begin or end with a space"),
        ("a tab", name("a\tb"), "must not contain control characters"),
        ("a newline", name("a\nb"), "must not contain control characters"),
        ("a delete", name("a\u{7f}b"), "must not contain control characters"),
        ("a C1 control character", name("a\u{85}b"), "must not contain control characters"),
        ("NUL", name("a\0b"), "must not contain the character NUL"),
    ];
    for (what, items, says) in table {
        refuse_all(&world, &[(what, items, "INVALID", "name", says)]);
    }
    let number = json!([{"region": {"name": 7}}]);
    refuse_all(&world, &[("a number", number, "INVALID", "name", "must be text, not 7")]);
}

#[test]
fn keys_are_unique_within_their_parent() {
    let mut world = World::small();
    for (item, _) in minimal() {
        world.write(json!([item]));
        let (kind, fields) = item.as_object().unwrap().iter().next().unwrap();
        let twice = json!([{"create": {kind: fields}}]);
        refuse_all(&world, &[(&item.to_string(), twice, "DUPLICATE", "name", "is already taken by")]);
    }
    // The same name beneath another parent is another key.
    accept_all(
        &world,
        &[
            ("rack", json!([{"create": {"rack": {"site": "fra1", "name": "A14", "heightU": 1}}}])),
            ("device", json!([{"create": {"device": {"site": "fra1", "name": "node-1", "role": "OTHER"}}}])),
            ("network", json!([{"create": {"providerNetwork": {"provider": "equinix", "name": "new"}}}])),
            ("circuit", json!([{"create": {"circuit": {"provider": "equinix", "name": "new", "type": "TRANSIT"}}}])),
            ("vm", json!([{"create": {"virtualMachine": {"name": "new", "provider": "equinix"}}}])),
        ],
    );
    let id = world.id("region", "new");
    world.write(json!([{"region": {"name": "other"}}]));
    let renamed = json!([{"region": {"id": id, "name": "other"}}]);
    refuse_all(
        &world,
        &[("a rename", renamed, "DUPLICATE", "name", "the name other is already taken by region/other")],
    );
}

#[test]
fn unknown_fields_are_rejected_with_a_list_of_known_ones() {
    let world = World::small();
    for (item, _) in minimal() {
        let kind = item.as_object().unwrap().keys().next().unwrap();
        let says = "has no field hight; its fields are name, labels";
        let unknown = json!([with(&item, "hight", json!(1))]);
        refuse_all(&world, &[(kind, unknown, "INVALID", "hight", says)]);
    }
}

#[test]
fn items_have_one_member_that_is_a_kind() {
    let registry = World::empty().snapshot.registry().clone();
    let table = [
        (json!({"rak": {}}), "there is no kind rak; the kinds are region, site"),
        (json!({"rack": {}, "site": {}}), "must have one member, named after its kind"),
        (json!({}), "must have one member, named after its kind"),
        (json!({"rack": 7}), "must hold fields, not 7"),
        (json!([1]), "must be an object"),
    ];
    for (item, says) in table {
        let refusal = underlay_engine::write::Item::parse(&registry, item.clone()).unwrap_err();
        assert_eq!(refusal.code().as_str(), "INVALID", "{item}");
        assert!(refusal.to_string().contains(says), "{item}: {refusal}");
    }
}

#[test]
fn texts_and_structures_are_limited_everywhere() {
    let world = World::small();
    let long = "x".repeat(254);
    let region = |field: &str, value: Value| json!([{"region": {"name": "r", field: value}}]);
    let table = [
        ("tenant", json!(long), "tenant", "text of at most 253 characters"),
        ("displayName", json!(long), "displayName", "text of at most 253 characters"),
        ("description", json!("x".repeat(16_385)), "description", "text of at most 16384 characters"),
        ("tenant", json!(7), "tenant", "must be text of at most 253 characters, not 7"),
        ("labels", json!([]), "labels", "must be a map"),
        ("attributes", json!("x"), "attributes", "must be a map"),
        ("externalRefs", json!({}), "externalRefs", "must be a list"),
        ("coordinates", json!({"latitude": 90.1, "longitude": 0}), "coordinates.latitude", "must be from -90 to 90"),
        ("coordinates", json!({"latitude": 0, "longitude": -180.5}), "coordinates.longitude", "from -180 to 180"),
        ("coordinates", json!({"latitude": 0}), "coordinates", "longitude"),
        ("coordinates", json!({"latitude": "x", "longitude": 0}), "coordinates.latitude", "must be from -90 to 90"),
        ("coordinates", json!({"latitude": 0, "longitude": 0, "height": 1}), "coordinates", "height"),
        ("coordinates", json!(7), "coordinates", "must be an object with latitude"),
    ];
    for (field, value, path, says) in table {
        refuse_all(&world, &[(field, region(field, value), "INVALID", path, says)]);
    }
    accept_all(
        &world,
        &[
            ("tenant", region("tenant", json!("acme"))),
            ("description", region("description", json!("line\nline"))),
            ("edges of the earth", region("coordinates", json!({"latitude": -90, "longitude": 180}))),
        ],
    );
}
