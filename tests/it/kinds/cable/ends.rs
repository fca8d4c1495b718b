//! The ends that a cable can connect: every kind of end with every other.

use serde_json::{Value, json};

use crate::harness::world::{How, World, accept_all};

/// All types of ends, each with its family in the rules: power, serial, data, patch, circuit, or none.
const ENDS: [(&str, &str); 12] = [
    ("ETHERNET", "data"),
    ("OPTICAL", "data"),
    ("WIRELESS", "data"),
    ("LAG", "logical"),
    ("VIRTUAL", "logical"),
    ("SERIAL", "serial"),
    ("POWER_INLET", "inlet"),
    ("POWER_OUTLET", "outlet"),
    ("PATCH_FRONT", "patch"),
    ("PATCH_REAR", "patch"),
    ("feed", "feed"),
    ("circuit", "circuit"),
];

/// The pairs that can be joined, each in one order.
const JOINABLE: [(&str, &str); 11] = [
    ("inlet", "outlet"),
    ("inlet", "feed"),
    ("serial", "serial"),
    ("data", "data"),
    ("data", "patch"),
    ("data", "circuit"),
    ("patch", "patch"),
    ("patch", "serial"),
    ("patch", "circuit"),
    ("circuit", "circuit"),
    // Not joinable: outlet with feed, and everything else.
    ("circuit", "patch"),
];

fn world() -> World {
    let mut world = World::small();
    for (device, side) in [("node-1", "aEnd"), ("leaf-1", "zEnd")] {
        for (kind, _) in ENDS {
            let item = match kind {
                "feed" => json!({"powerFeed": {"site": "ams1", "name": format!("feed-{device}")}}),
                "circuit" => {
                    json!({"circuit": {"provider": "lumen", "name": "c", "type": "TRANSIT", side: {"site": "ams1"}}})
                }
                _ => json!({"port": {"device": device, "name": kind, "type": kind}}),
            };
            world.write(json!([item]));
        }
    }
    world
}

fn end(device: &str, kind: &str) -> Value {
    match kind {
        "feed" => json!({"powerFeed": format!("feed-{device}")}),
        "circuit" => {
            let side = if device == "node-1" { "A" } else { "Z" };
            json!({"circuitTermination": {"provider": "lumen", "circuit": "c", "side": side}})
        }
        _ => json!({"port": {"device": device, "port": kind}}),
    }
}

#[test]
fn the_matrix_of_compatible_ends() {
    let world = world();
    let mut wrong = Vec::new();
    for (a, a_family) in ENDS {
        for (b, b_family) in ENDS {
            let items = json!([{"cable": {"aEnds": [end("node-1", a)], "bEnds": [end("leaf-1", b)]}}]);
            let joinable = JOINABLE.contains(&(a_family, b_family)) || JOINABLE.contains(&(b_family, a_family));
            let planned = world.plan(items, &How::default());
            match (&planned.outcomes[0].error, joinable) {
                (None, true) => {}
                (Some(refusal), false) => {
                    let logical = a_family == "logical" || b_family == "logical";
                    let says = if logical { "takes no cable: LAG and VIRTUAL" } else { "cannot be joined with" };
                    let field = if a_family == "logical" { "aEnds" } else { "bEnds" };
                    if refusal.code().as_str() != "INCOMPATIBLE"
                        || refusal.field() != Some(field)
                        || !refusal.to_string().contains(says)
                    {
                        wrong.push(format!("{a} with {b}: {refusal:?}"));
                    }
                }
                (error, _) => wrong.push(format!("{a} with {b}: joinable {joinable}, {error:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_end_must_fit_every_end_on_the_other_side() {
    let world = world();
    let items = json!([{"cable": {
        "aEnds": [end("node-1", "ETHERNET")], "bEnds": [end("leaf-1", "ETHERNET"), end("leaf-1", "SERIAL")]
    }}]);
    let refused = world.refused(items, &How::default());
    let message = "port/ams1/node-1/ETHERNET (ETHERNET) cannot be joined with port/ams1/leaf-1/SERIAL (SERIAL)";
    assert_eq!(refused, [("INCOMPATIBLE".to_owned(), "bEnds".to_owned(), message.to_owned())]);
}

#[test]
fn the_ends_of_one_side_belong_together() {
    let world = world();
    let cable = |a: &[&str], b: &[&str]| {
        let ends = |device: &str, kinds: &[&str]| kinds.iter().map(|kind| end(device, kind)).collect::<Vec<_>>();
        json!([{"cable": {"aEnds": ends("node-1", a), "bEnds": ends("leaf-1", b)}}])
    };
    for (a, b) in [
        (&["ETHERNET", "PATCH_FRONT"][..], &["PATCH_REAR"][..]),
        (&["SERIAL", "PATCH_FRONT"], &["PATCH_REAR"]),
        (&["POWER_OUTLET", "feed"], &["POWER_INLET"]),
        (&["ETHERNET", "OPTICAL"], &["ETHERNET", "PATCH_FRONT"]),
        (&["ETHERNET", "circuit"], &["PATCH_FRONT"]),
    ] {
        accept_all(&world, &[(&format!("{a:?} with {b:?}"), cable(a, b))]);
    }
    for (a, b, field, one, other) in [
        (&["POWER_INLET", "ETHERNET"][..], &["POWER_OUTLET"][..], "aEnds", "POWER_INLET", "ETHERNET"),
        (&["SERIAL", "ETHERNET"], &["PATCH_REAR"], "aEnds", "SERIAL", "ETHERNET"),
        (&["PATCH_REAR"], &["ETHERNET", "SERIAL"], "bEnds", "ETHERNET", "SERIAL"),
        (&["PATCH_REAR"], &["PATCH_FRONT", "circuit", "SERIAL"], "bEnds", "circuit", "SERIAL"),
        (&["POWER_OUTLET", "POWER_INLET"], &["POWER_INLET"], "aEnds", "POWER_OUTLET", "POWER_INLET"),
    ] {
        let refused = world.refused(cable(a, b), &How::default());
        let [(code, at, message)] = refused.as_slice() else { panic!("{a:?} with {b:?}: {refused:?}") };
        assert_eq!((code.as_str(), at.as_str()), ("INCOMPATIBLE", field), "{message}");
        let says = message.contains("cannot be on the same side of a cable");
        assert!(says && [one, other].iter().all(|name| *name == "circuit" || message.contains(name)), "{message}");
    }
}
