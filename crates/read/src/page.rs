//! Pages of objects: filtered, ordered, from a cursor on, in both directions.
//!
//! If an index has the requested order, the page is read from the index, and the read stops when the page is full. Long
//! reads yield: no worker is busy for more than a few milliseconds at a time.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::cursor::{Cursor, ListPosition};
use super::error::ReadError;
use super::filter::Filter as _;
use super::fitting::Fitting;
use super::listing::{Cursors, ListScope, Listed, Listing};
use super::order::{By, Direction, PATH, SortValue};
use super::steps::Steps;
use super::window::{PageArguments, Window};
use underlay_entity::row::Row;
use underlay_inventory::{Held, KeyOf, Kind, ObjectRef, Slots};

/// The maximum number of objects that are sorted without an index.
const MAX_SORTED_OBJECTS: usize = 100_000;
/// The maximum number of steps in which an index looks for candidates. After more, all objects are examined.
const MAX_NARROWING_STEPS: u64 = 200_000;

/// A page of a list.
#[derive(Debug)]
pub struct Page<K: Listed> {
    pub objects: Vec<Held<K>>,
    pub has_next: bool,
    pub has_previous: bool,
}

/// A superset of the objects on a page.
enum Candidates<'a> {
    /// The objects in the requested order.
    Ordered(Box<dyn Iterator<Item = ObjectRef> + Send + 'a>),
    /// The objects in any order, each once.
    Unordered(Vec<ObjectRef>),
}

impl<K: Listed> Listing<K> {
    /// Returns a page of the list.
    ///
    /// # Errors
    /// Returns an error if an argument is out of bounds, if too many objects would have to be sorted, or if the filter
    /// takes too many steps.
    pub async fn page(&self, arguments: &PageArguments) -> Result<Page<K>, ReadError> {
        let (by, direction) = self.order.map_or((By::Key, Direction::Asc), Into::into);
        let window = Window::of(arguments, by)?;
        let reversed = (direction == Direction::Desc) != window.backward;
        let (mut found, more) = match self.candidates(by, reversed, &window, direction)? {
            Candidates::Ordered(objects) => self.take_first(objects, by, direction, &window).await?,
            Candidates::Unordered(objects) => self.take_best(objects, by, direction, reversed, &window).await?,
        };
        if window.backward {
            found.reverse();
        }
        let (has_next, has_previous) = match window.backward {
            true => (window.before.is_some(), more),
            false => (more, window.after.is_some() || window.skip > 0),
        };
        Ok(Page { objects: found, has_next, has_previous })
    }

    /// Returns the first matching objects after those to skip, up to the limit, and whether there are more.
    async fn take_first(
        &self,
        objects: impl Iterator<Item = ObjectRef>,
        by: By<K>,
        direction: Direction,
        window: &Window,
    ) -> Result<(Vec<Held<K>>, bool), ReadError> {
        let mut found = Vec::with_capacity(window.limit.min(64));
        let mut left_out = 0;
        let mut fitting = Fitting::new(self)?;
        for object in objects {
            let Some(held) = fitting.hold(object).await? else { continue };
            if window.is_drawn() && !window.holds(&cursor_of(by, &held), direction) {
                continue;
            }
            if left_out < window.skip {
                left_out += 1;
                continue;
            }
            if found.len() == window.limit {
                return Ok((found, true));
            }
            found.push(held);
        }
        Ok((found, false))
    }

    /// Returns the matching objects that come first in the order after those to skip, up to the limit, and whether
    /// there are more. Only that many objects, and those to skip, are kept at any time, however many there are.
    async fn take_best(
        &self,
        objects: Vec<ObjectRef>,
        by: By<K>,
        direction: Direction,
        reversed: bool,
        window: &Window,
    ) -> Result<(Vec<Held<K>>, bool), ReadError> {
        let mut best = BTreeMap::new();
        let mut more = false;
        let mut fitting = Fitting::new(self)?;
        for object in objects {
            let Some(held) = fitting.hold(object).await? else { continue };
            let cursor = cursor_of(by, &held);
            if !window.holds(&cursor, direction) {
                continue;
            }
            best.insert(cursor, held);
            if best.len() > window.skip.saturating_add(window.limit) {
                more = true;
                if reversed {
                    best.pop_first()
                } else {
                    best.pop_last()
                };
            }
        }
        let mut found: Vec<_> = best.into_values().collect();
        if reversed {
            found.reverse();
        }
        found.drain(..window.skip.min(found.len()));
        Ok((found, more))
    }

