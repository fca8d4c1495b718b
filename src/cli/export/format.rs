//! The format of exports: JSON Lines. The first line names the format, each other one holds an item of the API's
//! `apply` with the source in whose name it is written, the last one says that it is the last.
//!
//! A line may refer, by id, to objects of lines before it, and is written after those.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the first line of an export begins with, whatever its version.
pub(in crate::cli) const BEGINNING: &[u8] = br#"{"format":"underlay-export/"#;
/// The version that this program writes and reads.
pub(in crate::cli) const FORMAT: &str = "underlay-export/1";

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct Header {
    /// The name and version of the format.
    pub(in crate::cli) format: String,
    /// The revision that the export is of.
    pub(in crate::cli) revision: i64,
    /// How many objects it holds.
    pub(in crate::cli) objects: u64,
}

/// Any other line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(in crate::cli) enum Line {
    /// An item to be written.
    Item(ItemLine),
    /// The last line.
    End(EndLine),
}

/// An item to be written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct ItemLine {
    /// An `ApplyItem` of the API.
    pub(in crate::cli) item: Value,
    /// The source in whose name it is written; none: the user who applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) source: Option<String>,
    /// What happens to fields that another manager holds; none: as apply has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) conflicts: Option<Conflicts>,
}

/// What a line asks for where another manager holds a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cli) enum Conflicts {
    /// It is taken over: the line says who holds it.
    #[serde(rename = "FORCE")]
    Force,
}

/// The last line: without it the export was cut off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct EndLine {
    /// How many lines with items there are.
    pub(in crate::cli) end: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_begins_as_exports_are_recognised() {
        let header = Header { format: FORMAT.to_owned(), revision: 7, objects: 3 };
        let text = serde_json::to_string(&header).expect("JSON");
        assert!(text.as_bytes().starts_with(BEGINNING), "{text}");
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        for text in [
            r#"{"item":{"rack":{"id":"1","heightU":47}}}"#,
            r#"{"item":{"rack":{"id":"1"}},"source":"bcm","conflicts":"FORCE"}"#,
            r#"{"end":12}"#,
        ] {
            let line: Line = serde_json::from_str(text).expect("a line");
            assert_eq!(serde_json::to_string(&line).expect("JSON"), text);
        }
        for text in ["{}", r#"{"end":1,"item":{}}"#, r#"{"item":{},"conflicts":"SKIP"}"#, r#"{"item":{},"by":"x"}"#] {
            assert!(serde_json::from_str::<Line>(text).is_err(), "{text}");
        }
    }
}
