//! Reads the paging arguments of a list: the size, the direction, and the cursors.

use std::ops::Bound;

use uuid::Uuid;

use super::cursor::{Cursor, ListPosition};
use super::error::ReadError;
use super::order::{By, Direction, PATH, SortValue};
use underlay_inventory::{KeyOf, Kind};

/// The default number of objects on a page.
const DEFAULT_PAGE_OBJECTS: usize = 50;
/// The maximum number of objects on a page.
pub const MAX_PAGE_OBJECTS: usize = 1_000;

/// The paging arguments of a list, as in the Relay specification.
#[derive(Clone, Debug, Default)]
pub struct PageArguments {
    pub first: Option<i32>,
    pub after: Option<String>,
    pub last: Option<i32>,
    pub before: Option<String>,
    /// True if the revision is pinned, so that the next pages are of the same revision.
    pub pin: bool,
    /// The requested revision.
    pub at_revision: Option<i64>,
    /// The number of objects to leave out before the page.
    pub skip: Option<i32>,
}

impl PageArguments {
    /// Returns the revision that the arguments request: by its number, or by a cursor that pins it.
    ///
    /// # Errors
    /// Returns an error if they request two different revisions.
    pub fn revision(&self) -> Result<Option<i64>, ReadError> {
        let mut asked = self.at_revision;
        for (argument, cursor) in [("after", &self.after), ("before", &self.before)] {
            let pinned = cursor.as_deref().and_then(Cursor::decode).and_then(|(_, revision)| revision);
            let Some(pinned) = pinned else { continue };
            if let Some(other) = asked.filter(|other| *other != pinned) {
                let reason = format!("is a cursor of revision {pinned}: it cannot be combined with revision {other}");
                return Err(ReadError::Argument { argument, reason });
            }
            asked = Some(pinned);
        }
        Ok(asked)
    }

    /// Returns the number of objects that the page leaves out. While others write, an offset would show some objects
    /// twice and others not at all, so the list must be of a fixed revision.
    ///
    /// # Errors
    /// Returns an error if the number is negative, or if nothing can be left out of such a page.
    fn skipped(&self) -> Result<usize, ReadError> {
        let refused = |reason: String| Err(ReadError::Argument { argument: "skip", reason });
        let Some(skip) = self.skip.filter(|skip| *skip != 0) else { return Ok(0) };
        let Ok(skip) = usize::try_from(skip) else { return refused(format!("must be at least 0, not {skip}")) };
        if self.last.is_some() {
            return refused("cannot be combined with last".to_owned());
        }
        if !self.pin && self.revision()?.is_none() {
            return refused("needs a fixed revision: pass pin, atRevision, or a cursor of a pinned list".to_owned());
        }
        Ok(skip)
    }
}

/// The checked paging arguments.
pub struct Window {
    /// The maximum number of objects.
    pub limit: usize,
    /// Selects only objects after this cursor.
    pub after: Option<Cursor>,
    /// Selects only objects before this cursor.
    pub before: Option<Cursor>,
    /// True if the page is taken from the end of the list.
    pub backward: bool,
    /// The number of objects that are left out before the page.
    pub skip: usize,
}

impl Window {
    /// Reads the arguments of a list in an order.
    ///
    /// # Errors
    /// Returns an error if a size is out of bounds, or if a cursor does not belong to such a list.
    pub fn of<K: Kind>(arguments: &PageArguments, by: By<K>) -> Result<Self, ReadError> {
        let size = |argument: &'static str, size: i32| match usize::try_from(size) {
            Ok(size) if size <= MAX_PAGE_OBJECTS => Ok(size),
            _ => Err(ReadError::Argument {
                argument,
                reason: format!("must be from 0 to {MAX_PAGE_OBJECTS}, not {size}"),
            }),
        };
        let cursor = |argument: &'static str, text: &Option<String>| {
            let Some(text) = text else { return Ok(None) };
            let decoded = Cursor::decode(text).map(|(cursor, _)| cursor).filter(|cursor| fits_order(&cursor.0, by));
            let reason = || "is no cursor of a list in this order: take one from pageInfo or edges".to_owned();
            decoded.map(Some).ok_or_else(|| ReadError::Argument { argument, reason: reason() })
        };
        let (limit, backward) = match (arguments.first, arguments.last) {
            (Some(_), Some(_)) => {
                return Err(ReadError::Argument {
                    argument: "last",
                    reason: "cannot be combined with first".to_owned(),
                });
            }
            (None, Some(last)) => (size("last", last)?, true),
            (first, None) => (first.map_or(Ok(DEFAULT_PAGE_OBJECTS), |first| size("first", first))?, false),
        };
        Ok(Self {
            limit,
            after: cursor("after", &arguments.after)?,
            before: cursor("before", &arguments.before)?,
            backward,
            skip: arguments.skipped()?,
        })
    }

    /// Returns true if there is a cursor.
    pub fn is_drawn(&self) -> bool {
        self.after.is_some() || self.before.is_some()
    }

    /// Returns true if an object is between the two cursors.
    pub fn holds(&self, cursor: &Cursor, direction: Direction) -> bool {
        let beyond = |left: &Cursor, right: &Cursor| match direction {
            Direction::Asc => left > right,
            Direction::Desc => left < right,
        };
        self.after.as_ref().is_none_or(|after| beyond(cursor, after))
            && self.before.as_ref().is_none_or(|before| beyond(before, cursor))
    }

    /// Returns the bounds of a key range, narrowed to the part between the cursors.
    pub fn bounded(
        &self,
        (mut least, mut most): (Bound<KeyOf>, Bound<KeyOf>),
        direction: Direction,
    ) -> (Bound<KeyOf>, Bound<KeyOf>) {
        let key = |cursor: &Option<Cursor>| match cursor {
            Some(Cursor(ListPosition::Key(parent, family, SortValue::Text(name)), _)) => {
                Some(Bound::Excluded(KeyOf { parent: *parent, family: *family, name: name.as_str().into() }))
            }
            _ => None,
        };
        let (after, before) = match direction {
            Direction::Asc => (key(&self.after), key(&self.before)),
            Direction::Desc => (key(&self.before), key(&self.after)),
        };
        let inside = |bound: &Bound<KeyOf>| match (bound, &least, &most) {
            (Bound::Excluded(key), Bound::Included(least), Bound::Included(most)) => key >= least && key <= most,
            _ => true,
        };
        // A cursor from another list does not narrow the range. Each object is still compared with it.
        let (after, before) = (after.filter(inside), before.filter(inside));
        if let Some(after) = after {
            least = after;
        }
        if let Some(before) = before {
            most = before;
        }
        // The index refuses a range that begins after its end. Such a page is empty.
        if let (Bound::Excluded(from), Bound::Excluded(to)) = (&least, &most)
            && from >= to
        {
            let nowhere = KeyOf { parent: Uuid::max(), family: u8::MAX, name: "".into() };
            return (Bound::Excluded(nowhere.clone()), Bound::Included(nowhere));
        }
        (least, most)
    }
}

fn fits_order<K: Kind>(position: &ListPosition, by: By<K>) -> bool {
    match (position, by) {
        (ListPosition::Key(..), By::Key) | (ListPosition::Updated(_), By::Updated) => true,
        (ListPosition::Value(name, _), By::Value(by, _)) => name == by,
        (ListPosition::Value(name, _), By::Path) => name == PATH,
        _ => false,
    }
}
