//! Working out how objects are shown, and what else must be shown because of them.

use std::collections::HashMap;
use std::sync::Arc;

use uuid::Uuid;

use super::StoodOn;
use super::error::UnseenError;
use super::marks::{Past, is_plain, marked};
use super::shown::{self, RowShown};
use super::sight::{Sight, Sights};
use crate::inventory::{Description, Place, Snapshot};
use crate::store::Row;

pub(super) type Result<T> = std::result::Result<T, UnseenError>;
/// How an object is shown; `None`: not at all.
pub(super) type Shown = Option<(&'static Description, Arc<dyn Row>)>;
/// Objects that are shown otherwise than they are, or than they were.
pub(super) type AllShown = HashMap<Uuid, Shown>;

/// Objects that are looked at.
pub(super) struct Work<'a, 'b> {
    whole: &'a Snapshot,
    /// What was seen a revision ago.
    before: Option<&'b Snapshot>,
    sights: &'b mut Sights<'a>,
    stood_on: &'b mut StoodOn,
    pending: Vec<Uuid>,
}

impl<'a, 'b> Work<'a, 'b> {
    pub fn new(whole: &'a Snapshot, sights: &'b mut Sights<'a>, stood_on: &'b mut StoodOn) -> Self {
        Self { whole, before: None, sights, stood_on, pending: Vec::new() }
    }

    /// The same for a value that follows on what was seen.
    pub fn after(self, before: &'b Snapshot) -> Self {
        Self { before: Some(before), ..self }
    }

    /// Whether an object is seen in full, with all that it refers to, and everything that its row says of its changes and
    /// managers is of what is seen.
    pub fn is_shown_as_it_is(&mut self, place: Place, row: &dyn Row) -> bool {
        let mut places = std::iter::once(place).chain(self.whole.outgoing(place).iter().map(|edge| edge.other()));
        places.all(|place| self.sights.of(place) != Sight::Hidden) && is_plain(row, self.sights.losable(place.kind))
    }

    /// Marks an object to be looked at.
    pub fn look_at(&mut self, id: Uuid) {
        self.pending.push(id);
    }

    /// Looks at all that is marked, and at what begins or ceases to be stood on by that. It ends: what stands on others
    /// is decided by itself, and what is stood on stands on what it is in, which is nested within bounds.
    pub fn settle(mut self) -> Result<AllShown> {
        let mut all = AllShown::new();
        while let Some(id) = self.pending.pop() {
            let place = self.whole.find(id);
            let (shown, stands_on) = match place.map(|place| self.shown(place, id)).transpose()?.flatten() {
                Some((row, stands_on)) => (place.map(|place| (self.sights.kind(place.kind), row)), stands_on),
                None => (None, Vec::new()),
            };
            all.insert(id, shown);
            self.stand(id, stands_on);
        }
        Ok(all)
    }

    fn shown(&mut self, place: Place, id: Uuid) -> Result<Option<RowShown>> {
        let Some(row) = self.whole.row(place) else { return Ok(None) };
        match self.sights.of(place) {
            Sight::Own | Sight::Shared => {
                let (shown, stands_on) = shown::in_full(self.whole, place, row, self.sights)?;
                let (kind, losable) = (self.sights.kind(place.kind), Arc::clone(self.sights.losable(place.kind)));
                let past = self.past(kind, id);
                Ok(Some((marked(kind, &losable, (row, shown), past, self.whole.head()), stands_on)))
            }
            Sight::Hidden if self.stood_on.count.contains_key(&id) => {
                shown::reduced(self.whole, place, row.as_ref(), self.sights).map(Some)
            }
            Sight::Hidden => Ok(None),
        }
    }

    /// An object as it was a revision ago, if it was shown in full. What is shown reduced has no version.
    fn past(&self, kind: &Description, id: Uuid) -> Option<Past<'b>> {
        let before = self.before?;
        let place = before.find(id).filter(|place| place.kind == kind.id)?;
        let shown = before.row(place).filter(|row| row.common().version > 0)?;
        let whole = before.part_of()?.row_of(id)?.as_ref();
        Some(Past { shown, whole })
    }

    /// Remembers what an object stands on, in the place of what it stood on before.
    fn stand(&mut self, id: Uuid, on: Vec<Uuid>) {
        let StoodOn { count, by } = &mut *self.stood_on;
        let before = by.remove(&id).unwrap_or_default();
        for begun in on.iter().filter(|id| !before.contains(id)) {
            let count = count.entry(*begun).or_default();
            *count += 1;
            if *count == 1 {
                self.pending.push(*begun);
            }
        }
        for ended in before.iter().filter(|id| !on.contains(id)) {
            if let Some(left) = count.get_mut(ended) {
                *left -= 1;
                if *left == 0 {
                    count.remove(ended);
                    self.pending.push(*ended);
                }
            }
        }
        if !on.is_empty() {
            by.insert(id, on);
        }
    }
}
