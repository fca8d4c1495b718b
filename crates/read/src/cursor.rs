//! Cursors: the position where a page ended, as an opaque text that stays valid while objects come and go.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::order::SortValue;

/// The position of an object in an order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ListPosition {
    /// The position in the order of keys: parent, family, name.
    #[serde(rename = "k")]
    Key(Uuid, u8, SortValue),
    /// The position in the order of the last change: version.
    #[serde(rename = "u")]
    Updated(i64),
    /// The position in the order of a value, with the name of that order.
    #[serde(rename = "v")]
    Value(String, SortValue),
}

/// A position in a list: the position in the order, and the id for objects with equal positions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cursor(pub ListPosition, pub Uuid);

impl Cursor {
    /// Returns the cursor in the form that clients get, with the revision that it pins.
    pub fn encode(&self, revision: Option<i64>) -> String {
        let Self(position, id) = self;
        let bytes = match revision {
            Some(revision) => serde_json::to_vec(&(position, id, revision)),
            None => serde_json::to_vec(self),
        };
        // The data is plain and has no maps, so it can always be written.
        URL_SAFE_NO_PAD.encode(bytes.unwrap_or_default())
    }

    /// Reads a cursor and the revision that it pins; `None` if the text is not a cursor of ours.
    pub fn decode(text: &str) -> Option<(Self, Option<i64>)> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let pinned = |(position, id, revision)| (Self(position, id), Some(revision));
        let moving = || serde_json::from_slice(&bytes).ok().map(|cursor| (cursor, None));
        serde_json::from_slice(&bytes).ok().map(pinned).or_else(moving)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_its_way_to_the_client() {
        let cursor =
            Cursor(ListPosition::Key(Uuid::from_u128(7), 2, SortValue::Text("Ethernet1/10".into())), Uuid::nil());
        for revision in [None, Some(12)] {
            assert_eq!(Cursor::decode(&cursor.encode(revision)), Some((cursor.clone(), revision)));
        }
        for bad in ["", "x", "AAAA", "%%%", "bnVsbA"] {
            assert_eq!(Cursor::decode(bad), None, "{bad}");
        }
    }
}
