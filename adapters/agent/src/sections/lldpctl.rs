//! The words of `lldpctl` about neighbours, where lldpd runs.

use serde_json::{Map, Value, json};
use underlay_facts::{Neighbour, NeighbourCapability, NeighbourIdSubtype};

use crate::programs::{Call, Status};
use crate::value;

/// The path of the recorded output.
pub const RECORDED: &str = "/programs/lldpctl";
/// The greatest number of neighbours that are read. Servers refuse larger sections.
const MOST: usize = 4096;
/// The names of the meanings of ids.
const TYPES: [(&str, NeighbourIdSubtype); 5] = [
    ("mac", NeighbourIdSubtype::MacAddress),
    ("ifname", NeighbourIdSubtype::InterfaceName),
    ("ifalias", NeighbourIdSubtype::InterfaceAlias),
    ("ip", NeighbourIdSubtype::NetworkAddress),
    ("local", NeighbourIdSubtype::Local),
];
/// The names of the capabilities.
const CAPABILITIES: [(&str, NeighbourCapability); 8] = [
    ("Other", NeighbourCapability::Other),
    ("Repeater", NeighbourCapability::Repeater),
    ("Bridge", NeighbourCapability::Bridge),
    ("Wlan", NeighbourCapability::WlanAccessPoint),
    ("Router", NeighbourCapability::Router),
    ("Tel", NeighbourCapability::Telephone),
    ("Docsis", NeighbourCapability::DocsisCableDevice),
    ("Station", NeighbourCapability::StationOnly),
];

/// Returns the call.
pub fn call() -> Call {
    Call {
        program: "lldpctl",
        part: None,
        subject: String::new(),
        arguments: vec!["-f".to_owned(), "json".to_owned()],
        status: Status::Success,
        says: |_| true,
    }
}

/// Returns the neighbours of an output, or none if it is not what `lldpctl` writes. A list of one thing stands there
/// without its list.
pub fn neighbours(output: &[u8]) -> Option<Vec<Neighbour>> {
    let all: Value = serde_json::from_slice(output).ok()?;
    let interfaces = all.get("lldp")?.as_object()?.get("interface");
    let named = interfaces.into_iter().flat_map(each).filter_map(Value::as_object).flatten();
    // Neighbours that speak another protocol are known to lldpd too.
    let by_lldp = named.filter(|(_, said)| said["via"].as_str().is_none_or(|via| via == "LLDP"));
    let found = by_lldp.filter_map(|(interface, said)| neighbour(interface, said));
    Some(found.take(MOST).collect())
}

fn neighbour(interface: &str, said: &Value) -> Option<Neighbour> {
    let (name, chassis) = named_chassis(said.get("chassis")?.as_object()?);
    let (chassis_id_subtype, chassis_id) = id(chassis.get("id")?)?;
    let port = said.get("port")?;
    let (port_id_subtype, port_id) = id(port.get("id")?)?;
    let mut management_addresses: Vec<String> = texts(chassis.get("mgmt-ip"));
    management_addresses.sort_unstable();
    management_addresses.dedup();
    Some(Neighbour {
        interface: interface.to_owned(),
        chassis_id,
        chassis_id_subtype,
        port_id,
        port_id_subtype,
        port_description: text(port.get("descr")),
        system_name: name.and_then(|name| text(Some(&name.into()))),
        system_description: text(chassis.get("descr")),
        management_addresses,
        capabilities: capabilities(chassis.get("capability")),
        ..Neighbour::default()
    })
}

/// Returns the name of a chassis and what is said of it, which is a member of that name if there is one.
fn named_chassis(chassis: &Map<String, Value>) -> (Option<&str>, &Map<String, Value>) {
    let is_named = !chassis.get("id").is_some_and(|id| id.get("type").is_some_and(Value::is_string));
    let only = chassis.iter().next().filter(|_| is_named && chassis.len() == 1);
    match only.and_then(|(name, said)| Some((name, said.as_object()?))) {
        Some((name, said)) => (Some(name), said),
        None => (None, chassis),
    }
}

fn id(id: &Value) -> Option<(Option<NeighbourIdSubtype>, String)> {
    let name = id.get("type")?.as_str()?;
    let meaning = TYPES.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning);
    let text = text(id.get("value"))?;
    let is_address = meaning == Some(NeighbourIdSubtype::MacAddress);
    Some((meaning, if is_address { text.to_lowercase() } else { text }))
}

fn capabilities(said: Option<&Value>) -> Vec<NeighbourCapability> {
    let all = said.into_iter().flat_map(each);
    let enabled = all.filter(|it| it["enabled"] == true).filter_map(|it| it["type"].as_str());
    let named = enabled.filter_map(|name| CAPABILITIES.iter().find(|(known, _)| *known == name));
    let mut found: Vec<NeighbourCapability> = named.map(|(_, capability)| *capability).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the things of a list, or the one thing.
fn each(value: &Value) -> &[Value] {
    match value {
        Value::Array(values) => values,
        other => std::slice::from_ref(other),
    }
}

fn text(value: Option<&Value>) -> Option<String> {
    let text = value?.as_str()?;
    Some(value::clean(text.as_bytes())).filter(|text| !text.is_empty())
}

fn texts(value: Option<&Value>) -> Vec<String> {
    value.into_iter().flat_map(each).filter_map(|value| text(Some(value))).collect()
}

/// Returns an output that says the same of neighbours, and nothing else.
pub fn output(neighbours: &[Neighbour]) -> Vec<u8> {
    let id = |meaning: Option<NeighbourIdSubtype>, text: &String| {
        let name = TYPES.iter().find(|(_, known)| Some(*known) == meaning).map_or("unhandled", |(name, _)| *name);
        json!({"type": name, "value": text})
    };
    let one = |neighbour: &Neighbour| {
        let enabled = |it: &NeighbourCapability| CAPABILITIES.iter().find(|(_, known)| known == it);
        let named = neighbour.capabilities.iter().filter_map(enabled);
        let capabilities: Vec<Value> = named.map(|(name, _)| json!({"type": name, "enabled": true})).collect();
        let chassis = json!({
            "id": id(neighbour.chassis_id_subtype, &neighbour.chassis_id),
            "descr": neighbour.system_description,
            "mgmt-ip": neighbour.management_addresses,
            "capability": capabilities,
        });
        let chassis = match &neighbour.system_name {
            Some(name) => json!({name: chassis}),
            None => chassis,
        };
        let port =
            json!({"id": id(neighbour.port_id_subtype, &neighbour.port_id), "descr": neighbour.port_description});
        json!({&neighbour.interface: {"via": "LLDP", "chassis": chassis, "port": port}})
    };
    let all: Vec<Value> = neighbours.iter().map(one).collect();
    json!({"lldp": {"interface": all}}).to_string().into_bytes()
}
