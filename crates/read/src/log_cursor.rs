//! Cursors of lists of changes and of diffs.
//!
//! Clients keep cursors, also while the server is upgraded. So the written forms never change, and
//! `tests/it/laws/stored_numbers.rs` pins them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

/// The position of a change in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LogPosition {
    /// The revision that the batch of the change created.
    pub revision: i64,
    /// The position of the change in its batch.
    pub position: i32,
}

impl LogPosition {
    /// Returns the text for clients.
    pub fn encode(self) -> String {
        URL_SAFE_NO_PAD.encode(format!("{}/{}", self.revision, self.position))
    }

    /// Parses the text of a client. Returns `None` if it is not a cursor of a list of changes.
    pub fn decode(text: &str) -> Option<Self> {
        let text = decoded(text)?;
        let (revision, position) = text.split_once('/')?;
        Some(Self { revision: revision.parse().ok()?, position: position.parse().ok()? })
    }
}

/// The position of an object in the diff between two revisions. It holds the revisions, because between other revisions
/// the same object may not differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffPosition {
    /// The revision that the diff starts from.
    pub from: i64,
    /// The revision that the diff leads to.
    pub to: i64,
    /// The id of the object.
    pub object: Uuid,
}

impl DiffPosition {
    /// Returns the text for clients.
    pub fn encode(self) -> String {
        URL_SAFE_NO_PAD.encode(format!("{}/{}/{}", self.from, self.to, self.object))
    }

    /// Parses the text of a client. Returns `None` if it is not a cursor of a diff.
    pub fn decode(text: &str) -> Option<Self> {
        let text = decoded(text)?;
        let [from, to, object] = text.split('/').collect::<Vec<_>>().try_into().ok()?;
        Some(Self { from: from.parse().ok()?, to: to.parse().ok()?, object: Uuid::parse_str(object).ok()? })
    }
}

fn decoded(text: &str) -> Option<String> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()
}
