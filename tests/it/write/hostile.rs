//! Hostile batches: huge values, NUL everywhere, endless chains. Each gets a short answer soon, and writes nothing.

use serde_json::{Value, json};
use underlay_engine::write::{Item, Mode};
use underlay_inventory::Refusal;

use crate::harness::world::{How, World, errors, refuse_all};

/// No sentence is longer.
const MAX_SENTENCE_BYTES: usize = 2_000;

/// The number of objects in a chain, each referring to the next.
fn chain(length: usize, item: impl Fn(&str, Option<&str>) -> Value) -> Vec<Value> {
    let name = |at: usize| format!("n{at}");
    (0..length).map(|at| item(&name(at), (at + 1 < length).then(|| name(at + 1)).as_deref())).collect()
}

fn region(name: &str, next: Option<&str>) -> Value {
    json!({"region": {"name": name, "parent": next}})
}

fn location(name: &str, next: Option<&str>) -> Value {
    json!({"location": {"name": name, "site": "ams1", "parent": next}})
}

fn device(name: &str, next: Option<&str>) -> Value {
    json!({"device": {"name": name, "site": "ams1", "role": "OTHER", "parent": next}})
}

fn port(name: &str, next: Option<&str>) -> Value {
    let next = next.map(|next| json!({"device": "node-1", "port": next}));
    json!({"port": {"name": name, "device": "node-1", "type": "VIRTUAL", "parent": next}})
}

fn feed(name: &str, next: Option<&str>) -> Value {
    let next = next.map(|next| json!({"powerFeed": next}));
    json!({"powerFeed": {"name": name, "site": "ams1", "upstream": next}})
}

/// Returns the errors of a batch in the given order and in the opposite one, in both modes.
fn in_any_order(items: Vec<Value>, check: impl Fn(&str, &[(String, String, String)])) {
    let reversed: Vec<_> = items.iter().rev().cloned().collect();
    for (items, order) in [(items, "as given"), (reversed, "reversed")] {
        for mode in [Mode::Atomic, Mode::PerItem] {
            let world = World::small();
            let planned = world.plan(json!(items), &How { mode, ..How::default() });
            check(&format!("{order} {mode:?}"), &errors(&planned));
        }
    }
}

#[test]
fn ten_thousand_feeds_that_supply_each_other() {
    in_any_order(chain(10_000, feed), |how, errors| assert_eq!(errors, [], "{how}"));
}

#[test]
fn ten_thousand_ports_that_are_parts_of_each_other() {
    in_any_order(chain(10_000, port), |how, errors| assert_eq!(errors, [], "{how}"));
}

#[test]
fn the_depth_of_nested_containers_is_limited() {
    for item in [region, location] {
        let deepest = if item("", None).get("region").is_some() { 65 } else { 64 };
        in_any_order(chain(deepest, item), |how, errors| assert_eq!(errors, [], "{how}"));
        in_any_order(chain(deepest + 1, item), |how, errors| {
            let wanted = ("INVALID", "parent", "parent must not be nested more than 64 deep");
            let (code, field, message) = &errors[0];
            assert_eq!((code.as_str(), field.as_str(), message.as_str()), wanted, "{how}");
            assert_eq!(errors.len(), 1, "{how}");
        });
    }
}

#[test]
fn ten_thousand_nested_containers_are_rejected() {
    for item in [region, location, device] {
        in_any_order(chain(10_000, item), |how, errors| {
            assert!(errors.len() > 9_900, "{how}: {}", errors.len());
            assert!(errors.iter().all(|(_, field, _)| field == "parent"), "{how}: {:?}", errors[0]);
        });
    }
}

#[test]
fn a_chain_of_parents_that_forms_a_cycle() {
    for item in [region, location, feed] {
        let mut items = chain(10_000, item);
        *items.last_mut().unwrap() = item("n9999", Some("n0"));
        in_any_order(items, |how, errors| {
            assert!(!errors.is_empty(), "{how}");
            let names_the_field =
                errors.iter().all(|(_, field, _)| field.starts_with("parent") || field.starts_with("upstream"));
            assert!(names_the_field, "{how}: {:?}", errors[0]);
        });
    }
}

#[test]
fn a_huge_batch_of_all_kinds_is_planned() {
    let mut items = vec![json!({"rack": {"site": "ams1", "name": "big", "heightU": 100}})];
    for at in 0..3_333 {
        let device = format!("d{at}");
        items.push(json!({"device": {"site": "ams1", "name": device, "role": "SERVER"}}));
        items.push(json!({"port": {"device": {"site": "ams1", "device": device}, "name": "e", "type": "ETHERNET"}}));
        items.push(json!({"port": {"device": {"site": "ams1", "device": device}, "name": "f", "type": "ETHERNET"}}));
    }
    for mode in [Mode::Atomic, Mode::PerItem] {
        let world = World::small();
        let planned = world.plan(json!(items), &How { mode, ..How::default() });
        assert!(errors(&planned).is_empty());
    }
}

