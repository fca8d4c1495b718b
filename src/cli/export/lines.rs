//! From an object to the lines that write it: with its fields, in the names of those who hold them.
//!
//! The holder of most of it writes the object; lines for the other holders take their fields over, with the same
//! values; a last line lets go of what nobody holds. What somebody holds although it has its default is given as
//! `null`, so that the hold is restored. Users cannot be impersonated: all of them are the one who applies.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::order::Stage;
use crate::api::lines::{ItemLine, LineConflicts};
use underlay_inventory::Shape;

/// An object, as it is read.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Node {
    /// The fields that hold something, and its id; references by id.
    pub(super) item: Map<String, Value>,
    /// Who holds what.
    pub(super) managers: Vec<Managed>,
}

/// Somebody holds a field.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Managed {
    field: String,
    #[serde(rename = "type")]
    manager_type: ManagerType,
    manager: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum ManagerType {
    Source,
    User,
}

/// Who holds a field: a user, or a source.
type Holder = Option<String>;

/// The lines of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ObjectLines {
    /// Creates it.
    pub(super) create: Option<ItemLine>,
    /// Give fields to other holders.
    pub(super) hand_over: Vec<ItemLine>,
    /// Lets go of what nobody holds.
    pub(super) release: Option<ItemLine>,
    /// Come after all objects are there: references that had to wait.
    pub(super) later: Vec<ItemLine>,
}

/// A field, or an entry of a map, of an object.
struct Atom {
    /// The field.
    field: String,
    /// As managers call it: `labels.env`.
    name: String,
    /// The value as an item gives it: of an entry the map with the one entry.
    value: Value,
    holder: Option<Holder>,
}

impl ObjectLines {
    /// The lines of an object of a kind.
    pub(super) fn of(stage: &Stage, node: &Node) -> Self {
        let Some(id) = node.item.get("id") else { return Self::default() };
        let atoms = atoms(stage, node);
        let main = main(&atoms);
        let (later, now): (Vec<Atom>, Vec<Atom>) =
            atoms.into_iter().partition(|atom| stage.later.contains(&atom.field.as_str()));
        let write = |atoms: &mut dyn Iterator<Item = &Atom>, source: Holder, conflicts| {
            let mut fields = Map::from_iter([("id".to_owned(), id.clone())]);
            atoms.for_each(|atom| add(&mut fields, atom));
            ItemLine { item: json!({ stage.kind.singular: fields }), source, conflicts }
        };
        let has_value = |atom: &&Atom| !atom.value.is_null();
        let own = |atom: &&Atom| has_value(atom) || atom.holder.as_ref() == Some(&main);
        let create = write(&mut now.iter().filter(own), main.clone(), None);
        let others = |holder: &Holder| *holder != main;
        let hand_over = holders(&now).into_iter().filter(others).map(|holder| {
            let held = |atom: &&Atom| atom.holder.as_ref() == Some(&holder);
            write(&mut now.iter().filter(held), holder.clone(), Some(LineConflicts::Force))
        });
        let hand_over = hand_over.collect();
        let mut groups: BTreeMap<Holder, Vec<&Atom>> = BTreeMap::new();
        for atom in &later {
            groups.entry(atom.holder.clone().unwrap_or_else(|| main.clone())).or_default().push(atom);
        }
        let mut later_lines: Vec<ItemLine> = Vec::new();
        for (holder, atoms) in groups {
            // A field that already has its default is taken only by force.
            let force = atoms.iter().any(|atom| atom.value.is_null()).then_some(LineConflicts::Force);
            later_lines.push(write(&mut atoms.into_iter(), holder, force));
        }
        later_lines.extend(release(id, &later));
        Self { create: Some(create), hand_over, release: release(id, &now), later: later_lines }
    }
}

/// The line that lets go of what has a value and no holder.
fn release(id: &Value, atoms: &[Atom]) -> Option<ItemLine> {
    let free = atoms.iter().filter(|atom| atom.holder.is_none()).map(|atom| atom.name.as_str());
    let fields: Vec<&str> = free.collect();
    let item = json!({"release": {"ref": {"id": id}, "fields": fields}});
    (!fields.is_empty()).then_some(ItemLine { item, source: None, conflicts: None })
}

