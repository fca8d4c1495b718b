//! Converts an object to the lines that write it, with its fields and their managers.
//!
//! A line of the manager of most fields creates the object. Lines of the other managers take over their fields, with
//! the same values. A last line releases the fields that nobody manages. A managed field with its default value is
//! written as `null`, so that it is managed again. Users cannot be impersonated: their fields become fields of the user
//! who applies the lines.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::order::Stage;
use underlay_inventory::{Setter, Shape};
use underlay_kinds::lines::{ItemLine, LineConflicts};

/// An object as it is read from the API.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ExportedObject {
    /// The fields with values, and the id; references are ids.
    pub(super) item: Map<String, Value>,
    /// The managers of the fields.
    pub(super) managers: Vec<ManagedField>,
}

/// The manager of one field, as the API returns it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ManagedField {
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

/// The manager of a field: a source, or `None` for any user.
type Manager = Option<String>;

/// The lines of an export that create one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ObjectLines {
    /// Creates the object.
    pub(super) create: Option<ItemLine>,
    /// Give fields to other managers.
    pub(super) hand_over: Vec<ItemLine>,
    /// Releases the fields that nobody manages.
    pub(super) release: Option<ItemLine>,
    /// Set the references that must wait until all objects exist.
    pub(super) later: Vec<ItemLine>,
}

/// A field of an object, or an entry of a field that is a map.
struct Atom {
    /// The name of the field.
    field: String,
    /// The name in the list of managers: `labels.env`.
    name: String,
    /// The value as in an item; for an entry, a map with this one entry.
    value: Value,
    manager: Option<Manager>,
}

impl ObjectLines {
    /// Returns the lines of an object of a kind.
    pub(super) fn of(stage: &Stage, node: &ExportedObject) -> Self {
        let Some(id) = node.item.get("id") else { return Self::default() };
        let atoms = atoms(stage, node);
        let main = main(&atoms);
        let (later, now): (Vec<Atom>, Vec<Atom>) =
            atoms.into_iter().partition(|atom| stage.later.contains(&atom.field.as_str()));
        let write = |atoms: &mut dyn Iterator<Item = &Atom>, source: Manager, conflicts| {
            let mut fields = Map::from_iter([("id".to_owned(), id.clone())]);
            atoms.for_each(|atom| add(&mut fields, atom));
            ItemLine { item: json!({ stage.kind.singular: fields }), source, conflicts }
        };
        let has_value = |atom: &&Atom| !atom.value.is_null();
        let own = |atom: &&Atom| has_value(atom) || atom.manager.as_ref() == Some(&main);
        let create = write(&mut now.iter().filter(own), main.clone(), None);
        let others = |manager: &Manager| *manager != main;
        let hand_over = managers(&now).into_iter().filter(others).map(|manager| {
            let held = |atom: &&Atom| atom.manager.as_ref() == Some(&manager);
            write(&mut now.iter().filter(held), manager.clone(), Some(LineConflicts::Force))
        });
        let hand_over = hand_over.collect();
        let mut groups: BTreeMap<Manager, Vec<&Atom>> = BTreeMap::new();
        for atom in &later {
            groups.entry(atom.manager.clone().unwrap_or_else(|| main.clone())).or_default().push(atom);
        }
        let mut later_lines: Vec<ItemLine> = Vec::new();
        for (manager, atoms) in groups {
            // A field that already has its default value can be taken over only by force.
            let force = atoms.iter().any(|atom| atom.value.is_null()).then_some(LineConflicts::Force);
            later_lines.push(write(&mut atoms.into_iter(), manager, force));
        }
        later_lines.extend(release(id, &later));
        Self { create: Some(create), hand_over, release: release(id, &now), later: later_lines }
    }
}

