//! Pages of objects: filtered, ordered, from a cursor on, in both directions.
//!
//! A page comes from an index where there is one for the order, and stops reading when it is full. Long reads give
//! way to others: no worker is held for more than a few milliseconds at a time.

use std::ops::Bound;
use std::sync::Arc;
use std::time::{Duration, Instant};

use uuid::Uuid;

use super::cursor::{Cursor, Spot};
use super::error::ReadError;
use super::filter::{At, Filter};
use super::order::{By, Direction, SortValue};
use crate::inventory::{Held, KeyOf, Kind, Place, ReferenceId, Snapshot};
use crate::store::Row;

/// How many objects a page has when nobody says.
const USUAL: usize = 50;
/// How many objects a page has at the most.
pub const MOST: usize = 1_000;
/// How many objects are sorted by something that has no index.
const MOST_SORTED: usize = 100_000;
/// How long a read goes on before it gives way.
const TURN: Duration = Duration::from_millis(2);

/// A kind that can be listed.
pub trait Listed: Kind {
    /// Which objects are asked for.
    type Filter: Filter<Self>;
    /// In which order.
    type Order: Copy + Send + Sync + Into<(By<Self>, Direction)>;
    /// The GraphQL object.
    fn of(held: Held<Self>) -> Self;
}

/// Where the objects of a list come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All objects of the kind.
    All,
    /// Those that refer to an object by a reference.
    Referrers(Place, ReferenceId),
}

/// Which part of a list is asked for, as Relay has it.
#[derive(Clone, Debug, Default)]
pub struct PageArguments {
    pub first: Option<i32>,
    pub after: Option<String>,
    pub last: Option<i32>,
    pub before: Option<String>,
}

/// A list of objects.
#[derive(Debug)]
pub struct Listing<K: Listed> {
    pub snapshot: Arc<Snapshot>,
    pub scope: Scope,
    pub filter: Option<K::Filter>,
    pub order: Option<K::Order>,
}

/// A part of a list.
#[derive(Debug)]
pub struct Page<K: Listed> {
    pub objects: Vec<(Cursor, Held<K>)>,
    pub has_next: bool,
    pub has_previous: bool,
}

struct Window {
    limit: usize,
    after: Option<Cursor>,
    before: Option<Cursor>,
    backward: bool,
}

impl<K: Listed> Listing<K> {
    /// A page of the list.
    ///
    /// # Errors
    /// When an argument is out of bounds, or the order would need too much to be sorted.
    pub async fn page(&self, arguments: &PageArguments) -> Result<Page<K>, ReadError> {
        let (by, direction) = self.order.map_or((By::Key, Direction::Asc), Into::into);
        let window = window::<K>(arguments, by)?;
        let reversed = (direction == Direction::Desc) != window.backward;
        let candidates = self.candidates(by, reversed, &window, direction)?;
        let mut found = Vec::with_capacity(window.limit.min(64));
        let mut turn = Turn::begin();
        let mut more = false;
        for place in candidates {
            turn.give_way().await;
            let Some(held) = self.fitting(place) else { continue };
            let cursor = cursor_of(by, &self.snapshot, &held);
            if !window.holds(&cursor, direction) {
                continue;
            }
            if found.len() == window.limit {
                more = true;
                break;
            }
            found.push((cursor, held));
        }
        if window.backward {
            found.reverse();
        }
        let (has_next, has_previous) = match window.backward {
            true => (window.before.is_some(), more),
            false => (more, window.after.is_some()),
        };
        Ok(Page { objects: found, has_next, has_previous })
    }

    /// How many objects the list has.
    pub async fn count(&self) -> usize {
        if self.filter.is_none() {
            return match self.scope {
                Scope::All => self.snapshot.table(K::ID).len(),
                Scope::Referrers(place, reference) => self.snapshot.incoming(place).by(reference).count(),
            };
        }
        let mut turn = Turn::begin();
        let mut count = 0;
        let candidates: Vec<Place> = match self.narrowed() {
            Some(places) => places,
            None => {
                let slots = self.snapshot.table(K::ID).rows(0).map(|(slot, _)| slot);
                slots.map(|slot| Place { kind: K::ID, slot }).collect()
            }
        };
        for place in candidates {
            turn.give_way().await;
            count += usize::from(self.fitting(place).is_some());
        }
        count
    }

    fn fitting(&self, place: Place) -> Option<Held<K>> {
        let row = self.snapshot.row(place)?;
        let at = At { snapshot: &self.snapshot, place };
        let fits = match &self.filter {
            None => true,
            Some(filter) => row.as_any().downcast_ref().is_some_and(|row| filter.fits(row, at)),
        };
        if fits { self.snapshot.hold(place) } else { None }
    }

