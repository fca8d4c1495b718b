//! Computes in a simple way what a tenant may see, from all objects as items: an inventory from which everything else
//! was removed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_read::{ItemReferences, item};

/// To what an object without a tenant belongs: fields, all of which that are set count.
const BELONGS: [(&str, &[&str]); 14] = [
    ("region", &["parent"]),
    ("location", &["site", "parent"]),
    ("rack", &["site", "location"]),
    ("powerFeed", &["site", "rack"]),
    ("device", &["site", "location", "placement", "parent"]),
    ("port", &["device", "rack", "virtualMachine"]),
    ("cable", &["aEnds", "bEnds"]),
    ("link", &["a", "b"]),
    ("providerNetwork", &["provider"]),
    ("circuit", &["provider"]),
    ("circuitTermination", &["circuit", "site"]),
    ("site", &["region"]),
    ("provider", &[]),
    ("virtualMachine", &HOMES),
];
/// The containers of a virtual machine.
const HOMES: [&str; 3] = ["cluster", "host", "provider"];
/// The kinds that no tenant sees.
const FOR_OPERATORS: [&str; 4] = ["source", "credential", "profile", "appliance"];
/// The fields of hosts that no tenant sees.
const HIDDEN_OF_HOSTS: [&str; 7] = ["appliance", "uid", "serial", "bmcUrl", "bmcCredential", "bootMac", "provisioner"];
/// Fields that hold lists of references, of which what is hidden is left out.
const LISTS: [&str; 3] = ["cables", "fedBy", "passThrough"];
/// A kind, fields that are shown, and fields that it needs besides to be written.
type Shown = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

/// The shown fields of an object that visible objects depend on, and the other required fields.
const REDUCED: [Shown; 14] = [
    ("region", &[], &[]),
    ("site", &[], &[("type", "DATACENTER")]),
    ("location", &["site", "parent"], &[]),
    ("rack", &["site"], &[]),
    ("powerFeed", &["site", "rack"], &[]),
    ("device", &["site", "placement"], &[("role", "OTHER")]),
    ("port", &["type", "device", "rack", "virtualMachine"], &[]),
    ("provider", &[], &[("type", "HOSTING")]),
    ("providerNetwork", &["provider"], &[]),
    ("circuit", &["provider"], &[("type", "PROVIDER_CIRCUIT")]),
    ("circuitTermination", &["circuit", "side", "site"], &[]),
    ("cluster", &[], &[]),
    ("hostClass", &[], &[]),
    ("virtualMachine", &HOMES, &[]),
];

/// Returns all objects as items, by their ids.
pub struct Inventory<'a> {
    tenant: &'a str,
    things: BTreeMap<String, (&'static str, Map<String, Value>)>,
}

/// The part of the inventory that a tenant may see.
pub struct Expected {
    /// Items that write it.
    pub items: Vec<Value>,
    /// The ids of what is reduced.
    pub reduced: BTreeSet<String>,
}

impl<'a> Inventory<'a> {
    pub fn of(whole: &Snapshot, tenant: &'a str) -> Self {
        let mut things = BTreeMap::new();
        for kind in whole.registry().kinds() {
            for (slot, row) in whole.table(kind.id).rows(0) {
                let fields = item(whole, ObjectRef { kind: kind.id, slot }, ItemReferences::Id).expect("an item");
                things.insert(row.common().id.to_string(), (kind.singular, fields));
            }
        }
        Self { tenant, things }
    }

    pub fn ids(&self) -> Vec<String> {
        self.things.keys().cloned().collect()
    }

    /// Returns true if an object is fully visible.
    pub fn sees(&self, id: &str) -> bool {
        let (kind, fields) = &self.things[id];
        // These are for operators, whatever tenant they say.
        if FOR_OPERATORS.contains(kind) {
            return false;
        }
        // A host is for the tenant of its cluster, whatever tenant it says.
        if *kind == "host" {
            let cluster = fields.get("cluster").map(ids).unwrap_or_default().pop();
            let owner = cluster.and_then(|id| self.things[&id].1.get("tenant")?.as_str());
            return owner == Some(self.tenant);
        }
        if let Some(tenant) = fields.get("tenant").and_then(Value::as_str) {
            return tenant == self.tenant;
        }
        let any = |field: &str| {
            let ids = fields.get(field).map(ids).unwrap_or_default();
            ids.is_empty() || ids.iter().any(|id| self.sees(id))
        };
        let Some((_, belongs)) = BELONGS.iter().find(|(name, _)| name == kind) else { return true };
        // A device with a place of its own is only a member of the stack that its parent stands for.
        let is_member = *kind == "device" && fields.contains_key("placement");
        belongs.iter().filter(|field| !(is_member && **field == "parent")).all(|field| any(field))
    }

    /// Returns the part of the inventory that the tenant may see.
    pub fn expected(&self) -> Expected {
        let mut items = Vec::new();
        let mut pending = Vec::new();
        for (id, (kind, fields)) in self.things.iter().filter(|(id, _)| self.sees(id)) {
            let own = fields.get("tenant").is_some() || *kind == "host";
            let mut shown = fields.clone();
            if *kind == "host" {
                shown.retain(|name, _| !HIDDEN_OF_HOSTS.contains(&name.as_str()));
            }
            for (name, value) in &shown.clone() {
                let hidden: Vec<String> = ids(value).into_iter().filter(|id| !self.sees(id)).collect();
                if hidden.is_empty() {
                    continue;
                }
                if own && !LISTS.contains(&name.as_str()) {
                    pending.extend(hidden);
                } else {
                    match without(value, &hidden) {
                        Some(value) => shown.insert(name.clone(), value),
                        None => shown.remove(name),
                    };
                }
            }
            assert_eq!(shown["id"].as_str(), Some(id.as_str()));
            items.push(json!({ *kind: shown }));
        }
        let mut reduced = BTreeSet::new();
        while let Some(id) = pending.pop() {
            if self.sees(&id) || !reduced.insert(id.clone()) {
                continue;
            }
            let (kind, fields) = &self.things[&id];
            let (_, shown, needed) = REDUCED.iter().find(|(name, ..)| name == kind).expect("a kind that is stood on");
            let mut item = Map::from_iter([("id".to_owned(), json!(id)), ("name".to_owned(), fields["name"].clone())]);
            // Of a virtual machine the one that its key is made of.
            let most = if *kind == "virtualMachine" { 1 } else { usize::MAX };
            for field in shown.iter().filter(|field| fields.contains_key(**field)).take(most) {
                let value = match *field {
                    "placement" => json!({ "rack": fields["placement"]["rack"] }),
                    _ => fields[*field].clone(),
                };
                pending.extend(ids(&value));
                item.insert((*field).to_owned(), value);
            }
            item.extend(needed.iter().map(|(name, value)| ((*name).to_owned(), json!(value))));
            if *kind == "rack" {
                item.insert("heightU".to_owned(), json!(100));
            }
            items.push(json!({ *kind: item }));
        }
        Expected { items, reduced }
    }
}

/// The ids in references.
fn ids(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => {
            let own = members.get("id").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(members.values().flat_map(ids)).collect()
        }
        Value::Array(list) => list.iter().flat_map(ids).collect(),
        _ => Vec::new(),
    }
}

/// The value of a field without references to what is hidden; `None` when nothing is left.
fn without(value: &Value, hidden: &[String]) -> Option<Value> {
    let Value::Array(list) = value else { return None };
    let seen = |entry: &&Value| !ids(entry).iter().any(|id| hidden.contains(id));
    Some(list.iter().filter(seen).cloned().collect())
}
