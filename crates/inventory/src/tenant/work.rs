//! Projects objects for a tenant, and finds the other objects that must be shown because of them.

use std::collections::HashMap;
use std::sync::Arc;

use uuid::Uuid;

use super::StoodOn;
use super::error::Result;
use super::marks::{Past, is_plain, marked};
use super::projection::{self, RowProjected};
use super::visibility::{Visibilities, Visibility};
use crate::{Description, ObjectRef, Snapshot};
use underlay_entity::row::Row;

/// The projection of an object; `None` if it is hidden.
pub(super) type Projected = Option<(&'static Description, Arc<dyn Row>)>;
/// The objects whose projection differs from the stored row or from the last view.
pub(super) type AllProjected = HashMap<Uuid, Projected>;

/// The queue of objects to project.
pub(super) struct Work<'a, 'b> {
    whole: &'a Snapshot,
    /// The view of one revision ago.
    before: Option<&'b Snapshot>,
    visibilities: &'b mut Visibilities<'a>,
    stood_on: &'b mut StoodOn,
    pending: Vec<Uuid>,
}

impl<'a, 'b> Work<'a, 'b> {
    pub fn new(whole: &'a Snapshot, visibilities: &'b mut Visibilities<'a>, stood_on: &'b mut StoodOn) -> Self {
        Self { whole, before: None, visibilities, stood_on, pending: Vec::new() }
    }

    /// Sets the view of one revision ago, for an update of that view.
    pub fn after(self, before: &'b Snapshot) -> Self {
        Self { before: Some(before), ..self }
    }

    /// Returns true if an object is shown exactly as it is stored: it and all its targets are shown in full, no field
    /// is hidden from tenants, and the version, times and managers of its row come from visible data.
    pub fn is_projected_as_it_is(&mut self, object: ObjectRef, row: &dyn Row) -> bool {
        let mut objects = std::iter::once(object).chain(self.whole.outgoing(object).iter().map(|edge| edge.other()));
        let hidden = self.visibilities.hidden(object.kind);
        let hides_nothing = hidden.is_empty() || {
            let blank = (self.visibilities.kind(object.kind).blank)();
            hidden.iter().all(|field| (field.same)(row, blank.as_ref()))
        };
        objects.all(|object| self.visibilities.of(object) != Visibility::Hidden)
            && hides_nothing
            && is_plain(row, self.visibilities.losable(object.kind))
    }

    /// Adds an object to the queue.
    pub fn look_at(&mut self, id: Uuid) {
        self.pending.push(id);
    }

    /// Projects all objects in the queue, and those that gain their first or lose their last referrer because of them.
    /// The loop terminates. The visibility of an object with references does not depend on them, and a reduced object
    /// refers only to its surroundings, whose nesting is bounded.
    pub fn settle(mut self) -> Result<AllProjected> {
        let mut all = AllProjected::new();
        while let Some(id) = self.pending.pop() {
            let object = self.whole.find(id);
            let (projected, stands_on) = match object.map(|object| self.projected(object, id)).transpose()?.flatten() {
                Some((row, stands_on)) => (object.map(|object| (self.visibilities.kind(object.kind), row)), stands_on),
                None => (None, Vec::new()),
            };
            all.insert(id, projected);
            self.stand(id, stands_on);
        }
        Ok(all)
    }

    fn projected(&mut self, object: ObjectRef, id: Uuid) -> Result<Option<RowProjected>> {
        let Some(row) = self.whole.row(object) else { return Ok(None) };
        match self.visibilities.of(object) {
            Visibility::Own | Visibility::Shared => {
                let (projected, stands_on) = projection::in_full(self.whole, object, row, self.visibilities)?;
                let (kind, losable) =
                    (self.visibilities.kind(object.kind), Arc::clone(self.visibilities.losable(object.kind)));
                let past = self.past(kind, id);
                Ok(Some((marked(kind, &losable, (row, projected), past, self.whole.head()), stands_on)))
            }
            Visibility::Hidden if self.stood_on.count.contains_key(&id) => {
                projection::reduced(self.whole, object, row.as_ref(), self.visibilities).map(Some)
            }
            Visibility::Hidden => Ok(None),
        }
    }

    /// Returns an object as it was one revision ago, if it was shown in full. A reduced object has no version (0).
    fn past(&self, kind: &Description, id: Uuid) -> Option<Past<'b>> {
        let before = self.before?;
        let object = before.find(id).filter(|object| object.kind == kind.id)?;
        let projected = before.row(object).filter(|row| row.common().version > 0)?;
        let whole = before.part_of()?.row_of(id)?.as_ref();
        Some(Past { projected, whole })
    }

    /// Replaces the recorded objects of others that an object refers to.
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
