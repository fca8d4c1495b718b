//! A NetBox of any size: the recorded answers of the tests, copied as often as it takes.
//!
//! A copy has ids and names of its own, and refers to objects of its own copy. Types, roles, tags and tenants are
//! shared, because an installation has few of them.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::{Map, Value};

use crate::problem::{Doing, LoadError, Result};

/// The folder with the recording, which has one list in each file.
const FOLDER: &str = "adapters/netbox/tests/demo";
/// The distance between the ids of two copies; ids of the recording are below it.
const ID_DISTANCE: u64 = 1_000_000;
/// The lists that are copied.
const COPIED: [&str; 27] = [
    "circuits/circuit-terminations",
    "circuits/circuits",
    "circuits/provider-networks",
    "circuits/providers",
    "dcim/cable-terminations",
    "dcim/cables",
    "dcim/console-ports",
    "dcim/device-bays",
    "dcim/devices",
    "dcim/front-ports",
    "dcim/interfaces",
    "dcim/locations",
    "dcim/module-bays",
    "dcim/modules",
    "dcim/power-feeds",
    "dcim/power-outlets",
    "dcim/power-panels",
    "dcim/power-ports",
    "dcim/racks",
    "dcim/rear-ports",
    "dcim/regions",
    "dcim/sites",
    "dcim/virtual-chassis",
    "ipam/ip-addresses",
    "virtualization/clusters",
    "virtualization/interfaces",
    "virtualization/virtual-machines",
];
/// The lists whose names are unique in the whole inventory.
const NAMED: [&str; 4] = ["circuits/providers", "dcim/regions", "dcim/sites", "virtualization/clusters"];
/// The members that hold an id alone, of an object in a copied list.
const IDS: [&str; 7] =
    ["assigned_object_id", "cable", "front_port", "object_id", "rear_port", "scope_id", "termination_id"];

/// An object, with what its list can be filtered by.
#[derive(Debug)]
pub struct Recorded {
    pub id: u64,
    /// The object as JSON.
    pub text: Box<str>,
    pub is_lag: bool,
    pub has_profile: bool,
    /// The cable at which it ends, if it is a cable termination.
    pub cable: Option<u64>,
    /// The parameter that filters by the interface that has the address, and the id of the interface.
    pub interface: Option<(&'static str, u64)>,
}

/// Lists by their paths, each in the order of ids.
pub type Lists = HashMap<String, Vec<Recorded>>;

impl Recorded {
    /// Returns an object in the form in which it is served.
    pub fn of(object: &Value) -> Result<Self> {
        let id = object["id"].as_u64().ok_or_else(|| LoadError::Answer(format!("an object has no id: {object}")))?;
        let assigned = object["assigned_object_id"].as_u64();
        let interface = match object["assigned_object_type"].as_str() {
            Some("dcim.interface") => assigned.map(|id| ("interface_id", id)),
            Some("virtualization.vminterface") => assigned.map(|id| ("vminterface_id", id)),
            _ => None,
        };
        Ok(Self {
            id,
            text: object.to_string().into(),
            is_lag: object["type"]["value"] == "lag",
            has_profile: !object["profile"].is_null(),
            cable: object["cable"].as_u64(),
            interface,
        })
    }
}

/// Reads the recording, and copies it.
pub fn copies(count: u64) -> Result<Lists> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let reading = || format!("read {}", folder.display());
    let mut lists = Lists::new();
    for file in fs::read_dir(&folder).doing(reading)? {
        let file = file.doing(reading)?;
        let name = file.file_name().to_string_lossy().into_owned();
        let Some(name) = name.strip_suffix(".json.gz") else { continue };
        let mut text = String::new();
        GzDecoder::new(File::open(file.path()).doing(reading)?).read_to_string(&mut text).doing(reading)?;
        let mut objects: Vec<Value> = serde_json::from_str(&text)?;
        objects.sort_unstable_by_key(|object| object["id"].as_u64());
        let path = name.replacen('.', "/", 1);
        let times = if is_copied(&path) { count } else { 1 };
        let list = (0..times).flat_map(|copy| objects.iter().map(move |object| (copy, object)));
        let list = list.map(|(copy, object)| Recorded::of(&copied(object, &path, copy))).collect::<Result<_>>()?;
        lists.insert(path, list);
    }
    Ok(lists)
}

fn is_copied(list: &str) -> bool {
    COPIED.contains(&list)
}

/// Returns an object of a copy. The first copy is the recording itself.
fn copied(object: &Value, list: &str, copy: u64) -> Value {
    let mut object = object.clone();
    if copy == 0 {
        return object;
    }
    shift(&mut object, copy * ID_DISTANCE);
    if NAMED.contains(&list) {
        for member in ["name", "slug", "display"] {
            if let Some(Value::String(name)) = object.get_mut(member) {
                name.push_str(&format!("-{copy}"));
            }
        }
    }
    if let Some(Value::String(tag)) = object.get_mut("asset_tag") {
        tag.push_str(&format!("-{copy}"));
    }
    object
}

/// Adds a number to the ids of all objects in copied lists.
fn shift(value: &mut Value, by: u64) {
    match value {
        Value::Object(members) => {
            if list_of(members).is_some_and(is_copied) {
                add(members, "id", by);
            }
            IDS.iter().for_each(|member| add(members, member, by));
            members.values_mut().for_each(|member| shift(member, by));
        }
        Value::Array(parts) => parts.iter_mut().for_each(|part| shift(part, by)),
        _ => {}
    }
}

fn add(members: &mut Map<String, Value>, member: &str, by: u64) {
    if let Some(value) = members.get_mut(member)
        && let Some(id) = value.as_u64()
    {
        *value = (id + by).into();
    }
}

/// Returns the path of the list that an object stands in, which its URL names.
fn list_of(members: &Map<String, Value>) -> Option<&str> {
    let (_, path) = members.get("url")?.as_str()?.split_once("/api/")?;
    path.strip_suffix('/')?.rsplit_once('/').map(|(list, _)| list)
}
