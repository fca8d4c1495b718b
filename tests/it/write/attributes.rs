//! Labels, attributes and external references: their grammar, their bounds, how they are patched key by key, and the
//! labels that a run of a source removes.

use serde_json::{Value, json};

use crate::harness::world::{How, World, accept_all, refuse_all};

fn region(field: &str, value: Value) -> Value {
    json!([{"region": {"name": "r", field: value}}])
}

#[test]
fn labels_follow_the_grammar_of_kubernetes() {
    let world = World::empty();
    let label = |key: &str, value: Value| region("labels", json!({key: value}));
    let (most, more) = ("a".repeat(63), "a".repeat(64));
    let domain = format!("{}.{}", "a".repeat(126), "b".repeat(126));
    accept_all(
        &world,
        &[
            ("plain", label("env", json!("prod"))),
            ("an empty value", label("env", json!(""))),
            ("a domain", label("app.kubernetes.io/name", json!("x"))),
            ("all sorts of characters", label("A_b-c.9", json!("v_1.2-3"))),
            ("63 characters", label(&most, json!(most))),
            ("a domain of 253", label(&format!("{domain}/x"), json!("x"))),
        ],
    );
    let long_domain = format!("{domain}c/x");
    for key in ["", "-a", "a-", "a b", "/a", "a/", "a/b/c", "A.b/c", "ä", "a..b/c", &more, &long_domain] {
        let field = format!("labels.{}", key.chars().take(80).collect::<String>());
        refuse_all(&world, &[(key, label(key, json!("x")), "INVALID", &field, "is no label key")]);
    }
    for value in [json!("-a"), json!("a-"), json!("a b"), json!("ä"), json!(more), json!(7), json!(true), json!({})] {
        let what = value.to_string();
        refuse_all(&world, &[(&what, label("env", value), "INVALID", "labels.env", "must be at most 63 letters")]);
    }
}

#[test]
fn attributes_have_at_most_16_kib() {
    let world = World::empty();
    // {"a":"…"} has 8 bytes around the text.
    let fits = region("attributes", json!({"a": "x".repeat(16 * 1024 - 8)}));
    accept_all(&world, &[("16 KiB", fits), ("nothing", region("attributes", json!({"a": null, "b": 1})))]);
    let table = [
        ("one byte more", json!({"a": "x".repeat(16 * 1024 - 7)}), "attributes", "has 16385 bytes as JSON"),
        ("an empty name", json!({"": 1}), "attributes", "must not have an empty name"),
        ("a list", json!([1]), "attributes", "must be a map"),
        ("a number", json!(7), "attributes", "must be a map"),
        ("NUL in a value", json!({"a": "x\0"}), "attributes", "must not contain the character NUL"),
        ("NUL in a name", json!({"a\0": 1}), "attributes", "must not contain the character NUL"),
        ("NUL deep inside", json!({"a": [{"b": {"c": "x\0"}}]}), "attributes", "must not contain the character NUL"),
        ("NUL in a name inside", json!({"a": [{"b\0": 1}]}), "attributes", "must not contain the character NUL"),
        ("a huge number", json!({"a": 1e300}), "attributes.a", "must not hold a number beyond"),
        ("beyond what is exact", json!({"a": 9_007_199_254_740_993_u64}), "attributes.a", "write it as text"),
        ("the same inside", json!({"a": {"b": [-9_007_199_254_740_993_i64]}}), "attributes.a", "write it as text"),
    ];
    for (what, value, field, says) in table {
        refuse_all(&world, &[(what, region("attributes", value), "INVALID", field, says)]);
    }
}

#[test]
fn the_depth_of_attributes_is_limited() {
    let world = World::empty();
    let nested = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!({"a": inner}));
    accept_all(&world, &[("32 deep", region("attributes", nested(32)))]);
    let deep = region("attributes", nested(33));
    refuse_all(&world, &[("33 deep", deep, "INVALID", "attributes.a", "must not be nested more than 32 deep")]);
}

