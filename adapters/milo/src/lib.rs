//! Reads and writes the manifests of the Milo inventory service, `apiVersion: inventory.miloapis.com/v1alpha1`.
//!
//! Manifests are read strictly: members, types, words and quantities are those of Milo's own schema. Everything else is
//! rejected, and the message lists what is allowed. `status` and the members that Kubernetes adds to `metadata` are
//! ignored. Objects are identified by name. A Port is identified by its external reference of source `milo`, because
//! its `metadata.name` is not its name on the device. The `powerFeeds` of a Rack become separate items after the rack.
//!
//! [`to_milo`] converts in the other direction. Both directions use one table, so that they cannot diverge.

mod export;
mod fields;
mod import;
mod names;
mod quantity;
mod table;
mod writer;

use serde_json::{Map, Value, json};
use underlay_kit::{
    Manifest, Path, Problems, choices, excerpt, name, object, only, optional, printable, required, text,
};

pub use self::export::{Inexpressible, MiloExport, to_milo};
pub use self::fields::field;
use self::table::{KINDS, MiloKind, Naming, POWER_FEEDS, POWER_INLET, POWER_OUTLET, SOURCE};

/// The `apiVersion` of the manifests.
pub const API_VERSION: &str = "inventory.miloapis.com/v1alpha1";

/// The members of `metadata` that Kubernetes and its tools add. They hold no inventory data.
const IGNORED: [&str; 12] = [
    "annotations",
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "managedFields",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// An item that a manifest was mapped to.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapped {
    /// The name of the item in messages, if it differs from the name of the manifest.
    pub name: Option<String>,
    /// The item of the API's `apply`.
    pub item: Value,
    /// Milo's name for the kind of the manifest.
    pub kind: &'static str,
}

/// Returns the items of a manifest: one for the object, and one for each power feed of a rack.
pub fn map(manifest: &Manifest<'_>, problems: &mut Problems) -> Vec<Mapped> {
    only(manifest.document, &["apiVersion", "kind", "metadata", "spec", "status"], manifest.path, problems);
    let Some(kind) = KINDS.iter().find(|kind| kind.name == manifest.kind) else {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        let reason = format!("Milo has no kind {}; {}", excerpt(manifest.kind), choices(manifest.kind, &names));
        problems.add(&manifest.path.member("kind"), reason);
        return Vec::new();
    };
    let metadata = metadata(manifest, problems);
    let Some(spec) = required(manifest.document, "spec", manifest.path, problems) else { return Vec::new() };
    let spec = import::spec(kind, spec, &manifest.path.member("spec"), problems);
    let Some((name, labels)) = metadata else { return Vec::new() };
    items(kind, name, labels, spec, &manifest.path.member("metadata"), problems)
}

/// Reads the name and the labels.
fn metadata<'a>(manifest: &Manifest<'a>, problems: &mut Problems) -> Option<(&'a str, Map<String, Value>)> {
    let path = manifest.path.member("metadata");
    let metadata = required(manifest.document, "metadata", manifest.path, problems)?;
    let metadata = object(metadata, &path, problems)?;
    let allowed: Vec<&str> = ["name", "labels"].into_iter().chain(IGNORED).collect();
    only(metadata, &allowed, &path, problems);
    let mut labels = Map::new();
    if let Some(value) = optional(metadata, "labels") {
        let path = path.member("labels");
        for (key, value) in object(value, &path, problems).into_iter().flatten() {
            let value = text(value, &path.member(key), problems);
            labels.extend(value.map(|value| (key.clone(), value.into())));
        }
    }
    let value = required(metadata, "name", &path, problems)?;
    Some((name(value, &path.member("name"), problems)?, labels))
}

/// Builds the items from the parts of `metadata` and `spec`.
fn items(
    kind: &MiloKind,
    name: &str,
    mut labels: Map<String, Value>,
    mut spec: Map<String, Value>,
    path: &Path<'_>,
    problems: &mut Problems,
) -> Vec<Mapped> {
    if let Some(Value::Object(ours)) = spec.shift_remove("labels") {
        for (key, value) in ours {
            if labels.get(&key).is_some_and(|label| *label != value) {
                problems.add(&path.member("labels").member(&key), format!("is made from spec, where it is {value}"));
            }
            labels.insert(key, value);
        }
    }
    let mut item = Map::new();
    match kind.naming {
        Naming::Name => item.insert("name".into(), name.into()),
        Naming::ExternalRef => item.insert("externalRefs".into(), json!([{ "source": SOURCE, "externalId": name }])),
    };
    if !labels.is_empty() {
        item.insert("labels".into(), labels.into());
    }
    item.extend(kind.fixed.iter().map(|(field, value)| ((*field).to_owned(), (*value).into())));
    let feeds = spec.shift_remove(POWER_FEEDS);
    item.extend(spec);
    finish(&mut item);
    let feeds = power_feeds(kind, name, &item, feeds);
    let item = Mapped { name: None, item: json!({ kind.ours: item }), kind: kind.name };
    std::iter::once(item).chain(feeds).collect()
}

/// Completes the fields that depend on two members at once.
fn finish(item: &mut Map<String, Value>) {
    // A device is in a rack of its own site. The site distinguishes racks with the same name.
    let site = item.get("site").and_then(|site| site.get("site")).cloned();
    if let (Some(site), Some(rack)) = (site, item.get_mut("placement").and_then(|placement| placement.get_mut("rack")))
    {
        *rack = json!({ "site": site, "rack": rack["rack"] });
    }
    if item.contains_key("rack") && item.get("type").is_some_and(|it| it == POWER_INLET) {
        item.insert("type".into(), POWER_OUTLET.into());
    }
}

fn power_feeds(kind: &MiloKind, rack: &str, item: &Map<String, Value>, feeds: Option<Value>) -> Vec<Mapped> {
    let Some(Value::Array(feeds)) = feeds else { return Vec::new() };
    let site = item.get("site").and_then(|site| site.get("site"));
    let map = |feed: Value| {
        let Value::Object(mut fields) = feed else { return None };
        let called = fields.get("name").and_then(Value::as_str).unwrap_or_default();
        let called = printable(&format!("{}/{rack} (its power feed {called})", kind.name));
        fields.insert("site".into(), json!({ "site": site }));
        fields.insert("rack".into(), json!({ "site": site, "rack": rack }));
        Some(Mapped { name: Some(called), item: json!({ "powerFeed": fields }), kind: kind.name })
    };
    feeds.into_iter().filter_map(map).collect()
}