#[test]
fn a_value_of_ten_megabytes_gets_a_short_error() {
    let world = World::small();
    let huge = "x".repeat(10_000_000);
    let rack = |field: &str, value: Value| json!([{"rack": {"site": "ams1", "name": "r", "heightU": 1, field: value}}]);
    let table = [
        ("name", rack("name", json!(huge)), "INVALID"),
        ("an unknown field", rack(&huge, json!(1)), "INVALID"),
        ("a reference", rack("site", json!(huge)), "NOT_FOUND"),
        ("a key", rack("site", json!({"site": huge})), "NOT_FOUND"),
        ("a parent in a key", rack("location", json!({"site": huge, "location": huge})), "NOT_FOUND"),
        ("a member of a reference", rack("site", json!({"site": "ams1", &huge: "x"})), "INVALID"),
        ("a list as a reference", rack("site", json!([huge])), "INVALID"),
        ("an external id", rack("site", json!({"source": huge, "externalId": huge})), "NOT_FOUND"),
        ("an id", rack("site", json!({"id": huge})), "INVALID"),
        ("its own id", rack("id", json!(huge)), "INVALID"),
        ("an enum", rack("status", json!(huge)), "INVALID"),
        ("a label key", rack("labels", json!({&huge: "x"})), "INVALID"),
        ("a label", rack("labels", json!({"x": huge})), "INVALID"),
        ("an attribute", rack("attributes", json!({"x": huge})), "INVALID"),
        ("the name of an attribute", rack("attributes", json!({&huge: 1e300})), "INVALID"),
        ("a source", rack("externalRefs", json!([{"source": huge, "externalId": "x"}])), "INVALID"),
        ("a member of a reference of a source", rack("externalRefs", json!([{"source": "a", &huge: "x"}])), "INVALID"),
        ("text for a number", rack("heightU", json!(huge)), "INVALID"),
        (
            "a part",
            json!([{"circuit": {"provider": "lumen", "name": "c", "type": "TRANSIT", "aEnd": huge}}]),
            "INVALID",
        ),
        (
            "a member of a part",
            json!([{"circuit": {"provider": "lumen", "name": "c", "type": "TRANSIT", "aEnd": {&huge: 1}}}]),
            "INVALID",
        ),
        ("a risk group", json!([{"powerFeed": {"site": "ams1", "name": "f", "riskGroups": [huge]}}]), "INVALID"),
        (
            "a member of a placement",
            json!([{"device": {"site": "ams1", "name": "f", "role": "OTHER", "placement": {"rack": "A14", &huge: 1}}}]),
            "INVALID",
        ),
        (
            "a placement",
            json!([{"device": {"site": "ams1", "name": "f", "role": "OTHER", "placement": huge}}]),
            "INVALID",
        ),
        (
            "hardware",
            json!([{"device": {"site": "ams1", "name": "f", "role": "OTHER", "hardware": {"cpuArchitecture": huge}}}]),
            "INVALID",
        ),
        (
            "an address",
            json!([{"port": {"device": "node-1", "name": "p", "type": "ETHERNET", "addresses": [huge]}}]),
            "INVALID",
        ),
        (
            "an address of a machine",
            json!([{"device": {"site": "ams1", "name": "f", "role": "OTHER",
                "addresses": [{"type": "INTERNAL", "address": huge}]}}]),
            "INVALID",
        ),
        ("what is deleted", json!([{"delete": {"rack": huge}}]), "NOT_FOUND"),
    ];
    for (what, items, code) in table {
        let planned = world.plan(items, &How::default());
        let errors = errors(&planned);
        assert_eq!(errors.first().map(|error| error.0.as_str()), Some(code), "{what}");
        let longest = errors.iter().map(|(_, field, message)| field.len() + message.len()).max().unwrap();
        assert!(longest < MAX_SENTENCE_BYTES, "{what} is answered with {longest} bytes");
    }
    let refusal = Item::parse(world.snapshot.registry(), json!({&huge: {}})).unwrap_err();
    assert!(refusal.to_string().len() < MAX_SENTENCE_BYTES, "an unknown kind");
    let message =
        errors(&world.plan(json!([{"release": {"id": world.id("rack", "A14"), "fields": [huge]}}]), &How::default()));
    assert!(message[0].2.len() < MAX_SENTENCE_BYTES, "a field to release");
}

#[test]
fn nul_is_rejected_in_every_stored_text() {
    let world = World::small();
    let says = "must not contain the character NUL";
    let device =
        |field: &str, value: Value| json!([{"device": {"site": "ams1", "name": "d", "role": "OTHER", field: value}}]);
    let table = [
        ("name", device("name", json!("a\0b"))),
        ("tenant", device("tenant", json!("\0"))),
        ("description", device("description", json!("x\0"))),
        ("serial", device("serial", json!("x\0"))),
        ("attributes", device("attributes", json!({"a": {"b": ["\0"]}}))),
        ("externalRefs", device("externalRefs", json!([{"source": "a\0", "externalId": "b"}]))),
        ("hardware", device("hardware", json!({"disks": [{"name": "a\0", "sizeBytes": 1, "type": "SSD"}]}))),
        ("addresses", device("addresses", json!([{"type": "INTERNAL", "address": "a\0"}]))),
    ];
    for (field, items) in table {
        refuse_all(&world, &[(field, items, "INVALID", field, says)]);
    }
    let bcm = How::source("bcm");
    let refused = world.refused(json!([{"region": {"name": "r", "externalId": "a\0"}}]), &bcm);
    assert_eq!((refused[0].0.as_str(), refused[0].1.as_str()), ("INVALID", "externalRefs"), "{refused:?}");
}

#[test]
fn the_source_of_a_batch_is_validated() {
    let world = World::small();
    let refusal = |source: &'static str| -> Refusal {
        world.plan_items(world.items(json!([{"region": {"name": "r"}}])), &How::source(source)).unwrap_err()
    };
    for source in ["", " ", "a\0", "a\n", " a"] {
        let refusal = refusal(source);
        assert_eq!((refusal.code().as_str(), refusal.field()), ("INVALID", Some("source")), "{source:?}");
    }
    let huge: &'static str = Box::leak("x".repeat(254).into_boxed_str());
    assert!(refusal(huge).to_string().contains("must be 1 to 253 characters"));
}
