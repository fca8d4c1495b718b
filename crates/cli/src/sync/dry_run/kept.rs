//! The items that have to be compared again, and the items that they may refer to.
//!
//! Guarantee: what is kept is bounded, and what cannot be kept is counted. Which item a reference means is guessed from
//! external ids and names; the server decides. A guess that is too wide costs room in a batch and changes nothing.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::{Map, Value};

use super::digest;
use crate::object::kinds;

/// The maximum number of bytes of the items that are kept, as JSON.
const MAX_KEPT_BYTES: usize = 256 << 20;
/// The maximum number of objects of one name, in different parents, that a name alone is taken for.
const MAX_NAMESAKES: usize = 16;

/// An item that is kept.
#[derive(Debug)]
struct Entry {
    json: Box<str>,
    /// The reason why it could not be compared, if it could not.
    put_aside: Option<String>,
    /// The items that it may refer to, once they were looked for.
    refers_to: Option<Vec<usize>>,
}

/// Items that are kept.
#[derive(Debug)]
pub(super) struct Kept {
    source: String,
    /// The members of references that hold a name, such as `site`.
    members: HashSet<&'static str>,
    entries: Vec<Entry>,
    bytes: usize,
    /// The items that an external id or a name can mean.
    meant: HashMap<u64, Vec<usize>>,
    /// The number of items that could not be kept, or do not fit into a batch with what they refer to.
    left_out: usize,
    /// The next item to compare again.
    next: usize,
}

/// Items that are compared together.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) items: Vec<Value>,
    /// For each item, true if it is compared for its own sake.
    pub(super) is_own: Vec<bool>,
}

impl Kept {
    pub(super) fn new(source: &str) -> Self {
        let members = kinds().kinds().map(|kind| kind.key.name_member).collect();
        let (entries, meant) = Default::default();
        Self { source: source.to_owned(), members, entries, bytes: 0, meant, left_out: 0, next: 0 }
    }

    /// Keeps an item that would change something, because others may refer to it.
    pub(super) fn changed(&mut self, item: &Value) {
        self.keep(item, None);
    }

    /// Keeps an item that refers to something that is missing.
    pub(super) fn put_aside(&mut self, item: &Value, reason: String) {
        if !self.keep(item, Some(reason)) {
            self.left_out += 1;
        }
    }

    /// Returns the reasons why items were put aside.
    pub(super) fn take_put_aside(&mut self) -> impl Iterator<Item = String> + use<> {
        std::mem::take(&mut self.entries).into_iter().filter_map(|entry| entry.put_aside)
    }

    /// Returns the number of items that cannot be compared.
    pub(super) const fn left_out(&self) -> usize {
        self.left_out
    }

    fn keep(&mut self, item: &Value, put_aside: Option<String>) -> bool {
        let json = item.to_string().into_boxed_str();
        if self.bytes + json.len() > MAX_KEPT_BYTES {
            return false;
        }
        self.bytes += json.len();
        let at = self.entries.len();
        for key in self.keys(item) {
            self.meant.entry(key).or_default().push(at);
        }
        self.entries.push(Entry { json, put_aside, refers_to: None });
        true
    }

    /// Returns the keys by which references mean an item: its external id, its name with that of its parent, and its
    /// name alone.
    fn keys(&self, item: &Value) -> Vec<u64> {
        let Some((kind, Value::Object(fields))) = item.as_object().and_then(|item| item.iter().next()) else {
            return Vec::new();
        };
        let id = fields.get("externalId").and_then(Value::as_str).map(by_id);
        let mut keys: Vec<u64> = id.into_iter().collect();
        let Some(kind) = kinds().named(kind) else { return keys };
        let Some(name) = kind.name_of(|name| fields.get(name)).and_then(Value::as_str) else { return keys };
        let member = kind.key.name_member;
        keys.push(by_name(member, name, ""));
        let parent = kind.parent_fields().find_map(|(_, field)| fields.get(field.name).filter(|it| !it.is_null()));
        let mut names = Vec::new();
        parent.into_iter().for_each(|parent| self.names(parent, &mut names));
        keys.extend(names.into_iter().map(|parent| by_name(member, name, parent)));
        keys
    }

