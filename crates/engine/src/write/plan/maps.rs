//! Changes labels, attributes and external references entry by entry. Each entry has an owner of its own.

use std::sync::Arc;

use serde_json::{Map, Value as Json};
use underlay_entity::common::{Attributes, ExternalRef};
use underlay_entity::text::Url;

use super::assemble::Assembly;
use super::work::Work;
use crate::write::batch::{Conflicts, Origin};
use crate::write::managers::{Hold, Verdict, release};
use underlay_entity::row::Row;
use underlay_inventory::{Field, Refusal, shorten_text};

/// The maximum size of the attributes of an object as JSON, in bytes.
const MAX_ATTRIBUTES_BYTES: usize = 16 * 1024;
/// The greatest whole number that PostgreSQL and every JSON reader keep exactly.
const MAX_EXACT_NUMBER: f64 = 9_007_199_254_740_991.0;
/// The maximum nesting depth of lists and objects in an attribute.
const MAX_ATTRIBUTE_DEPTH: usize = 32;

impl Work<'_> {
    /// Updates a map of an object with the entries of a value. `null` removes an entry. In a run, labels that the
    /// source owns and the value does not name are removed too.
    pub(super) fn set_entries(
        &self,
        assembly: &mut Assembly,
        field: &'static Field,
        value: &Json,
    ) -> Result<(), Refusal> {
        let unnamed = self.unnamed_labels(assembly, field, value);
        let is_there = || has(assembly.current.as_ref(), field.name, value);
        if !assembly.new && self.conflicts() != Conflicts::Force && unnamed.is_empty() && is_there() {
            return Ok(());
        }
        let before = entries(assembly.current.as_ref(), field.name);
        let patch: Map<String, Json> = match value {
            Json::Null => before.keys().map(|key| (key.clone(), Json::Null)).collect(),
            value => read(field.name, value.clone())?,
        };
        for (key, value) in patch.into_iter().chain(unnamed.into_iter().map(|key| (key, Json::Null))) {
            let value = check(field.name, &key, value)?;
            self.set_entry(assembly, field.name, &before, &key, value)?;
        }
        match field.name {
            "attributes" => check_size(assembly.next.common().attributes),
            _ => Ok(()),
        }
    }

    /// Returns the labels that the source of a run owns and an item does not name any longer. In a run, the labels of
    /// an item are all labels of the source, because a source does not know what it once had. Labels of others stay.
    fn unnamed_labels(&self, assembly: &Assembly, field: &Field, value: &Json) -> Vec<String> {
        let (Origin::Run(attendant), "labels", Json::Object(named)) = (&self.batch.origin, field.name, value) else {
            return Vec::new();
        };
        if !attendant.gives_all_labels() {
            return Vec::new();
        }
        let managers = assembly.current.common().managers;
        let own = managers.0.iter().filter(|holding| holding.manager == self.manager_id);
        let labels = own.flat_map(|holding| &holding.keys).filter_map(|key| key.strip_prefix("labels."));
        labels.filter(|label| !named.contains_key(*label)).map(str::to_owned).collect()
    }

    fn set_entry(
        &self,
        assembly: &mut Assembly,
        map: &'static str,
        before: &Map<String, Json>,
        key: &str,
        value: Json,
    ) -> Result<(), Refusal> {
        let name = format!("{map}.{key}");
        let hold = Hold::Entry(&name);
        let same = before.get(key).unwrap_or(&Json::Null) == &value;
        if same && !assembly.new && self.conflicts() != Conflicts::Force {
            return Ok(());
        }
        if !same && self.is_left(assembly.current.common().id, &name) {
            self.leave(assembly, &name);
            return Ok(());
        }
        if self.may(assembly, hold, &name) != Verdict::Write {
            return Ok(());
        }
        let removed = value.is_null();
        put(assembly.row(), map, key, value)?;
        match removed {
            true => release(assembly.row().common_mut().managers, hold),
            false => self.take(assembly, hold, same),
        }
        Ok(())
    }
}

/// Returns true if a map of a row already has all entries of a value. It does not check external references.
fn has(row: &dyn Row, map: &str, value: &Json) -> bool {
    let Json::Object(entries) = value else { return false };
    let common = row.common();
    match map {
        "labels" => entries.iter().all(|(key, value)| {
            let value = value.as_str();
            value.is_some() && common.labels.0.get(key).map(String::as_str) == value
        }),
        "attributes" => entries.iter().all(|(key, value)| common.attributes.0.get(key) == Some(value)),
        _ => false,
    }
}