    /// Returns the cursor of an object of the list. It is computed only if it is selected.
    pub fn cursor(&self, held: &Held<K>) -> String {
        let (by, _) = self.order.map_or((By::Key, Direction::Asc), Into::into);
        cursor_of(by, held).encode(match self.cursors {
            Cursors::CurrentSnapshot => None,
            Cursors::Pinned => Some(self.snapshot.revision()),
        })
    }

    /// Returns the number of objects in the list.
    ///
    /// # Errors
    /// Returns an error if the filter takes too many steps.
    pub async fn count(&self) -> Result<usize, ReadError> {
        if self.filter.is_none() {
            return Ok(match self.scope {
                ListScope::All => self.snapshot.table(K::ID).len(),
                ListScope::Referrers(object, reference) => self.snapshot.incoming(object).by(reference).count(),
            });
        }
        let mut fitting = Fitting::new(self)?;
        let mut count = 0;
        for object in self.superset() {
            count += usize::from(fitting.hold(object).await?.is_some());
        }
        Ok(count)
    }

    /// Calls a function for each object of the list, in any order, until it fails.
    ///
    /// # Errors
    /// Returns the error of the function, or one if the filter takes too many steps.
    pub(super) async fn visit(
        &self,
        mut visit: impl FnMut(&Held<K>) -> Result<(), ReadError> + Send,
    ) -> Result<(), ReadError> {
        let mut fitting = Fitting::new(self)?;
        for object in self.superset() {
            if let Some(held) = fitting.hold(object).await? {
                visit(&held)?;
            }
        }
        Ok(())
    }

    /// Returns all objects that can be in the list, each once.
    fn superset(&self) -> Vec<ObjectRef> {
        let all = || {
            let slots = self.snapshot.table(K::ID).rows(0).map(|(slot, _)| slot);
            slots.map(|slot| ObjectRef { kind: K::ID, slot }).collect()
        };
        self.narrowed().unwrap_or_else(all)
    }

    /// Returns the candidates that an index finds for the filter; `None` if any object may match.
    fn by_filter(&self) -> Option<Vec<ObjectRef>> {
        self.filter.as_ref().and_then(|filter| filter.candidates(&self.snapshot, &Steps::new(MAX_NARROWING_STEPS)))
    }

    /// Returns the candidates that an index finds, without duplicates; `None` if any object may match.
    fn narrowed(&self) -> Option<Vec<ObjectRef>> {
        let mut objects = match (self.scope, self.by_filter()) {
            (ListScope::All, None) => return None,
            (ListScope::All, Some(objects)) => objects,
            (ListScope::Referrers(to, reference), None) => self.snapshot.incoming(to).by(reference).collect(),
            (ListScope::Referrers(to, reference), Some(mut objects)) => {
                objects.retain(|object| self.snapshot.outgoing(*object).by(reference).any(|target| target == to));
                objects
            }
        };
        objects.sort_unstable();
        objects.dedup();
        Some(objects)
    }