#[test]
fn maps_are_patched_key_by_key() {
    let mut world = World::of(json!([{"region": {
        "name": "r",
        "labels": {"env": "prod", "team": "core"},
        "attributes": {"a": 1, "b": {"c": [1, 2]}},
        "externalRefs": [{"source": "bcm", "externalId": "7"}, {"source": "netbox", "externalId": "n", "url": "u"}]
    }}]));
    world.write(json!([{"region": {
        "name": "r",
        "labels": {"env": null, "rack": "x", "never": null},
        "attributes": {"a": null, "b": {"d": 1}},
        "externalRefs": [{"source": "bcm", "externalId": null}, {"source": "dns", "externalId": "d"}]
    }}]));
    assert_eq!(world.field("region", "r", "labels"), json!({"rack": "x", "team": "core"}));
    assert_eq!(world.field("region", "r", "attributes"), json!({"b": {"d": 1}}), "a value is replaced as a whole");
    let refs = json!([
        {"source": "dns", "externalId": "d"}, {"source": "netbox", "externalId": "n", "url": "u"}
    ]);
    assert_eq!(world.field("region", "r", "externalRefs"), refs);
    world.write(json!([{"region": {"name": "r", "labels": null, "attributes": null, "externalRefs": null}}]));
    for (field, empty) in [("labels", json!({})), ("attributes", json!({})), ("externalRefs", json!([]))] {
        assert_eq!(world.field("region", "r", field), empty, "null clears all of {field}");
    }
}

#[test]
fn limits_apply_to_the_result_of_a_patch() {
    let mut world = World::empty();
    world.write(region("attributes", json!({"a": "x".repeat(10_000)})));
    let more = region("attributes", json!({"b": "x".repeat(10_000)}));
    refuse_all(&world, &[("together too much", more, "INVALID", "attributes", "bytes as JSON")]);
    accept_all(&world, &[("in its place", region("attributes", json!({"a": null, "b": "x".repeat(10_000)})))]);
}

#[test]
fn external_references_are_validated() {
    let world = World::empty();
    let refs = |value: Value| region("externalRefs", value);
    let table = [
        (json!([{}]), "externalRefs[0]", "must name its source"),
        (json!([{"source": "", "externalId": "x"}]), "externalRefs[0]", "must name its source"),
        (json!([{"source": "a", "externalId": "x"}, {"source": 7}]), "externalRefs[1]", "must name its source"),
        (json!([{"source": "a"}]), "externalRefs[0]", "must have an externalId"),
        (json!([{"source": "a", "externalId": 7}]), "externalRefs[0]", "must have an externalId"),
        (json!([{"source": "a", "externalId": "x", "uri": "u"}]), "externalRefs[0].uri", "is unknown"),
        (json!([{"source": "a", "externalId": ""}]), "externalRefs.a", "of 1 to 1024 characters"),
        (json!([{"source": "a", "externalId": "x".repeat(1025)}]), "externalRefs.a", "of 1 to 1024 characters"),
        (json!([{"source": "a", "externalId": "x", "url": ""}]), "externalRefs.a", "of 1 to 1024 characters"),
        (json!([{"source": "a", "externalId": "x", "url": 7}]), "externalRefs[0].url", "must be text"),
        (json!([{"source": "a", "externalId": "x\0"}]), "externalRefs", "must not contain the character NUL"),
    ];
    for (value, field, says) in table {
        let what = value.to_string();
        refuse_all(&world, &[(&what, refs(value), "INVALID", field, says)]);
    }
}

#[test]
fn an_external_reference_is_unique_in_its_kind() {
    let world = World::of(json!([
        {"region": {"name": "r", "externalRefs": [{"source": "bcm", "externalId": "7"}]}}
    ]));
    let other = |kind: &str, source: &str| json!([{kind: {"name": "other", "externalRefs": [{"source": source, "externalId": "7"}]}}]);
    let says = "the external reference 7 of source bcm is already taken by region/r";
    refuse_all(&world, &[("the same kind", other("region", "bcm"), "DUPLICATE", "externalRefs", says)]);
    accept_all(&world, &[("another kind", other("cluster", "bcm")), ("another source", other("region", "dns"))]);
    let both = json!([
        {"cluster": {"name": "a", "externalRefs": [{"source": "bcm", "externalId": "8"}]}},
        {"cluster": {"name": "b", "externalRefs": [{"source": "bcm", "externalId": "8"}]}}
    ]);
    refuse_all(&world, &[("both new", both, "DUPLICATE", "externalRefs", "is already taken by cluster/")]);
}