    /// The places that an index narrows the list to, without doubles; `None` when every object may fit.
    fn narrowed(&self) -> Option<Vec<Place>> {
        let by_filter = self.filter.as_ref().and_then(|filter| filter.candidates(&self.snapshot));
        let mut places = match (self.scope, by_filter) {
            (Scope::All, None) => return None,
            (Scope::All, Some(places)) => places,
            (Scope::Referrers(to, reference), None) => self.snapshot.incoming(to).by(reference).collect(),
            (Scope::Referrers(to, reference), Some(mut places)) => {
                places.retain(|place| self.snapshot.outgoing(*place).by(reference).any(|target| target == to));
                places
            }
        };
        places.sort_unstable();
        places.dedup();
        Some(places)
    }

    /// The places to look at, in the order in which they are wanted.
    fn candidates(
        &self,
        by: By<K>,
        reversed: bool,
        window: &Window,
        direction: Direction,
    ) -> Result<Box<dyn Iterator<Item = Place> + Send + '_>, ReadError> {
        if let Some(range) = self.key_range(by) {
            let keys = bounded(range, window, direction);
            let keys = self.snapshot.table(K::ID).keys_in(keys).map(|(_, slot)| Place { kind: K::ID, slot });
            return Ok(if reversed { Box::new(keys.rev()) } else { Box::new(keys) });
        }
        match (self.narrowed(), by) {
            (None, By::Updated) => Ok(self.by_version(reversed, window, direction)),
            (narrowed, by) => {
                let table = self.snapshot.table(K::ID);
                let count = narrowed.as_ref().map_or(table.len(), Vec::len);
                if let (By::Value(name, _), true) = (by, count > MOST_SORTED) {
                    let hint = K::describe().key.parents.first().copied().unwrap_or("name");
                    return Err(ReadError::TooComplex { by: name, count, most: MOST_SORTED, hint });
                }
                let all = || table.rows(0).map(|(slot, _)| Place { kind: K::ID, slot }).collect();
                let places = narrowed.unwrap_or_else(all).into_iter();
                let with_cursor = |place| Some((cursor_of(by, &self.snapshot, &self.fitting(place)?), place));
                let mut places: Vec<_> = places.filter_map(with_cursor).collect();
                places.sort_by(|left, right| left.0.cmp(&right.0));
                let places = places.into_iter().map(|(_, place)| place);
                Ok(if reversed { Box::new(places.rev()) } else { Box::new(places) })
            }
        }
    }

    /// The range of the key index that holds just this list in order, where there is one.
    fn key_range(&self, by: By<K>) -> Option<(Bound<KeyOf>, Bound<KeyOf>)> {
        if !matches!(by, By::Key)
            || self.filter.as_ref().is_some_and(|filter| filter.candidates(&self.snapshot).is_some())
        {
            return None;
        }
        match self.scope {
            Scope::All => Some((Bound::Unbounded, Bound::Unbounded)),
            Scope::Referrers(to, reference) => {
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

    /// All places in the order of their last change; those of one revision in the order of their ids.
    fn by_version(
        &self,
        reversed: bool,
        window: &Window,
        direction: Direction,
    ) -> Box<dyn Iterator<Item = Place> + Send + '_> {
        let version = |cursor: &Option<Cursor>| match cursor {
            Some(Cursor(Spot::Updated(version), _)) => Some(*version),
            _ => None,
        };
        let (mut least, mut most) = (version(&window.after), version(&window.before));
        if direction == Direction::Desc {
            std::mem::swap(&mut least, &mut most);
        }
        let table = self.snapshot.table(K::ID);
        let range = (least.unwrap_or(i64::MIN), 0)..=(most.unwrap_or(i64::MAX), u32::MAX);
        let places = table.versions_in(range);
        let mut places: Box<dyn Iterator<Item = (i64, u32)> + Send + '_> =
            if reversed { Box::new(places.rev()) } else { Box::new(places) };
        let mut next = places.next();
        let groups = std::iter::from_fn(move || {
            let (version, slot) = next.take()?;
            let mut group = vec![slot];
            loop {
                next = places.next();
                match next {
                    Some((same, slot)) if same == version => group.push(slot),
                    _ => break,
                }
            }
            group.sort_by_cached_key(|slot| table.row(*slot).map(|row| row.common().id));
            if reversed {
                group.reverse();
            }
            Some(group)
        });
        Box::new(groups.flatten().map(|slot| Place { kind: K::ID, slot }))
    }
}

/// The bounds of a key range, drawn in to what the cursors leave of it.
fn bounded(
    (mut least, mut most): (Bound<KeyOf>, Bound<KeyOf>),
    window: &Window,
    direction: Direction,
) -> (Bound<KeyOf>, Bound<KeyOf>) {
    let key = |cursor: &Option<Cursor>| match cursor {
        Some(Cursor(Spot::Key(parent, family, SortValue::Text(name)), _)) => {
            Some(Bound::Excluded(KeyOf { parent: *parent, family: *family, name: name.as_str().into() }))
        }
        _ => None,
    };
    let (after, before) = match direction {
        Direction::Asc => (key(&window.after), key(&window.before)),
        Direction::Desc => (key(&window.before), key(&window.after)),
    };
    let inside = |bound: &Bound<KeyOf>| match (bound, &least, &most) {
        (Bound::Excluded(key), Bound::Included(least), Bound::Included(most)) => key >= least && key <= most,
        _ => true,
    };
    // A cursor from another list bounds nothing here; the comparison of each object with it still does.
    let (after, before) = (after.filter(inside), before.filter(inside));
    if let Some(after) = after {
        least = after;
    }
    if let Some(before) = before {
        most = before;
    }
    // The index refuses a range that begins after its end: such a page is empty.
    if let (Bound::Excluded(from), Bound::Excluded(to)) = (&least, &most)
        && from >= to
    {
        let nowhere = KeyOf { parent: Uuid::max(), family: u8::MAX, name: "".into() };
        return (Bound::Excluded(nowhere.clone()), Bound::Included(nowhere));
    }
    (least, most)
}

impl Window {
    /// Whether an object at a cursor is between the two that were given.
    fn holds(&self, cursor: &Cursor, direction: Direction) -> bool {
        let beyond = |left: &Cursor, right: &Cursor| match direction {
            Direction::Asc => left > right,
            Direction::Desc => left < right,
        };
        self.after.as_ref().is_none_or(|after| beyond(cursor, after))
            && self.before.as_ref().is_none_or(|before| beyond(before, cursor))
    }
}

fn window<K: Kind>(arguments: &PageArguments, by: By<K>) -> Result<Window, ReadError> {
    let size = |argument: &'static str, size: i32| match usize::try_from(size) {
        Ok(size) if size <= MOST => Ok(size),
        _ => Err(ReadError::Argument { argument, reason: format!("must be from 0 to {MOST}, not {size}") }),
    };
    let cursor = |argument: &'static str, text: &Option<String>| {
        let Some(text) = text else { return Ok(None) };
        let decoded = Cursor::decode(text).filter(|cursor| fits_order(&cursor.0, by));
        let reason = || "is no cursor of a list in this order: take one from pageInfo or edges".to_owned();
        decoded.map(Some).ok_or_else(|| ReadError::Argument { argument, reason: reason() })
    };
    let (limit, backward) = match (arguments.first, arguments.last) {
        (Some(_), Some(_)) => {
            return Err(ReadError::Argument { argument: "last", reason: "cannot be combined with first".to_owned() });
        }
        (None, Some(last)) => (size("last", last)?, true),
        (first, None) => (first.map_or(Ok(USUAL), |first| size("first", first))?, false),
    };
    Ok(Window {
        limit,
        after: cursor("after", &arguments.after)?,
        before: cursor("before", &arguments.before)?,
        backward,
    })
}