/// Returns the line that releases the fields with a value and no manager.
fn release(id: &Value, atoms: &[Atom]) -> Option<ItemLine> {
    let free = atoms.iter().filter(|atom| atom.manager.is_none()).map(|atom| atom.name.as_str());
    let fields: Vec<&str> = free.collect();
    let item = json!({"release": {"ref": {"id": id}, "fields": fields}});
    (!fields.is_empty()).then_some(ItemLine { item, source: None, conflicts: None })
}

/// Returns all fields of an object with a value or a manager, in the order of the description.
fn atoms(stage: &Stage, node: &ExportedObject) -> Vec<Atom> {
    let mut held: BTreeMap<&str, Manager> = BTreeMap::new();
    for managed in &node.managers {
        let source = (managed.manager_type == ManagerType::Source).then(|| managed.manager.clone());
        held.insert(&managed.field, source);
    }
    let mut atoms = Vec::new();
    // The server alone sets the other fields, so no line may.
    for field in stage.kind.fields.iter().filter(|field| field.setter == Setter::Everyone) {
        let value = node.item.get(field.name).cloned().unwrap_or(Value::Null);
        let atom = |name: String, value: Value| {
            let manager = held.get(name.as_str()).cloned();
            Atom { field: field.name.to_owned(), name, value, manager }
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
                atoms.extend((!atom.value.is_null() || atom.manager.is_some()).then_some(atom));
            }
        }
    }
    atoms
}

/// Returns the manager of most fields. On a tie, users come first, then sources by name.
fn main(atoms: &[Atom]) -> Manager {
    let mut counts: BTreeMap<&Manager, usize> = BTreeMap::new();
    for manager in atoms.iter().filter_map(|atom| atom.manager.as_ref()) {
        *counts.entry(manager).or_default() += 1;
    }
    let most = counts.values().max().copied().unwrap_or_default();
    counts.into_iter().find(|(_, count)| *count == most).and_then(|(manager, _)| manager.clone())
}

/// Returns all managers.
fn managers(atoms: &[Atom]) -> Vec<Manager> {
    let mut managers: Vec<Manager> = atoms.iter().filter_map(|atom| atom.manager.clone()).collect();
    managers.sort_unstable();
    managers.dedup();
    managers
}

/// Adds an atom to the fields of an item. Entries of one map are merged.
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
    use crate::export::order::stages;

    fn lines(kind: &str, item: Value, managers: Value) -> ObjectLines {
        let stages = stages(&underlay_kinds::registry());
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
    fn the_main_manager_creates_and_others_take_over() {
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
    fn fields_that_the_server_sets_are_left_out() {
        let item = json!({"id": "1", "name": "nb", "type": "netbox"});
        let managers =
            json!([held("name", "SOURCE", "nb"), held("type", "SOURCE", "nb"), held("reserved", "SOURCE", "nb")]);
        let written = lines("source", item, managers);
        assert_eq!(
            text(written.create),
            [r#"{"item":{"source":{"id":"1","name":"nb","type":"netbox"}},"source":"nb"}"#]
        );
        assert_eq!(written.hand_over.len() + written.later.len() + written.release.iter().len(), 0);
    }

    #[test]
    fn references_that_must_wait_are_written_later() {
        let item = json!({"id": "1", "name": "o1", "type": "POWER_OUTLET", "fedBy": [{"port": {"id": "2"}}]});
        let managers = json!([held("name", "USER", "a"), held("type", "USER", "a"), held("fedBy", "SOURCE", "s")]);
        let written = lines("port", item.clone(), managers);
        assert_eq!(text(written.create), [r#"{"item":{"port":{"id":"1","name":"o1","type":"POWER_OUTLET"}}}"#]);
        assert_eq!(text(written.later), [r#"{"item":{"port":{"id":"1","fedBy":[{"port":{"id":"2"}}]}},"source":"s"}"#]);
        let free = lines("port", item, json!([]));
        assert_eq!(text(free.release), [r#"{"item":{"release":{"ref":{"id":"1"},"fields":["name","type"]}}}"#]);
        assert_eq!(free.later.len(), 2, "the value, then the release");
    }
}
