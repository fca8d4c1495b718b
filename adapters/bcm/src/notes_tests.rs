//! The forms of notes.

use serde_json::{Value, json};

use crate::notes::{Annotations, read};
use crate::object::Object;

fn annotations(notes: &str, extra: Value) -> Annotations {
    let Value::Object(members) = json!({"notes": notes, "extra_values": extra}) else { panic!("an object") };
    read(&Object::new("call", String::new(), members).part())
}

#[test]
fn values_stand_in_a_block_or_in_lines() {
    for (notes, class, title, description) in [
        ("", None, None, None),
        ("Only text.", None, None, Some("Only text.")),
        ("text\n## A heading \n", None, Some("A heading"), Some("text\n## A heading")),
        ("---\nhost_class: big\n---\n", Some("big"), None, None),
        ("\n---\r\nhost_class: 17\r\n---\r\n# T\r\n", Some("17"), Some("T"), Some("# T")),
        ("---\nhost_class: big\ntitle: T\ndescription: D\n---\n# Other\n", Some("big"), Some("T"), Some("D")),
        ("---\n---\ntext", None, None, Some("text")),
        ("+++\nresource_class = \"big\"\n+++\ntext", Some("big"), None, Some("text")),
        ("resource_class = big\n\nhost_class=bigger\n", Some("bigger"), None, None),
        ("host_class=\"big\"\nsee http://x/?a=b\n", Some("big"), None, Some("see http://x/?a=b")),
        // A block that does not end is no block.
        ("---\ntext", None, None, Some("---\ntext")),
    ] {
        let annotations = annotations(notes, json!(null));
        let found = (annotations.class.as_deref(), annotations.title.as_deref(), annotations.description.as_deref());
        assert_eq!(found, (class, title, description), "{notes:?}");
        assert_eq!(annotations.faults, Vec::<String>::new(), "{notes:?}");
    }
}

#[test]
fn other_values_become_labels_where_they_fit() {
    let notes = "---\nlabels: {zone: a, team.example.com/role: db}\nowner: ops\npower: 12\nlist: [1]\n---\n";
    let annotations = annotations(
        notes,
        json!({"rack_unit": 7, "fast": true, "where": "in the corner", "bmc_password": "x", "no": null}),
    );
    let expected = json!({"zone": "a", "team.example.com/role": "db", "notes.bcm/owner": "ops",
        "notes.bcm/power": "12", "extra.bcm/rack_unit": "7", "extra.bcm/fast": "true"});
    assert_eq!(Value::Object(annotations.labels.clone()), expected);
    assert_eq!(annotations.left_out, [("no label", 2), ("may be secret", 1)]);
    assert_eq!(annotations.faults, Vec::<String>::new());
}

#[test]
fn notes_go_before_extra_values() {
    let annotations =
        annotations("host_class=one\nserial=\n", json!({"host_class": "two", "serial": "S2", "uid": " U "}));
    assert_eq!(annotations.class.as_deref(), Some("one"));
    assert_eq!((annotations.serial.as_deref(), annotations.uid.as_deref()), (Some("S2"), Some("U")));
}

#[test]
fn unreadable_notes_are_a_fault() {
    for (notes, extra, expected) in [
        ("---\n[1]\n---\n", json!({}), "notes: the block between --- must be an object, not a list"),
        ("---\na: b: c\n---\n", json!({}), "notes: the block between --- cannot be read"),
        ("+++\na\n+++\n", json!({}), "notes: the block between +++ cannot be read"),
        ("---\nlabels: x\n---\n", json!({}), "notes: labels must be an object, not a text"),
        ("---\nlabels: {a b: c}\n---\n", json!({}), "notes: labels.a b is no label"),
        ("---\nhost_class: {}\n---\n", json!({}), "notes: host_class must be a text, not an object"),
        ("", json!([]), "extra_values must be an object, not a list"),
        (&*"x".repeat(70_000), json!({}), "notes has 70000 bytes; at most 65536 are read"),
    ] {
        let faults = annotations(notes, extra).faults;
        assert!(faults.len() == 1 && faults[0].starts_with(expected), "{expected}: {faults:?}");
    }
}
