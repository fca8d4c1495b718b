//! Positions in the order of events, and their text form that clients pass back.
//!
//! Guarantees: positions have a total order within one history, and a decoded cursor equals the one that was encoded.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use underlay_inventory::Head;

/// The maximum length of an encoded cursor, in bytes.
const MAX_CURSOR_BYTES: usize = 256;

/// A position within a revision. The changes come first, followed by the objects that moved together with their
/// containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventPosition {
    /// The position of the change with this number.
    Change(i32),
    /// The position of an object that entered or left together with its container. These positions follow all changes,
    /// in the order of the object ids.
    Moved(Uuid),
    /// The position after all events of the revision.
    End,
}

/// A position in the order of events. All events up to and including this position were seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The number of the revision.
    pub revision: i64,
    /// The position within the revision.
    pub position: EventPosition,
    /// The batch that made the revision, which distinguishes histories. `None` if only the number is known.
    pub batch_id: Option<Uuid>,
}

impl Cursor {
    /// Returns the position after all events of a revision.
    pub fn end_of(head: Head) -> Self {
        Self { revision: head.revision, position: EventPosition::End, batch_id: Some(head.batch_id) }
    }

    /// Returns a position within a revision.
    pub fn within(head: Head, position: EventPosition) -> Self {
        Self { position, ..Self::end_of(head) }
    }

    /// Returns the position after all events of the revision with this number, in any history.
    pub fn after_revision(revision: i64) -> Self {
        Self { revision, position: EventPosition::End, batch_id: None }
    }

    /// Returns true if this position comes before another one of the same history.
    pub fn is_before(&self, other: &Self) -> bool {
        (self.revision, self.position) < (other.revision, other.position)
    }

    /// Returns true if this cursor can belong to the history in which `batch_id` made its revision.
    pub fn fits(&self, batch_id: Uuid) -> bool {
        self.batch_id.is_none_or(|own| own == batch_id)
    }

    /// Returns the earliest revision to which the next event can belong.
    pub fn wanted(&self) -> i64 {
        if self.position == EventPosition::End { self.revision.saturating_add(1) } else { self.revision }
    }

    /// Encodes the cursor as the text that clients receive.
    pub fn encode(&self) -> String {
        let position = match self.position {
            EventPosition::Change(position) => position.to_string(),
            EventPosition::Moved(object) => format!("m{}", object.simple()),
            EventPosition::End => String::new(),
        };
        let batch = self.batch_id.map(|id| id.simple().to_string()).unwrap_or_default();
        URL_SAFE_NO_PAD.encode(format!("{}/{position}/{batch}", self.revision))
    }

    /// Parses a cursor or a plain revision number. Returns `None` if the text is neither.
    pub fn decode(text: &str) -> Option<Self> {
        if text.len() > MAX_CURSOR_BYTES {
            return None;
        }
        if let Ok(revision) = text.parse::<i64>() {
            return Some(Self::after_revision(revision)).filter(|it| it.revision >= 0);
        }
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let [revision, position, batch] = text.split('/').collect::<Vec<_>>().try_into().ok()?;
        let position = match (position, position.strip_prefix('m')) {
            ("", _) => EventPosition::End,
            (_, Some(object)) => EventPosition::Moved(Uuid::try_parse(object).ok()?),
            (position, None) => EventPosition::Change(position.parse().ok()?),
        };
        let batch_id = if batch.is_empty() { None } else { Some(Uuid::try_parse(batch).ok()?) };
        let revision = revision.parse().ok().filter(|revision| *revision >= 0)?;
        Some(Self { revision, position, batch_id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_its_way_to_the_client() {
        let (batch, object) = (Uuid::from_u128(7), Uuid::from_u128(9));
        for position in
            [EventPosition::Change(0), EventPosition::Change(12), EventPosition::Moved(object), EventPosition::End]
        {
            for batch_id in [None, Some(batch)] {
                let cursor = Cursor { revision: 41, position, batch_id };
                assert_eq!(Cursor::decode(&cursor.encode()), Some(cursor));
            }
        }
        assert_eq!(Cursor::decode("12"), Some(Cursor::after_revision(12)), "a plain revision");
        for bad in ["", "x", "-1", "AAAA", "%%%", "bnVsbA", "99999999999999999999", &"A".repeat(1000)] {
            assert_eq!(Cursor::decode(bad), None, "{bad}");
        }
    }

    #[test]
    fn moved_objects_come_after_the_changes() {
        let at = |position| Cursor { revision: 3, position, batch_id: None };
        let order = [
            EventPosition::Change(0),
            EventPosition::Change(9),
            EventPosition::Moved(Uuid::nil()),
            EventPosition::Moved(Uuid::max()),
            EventPosition::End,
        ];
        assert!(order.windows(2).all(|pair| at(pair[0]).is_before(&at(pair[1]))));
        assert!(at(EventPosition::End).is_before(&Cursor {
            revision: 4,
            position: EventPosition::Change(0),
            batch_id: None
        }));
        assert_eq!((at(EventPosition::Change(9)).wanted(), at(EventPosition::End).wanted()), (3, 4));
    }
}
