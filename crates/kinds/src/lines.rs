//! The lines that `underlay export` writes and `POST /apply` reads: JSON Lines (one JSON object on each line).
//!
//! The first line of an export is a [`Header`] that names the format. Each further line is an [`ItemLine`]: an item of
//! the API's `apply`, with the source in whose name it is written. The last line is an [`EndLine`]: without it the
//! export was cut off. An item can refer, by id, to objects of the lines before it, and is written after those.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::error::Category;
use thiserror::Error;

/// The beginning of the first line of an export, whatever its version.
pub const BEGINNING: &[u8] = br#"{"format":"underlay-export/"#;
/// The version of the format that this program writes and reads.
pub const FORMAT: &str = "underlay-export/1";

/// The first line of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The name and version of the format.
    pub format: String,
    /// The revision of the inventory that the export holds.
    pub revision: i64,
    /// The number of objects in the export.
    pub objects: u64,
}

/// A line of an export.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Members")]
pub enum Line {
    /// The first line.
    Header(Header),
    /// An item to be written.
    Item(ItemLine),
    /// The last line.
    End(EndLine),
}

/// An item to be written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemLine {
    /// The item: an object with one member, named after a kind, `delete` or `release`, as in the API's `ApplyItem`.
    pub item: Value,
    /// The source in whose name the item is written. Without one, it is written in the name of the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The policy for fields that another manager holds. Without one, that of the request applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<LineConflicts>,
}

/// The policy that a line can ask for where another manager holds a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineConflicts {
    /// The field is taken over: an export says with it who holds a field.
    #[serde(rename = "FORCE")]
    Force,
}

/// The last line of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndLine {
    /// The number of lines with items in the export.
    pub end: u64,
}

/// A line that has the members of no kind of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a line must have `item` (with `source` and `conflicts`, if it has any), or `end`, or be the header of an export"
)]
pub struct UnknownLine;

/// The reason why a text is no line. Nothing of the text is repeated: it can be anything.
#[derive(Debug, Error)]
pub enum LineError {
    /// The text is no JSON.
    #[error(transparent)]
    Json(serde_json::Error),
    /// A member is given twice.
    #[error(transparent)]
    Twice(serde_json::Error),
    /// The JSON is no line.
    #[error("{UnknownLine}, each with a value of its type")]
    Members,
}

impl Line {
    /// Reads a line.
    ///
    /// # Errors
    /// Returns an error if the text is no JSON, or the JSON is no line.
    pub fn read(text: &[u8]) -> Result<Self, LineError> {
        serde_json::from_slice(text).map_err(|error| match error.classify() {
            // The error of the library repeats values. Of this one, only the name of a member is repeated, in part.
            Category::Data => match underlay_json::unique(&mut serde_json::Deserializer::from_slice(text)) {
                Err(twice) => LineError::Twice(twice),
                Ok(_) => LineError::Members,
            },
            Category::Io | Category::Syntax | Category::Eof => LineError::Json(error),
        })
    }
}

/// All members that lines can have. Reading them at once is cheaper than trying one kind of line after the other.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    #[serde(default, deserialize_with = "present")]
    item: Option<Value>,
    source: Option<String>,
    conflicts: Option<LineConflicts>,
    end: Option<u64>,
    format: Option<String>,
    revision: Option<i64>,
    objects: Option<u64>,
}

/// Reads a member that is there, also if it is null.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    underlay_json::unique(deserializer).map(Some)
}

impl TryFrom<Members> for Line {
    type Error = UnknownLine;

    fn try_from(members: Members) -> Result<Self, UnknownLine> {
        match members {
            Members { item: Some(item), source, conflicts, end: None, format: None, revision: None, objects: None } => {
                Ok(Self::Item(ItemLine { item, source, conflicts }))
            }
            Members {
                item: None,
                source: None,
                conflicts: None,
                end: Some(end),
                format: None,
                revision: None,
                objects: None,
            } => Ok(Self::End(EndLine { end })),
            Members {
                item: None,
                source: None,
                conflicts: None,
                end: None,
                format: Some(format),
                revision: Some(revision),
                objects: Some(objects),
            } => Ok(Self::Header(Header { format, revision, objects })),
            _ => Err(UnknownLine),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_begins_as_exports_are_recognised() {
        let header = Header { format: FORMAT.to_owned(), revision: 7, objects: 3 };
        let text = serde_json::to_string(&header).expect("JSON");
        assert!(text.as_bytes().starts_with(BEGINNING), "{text}");
        assert_eq!(serde_json::from_str::<Line>(&text).expect("a line"), Line::Header(header));
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        for text in
            [r#"{"item":{"thing":{"id":"1","height":47}}}"#, r#"{"item":null,"source":"bcm","conflicts":"FORCE"}"#]
        {
            let Line::Item(line) = serde_json::from_str(text).expect("a line") else { panic!("{text} is an item") };
            assert_eq!(serde_json::to_string(&line).expect("JSON"), text);
        }
        assert_eq!(serde_json::from_str::<Line>(r#"{"end":12}"#).expect("a line"), Line::End(EndLine { end: 12 }));
        for text in
            ["{}", r#"{"end":1,"item":{}}"#, r#"{"item":{},"conflicts":"SKIP"}"#, r#"{"item":{},"by":"x"}"#, "[]"]
        {
            assert!(matches!(Line::read(text.as_bytes()), Err(LineError::Members)), "{text}");
        }
    }
}