/// Everything of an object that has a value or a holder, in the order of the description.
fn atoms(stage: &Stage, node: &Node) -> Vec<Atom> {
    let mut held: BTreeMap<&str, Holder> = BTreeMap::new();
    for managed in &node.managers {
        let source = (managed.manager_type == ManagerType::Source).then(|| managed.manager.clone());
        held.insert(&managed.field, source);
    }
    let mut atoms = Vec::new();
    for field in stage.kind.fields {
        let value = node.item.get(field.name).cloned().unwrap_or(Value::Null);
        let atom = |name: String, value: Value| {
            let holder = held.get(name.as_str()).cloned();
            Atom { field: field.name.to_owned(), name, value, holder }
        };
        match (field.shape, value) {
            (Shape::PerKey, Value::Object(entries)) => atoms.extend(entries.into_iter().map(|(key, value)| {
                let name = format!("{}.{key}", field.name);
                atom(name, Value::Object(Map::from_iter([(key, value)])))
            })),
            (Shape::PerKey, Value::Array(entries)) => atoms.extend(entries.into_iter().map(|entry| {
                let name = format!("{}.{}", field.name, entry["source"].as_str().unwrap_or_default());
                atom(name, Value::Array(vec![entry]))
            })),
            (Shape::PerKey, _) => {}
            (_, value) => {
                let atom = atom(field.name.to_owned(), value);
                atoms.extend((!atom.value.is_null() || atom.holder.is_some()).then_some(atom));
            }
        }
    }
    atoms
}

/// Who holds most of an object; of equals the user, then the first by name.
fn main(atoms: &[Atom]) -> Holder {
    let mut counts: BTreeMap<&Holder, usize> = BTreeMap::new();
    for holder in atoms.iter().filter_map(|atom| atom.holder.as_ref()) {
        *counts.entry(holder).or_default() += 1;
    }
    let most = counts.values().max().copied().unwrap_or_default();
    counts.into_iter().find(|(_, count)| *count == most).and_then(|(holder, _)| holder.clone())
}

/// Who holds something.
fn holders(atoms: &[Atom]) -> Vec<Holder> {
    let mut holders: Vec<Holder> = atoms.iter().filter_map(|atom| atom.holder.clone()).collect();
    holders.sort_unstable();
    holders.dedup();
    holders
}

/// Adds an atom to the fields of an item; entries of one map come together.
fn add(fields: &mut Map<String, Value>, atom: &Atom) {
    match (fields.get_mut(&atom.field), &atom.value) {
        (Some(Value::Object(there)), Value::Object(more)) => there.extend(more.clone()),
        (Some(Value::Array(there)), Value::Array(more)) => there.extend(more.iter().cloned()),
        (_, value) => {
            fields.insert(atom.field.clone(), value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::export::order::stages;

    fn lines(kind: &str, item: Value, managers: Value) -> ObjectLines {
        let stages = stages(&crate::kinds::registry());
        let stage = stages.iter().find(|stage| stage.kind.singular == kind).expect("a kind");
        let node = serde_json::from_value(json!({"item": item, "managers": managers})).expect("a node");
        ObjectLines::of(stage, &node)
    }

    fn text(lines: impl IntoIterator<Item = ItemLine>) -> Vec<String> {
        lines.into_iter().map(|line| serde_json::to_string(&line).expect("JSON")).collect()
    }

    fn held(field: &str, ty: &str, manager: &str) -> Value {
        json!({"field": field, "type": ty, "manager": manager})
    }

    #[test]
    fn who_holds_most_writes_and_the_others_take_over() {
        let item = json!({"id": "1", "name": "A", "labels": {"a": "1", "b": "2"}, "site": {"id": "s"}, "heightU": 4});
        let managers = json!([
            held("name", "SOURCE", "bcm"),
            held("site", "SOURCE", "bcm"),
            held("labels.a", "SOURCE", "bcm"),
            held("status", "SOURCE", "bcm"),
            held("labels.b", "USER", "ann"),
            held("cage", "USER", "bob"),
        ]);
        let lines = lines("rack", item, managers);
        assert_eq!(
            text(lines.create),
            [
                r#"{"item":{"rack":{"id":"1","name":"A","labels":{"a":"1","b":"2"},"site":{"id":"s"},"heightU":4,"status":null}},"source":"bcm"}"#
            ]
        );
        assert_eq!(
            text(lines.hand_over),
            [r#"{"item":{"rack":{"id":"1","labels":{"b":"2"},"cage":null}},"conflicts":"FORCE"}"#]
        );
        assert_eq!(text(lines.release), [r#"{"item":{"release":{"ref":{"id":"1"},"fields":["heightU"]}}}"#]);
        assert!(lines.later.is_empty());
    }

    #[test]
    fn references_that_must_wait_come_later() {
        let item = json!({"id": "1", "name": "o1", "type": "POWER_OUTLET", "fedBy": [{"port": {"id": "2"}}]});
        let managers = json!([held("name", "USER", "a"), held("type", "USER", "a"), held("fedBy", "SOURCE", "s")]);
        let given = lines("port", item.clone(), managers);
        assert_eq!(text(given.create), [r#"{"item":{"port":{"id":"1","name":"o1","type":"POWER_OUTLET"}}}"#]);
        assert_eq!(text(given.later), [r#"{"item":{"port":{"id":"1","fedBy":[{"port":{"id":"2"}}]}},"source":"s"}"#]);
        let free = lines("port", item, json!([]));
        assert_eq!(text(free.release), [r#"{"item":{"release":{"ref":{"id":"1"},"fields":["name","type"]}}}"#]);
        assert_eq!(free.later.len(), 2, "the value, then the release");
    }
}