fn fits_order<K: Kind>(spot: &Spot, by: By<K>) -> bool {
    match (spot, by) {
        (Spot::Key(..), By::Key) | (Spot::Updated(_), By::Updated) => true,
        (Spot::Value(name, _), By::Value(by, _)) => name == by,
        _ => false,
    }
}

fn cursor_of<K: Kind>(by: By<K>, snapshot: &Snapshot, held: &Held<K>) -> Cursor {
    let common = held.row.common();
    let spot = match by {
        By::Key => {
            let key = snapshot.key_of(K::describe(), held.row.as_ref());
            Spot::Key(key.parent, key.family, SortValue::Text(common.name.to_owned()))
        }
        By::Updated => Spot::Updated(common.version),
        By::Value(name, value) => Spot::Value(name.to_owned(), value(&held.row)),
    };
    Cursor(spot, common.id)
}

/// A turn at the worker: after a while the read gives way to others.
pub struct Turn {
    began: Instant,
    steps: u32,
}

impl Turn {
    /// Begins a turn.
    pub fn begin() -> Self {
        Self { began: Instant::now(), steps: 0 }
    }

    /// Takes a step; lets others run first when this turn has been long.
    pub async fn give_way(&mut self) {
        self.steps += 1;
        // The clock is looked at now and then: it costs as much as a step.
        if self.steps.is_multiple_of(64) && self.began.elapsed() > TURN {
            tokio::task::yield_now().await;
            self.began = Instant::now();
        }
    }
}
