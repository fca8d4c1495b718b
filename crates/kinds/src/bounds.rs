//! Bounds of fields that are structures: texts, lists of texts, and maps from text to text. Each check returns the
//! value, or the reason why it is invalid.

use serde_json::Value as Json;

use super::common::member;
use underlay_inventory::{Unfit, shorten, shorten_text};

/// The bounds of a list of texts.
#[derive(Clone, Copy, Debug)]
pub struct ListBounds {
    /// The maximum number of entries.
    pub entries: usize,
    /// The maximum length of an entry, in characters.
    pub characters: usize,
}

/// The bounds of a map from text to text.
#[derive(Clone, Copy, Debug)]
pub struct MapBounds {
    /// The maximum number of entries.
    pub entries: usize,
    /// The maximum length of a key, in characters.
    pub key_characters: usize,
    /// The maximum length of a value, in characters.
    pub value_characters: usize,
}

/// Checks a text: 1 to `most` characters, no control characters, no space at either end.
pub fn text(value: Json, most: usize) -> Result<Json, Unfit> {
    match value.as_str().is_some_and(|text| is_text(text, most)) {
        true => Ok(value),
        false => Err(Unfit::new("", not_text(&value, most))),
    }
}

fn is_text(text: &str, most: usize) -> bool {
    !text.is_empty() && text.trim() == text && text.chars().count() <= most && !text.chars().any(char::is_control)
}

fn not_text(value: &Json, most: usize) -> String {
    let shown = shorten(value);
    format!("must be text of 1 to {most} characters without control characters or a space at either end, not {shown}")
}

/// Checks members of an object that are texts. A member that is absent or null is left as it is.
pub fn text_members(value: Json, names: &[&str], most: usize) -> Result<Json, Unfit> {
    names.iter().try_fold(value, |value, name| member(value, name, |it| text(it, most)))
}

/// Checks a list of texts, none of which appears twice.
pub fn texts(value: Json, bounds: ListBounds) -> Result<Json, Unfit> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    if list.len() > bounds.entries {
        return Err(Unfit::new("", format!("has {} entries; at most {} are allowed", list.len(), bounds.entries)));
    }
    for (at, entry) in list.iter().enumerate() {
        if !entry.as_str().is_some_and(|text| is_text(text, bounds.characters)) {
            return Err(Unfit::new(format!("[{at}]"), not_text(entry, bounds.characters)));
        }
        if list[..at].contains(entry) {
            return Err(Unfit::new(format!("[{at}]"), format!("is {}, which is in the list already", shorten(entry))));
        }
    }
    Ok(value)
}

/// Checks a map from text to text.
pub fn text_map(value: Json, bounds: MapBounds) -> Result<Json, Unfit> {
    let Some(entries) = value.as_object() else {
        return Err(Unfit::new("", format!("must be an object with a text for each key, not {}", shorten(&value))));
    };
    if entries.len() > bounds.entries {
        return Err(Unfit::new("", format!("has {} entries; at most {} are allowed", entries.len(), bounds.entries)));
    }
    for (key, entry) in entries {
        if !is_text(key, bounds.key_characters) {
            let reason = format!("is a key that is not 1 to {} characters of text", bounds.key_characters);
            return Err(Unfit::new(shorten_text(key), reason));
        }
        let most = bounds.value_characters;
        if entry.as_str().is_none_or(|text| text.chars().count() > most) {
            let reason = format!("must be text of at most {most} characters, not {}", shorten(entry));
            return Err(Unfit::new(shorten_text(key), reason));
        }
    }
    Ok(value)
}