    /// Returns the objects to examine, in the requested order if an index has that order.
    fn candidates(
        &self,
        by: By<K>,
        reversed: bool,
        window: &Window,
        direction: Direction,
    ) -> Result<Candidates<'_>, ReadError> {
        if let Some(range) = self.key_range(by) {
            let keys = window.bounded(range, direction);
            let keys = self.snapshot.table(K::ID).keys_in(keys).map(|(_, slot)| ObjectRef { kind: K::ID, slot });
            return Ok(Candidates::Ordered(if reversed { Box::new(keys.rev()) } else { Box::new(keys) }));
        }
        match (self.narrowed(), by) {
            (None, By::Updated) => Ok(Candidates::Ordered(self.by_version(reversed, window, direction))),
            (narrowed, by) => {
                let table = self.snapshot.table(K::ID);
                let count = narrowed.as_ref().map_or(table.len(), Vec::len);
                let sorted = match by {
                    By::Value(name, _) => Some(name),
                    By::Path => Some(PATH),
                    By::Key | By::Updated => None,
                };
                if let Some(name) = sorted.filter(|_| count > MAX_SORTED_OBJECTS) {
                    let hint = K::describe().key.parents.first().copied().unwrap_or("name");
                    return Err(ReadError::TooComplex { by: name, count, most: MAX_SORTED_OBJECTS, hint });
                }
                let all = || table.rows(0).map(|(slot, _)| ObjectRef { kind: K::ID, slot }).collect();
                Ok(Candidates::Unordered(narrowed.unwrap_or_else(all)))
            }
        }
    }

    /// Returns the range of the key index that contains exactly this list in order, if there is one.
    fn key_range(&self, by: By<K>) -> Option<(Bound<KeyOf>, Bound<KeyOf>)> {
        if !matches!(by, By::Key) || self.by_filter().is_some() {
            return None;
        }
        match self.scope {
            ListScope::All => Some((Bound::Unbounded, Bound::Unbounded)),
            ListScope::Referrers(to, reference) => {
                let kind = K::describe();
                let field = kind.fields[usize::from(reference.field)].name;
                // Only the first of the possible parents is the parent of everything that refers to it.
                kind.key.parents.first().filter(|parent| reference.kind == K::ID && **parent == field)?;
                let parent = self.snapshot.row(to)?.common().id;
                let (least, most) = self.snapshot.keys_beneath(parent).into_inner();
                Some((Bound::Included(least), Bound::Included(most)))
            }
        }
    }

    /// Returns all objects in the order of their last change. Objects of the same revision are in the order of their
    /// ids.
    fn by_version(
        &self,
        reversed: bool,
        window: &Window,
        direction: Direction,
    ) -> Box<dyn Iterator<Item = ObjectRef> + Send + '_> {
        let version = |cursor: &Option<Cursor>| match cursor {
            Some(Cursor(ListPosition::Updated(version), _)) => Some(*version),
            _ => None,
        };
        let (mut least, mut most) = (version(&window.after), version(&window.before));
        if direction == Direction::Desc {
            std::mem::swap(&mut least, &mut most);
        }
        let table = self.snapshot.table(K::ID);
        let groups = table.versions_in(least.unwrap_or(i64::MIN)..=most.unwrap_or(i64::MAX));
        let groups: Box<dyn Iterator<Item = (i64, &Slots)> + Send + '_> =
            if reversed { Box::new(groups.rev()) } else { Box::new(groups) };
        let groups = groups.map(move |(_, slots)| {
            let mut group: Vec<u32> = slots.iter().collect();
            group.sort_by_cached_key(|slot| table.row(*slot).map(|row| row.common().id));
            if reversed {
                group.reverse();
            }
            group
        });
        Box::new(groups.flatten().map(|slot| ObjectRef { kind: K::ID, slot }))
    }
}

fn cursor_of<K: Kind>(by: By<K>, held: &Held<K>) -> Cursor {
    let common = held.row.common();
    let position = match by {
        By::Key => {
            let key = KeyOf::of(K::describe(), held.row.as_ref());
            ListPosition::Key(key.parent, key.family, SortValue::Text(common.name.to_owned()))
        }
        By::Updated => ListPosition::Updated(common.version),
        By::Path => {
            let path = held.snapshot.path(ObjectRef { kind: K::ID, slot: held.slot });
            ListPosition::Value(PATH.to_owned(), SortValue::Text(path))
        }
        By::Value(name, value) => ListPosition::Value(name.to_owned(), value(&held.row)),
    };
    Cursor(position, common.id)
}
