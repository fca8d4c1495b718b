//! Determines the order in which items are planned one by one. An item comes after the items that it refers to.

use std::borrow::Cow;

use foldhash::HashMap;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::rename::Renames;
use crate::write::batch::Item;
use crate::write::fields::Fields;
use underlay_inventory::{Description, Form, Selector, Snapshot};

/// The items that must come before an item.
#[derive(Clone, Copy, Debug)]
pub(super) enum By<'a> {
    /// The items that it refers to, and those that give up the name that it takes. Deletes come last, except for those
    /// that make room for an object of the batch.
    References(&'a Renames),
    /// The items that write the parents in its key.
    Keys,
}

/// Returns the indices of the items, in the order in which they are planned. If items form a cycle, it is cut.
pub(super) fn of(base: &Snapshot, items: &[Item], source: Option<&str>, by: By<'_>) -> Vec<usize> {
    let graph = Graph::of(base, items, source, by);
    let mut order = Vec::with_capacity(items.len());
    let mut seen = vec![false; items.len()];
    let (writes, deletes): (Vec<usize>, Vec<usize>) =
        (0..items.len()).partition(|at| !matches!(items[*at], Item::Delete { .. }));
    for start in writes.into_iter().chain(deletes) {
        // The stack is explicit, because a chain may be as long as the batch.
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

/// A name by which other items may refer to an item: the name of the kind, and an id, external id or name.
type Called<'a> = (&'static str, Cow<'a, str>);

struct Graph<'a> {
    base: &'a Snapshot,
    items: &'a [Item],
    by: By<'a>,
    called: HashMap<Called<'a>, Vec<usize>>,
    /// The items that delete objects, by the names of the objects.
    deletes: HashMap<Called<'a>, Vec<usize>>,
}

impl<'a> Graph<'a> {
    fn of(base: &'a Snapshot, items: &'a [Item], source: Option<&str>, by: By<'a>) -> Self {
        let mut called: HashMap<Called<'a>, Vec<usize>> = HashMap::default();
        let mut deletes: HashMap<Called<'a>, Vec<usize>> = HashMap::default();
        for (at, item) in items.iter().enumerate() {
            let (kind, fields) = match item {
                Item::Write { kind, fields, .. } => (kind, fields),
                Item::Delete { kind, object, .. } => {
                    if let Some(called) = deleted(base, *kind, object, source) {
                        deletes.entry(called).or_default().push(at);
                    }
                    continue;
                }
                Item::Release { .. } | Item::Refused { .. } => continue,
            };
            if let Some(id) = fields.get("id").and_then(Json::as_str) {
                called.entry((kind.name, canonical(id))).or_default().push(at);
            }
            let names = [fields.get("externalId"), kind.name_of(|member| fields.get(member))];
            let names = names.into_iter().filter_map(|name| name?.as_str());
            for name in names.chain(external_refs(fields).map(|(_, external_id)| external_id)) {
                called.entry((kind.name, Cow::Borrowed(name))).or_default().push(at);
            }
        }
        Self { base, items, by, called, deletes }
    }

    /// Returns the items that an item may refer to.
    fn before(&self, at: usize) -> Vec<usize> {
        let Item::Write { kind, fields, .. } = &self.items[at] else { return Vec::new() };
        let mut found = Vec::new();
        let by_references = match self.by {
            By::Keys => false,
            By::References(renames) => {
                let name = kind.name_of(|member| fields.get(member)).and_then(Json::as_str);
                let makes_room = name.and_then(|name| self.deletes.get(&(kind.name, Cow::Borrowed(name))));
                found.extend(makes_room.into_iter().flatten());
                found.extend(renames.before(at, kind, name));
                true
            }
        };
        let of_key =
            |name: &str| by_references || kind.key.parents.contains(&name) || kind.recognised_by() == Some(name);
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
        let Some(reference) = kind.field(name).and_then(|index| kind.fields[index].reference) else { return };
        let list = || value.as_array().into_iter().flatten();
        let values: Vec<&Json> = match reference.form {
            Form::One => vec![value],
            Form::OneOf => value.as_object().into_iter().flat_map(Map::values).collect(),
            Form::Member(member) | Form::OptionalMember(member) => value.get(member).into_iter().collect(),
            Form::Many => list().collect(),
            Form::ManyOf => list().filter_map(Json::as_object).flat_map(Map::values).collect(),
            Form::ManyMember(member) => list().filter_map(|it| it.get(member)).collect(),
        };
        for target in reference.targets.iter().filter_map(|name| self.base.registry().named(name)) {
            values.iter().for_each(|value| self.mentioned(target, value, found));
        }
    }

    /// Adds the items that a reference, or a parent in it, may mean: the batch may create the parents too.
    fn mentioned(&self, target: &'static Description, reference: &Json, found: &mut Vec<usize>) {
        let mut mention = |kind: &Description, text: &str| {
            let items = self.called.get(&(kind.name, canonical(text)));
            found.extend(items.into_iter().flatten());
        };
        match reference {
            Json::String(text) => mention(target, text),
            Json::Object(members) => {
                for (member, text) in members.iter().filter_map(|(member, text)| Some((member, text.as_str()?))) {
                    let parent = || self.base.registry().named(member).unwrap_or(target);
                    match member.as_str() {
                        "source" => {}
                        "id" | "externalId" => mention(target, text),
                        member if member == target.key.name_member => mention(target, text),
                        _ => mention(parent(), text),
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns an id in its usual form, and any other text unchanged.
fn canonical(text: &str) -> Cow<'_, str> {
    // Names are rarely as long as an id, and most ids have the usual form already.
    let usual = text.len() < 32
        || text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit() || byte.is_ascii_lowercase())
            && text.len() == 36;
    match usual {
        true => Cow::Borrowed(text),
        false => Uuid::parse_str(text).map_or(Cow::Borrowed(text), |id| Cow::Owned(id.to_string())),
    }
}

/// Returns the external references in an item, as pairs of source and external id.
pub(super) fn external_refs(fields: &Fields) -> impl Iterator<Item = (&str, &str)> {
    let list = fields.get("externalRefs").and_then(Json::as_array).into_iter().flatten();
    list.filter_map(|it| Some((it.get("source")?.as_str()?, it.get("externalId")?.as_str()?)))
}

/// Returns the names of an object that is deleted, if the object exists.
fn deleted<'a>(
    base: &'a Snapshot,
    kind: Option<&'static Description>,
    object: &Json,
    source: Option<&str>,
) -> Option<Called<'a>> {
    let found = match kind {
        Some(kind) => base.select(kind, "ref", &Selector::parse(kind, "ref", object, source).ok()?).ok()??,
        None => base.find(Uuid::parse_str(object.as_str()?).ok()?)?,
    };
    Some((base.kind(found.kind).name, Cow::Borrowed(base.row(found)?.common().name)))
}
