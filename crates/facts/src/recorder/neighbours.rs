//! The neighbours that a recorder heard: the values of a frame of LLDP for each interface, in hexadecimal digits.

use serde_json::{Map, Value};

use crate::lldp;
use crate::parts::{Interface, Neighbour};
use crate::section::Section;

/// The greatest length of a value in a frame: its length has nine bits.
const MOST_BYTES: usize = 511;
/// The greatest type of a value in a frame: it has seven bits.
const MOST_KIND: u64 = 127;

/// Returns the neighbours of the interfaces. `None` if the recorder does not listen.
pub(super) fn read(
    inventory: &Map<String, Value>,
    plugins: &Value,
    interfaces: &[Interface],
) -> Option<Section<Vec<Neighbour>>> {
    let heard: Vec<(&str, &[Value])> = of_plugins(plugins).chain(of_inventory(inventory)).collect();
    if heard.is_empty() {
        return None;
    }
    let mut section = Section::complete(Vec::new());
    section.lacks("LLDP", "the recorder listens only for a moment");
    for interface in interfaces {
        let Some((_, values)) = heard.iter().find(|(name, _)| *name == interface.name) else { continue };
        match lldp::read(&frame(values)) {
            Ok(advertisement) => section.found.push(Neighbour {
                interface: interface.name.clone(),
                permanent_mac: interface.permanent_mac.clone(),
                ..advertisement.neighbour
            }),
            Err(fault) => section.lacks(interface.name.clone(), fault.to_string()),
        }
    }
    Some(section)
}

/// Returns what recorders since 2023 have apart, by the names of interfaces.
fn of_plugins(plugins: &Value) -> impl Iterator<Item = (&str, &[Value])> {
    let raw = plugins.get("lldp_raw").and_then(Value::as_object);
    raw.into_iter().flatten().filter_map(|(name, values)| heard(name, values))
}

/// Returns what older recorders have at each interface.
fn of_inventory(inventory: &Map<String, Value>) -> impl Iterator<Item = (&str, &[Value])> {
    let interfaces = inventory.get("interfaces").and_then(Value::as_array);
    interfaces
        .into_iter()
        .flatten()
        .filter_map(|interface| heard(interface.get("name")?.as_str()?, interface.get("lldp")?))
}

fn heard<'a>(name: &'a str, values: &'a Value) -> Option<(&'a str, &'a [Value])> {
    let values = values.as_array()?;
    (!values.is_empty()).then_some((name, values.as_slice()))
}

/// Returns values as the frame that they were in. What is no value is passed over.
fn frame(values: &[Value]) -> Vec<u8> {
    values.iter().filter_map(value).flatten().collect()
}

/// Returns a value as it is in a frame: its type, its length and its bytes.
fn value(pair: &Value) -> Option<Vec<u8>> {
    let [kind, digits] = pair.as_array()?.as_slice() else { return None };
    let kind = kind.as_u64().filter(|kind| *kind <= MOST_KIND).and_then(|kind| u16::try_from(kind).ok())?;
    let bytes = bytes(digits.as_str()?).filter(|bytes| bytes.len() <= MOST_BYTES)?;
    let head = kind << 9 | u16::try_from(bytes.len()).ok()?;
    Some(head.to_be_bytes().into_iter().chain(bytes).collect())
}

/// Returns the bytes of hexadecimal digits.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok().filter(|_| pair.len() == 2)).collect()
}
