//! Converts items to Milo manifests: decides the kind of each object, and collects what must be known about the others.
//!
//! Milo's model is smaller than ours. Guarantee: nothing is dropped silently. An object with a kind, a field or a value
//! that Milo does not have is rejected. The result lists everything that cannot be expressed.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use thiserror::Error;
use underlay_kit::{Path, Problems, printable, shown};

use super::names::{Names, agree, device_kind};
use super::table::{KINDS, MiloKind, POWER_FEEDS};
use super::writer::Writer;

/// The documents that items were converted to, and the items that could not be converted.
#[derive(Debug, Default, PartialEq)]
pub struct MiloExport {
    /// The manifests, in the order of the items. Power feeds are part of their racks.
    pub documents: Vec<Value>,
    /// The reasons why the other items have no manifest.
    pub refused: Vec<Inexpressible>,
}

/// A part of an item that Milo cannot express.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{object}{}: {reason}", .field.as_ref().map(|field| format!(", {field}")).unwrap_or_default())]
pub struct Inexpressible {
    /// The object, such as `device/pdu-1`.
    pub object: String,
    /// Underlay's field; absent if the problem is the whole object.
    pub field: Option<String>,
    /// A sentence that says what Milo does not have.
    pub reason: String,
}

/// Converts items (`ApplyItem`s that refer to others by name) to manifests of Milo.
///
/// All items must be passed together: power feeds become part of their racks, and references need the name of a port
/// and the kind of a device.
pub fn to_milo(items: &[Value]) -> MiloExport {
    let mut out = MiloExport::default();
    let mut objects: Vec<(&str, Map<String, Value>)> = Vec::new();
    for item in items {
        let members = item.as_object().filter(|members| members.len() == 1);
        match members.and_then(|members| members.iter().next()).map(|(kind, fields)| (kind, fields.as_object())) {
            Some((kind, Some(fields))) => objects.push((kind, fields.clone())),
            _ => out.refuse("item", &Map::new(), "is not an object with the one member that names its kind"),
        }
    }
    let objects = fold_power_feeds(objects, &mut out);
    let names = Names::of(objects.iter().map(|(kind, fields)| (*kind, fields)));
    let mut taken = HashSet::new();
    for (member, fields) in &objects {
        let kind = match kind_of(member, fields) {
            Ok(kind) => kind,
            Err(reason) => {
                out.refuse(member, fields, reason);
                continue;
            }
        };
        let (document, problems) = Writer::new(&names).document(kind, fields.clone());
        let name = document["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        if problems.count() > 0 {
            out.refuse_all(member, fields, problems);
        } else if taken.insert((kind.name, name)) {
            out.documents.push(document);
        } else {
            let reason = format!("another {} has the same name, and names in Milo are not within a site", kind.name);
            out.refuse(member, fields, reason);
        }
    }
    out
}

impl MiloExport {
    fn refuse(&mut self, kind: &str, fields: &Map<String, Value>, reason: impl AsRef<str>) {
        let mut problems = Problems::default();
        problems.add(&Path::Root, reason);
        self.refuse_all(kind, fields, problems);
    }

    fn refuse_all(&mut self, kind: &str, fields: &Map<String, Value>, problems: Problems) {
        let name = fields.get("name").and_then(Value::as_str);
        let object = printable(&name.map_or_else(|| kind.to_owned(), |name| format!("{kind}/{name}")));
        let refused = problems.into_parts();
        self.refused.extend(refused.map(|(field, reason)| Inexpressible { object: object.clone(), field, reason }));
    }
}

/// Moves the power feeds into their racks.
fn fold_power_feeds<'a>(
    objects: Vec<(&'a str, Map<String, Value>)>,
    out: &mut MiloExport,
) -> Vec<(&'a str, Map<String, Value>)> {
    let (feeds, mut objects): (Vec<_>, Vec<_>) = objects.into_iter().partition(|(kind, _)| *kind == "powerFeed");
    for (kind, mut feed) in feeds {
        let rack = feed.get("rack").cloned().unwrap_or_default();
        let own = objects.iter_mut().filter(|(kind, fields)| *kind == "rack" && is_rack(fields, &rack));
        match own.collect::<Vec<_>>().as_mut_slice() {
            [(_, fields)] => {
                feed.shift_remove("rack");
                feed.shift_remove("site");
                // The default status is dropped, because Milo's power feeds have no status.
                feed.retain(|field, value| field != "status" || value != "ACTIVE");
                if let Value::Array(feeds) = fields.entry(POWER_FEEDS).or_insert_with(|| json!([])) {
                    feeds.push(Value::Object(feed));
                }
            }
            _ if rack.is_null() => out.refuse(kind, &feed, "has no rack: Milo knows only the power feeds of racks"),
            _ => out.refuse(kind, &feed, "its rack must be written together with it, and be the only one of the name"),
        }
    }
    objects
}

fn is_rack(fields: &Map<String, Value>, reference: &Value) -> bool {
    let site = |value: &Value| value.get("site").and_then(Value::as_str).map(str::to_owned);
    let (own, meant) = (fields.get("site").and_then(site), site(reference));
    let name = fields.get("name").filter(|name| name.is_string());
    name.is_some() && name == reference.get("rack") && agree(own.as_deref(), meant.as_deref())
}

fn kind_of(member: &str, fields: &Map<String, Value>) -> Result<&'static MiloKind, String> {
    let mut kinds = KINDS.iter().filter(|kind| kind.ours == member);
    if member != "device" {
        return kinds.next().ok_or_else(|| format!("Milo has no kind like {}", shown(member)));
    }
    let kind = device_kind(fields).and_then(|name| kinds.find(|kind| kind.name == name));
    kind.ok_or_else(|| {
        let role = fields.get("role").map_or_else(|| "no role".to_owned(), |role| format!("the role {role}"));
        format!("Milo has no kind for a device with {role}, only for SERVER, SPINE, LEAF, BORDER_ROUTER and FIREWALL")
    })
}