    /// Adds the names in a reference.
    fn names<'v>(&self, reference: &'v Value, names: &mut Vec<&'v str>) {
        for (member, value) in reference.as_object().into_iter().flatten() {
            match value {
                Value::String(name) if self.members.contains(member.as_str()) => names.push(name),
                Value::Object(_) => self.names(value, names),
                _ => {}
            }
        }
    }

    /// Returns the next items to compare again, with what they may refer to; `None` after the last one.
    pub(super) fn next_group(&mut self, max_items: usize, max_bytes: usize) -> Option<Group> {
        let (mut group, mut own, mut bytes) = (BTreeSet::new(), HashSet::new(), 0);
        while self.next < self.entries.len() {
            if self.entries[self.next].put_aside.is_none() {
                self.next += 1;
                continue;
            }
            let more: BTreeSet<usize> =
                self.with_meant(self.next).into_iter().filter(|it| !group.contains(it)).collect();
            let more_bytes: usize = more.iter().map(|at| self.entries[*at].json.len()).sum();
            if group.len() + more.len() > max_items || bytes + more_bytes > max_bytes {
                if !own.is_empty() {
                    break;
                }
                self.left_out += 1;
            } else {
                bytes += more_bytes;
                group.extend(more);
                own.insert(self.next);
            }
            self.next += 1;
        }
        let read = |at: &usize| serde_json::from_str(&self.entries[*at].json).ok();
        (!own.is_empty()).then(|| Group {
            items: group.iter().filter_map(read).collect(),
            is_own: group.iter().map(|at| own.contains(at)).collect(),
        })
    }

    /// Returns an item with everything that it may refer to, directly or by others.
    fn with_meant(&mut self, at: usize) -> HashSet<usize> {
        let (mut found, mut waiting) = (HashSet::from([at]), vec![at]);
        while let Some(at) = waiting.pop() {
            if self.entries[at].refers_to.is_none() {
                let meant = self.meant_by(&self.entries[at].json);
                self.entries[at].refers_to = Some(meant);
            }
            let meant = self.entries[at].refers_to.iter().flatten();
            waiting.extend(meant.filter(|other| found.insert(**other)));
        }
        found
    }

    fn meant_by(&self, json: &str) -> Vec<usize> {
        let mut keys = HashSet::new();
        // Only the text of a value was kept.
        if let Ok(item) = serde_json::from_str::<Value>(json) {
            self.references(&item, &mut keys);
        }
        let mut meant: Vec<usize> = keys.iter().filter_map(|key| self.meant.get(key)).flatten().copied().collect();
        meant.sort_unstable();
        meant.dedup();
        meant
    }

    /// Adds the keys that a value may mean as a reference, at any depth.
    fn references(&self, value: &Value, keys: &mut HashSet<u64>) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.references(value, keys)),
            Value::Object(members) => {
                members.values().for_each(|value| self.references(value, keys));
                self.reference(members, keys);
            }
            _ => {}
        }
    }

    fn reference(&self, members: &Map<String, Value>, keys: &mut HashSet<u64>) {
        let text = |member: &str| members.get(member).and_then(Value::as_str);
        if let Some(id) = text("externalId")
            && text("source").is_none_or(|source| source == self.source)
        {
            keys.insert(by_id(id));
        }
        let names: Vec<(&str, &str)> =
            members.iter().filter_map(|(member, name)| Some((&**member, name.as_str()?))).collect();
        for (member, name) in names.iter().filter(|(member, _)| self.members.contains(member)) {
            let parents = names.iter().filter(|(other, _)| other != member).map(|(_, parent)| *parent);
            keys.extend(parents.map(|parent| by_name(member, name, parent)));
            let alone = by_name(member, name, "");
            if self.meant.get(&alone).is_some_and(|namesakes| namesakes.len() <= MAX_NAMESAKES) {
                keys.insert(alone);
            }
        }
    }
}

