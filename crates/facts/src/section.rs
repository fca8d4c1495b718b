//! A section of a report: what was found, and what could not be read.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A section of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Section<T> {
    /// True if everything was read. In an incomplete section, what is absent may still be there.
    pub complete: bool,
    /// The things that could not be read. Empty for a complete section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
    /// Remarks that a reader needs to understand the content. They do not make the section incomplete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// The hardware that was found.
    #[serde(default)]
    pub found: T,
    /// Members of a later format.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl<T> Section<T> {
    /// Returns a section in which everything was read.
    pub fn complete(found: T) -> Self {
        Self { complete: true, unread: Vec::new(), notes: Vec::new(), found, more: Map::new() }
    }

    /// Notes something that could not be read, so that the section is incomplete.
    pub fn lacks(&mut self, what: impl Into<String>, reason: impl Into<String>) {
        self.complete = false;
        self.unread.push(Unread { what: what.into(), reason: reason.into() });
    }
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Unread {
    /// A file, a program or a part, such as `/sys/firmware/dmi/tables/DMI`.
    pub what: String,
    /// A sentence without its full stop, such as `permission denied`.
    pub reason: String,
}

/// A remark about a part of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// The part, such as the name of an interface.
    pub about: String,
    /// A sentence without its full stop.
    pub text: String,
}
