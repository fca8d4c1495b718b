//! Recorded trees: they give the same report, and without serial numbers they give none away.

use std::fs;
use std::path::Path;

use serde_json::Value;
use underlay_agent::{Root, Serials, record};
use underlay_testing::HANG;

use crate::machines;
use crate::tree::Tree;

fn recorded(tree: &Tree, serials: Serials) -> Tree {
    let copy = Tree::new();
    record(&Root::tree(tree.path()).expect("a tree"), copy.path(), serials, HANG).expect("a recorded tree");
    copy
}

#[test]
fn a_recorded_tree_gives_the_same_report() {
    for (name, tree) in machines::all() {
        let copy = recorded(&tree, Serials::Kept);
        assert_eq!(copy.sections(), tree.sections(), "{name}");
    }
}

/// Returns the values in a report that are somebody's.
fn secrets(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for end in ["chassisId", "portId"] {
                let is_address = members.get(&format!("{end}Subtype")).is_some_and(|it| it == "MAC_ADDRESS");
                found.extend(members.get(end).filter(|_| is_address).and_then(Value::as_str).map(str::to_owned));
            }
            for (name, value) in members {
                let is_secret = name.to_lowercase().contains("serial")
                    || ["uuid", "wwn", "mac", "permanentMac", "bootId"].contains(&name.as_str());
                match value {
                    Value::String(text) if is_secret => found.push(text.clone()),
                    other => secrets(other, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| secrets(value, found)),
        _ => {}
    }
}

/// Returns a value without what is somebody's, by the places at which it is known.
fn shape(value: &Value) -> Value {
    let mut text = value.to_string();
    let mut found = Vec::new();
    secrets(value, &mut found);
    for secret in found {
        text = text.replace(&format!("\"{secret}\""), "\"?\"");
    }
    serde_json::from_str(&text).expect("JSON")
}

/// Calls a function with the contents of all files below a folder.
fn each_file(folder: &Path, look: &mut dyn FnMut(&Path, &[u8])) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let kind = entry.file_type().expect("a type");
        if kind.is_dir() {
            each_file(&entry.path(), look);
        } else if kind.is_file() {
            look(&entry.path(), &fs::read(entry.path()).expect("a file"));
        }
    }
}

#[test]
fn made_up_serials_give_nothing_away_and_keep_the_form() {
    for (name, tree) in machines::all() {
        let copy = recorded(&tree, Serials::MadeUp);
        let (real, made_up) = (tree.sections(), copy.sections());
        assert_eq!(shape(&made_up), shape(&real), "{name}");
        let mut hidden = vec![
            "HIDDEN7351".to_owned(),
            "5000c500d9a1b2c3".to_owned(),
            "a1b2c3d4".to_owned(),
            "SERIAL-IN-CONFIG".to_owned(),
            "JPE-MED-SERIAL".to_owned(),
        ];
        secrets(&real, &mut hidden);
        each_file(copy.path(), &mut |path, bytes| {
            let text = String::from_utf8_lossy(bytes).to_lowercase();
            for secret in &hidden {
                assert!(!text.contains(&secret.to_lowercase()), "{name}: {secret} is in {}", path.display());
            }
        });
        let again = recorded(&tree, Serials::MadeUp);
        assert_eq!(again.sections(), made_up, "{name}: the same ones each time");
    }
}

#[test]
fn a_name_that_has_the_address_gets_the_made_up_one() {
    let tree = Tree::new().device(
        "/sys/class/net",
        "/sys/devices/pci0000:00/0000:00:14.0/net/enx00e04cA1b2c3",
        &[("address", "00:e0:4c:a1:b2:c3"), ("addr_assign_type", "0")],
    );
    let tree = tree.folder("/sys/class/net/enx00e04cA1b2c3/device");
    let found = recorded(&tree, Serials::MadeUp).report().sections.interfaces.expect("a section").found;
    let address = found[0].permanent_mac.clone().expect("an address");
    assert_eq!(found[0].name, format!("enx{}", address.replace(':', "")));
    assert!(address.starts_with("00:e0:4c:") && address != "00:e0:4c:a1:b2:c3", "{address}");
}