fn check_size(attributes: &Attributes) -> Result<(), Refusal> {
    let size = serde_json::to_string(&*attributes.0).map_or(0, |text| text.len());
    match size > MAX_ATTRIBUTES_BYTES {
        true => {
            Err(invalid("attributes", format!("has {size} bytes as JSON; at most {MAX_ATTRIBUTES_BYTES} are allowed")))
        }
        false => Ok(()),
    }
}

/// Returns the entries of a map of a row, as JSON by key. The key of an external reference is its source.
fn entries(row: &dyn Row, map: &str) -> Map<String, Json> {
    let common = row.common();
    match map {
        "labels" => common.labels.0.iter().map(|(key, value)| (key.clone(), Json::from(value.as_str()))).collect(),
        "attributes" => common.attributes.0.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
        _ => common.external_refs.0.iter().map(|it| (it.source.clone(), reference(it))).collect(),
    }
}

fn reference(it: &ExternalRef) -> Json {
    serde_json::json!({ "externalId": it.external_id, "url": it.url })
}

/// Reads the entries in an item.
fn read(map: &str, value: Json) -> Result<Map<String, Json>, Refusal> {
    match (map, value) {
        ("externalRefs", Json::Array(list)) => list.into_iter().enumerate().map(read_reference).collect(),
        ("externalRefs", other) => {
            Err(invalid(map, format!("must be a list, not {}", underlay_inventory::shorten(&other))))
        }
        (_, Json::Object(entries)) => Ok(entries),
        (_, other) => Err(invalid(map, format!("must be a map, not {}", underlay_inventory::shorten(&other)))),
    }
}

fn read_reference((at, value): (usize, Json)) -> Result<(String, Json), Refusal> {
    let path = format!("externalRefs[{at}]");
    let Some(source) = value.get("source").and_then(Json::as_str).filter(|it| !it.is_empty()) else {
        return Err(invalid(&path, "must name its source".to_owned()));
    };
    let known = ["source", "externalId", "url"];
    if let Some(member) = value.as_object().and_then(|it| it.keys().find(|key| !known.contains(&key.as_str()))) {
        let path = format!("{path}.{}", shorten_text(member));
        return Err(invalid(&path, "is unknown; allowed are source, externalId, url".to_owned()));
    }
    let entry = match value.get("externalId") {
        Some(Json::String(id)) => {
            let url = value.get("url").cloned().unwrap_or(Json::Null);
            if !url.is_null() && !url.is_string() {
                return Err(invalid(
                    &format!("{path}.url"),
                    format!("must be text, not {}", underlay_inventory::shorten(&url)),
                ));
            }
            if url.as_str().is_some_and(underlay_inventory::names_user) {
                return Err(invalid(&format!("{path}.url"), "must not contain a user name or password".to_owned()));
            }
            serde_json::json!({ "externalId": id, "url": url })
        }
        Some(Json::Null) => Json::Null,
        _ => return Err(invalid(&path, "must have an externalId: text, or null to remove it".to_owned())),
    };
    Ok((source.to_owned(), entry))
}

/// Checks one entry of a map.
fn check(map: &str, key: &str, value: Json) -> Result<Json, Refusal> {
    let path = || format!("{map}.{}", shorten_text(key));
    match map {
        "labels" => {
            check_label_key(key).map_err(|reason| invalid(&format!("labels.{}", shorten(key)), reason))?;
            match &value {
                Json::Null => Ok(value),
                Json::String(text) if is_label(text) || text.is_empty() => Ok(value),
                other => Err(invalid(
                    &path(),
                    format!(
                        "must be at most 63 letters, digits, '-', '_' or '.', beginning and ending with a letter or digit, not {}",
                        underlay_inventory::shorten(other)
                    ),
                )),
            }
        }
        "attributes" if key.is_empty() => Err(invalid(map, "must not have an empty name in it".to_owned())),
        "attributes" => check_inside(&path(), &value, MAX_ATTRIBUTE_DEPTH - 1).map(|()| value),
        _ => {
            let fits = |text: Option<&str>| text.is_none_or(|text| !text.is_empty() && text.chars().count() <= 1024);
            let (id, url) = (value.get("externalId").and_then(Json::as_str), value.get("url").and_then(Json::as_str));
            match fits(id) && fits(url) && key.chars().count() <= 253 {
                true => Ok(value),
                false => Err(invalid(
                    &path(),
                    "must have a source of at most 253, an externalId and a url of 1 to 1024 characters".to_owned(),
                )),
            }
        }
    }
}