#[test]
fn an_item_that_names_its_external_id_gets_it() {
    let mut world = World::empty();
    let bcm = How::source("bcm");
    world.write_as(json!([{"region": {"name": "r", "externalId": "7"}}]), &bcm);
    assert_eq!(world.field("region", "r", "externalRefs"), json!([{"source": "bcm", "externalId": "7"}]));
    // Found by it, the object can be renamed.
    world.write_as(json!([{"region": {"externalId": "7", "name": "renamed"}}]), &bcm);
    assert_eq!(world.snapshot.len(), 1);
    // It is not found by its key for another external id; its own id says that it is meant.
    let other = world.refused(json!([{"region": {"externalId": "8", "name": "renamed"}}]), &bcm);
    assert_eq!(other[0].0, "DUPLICATE");
    let id = world.id("region", "renamed");
    world.write_as(json!([{"region": {"id": id, "externalRefs": [{"source": "bcm", "externalId": "8"}]}}]), &bcm);
    assert_eq!(world.snapshot.len(), 1);
    assert_eq!(world.field("region", "renamed", "externalRefs"), json!([{"source": "bcm", "externalId": "8"}]));
    let table = [("without a source", json!([{"region": {"externalId": "7", "name": "x"}}]))];
    for (what, items) in table {
        refuse_all(&world, &[(what, items, "INVALID", "externalId", "needs the source that it is of")]);
    }
}

#[test]
fn labels_that_an_item_of_a_run_does_not_name_go() {
    let rack = |labels: Value| {
        let mut fields = json!({"site": "ams1", "name": "S1", "heightU": 42});
        if !labels.is_null() {
            fields["labels"] = labels;
        }
        json!([{ "rack": fields }])
    };
    let mut before = World::small();
    before.write_as(rack(json!({"a": "1", "b": "2"})), &How::run("nb"));
    before.write_as(rack(json!({"theirs": "y"})), &How::source("dns"));
    before.write_as(rack(json!({"mine": "x"})), &How::default());
    let others = json!({"mine": "x", "theirs": "y"});
    let with_others = |own: Value| {
        let mut labels = others.clone();
        labels.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        labels
    };
    for (case, how, item, own) in [
        ("all are named", How::run("nb"), json!({"a": "1", "b": "2"}), json!({"a": "1", "b": "2"})),
        ("one is not named", How::run("nb"), json!({"a": "1"}), json!({"a": "1"})),
        ("one changes and one is not named", How::run("nb"), json!({"b": "3"}), json!({"b": "3"})),
        ("another one is named", How::run("nb"), json!({"c": "3"}), json!({"c": "3"})),
        ("none is named", How::run("nb"), json!({}), json!({})),
        ("one is removed by name", How::run("nb"), json!({"a": null, "b": "2"}), json!({"b": "2"})),
        ("one of others is named", How::run("nb"), json!({"a": "1", "mine": "z"}), json!({"a": "1"})),
        ("the item has no labels", How::run("nb"), json!(null), json!({"a": "1", "b": "2"})),
        ("another source runs", How::run("dns"), json!({"theirs": "y"}), json!({"a": "1", "b": "2"})),
        ("no run", How::source("nb"), json!({"a": "1"}), json!({"a": "1", "b": "2"})),
        ("a user", How::default(), json!({"mine": "x"}), json!({"a": "1", "b": "2"})),
    ] {
        let mut world = before.clone();
        world.write_as(rack(item), &how);
        assert_eq!(world.field("rack", "S1", "labels"), with_others(own.clone()), "{case}");
        let holders = world.holders("rack", "S1");
        for label in ["a", "b", "c"] {
            let is_held = holders.iter().any(|(held, _)| *held == format!("labels.{label}"));
            assert_eq!(is_held, own.get(label).is_some(), "{case}: {label}");
        }
    }
    // Other maps keep what is not named.
    let attributes = |value: Value| json!([{"rack": {"site": "ams1", "name": "S1", "attributes": value}}]);
    before.write_as(attributes(json!({"p": 1, "q": 2})), &How::run("nb"));
    before.write_as(attributes(json!({"p": 1})), &How::run("nb"));
    assert_eq!(before.field("rack", "S1", "attributes"), json!({"p": 1, "q": 2}));
}
