//! The notes that people write about a device or a category in BCM, and the values that programs leave in
//! `extra_values`.
//!
//! Notes have one of three forms: a block of YAML between lines of `---` or of TOML between lines of `+++`, with a text
//! after it; lines of the form `key=value` among lines of text; or text alone.

use std::collections::BTreeMap;

use figment::Figment;
use figment::providers::{Format as _, Toml};
use serde_json::{Map, Value};
use underlay_kit::{documents, is_label};

use crate::object::{Fault, Part, kind};

/// The maximum length of a title, and of another short text, in characters, as the server has it.
pub const MAX_TITLE_CHARACTERS: usize = 253;
/// The maximum length of a description in characters, as the server has it.
pub const MAX_DESCRIPTION_CHARACTERS: usize = 16_384;
/// The maximum length of notes that are read for values, in bytes.
const MAX_NOTES_BYTES: usize = 64 << 10;
/// The maximum number of labels of an object that come from notes and values.
const MAX_LABELS: usize = 48;
/// The names under which each known value can stand. Those before take precedence over those after.
const CLASS: &[&str] = &["host_class", "resource_class"];
const TITLE: &[&str] = &["title"];
const DESCRIPTION: &[&str] = &["description"];
const SERIAL: &[&str] = &["serial", "serial_number"];
const UID: &[&str] = &["uid"];
const LABELS: &str = "labels";
/// Parts of the names of values that may be secret. They are never copied.
const SECRET: [&str; 6] = ["password", "passwd", "passphrase", "secret", "token", "private_key"];

