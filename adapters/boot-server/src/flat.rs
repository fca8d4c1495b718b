//! Facts that a shell can write: lines of `KEY=VALUE`, or one flat object of JSON, turned into a report.
//!
//! A key names a section, a part where the section has several, and a field as a report has it: `system.serial`,
//! `interface.eth0.permanentMac`, `disk.sda.sizeBytes`, `processor.0.model`, `memory.slots`. A value that nobody filled in
//! is left out. Every section of such a report counts as incomplete, so what it does not tell is not taken to be gone.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};
use thiserror::Error;
use underlay_facts::{FORMAT, Report, clean, is_placeholder};
use underlay_json::values;

/// The most values in facts.
const MAX_VALUES: usize = 50_000;
/// The most lines of flat facts.
const MAX_LINES: usize = 10_000;
/// The fields that are numbers, and those that are true or false.
const NUMBERS: [&str; 10] = [
    "sizeBytes",
    "cores",
    "threads",
    "socket",
    "slots",
    "speedMts",
    "speedMbps",
    "carrierChanges",
    "corrected",
    "uncorrected",
];
const FLAGS: [&str; 2] = ["carrier", "secureBoot"];

/// The reason why a text has no facts.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum FactsError {
    #[error("the facts have more than {MAX_VALUES} values")]
    TooMany,
    #[error("the facts are neither a report in JSON nor lines of KEY=VALUE: {0}")]
    NotFacts(String),
    #[error("{key}: {reason}")]
    Key { key: String, reason: String },
}

/// Reads facts in any form, and returns them as a report in JSON. Facts without a time are of the given one.
///
/// # Errors
/// Returns the reason why the text has no facts.
pub fn read(text: &[u8], now: DateTime<Utc>) -> Result<Value, FactsError> {
    if values(text) > MAX_VALUES {
        return Err(FactsError::TooMany);
    }
    let report = match serde_json::from_slice::<Value>(text) {
        Ok(Value::Object(members)) if members.contains_key("format") => Value::Object(members),
        Ok(Value::Object(members)) => of_pairs(members.into_iter().map(flat).collect::<Result<_, _>>()?, now)?,
        Ok(_) => return Err(FactsError::NotFacts("it is JSON, but no object".to_owned())),
        Err(error) if text.trim_ascii_start().starts_with(b"{") => {
            return Err(FactsError::NotFacts(error.to_string()));
        }
        Err(_) => of_pairs(lines(text)?, now)?,
    };
    // The server reads the same form, and a machine learns here what is wrong.
    match serde_json::from_value::<Report>(report.clone()) {
        Ok(_) => Ok(report),
        Err(error) => Err(FactsError::NotFacts(error.to_string())),
    }
}

/// Returns a member of a flat object as a pair of texts.
fn flat((key, value): (String, Value)) -> Result<(String, String), FactsError> {
    match value {
        Value::String(text) => Ok((key, text)),
        Value::Number(number) => Ok((key, number.to_string())),
        Value::Bool(flag) => Ok((key, flag.to_string())),
        Value::Null => Ok((key, String::new())),
        Value::Array(_) | Value::Object(_) => {
            Err(FactsError::Key { key, reason: "must be a text, a number, true or false".to_owned() })
        }
    }
}

fn lines(text: &[u8]) -> Result<Vec<(String, String)>, FactsError> {
    let text = std::str::from_utf8(text).map_err(|error| FactsError::NotFacts(error.to_string()))?;
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(MAX_LINES + 1).collect();
    if lines.len() > MAX_LINES {
        return Err(FactsError::TooMany);
    }
    let pair = |line: &str| {
        let (key, value) = line.split_once('=').ok_or_else(|| FactsError::NotFacts("a line has no =".to_owned()))?;
        Ok((key.trim().to_owned(), value.to_owned()))
    };
    lines.into_iter().map(pair).collect()
}

fn of_pairs(pairs: Vec<(String, String)>, now: DateTime<Utc>) -> Result<Value, FactsError> {
    let mut found = Found::default();
    for (key, value) in pairs {
        let value = clean(value.as_bytes());
        if !is_placeholder(&value) {
            found.add(&key, value)?;
        }
    }
    Ok(found.report(now))
}

/// The values that flat facts tell, by section.
#[derive(Default)]
struct Found {
    system: Map<String, Value>,
    memory: Map<String, Value>,
    processors: BTreeMap<String, Map<String, Value>>,
    disks: BTreeMap<String, Map<String, Value>>,
    interfaces: BTreeMap<String, Map<String, Value>>,
}

