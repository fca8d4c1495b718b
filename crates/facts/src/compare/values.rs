//! The values of parts as JSON, and the events of versions.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Part, PartChange, PartEvent};
use crate::value::{clean, is_junk};

/// Returns a part as JSON.
pub(super) fn json(part: &impl Serialize) -> Option<Value> {
    serde_json::to_value(part).ok()
}

/// Returns some members of a part, of those that it has.
pub(super) fn members(part: &impl Serialize, names: &[&str]) -> Map<String, Value> {
    let Some(Value::Object(part)) = json(part) else { return Map::new() };
    names.iter().filter_map(|name| Some(((*name).to_owned(), part.get(*name)?.clone()))).collect()
}

/// Returns those of some members that both parts have and that differ, as they were and as they are.
pub(super) fn changed_members<T: Serialize>(before: &T, after: &T, names: &[&str]) -> Option<(Value, Value)> {
    let [mut before, mut after] = [before, after].map(|part| members(part, names));
    let differs = |name: &&&str| before.get(**name).zip(after.get(**name)).is_some_and(|(one, other)| one != other);
    let changed: Vec<&&str> = names.iter().filter(differs).collect();
    if changed.is_empty() {
        return None;
    }
    for part in [&mut before, &mut after] {
        part.retain(|name, _| changed.iter().any(|changed| **changed == name));
    }
    Some((before.into(), after.into()))
}

/// Returns the serial number of a part; `None` if it has none, or a text in place of one.
pub(super) fn serial(part: &impl Serialize) -> Option<String> {
    json(part).as_ref().and_then(serial_of)
}

/// Returns the serial number in the JSON of a part.
pub(super) fn serial_of(part: &Value) -> Option<String> {
    let serial = clean(part.get("serial")?.as_str()?.as_bytes());
    (!serial.is_empty() && !is_junk(&serial)).then_some(serial)
}

/// Returns the event of a version of firmware that changed from one known value to another.
pub(super) fn firmware(place: String, before: Option<&String>, after: Option<&String>) -> Option<PartEvent> {
    let (before, after) = before.zip(after).filter(|(before, after)| before != after)?;
    let version = |version: &String| Some(json!({"version": version}));
    let (before, after) = (version(before), version(after));
    let change = PartChange::Changed;
    Some(PartEvent { part: Part::Firmware, change, place, before, after, serial: None, serial_before: None })
}
