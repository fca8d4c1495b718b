//! Which ends a cable may join: every kind of end with every other.

use serde_json::{Value, json};

use super::World;
use super::world::How;

/// All sorts of ends, each with its family in the rules: power, serial, data, patch, circuit, or none.
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
fn the_matrix() {
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
fn every_end_must_be_joinable_with_every_one_on_the_other_side() {
    let world = world();
    let items = json!([{"cable": {
        "aEnds": [end("node-1", "ETHERNET")], "bEnds": [end("leaf-1", "ETHERNET"), end("leaf-1", "SERIAL")]
    }}]);
    let refused = world.refused(items, &How::default());
    let message = "port/ams1/node-1/ETHERNET (ETHERNET) cannot be joined with port/ams1/leaf-1/SERIAL (SERIAL)";
    assert_eq!(refused, [("INCOMPATIBLE".to_owned(), "bEnds".to_owned(), message.to_owned())]);
}