impl Found {
    fn add(&mut self, key: &str, text: String) -> Result<(), FactsError> {
        let refused = |reason: String| FactsError::Key { key: key.chars().take(100).collect(), reason };
        let (section, rest) = key.split_once('.').unwrap_or(("", key));
        // Names of interfaces have full stops, as `eth0.100`, and names of fields have none.
        let part_of = |rest: &str| rest.rsplit_once('.').map(|(part, field)| (part.to_owned(), field.to_owned()));
        let (members, field) = match (section, part_of(rest)) {
            ("system", None) => (&mut self.system, rest.to_owned()),
            ("memory", None) => (&mut self.memory, rest.to_owned()),
            ("processor", Some((part, field))) => (self.processors.entry(part).or_default(), field),
            ("disk", Some((part, field))) => (self.disks.entry(part).or_default(), field),
            ("interface", Some((part, field))) => (self.interfaces.entry(part).or_default(), field),
            _ => {
                let allowed = "must be system.FIELD, memory.FIELD, processor.NUMBER.FIELD, disk.NAME.FIELD or interface.NAME.FIELD";
                return Err(refused(allowed.to_owned()));
            }
        };
        let is_name = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_name || matches!(field.as_str(), "name" | "modules" | "errors") {
            return Err(refused("is no field that can be given here".to_owned()));
        }
        let value = match field.as_str() {
            number if NUMBERS.contains(&number) => {
                Value::from(text.parse::<u64>().map_err(|_| refused(format!("must be a number, not {text:?}")))?)
            }
            flag if FLAGS.contains(&flag) => match text.as_str() {
                "true" | "1" => Value::Bool(true),
                "false" | "0" => Value::Bool(false),
                _ => return Err(refused(format!("must be true or false, not {text:?}"))),
            },
            "permanentMac" | "mac" => Value::from(
                underlay_boot::mac(&text).ok_or_else(|| refused(format!("must be a MAC address, not {text:?}")))?,
            ),
            "bootMode" | "kind" | "medium" | "health" => Value::from(text.to_uppercase()),
            "uuid" => Value::from(text.to_lowercase()),
            _ => Value::from(text),
        };
        members.insert(field, value);
        Ok(())
    }

    fn report(self, now: DateTime<Utc>) -> Value {
        let section = |found: Value| {
            let unread = json!([{"what": "the rest", "reason": "a shell told only this"}]);
            json!({"complete": false, "unread": unread, "found": found})
        };
        let named = |parts: BTreeMap<String, Map<String, Value>>| {
            let part = |(name, mut members): (String, Map<String, Value>)| {
                members.insert("name".to_owned(), Value::from(name));
                Value::Object(members)
            };
            Value::Array(parts.into_iter().map(part).collect())
        };
        let processors = self.processors.into_iter().map(|(number, mut members)| {
            members.insert("socket".to_owned(), number.parse::<u32>().map_or(Value::from(number), Value::from));
            Value::Object(members)
        });
        let processors = Value::Array(processors.collect());
        json!({
            "format": FORMAT,
            "agent": {"version": "shell/1"},
            "observedAt": now,
            "system": section(Value::Object(self.system)),
            "memory": section(Value::Object(self.memory)),
            "processors": section(processors),
            "disks": section(named(self.disks)),
            "interfaces": section(named(self.interfaces)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-30T08:00:00Z".parse().expect("a time")
    }

    #[test]
    fn lines_and_flat_json_are_the_same_report() {
        let lines = "system.serial=ABC123\nsystem.uuid=4C4C4544-0042\nsystem.bootMode=uefi\nsystem.secureBoot=1\n\
            system.assetTag=To be filled by O.E.M.\nmemory.slots=8\nprocessor.0.model=A B\nprocessor.0.cores=2\n\
            processor.0.threads=4\ndisk.vda.sizeBytes=33554432\r\ndisk.vda.serial=d9\n\ninterface.eth0.100.mac=52-54-00-77-00-01\n\
            interface.eth0.carrier=true\n";
        let flat: Map<String, Value> = lines
            .lines()
            .filter_map(|line| line.trim().split_once('='))
            .map(|(key, value)| (key.to_owned(), value.parse::<u64>().map_or(Value::from(value), Value::from)))
            .collect();
        let read_lines = read(lines.as_bytes(), now()).expect("facts");
        assert_eq!(read(&serde_json::to_vec(&flat).expect("JSON"), now()).expect("facts"), read_lines);
        let report: Report = serde_json::from_value(read_lines).expect("a report");
        let system = report.sections.system.expect("a system");
        assert!(!system.complete);
        assert_eq!(system.found.serial.as_deref(), Some("ABC123"));
        assert_eq!(system.found.uuid.as_deref(), Some("4c4c4544-0042"));
        assert_eq!((system.found.secure_boot, system.found.asset_tag), (Some(true), None));
        let disks = report.sections.disks.expect("disks").found;
        assert_eq!((disks[0].name.as_str(), disks[0].size_bytes), ("vda", Some(33_554_432)));
        let interfaces = report.sections.interfaces.expect("interfaces").found;
        assert_eq!(interfaces[1].mac.as_deref(), Some("52:54:00:77:00:01"));
        assert_eq!(interfaces[1].name, "eth0.100");
    }

    #[test]
    fn a_report_goes_on_as_it_is() {
        let report =
            json!({"format": 1, "agent": {"version": "0.1.0"}, "observedAt": "2026-11-01T10:00:00Z", "lamps": 3});
        assert_eq!(read(report.to_string().as_bytes(), now()), Ok(report));
    }

    #[test]
    fn other_texts_are_refused_with_the_key() {
        let many = format!("[{}1]", "1,".repeat(MAX_VALUES));
        for (text, reason) in [
            ("[]", "no object"),
            ("{\"a\":", "EOF"),
            ("{\"format\":1}", "missing field"),
            ("nothing", "a line has no ="),
            ("serial=1", "serial: must be system.FIELD"),
            ("system.a.b=1", "must be system.FIELD"),
            ("disk.sda=1", "must be system.FIELD"),
            ("disk.sda.sizeBytes=big", "disk.sda.sizeBytes: must be a number, not \"big\""),
            ("interface.a.mac=x", "must be a MAC address"),
            ("interface.a.carrier=maybe", "must be true or false"),
            ("disk.sda.name=x", "no field"),
            ("system.=x", "no field"),
            ("processor.x.model=y", "invalid type"),
            ("system.bootMode=other", "unknown variant"),
            ("{\"system.serial\":[]}", "system.serial: must be a text"),
            (&many, "more than"),
        ] {
            let error = read(text.as_bytes(), now()).expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