/// The annotations of an object: what its notes and its extra values name.
#[derive(Debug, Default, PartialEq)]
pub struct Annotations {
    /// The name of the host class.
    pub class: Option<String>,
    /// A readable name.
    pub title: Option<String>,
    /// The text of the notes, or a description that they name.
    pub description: Option<String>,
    /// The serial number.
    pub serial: Option<String>,
    /// The UUID or serial number by which the machine identifies itself.
    pub uid: Option<String>,
    /// The labels, by their keys.
    pub labels: Map<String, Value>,
    /// The number of values that fit into no label, and of those that may be secret.
    pub left_out: [(&'static str, u64); 2],
    /// The reasons why parts cannot be read.
    pub faults: Vec<Fault>,
}

/// Reads the notes and the values of an object. The notes take precedence over the values.
pub fn read(object: &Part<'_>) -> Annotations {
    let mut annotations = Annotations { left_out: [("no label", 0), ("may be secret", 0)], ..Annotations::default() };
    let notes = match object.text("notes") {
        Ok(text) => split(text.unwrap_or_default()),
        Err(fault) => Err(fault),
    };
    let (mut notes, text) = notes.unwrap_or_else(|fault| {
        annotations.faults.push(fault);
        (BTreeMap::new(), String::new())
    });
    let mut extra = match object.object("extra_values") {
        Ok(extra) => extra.map(|it| it.members().clone().into_iter().collect()).unwrap_or_default(),
        Err(fault) => {
            annotations.faults.push(fault);
            BTreeMap::new()
        }
    };
    let mut known = |names: &[&str]| {
        let mut take = |from: &mut BTreeMap<String, Value>, of: &str| {
            let found: Vec<Value> = names.iter().filter_map(|name| from.remove(*name)).collect();
            let found = found.into_iter().find(|value| !value.is_null())?;
            let text = plain(&found);
            if text.is_none() {
                annotations.faults.push(format!("{of}: {} must be a text, not {}", names[0], kind(&found)));
            }
            text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let (notes, extra) = (take(&mut notes, "notes"), take(&mut extra, "extra_values"));
        notes.or(extra)
    };
    let [class, title, description, serial, uid] = [CLASS, TITLE, DESCRIPTION, SERIAL, UID].map(&mut known);
    let of_text = |text: Option<&str>| text.map(str::to_owned);
    annotations.title = title.or_else(|| of_text(heading(&text)));
    annotations.description = description.or_else(|| of_text(Some(text.trim()).filter(|text| !text.is_empty())));
    (annotations.class, annotations.serial, annotations.uid) = (class, serial, uid);
    if let Some(labels) = notes.remove(LABELS) {
        annotations.named_labels(labels);
    }
    annotations.prefixed_labels("notes.bcm", notes);
    annotations.prefixed_labels("extra.bcm", extra);
    annotations
}

impl Annotations {
    /// Adds the labels that the notes name as such.
    fn named_labels(&mut self, labels: Value) {
        let Value::Object(labels) = labels else {
            self.faults.push(format!("notes: labels must be an object, not {}", kind(&labels)));
            return;
        };
        for (key, value) in labels {
            let (prefix, name) = key.split_once('/').unwrap_or(("x", &key));
            let fits = is_label(name) && prefix.split('.').all(is_label);
            match plain(&value).filter(|value| fits && is_label(value)) {
                Some(value) if self.labels.len() < MAX_LABELS => drop(self.labels.insert(key, value.into())),
                _ => self.faults.push(format!("notes: labels.{} is no label", underlay_kit::printable(&key))),
            }
        }
    }

    /// Adds values as labels `PREFIX/NAME`, as far as they fit.
    fn prefixed_labels(&mut self, prefix: &str, values: BTreeMap<String, Value>) {
        for (name, value) in values.into_iter().filter(|(_, value)| !value.is_null()) {
            let lower = name.to_ascii_lowercase();
            if SECRET.iter().any(|part| lower.contains(part)) {
                self.left_out[1].1 += 1;
                continue;
            }
            let value = plain(&value).filter(|value| is_label(&name) && is_label(value));
            match value {
                Some(value) if self.labels.len() < MAX_LABELS => {
                    self.labels.insert(format!("{prefix}/{name}"), value.into());
                }
                _ => self.left_out[0].1 += 1,
            }
        }
    }
}

/// Returns a value as a text, `None` if it is a list, an object or null.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Returns the values of notes, and the text without them.
fn split(notes: &str) -> Result<(BTreeMap<String, Value>, String), Fault> {
    if notes.len() > MAX_NOTES_BYTES {
        return Err(format!("notes has {} bytes; at most {MAX_NOTES_BYTES} are read", notes.len()));
    }
    for marker in ["---", "+++"] {
        if let Some((block, text)) = front_matter(notes, marker) {
            let values = if marker == "---" { yaml(block) } else { toml(block) };
            let values = values.map_err(|reason| format!("notes: the block between {marker} {reason}"))?;
            return Ok((values, text.to_owned()));
        }
    }
    let (mut values, mut text) = (BTreeMap::new(), String::new());
    for line in notes.lines() {
        match pair(line) {
            Some((key, value)) => drop(values.insert(key.to_owned(), value.into())),
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    Ok((values, text))
}

/// Returns the block between the first line, which is a marker, and the next such line, and the text after it.
fn front_matter<'a>(notes: &'a str, marker: &str) -> Option<(&'a str, &'a str)> {
    let mut lines = notes.trim_start().split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == marker)?;
    let body = &notes.trim_start()[first.len()..];
    let mut length = 0;
    for line in lines {
        if line.trim_end() == marker {
            return Some((&body[..length], &body[length + line.len()..]));
        }
        length += line.len();
    }
    None
}

fn yaml(block: &str) -> Result<BTreeMap<String, Value>, String> {
    let mut documents = documents::read(block, false).into_iter();
    match (documents.next(), documents.next()) {
        (None | Some(Ok(Value::Null)), None) => Ok(BTreeMap::new()),
        (Some(Ok(Value::Object(members))), None) => Ok(members.into_iter().collect()),
        (Some(Ok(other)), None) => Err(format!("must be an object, not {}", kind(&other))),
        (Some(Err(reason)), _) => Err(format!("cannot be read: {reason}")),
        (_, Some(_)) => Err("must be one document".to_owned()),
    }
}

fn toml(block: &str) -> Result<BTreeMap<String, Value>, String> {
    Figment::from(Toml::string(block)).extract().map_err(|error| format!("cannot be read: {}", error.kind))
}

/// Returns the key and the value of a line `key=value`.
fn pair(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let is_key = key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key.chars().all(|letter| letter.is_ascii_alphanumeric() || "_.-".contains(letter));
    let quoted = ['"', '\''].iter().find_map(|mark| value.strip_prefix(*mark)?.strip_suffix(*mark));
    is_key.then(|| (key, quoted.unwrap_or(value)))
}

/// Returns the first heading of a text, without its mark.
fn heading(text: &str) -> Option<&str> {
    let line = text.lines().find(|line| line.starts_with('#'))?;
    Some(line.trim_start_matches('#').trim()).filter(|title| !title.is_empty())
}