fn by_id(id: &str) -> u64 {
    digest(&["id", id])
}

fn by_name(member: &str, name: &str, parent: &str) -> u64 {
    digest(&["name", member, name, parent])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kept(changed: &[Value], put_aside: &[Value]) -> Kept {
        let mut kept = Kept::new("git");
        changed.iter().for_each(|item| kept.changed(item));
        put_aside.iter().for_each(|item| kept.put_aside(item, "it refers to nothing".to_owned()));
        kept
    }

    #[test]
    fn an_item_comes_with_what_it_refers_to_by_whatever_name() {
        let site = json!({"site": {"name": "ams1", "externalId": "s1"}});
        let rack = json!({"rack": {"name": "A14", "externalId": "r1", "site": {"site": "ams1"}}});
        let device = json!({"device": {"name": "leaf-1", "externalId": "d1", "site": {"externalId": "s1"},
            "placement": {"rack": {"site": "ams1", "rack": "A14"}, "startUnit": 3}}});
        let port = |device: &str| json!({"port": {"name": "e1", "externalId": format!("{device}/e1"), "device": {"device": device}}});
        let cable = json!({"cable": {"externalId": "c1", "aEnds": [{"port": {"device": "leaf-1", "port": "e1"}}],
            "bEnds": [{"port": {"source": "git", "externalId": "leaf-2/e1"}}]}});
        let other = json!({"site": {"name": "ams2", "externalId": "s2"}});
        let others =
            json!({"cable": {"externalId": "c2", "aEnds": [{"port": {"source": "dcim", "externalId": "s2"}}]}});
        let many: Vec<Value> = (0..40).map(|number| port(&format!("x{number}"))).collect();
        for (put_aside, changed, expected) in [
            (&rack, vec![&site, &other], vec![&site]),
            (&device, vec![&site, &rack, &other], vec![&site, &rack]),
            (&others, vec![&site, &other], vec![]),
        ] {
            let changed: Vec<Value> = changed.into_iter().cloned().collect();
            let mut kept = kept(&changed, std::slice::from_ref(put_aside));
            let group = kept.next_group(100, usize::MAX).expect("a group");
            let carried = group.items.iter().zip(&group.is_own).filter(|(_, is_own)| !**is_own);
            assert_eq!(carried.map(|(item, _)| item).collect::<Vec<_>>(), expected, "{put_aside}");
            assert_eq!(group.items.last(), Some(put_aside));
            assert!(kept.next_group(100, usize::MAX).is_none());
        }
        let ports = [port("leaf-1"), port("leaf-2")];
        let mut kept = kept(&[&[site.clone(), rack, device][..], &ports, &many].concat(), std::slice::from_ref(&cable));
        let group = kept.next_group(100, usize::MAX).expect("a group");
        assert_eq!(group.items.len(), 6, "{group:?}");
        assert!(ports.iter().all(|port| group.items.contains(port)), "{group:?}");
        assert_eq!(group.is_own, [false, false, false, false, false, true]);
    }

    #[test]
    fn groups_are_bounded_and_what_fits_into_none_is_counted() {
        let site = json!({"site": {"name": "ams1", "externalId": "s1"}});
        let rack = |number: usize| json!({"rack": {"name": format!("r{number}"), "site": {"externalId": "s1"}}});
        let racks: Vec<Value> = (0..5).map(rack).collect();
        let mut kept = kept(&[site], &racks);
        let mut sizes = Vec::new();
        while let Some(group) = kept.next_group(3, usize::MAX) {
            sizes.push(group.items.len());
        }
        assert_eq!((sizes, kept.left_out()), (vec![3, 3, 2], 0));
        kept.next = 0;
        assert!(kept.next_group(1, usize::MAX).is_none());
        assert_eq!(kept.left_out(), 5);
        assert_eq!(kept.take_put_aside().count(), 5);
    }
}
