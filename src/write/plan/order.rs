//! The order in which items are tried one by one: what an item refers to in the batch comes before it.

use std::collections::HashMap;

use serde_json::{Map, Value as Json};

use crate::inventory::{Description, Form, Selector, Snapshot};
use crate::write::batch::Item;

/// What comes before an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// What it refers to. Deletes come last, but for those that make room for an object of the batch.
    References,
    /// What its key is made of.
    Keys,
}

/// The places of the items, in the order in which they are to be tried. Circles are cut where they are met.
pub(super) fn of(base: &Snapshot, items: &[Item], source: Option<&str>, by: By) -> Vec<usize> {
    let graph = Graph::of(base, items, source, by);
    let mut order = Vec::with_capacity(items.len());
    let mut seen = vec![false; items.len()];
    let (writes, deletes): (Vec<usize>, Vec<usize>) =
        (0..items.len()).partition(|at| !matches!(items[*at], Item::Delete { .. }));
    for start in writes.into_iter().chain(deletes) {
        // An explicit stack: a chain may be as long as the batch.
        let mut stack = vec![(start, false)];
        while let Some((at, done)) = stack.pop() {
            if done {
                order.push(at);
            } else if !std::mem::replace(&mut seen[at], true) {
                stack.push((at, true));
                stack.extend(graph.before(at).into_iter().filter(|at| !seen[*at]).map(|at| (at, false)));
            }
        }
    }
    order
}

/// What an item may be called by others: its kind's name and its id, external id or name.
type Called = (&'static str, String);

struct Graph<'a> {
    base: &'a Snapshot,
    items: &'a [Item],
    source: Option<&'a str>,
    by: By,
    called: HashMap<Called, Vec<usize>>,
    /// The deletes of objects, by what these are called.
    deletes: HashMap<Called, Vec<usize>>,
}

impl<'a> Graph<'a> {
    fn of(base: &'a Snapshot, items: &'a [Item], source: Option<&'a str>, by: By) -> Self {
        let mut called: HashMap<Called, Vec<usize>> = HashMap::new();
        let mut deletes: HashMap<Called, Vec<usize>> = HashMap::new();
        for (at, item) in items.iter().enumerate() {
            let (kind, fields) = match item {
                Item::Write { kind, fields, .. } => (kind, fields),
                Item::Delete { kind, object, .. } => {
                    if let Some(called) = deleted(base, *kind, object, source) {
                        deletes.entry(called).or_default().push(at);
                    }
                    continue;
                }
                Item::Release { .. } => continue,
            };
            for member in ["id", "externalId", "name"] {
                if let Some(text) = fields.get(member).and_then(Json::as_str) {
                    called.entry((kind.name, text.to_owned())).or_default().push(at);
                }
            }
            for (_, external_id) in external_refs(fields) {
                called.entry((kind.name, external_id.to_owned())).or_default().push(at);
            }
        }
        Self { base, items, source, by, called, deletes }
    }

    /// The items that an item may refer to.
    fn before(&self, at: usize) -> Vec<usize> {
        let Item::Write { kind, fields, .. } = &self.items[at] else { return Vec::new() };
        let mut found = Vec::new();
        if self.by == By::References {
            let name = fields.get("name").and_then(Json::as_str);
            let makes_room = name.and_then(|name| self.deletes.get(&(kind.name, name.to_owned())));
            found.extend(makes_room.into_iter().flatten());
        }
        let of_key = |name: &str| {
            self.by == By::References
                || kind.key.parents.contains(&name)
                || kind.unnamed.is_some_and(|unnamed| unnamed.by == name)
        };
        for (name, value) in fields.iter().filter(|(name, _)| of_key(name)) {
            if let Some(part) = kind.parts.iter().find(|part| part.field == name) {
                let inner = self.base.registry().named(part.kind);
                for (name, value) in value.as_object().into_iter().flatten() {
                    inner.into_iter().for_each(|kind| self.references(kind, name, value, &mut found));
                }
            }
            self.references(kind, name, value, &mut found);
        }
        found.retain(|other| *other != at);
        found
    }

    fn references(&self, kind: &'static Description, name: &str, value: &Json, found: &mut Vec<usize>) {
        let Some(reference) = kind.field(name).and_then(|place| kind.fields[place].reference) else { return };
        let list = |value: &Json| value.as_array().cloned().unwrap_or_default();
        let places: Vec<Json> = match reference.form {
            Form::One => vec![value.clone()],
            Form::OneOf => inner(value),
            Form::Member(member) => value.get(member).cloned().into_iter().collect(),
            Form::Many => list(value),
            Form::ManyOf => list(value).iter().flat_map(inner).collect(),
            Form::ManyMember(member) => list(value).iter().filter_map(|it| it.get(member).cloned()).collect(),
        };
        for target in reference.targets.iter().filter_map(|name| self.base.registry().named(name)) {
            for value in &places {
                let Ok(selector) = Selector::parse(target, name, value, self.source) else { continue };
                let called = selector.id.map(|id| id.to_string());
                let called = called.or(selector.external.map(|(_, id)| id)).or(selector.name);
                // Parents that are named along may be made by the batch too.
                let parents = selector.parents.into_iter().map(|(member, name)| (member, Some(name)));
                for (member, text) in parents.chain([(target.singular.to_owned(), called)]) {
                    let kind = self.base.registry().named(&member).unwrap_or(target);
                    let key = text.map(|text| (kind.name, text));
                    found.extend(key.and_then(|key| self.called.get(&key)).into_iter().flatten());
                }
            }
        }
    }
}

/// The values of the members of an object.
fn inner(value: &Json) -> Vec<Json> {
    value.as_object().map(|members| members.values().cloned().collect()).unwrap_or_default()
}

/// The external references that an item gives to its object: (source, external id).
pub(super) fn external_refs(fields: &Map<String, Json>) -> impl Iterator<Item = (&str, &str)> {
    let list = fields.get("externalRefs").and_then(Json::as_array).into_iter().flatten();
    list.filter_map(|it| Some((it.get("source")?.as_str()?, it.get("externalId")?.as_str()?)))
}

/// What an object that is deleted is called, if it is there.
fn deleted(base: &Snapshot, kind: Option<&'static Description>, object: &Json, source: Option<&str>) -> Option<Called> {
    let place = match kind {
        Some(kind) => base.select(kind, "ref", &Selector::parse(kind, "ref", object, source).ok()?).ok()??,
        None => base.find(uuid::Uuid::parse_str(object.as_str()?).ok()?)?,
    };
    Some((base.kind(place.kind).name, base.row(place)?.common().name.to_owned()))
}