/// Checks that the numbers in an attribute are exact everywhere, and that its nesting is not deeper than JSON readers
/// support.
fn check_inside(path: &str, value: &Json, depth: usize) -> Result<(), Refusal> {
    let inside = |value: &Json| match depth {
        0 => Err(invalid(path, format!("must not be nested more than {MAX_ATTRIBUTE_DEPTH} deep"))),
        depth => check_inside(path, value, depth - 1),
    };
    match value {
        Json::Number(number) if number.as_f64().is_none_or(|number| number.abs() > MAX_EXACT_NUMBER) => {
            Err(invalid(path, format!("must not hold a number beyond ±{MAX_EXACT_NUMBER}; write it as text")))
        }
        Json::Array(list) => list.iter().try_for_each(inside),
        Json::Object(members) => members.values().try_for_each(inside),
        _ => Ok(()),
    }
}

/// Checks the key of a label: a name, optionally after a DNS domain and a slash.
fn check_label_key(key: &str) -> Result<(), String> {
    let (domain, name) = key.rsplit_once('/').map_or((None, key), |(domain, name)| (Some(domain), name));
    let part = |part: &str| {
        let edge = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let inner = part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        inner && edge(part.bytes().next()) && edge(part.bytes().last())
    };
    let domain_fits = domain.is_none_or(|domain| domain.len() <= 253 && domain.split('.').all(part));
    match is_label(name) && domain_fits {
        true => Ok(()),
        false => Err("is no label key: allowed are at most 63 letters, digits, '-', '_' or '.', with a DNS domain and '/' before them if wished".to_owned()),
    }
}

/// Returns true if a text follows the grammar of label values, which is also that of the names in label keys.
fn is_label(text: &str) -> bool {
    let bytes = text.as_bytes();
    let edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let inner = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte));
    bytes.len() <= 63 && inner && edge(bytes.first()) && edge(bytes.last())
}

fn put(row: &mut dyn Row, map: &str, key: &str, value: Json) -> Result<(), Refusal> {
    let common = row.common_mut();
    let text = |value: &Json, member: &str| value.get(member).and_then(Json::as_str).map(str::to_owned);
    match (map, value) {
        ("labels", Json::String(value)) => {
            Arc::make_mut(&mut common.labels.0).insert(key.to_owned(), value);
        }
        ("labels", _) => {
            Arc::make_mut(&mut common.labels.0).remove(key);
        }
        ("attributes", Json::Null) => {
            Arc::make_mut(&mut common.attributes.0).remove(key);
        }
        ("attributes", value) => {
            Arc::make_mut(&mut common.attributes.0).insert(key.to_owned(), value);
        }
        (_, value) => {
            let mut refs = std::mem::take(&mut common.external_refs.0).into_vec();
            refs.retain(|it| it.source != key);
            if let Some(external_id) = text(&value, "externalId") {
                refs.push(ExternalRef { source: key.to_owned(), external_id, url: text(&value, "url").map(Url) });
                refs.sort_by(|left, right| left.source.cmp(&right.source));
            }
            common.external_refs.0 = refs.into();
        }
    }
    Ok(())
}

fn invalid(field: &str, reason: String) -> Refusal {
    Refusal::Invalid { field: field.to_owned(), reason }
}

fn shorten(key: &str) -> String {
    key.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_keys_follow_the_grammar_of_kubernetes() {
        for good in ["env", "app.kubernetes.io/name", "a", "A_b-c.d", "x/y"] {
            assert!(check_label_key(good).is_ok(), "{good}");
        }
        let long = "a".repeat(64);
        for bad in ["", "-a", "a-", "a b", "/a", "a/", "A.b/c", "a/b/c", "ä", long.as_str()] {
            assert!(check_label_key(bad).is_err(), "{bad}");
        }
    }
}
