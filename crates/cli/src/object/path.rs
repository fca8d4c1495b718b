//! Reads and prints the path of an object: its kind, the names of its parents from the top down, and its own name.
//!
//! The server shows objects in the same form: `rack/ams1/A14`. If the kind has families and the object is not of the
//! first family, the family precedes the name (`port/ams1/panel-1/FRONT/1`). Such a path distinguishes objects.

use std::fmt;

use serde_json::Value;

use underlay_inventory::Description;
use underlay_kit::line;

use super::kind::kinds;

/// The maximum number of parents of the same kind that are followed: one more than there are types of location.
const NESTING_LEVELS: usize = 6;

/// The path of an object, which can be printed in full or short.
#[derive(Clone, Debug)]
pub(crate) struct ObjectPath {
    kind: &'static Description,
    /// The names from the top down; the last is the object's own.
    names: Vec<String>,
    family: Option<String>,
}

/// Returns the GraphQL selection that [`ObjectPath::read`] needs: `name site { name }`.
pub(crate) fn selection(kind: &Description) -> String {
    select(kind, NESTING_LEVELS)
}

fn select(kind: &Description, depth: usize) -> String {
    let mut fields = "name".to_owned();
    if let Some(family) = kind.key.family {
        fields += &format!(" {}", family.member);
    }
    for (field, target) in parents(kind) {
        // Only a kind with parents of the same kind could nest without end.
        let depth = if target.id == kind.id { depth - 1 } else { depth };
        if depth > 0 {
            fields += &format!(" {field} {{ {} }}", select(target, depth));
        }
    }
    fields
}

/// Returns the fields that can hold the parent in a key, each with the kind of the parent.
pub(super) fn parents(kind: &Description) -> impl Iterator<Item = (&'static str, &'static Description)> {
    kind.parent_fields().filter_map(|(_, field)| {
        let target = field.reference?.targets.first()?;
        Some((field.name, kinds().named(target)?))
    })
}

impl ObjectPath {
    /// Reads the path of an object of which [`selection`] was selected.
    pub(crate) fn read(kind: &'static Description, object: &Value) -> Self {
        let text = |object: &Value, field: &str| object.get(field).and_then(Value::as_str).map(str::to_owned);
        let family = kind.key.family.and_then(|family| {
            let name = text(object, family.member)?;
            (family.names.first() != Some(&name.as_str())).then_some(name)
        });
        let mut names = vec![text(object, "name").unwrap_or_default()];
        let (mut at, mut of) = (object, kind);
        while let Some((parent, target)) = parents(of).find_map(|(field, target)| Some((above(at, field)?, target))) {
            names.push(text(parent, "name").unwrap_or_default());
            (at, of) = (parent, target);
        }
        names.reverse();
        Self { kind, names, family }
    }

    /// Returns the path without the kind: `ams1/A14`.
    pub(crate) fn within_kind(&self) -> String {
        let (name, above) = self.names.split_last().map_or(("", &[][..]), |(name, above)| (name.as_str(), above));
        let parts = above.iter().map(String::as_str).chain(self.family.as_deref()).chain([name]);
        line(&parts.collect::<Vec<_>>().join("/"))
    }

    /// Returns the short form that people use: `A14`, but `leaf-3/Ethernet1`, because every device has a port of that
    /// name.
    pub(crate) fn short(&self) -> String {
        let count = if has_common_names(self.kind) { 2 } else { 1 };
        line(&self.names[self.names.len().saturating_sub(count)..].join("/"))
    }
}

/// Returns the object that a field holds, if any.
fn above<'a>(object: &'a Value, field: &str) -> Option<&'a Value> {
    object.get(field).filter(|parent| parent.is_object())
}

/// Returns true if objects in many places can have the same name, which holds if their parents have parents too.
pub(super) fn has_common_names(kind: &Description) -> bool {
    parents(kind).next().is_some_and(|(_, parent)| !parent.key.parents.is_empty())
}

impl fmt::Display for ObjectPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.kind.singular, self.within_kind())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kind(name: &str) -> &'static Description {
        kinds().named(name).expect("a kind")
    }

    #[test]
    fn selections_reach_to_the_top() {
        assert_eq!(selection(kind("site")), "name");
        assert_eq!(selection(kind("rack")), "name site { name }");
        let site = "site { name }";
        let vm = format!("name cluster {{ name }} host {{ name {site} }} provider {{ name }}");
        let owners = format!("device {{ name {site} }} rack {{ name {site} }} virtualMachine {{ {vm} }}");
        assert_eq!(selection(kind("port")), format!("name family {owners}"));
        let location = selection(kind("location"));
        assert_eq!(location.matches("parent {").count(), NESTING_LEVELS - 1, "{location}");
    }

    #[test]
    fn paths_are_read_from_the_nearest_parent_up() {
        let site = json!({"name": "ams1"});
        let device = json!({"name": "leaf-3", "site": site});
        for (name, object, path, short) in [
            ("rack", json!({"name": "A14", "site": site}), "rack/ams1/A14", "A14"),
            ("site", site.clone(), "site/ams1", "ams1"),
            (
                "port",
                json!({"name": "e1/1", "family": "DATA", "device": device, "rack": null}),
                "port/ams1/leaf-3/e1/1",
                "leaf-3/e1/1",
            ),
            ("port", json!({"name": "1", "family": "REAR", "device": device}), "port/ams1/leaf-3/REAR/1", "leaf-3/1"),
            (
                "location",
                json!({"name": "row", "parent": {"name": "hall", "parent": null, "site": site}, "site": site}),
                "location/ams1/hall/row",
                "hall/row",
            ),
            ("cable", json!({"name": "c\u{1b}1"}), "cable/c\\u{1b}1", "c\\u{1b}1"),
        ] {
            let read = ObjectPath::read(kind(name), &object);
            assert_eq!((read.to_string().as_str(), read.short().as_str()), (path, short));
        }
    }
}
