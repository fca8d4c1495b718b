//! Checks a whole batch: duplicate keys, references to removed objects, and the rules of every kind.

use std::collections::{BTreeSet, HashMap};

use uuid::Uuid;

use super::work::Work;
use crate::runtime::parallel;
use underlay_inventory::{Checked, Collision, Field, KindId, ObjectRef, Problems, Refusal, Snapshot, Touched, Writer};

/// The maximum number of containers around an object.
const MAX_CONTAINERS: usize = 64;

impl Work<'_> {
    /// Checks the changes that these items made to `start`.
    pub(super) fn verify(&mut self, start: &Snapshot) {
        // If an item is refused already, errors that follow from it would only hide the cause.
        if !self.refusals.is_empty() {
            return;
        }
        for collision in self.draft.collisions() {
            self.refuse_collision(&collision);
        }
        let touched = self.touched(start);
        // The use of an object is a better reason than that others refer to it.
        self.check_protection(start, &touched);
        if !self.refusals.is_empty() {
            return;
        }
        self.check_removed();
        if !self.refusals.is_empty() {
            return;
        }
        let kinds: BTreeSet<KindId> = touched.iter().map(|touched| touched.kind).collect();
        let rules: Vec<_> = kinds.into_iter().flat_map(|kind| start.kind(kind).rules).collect();
        let checked = Checked {
            before: start,
            after: self.draft.snapshot(),
            touched: &touched,
            writer: self.source().map_or(Writer::Others, Writer::Source),
        };
        let problems = parallel(&rules, touched.len(), |rules| {
            let mut problems = Problems::default();
            rules.iter().for_each(|rule| rule(&checked, &mut problems));
            problems.into_vec()
        });
        for (object, refusal) in problems {
            self.refuse_object(object, refusal);
        }
        let mut depths = HashMap::new();
        for touched in &touched {
            if let Some(refusal) = self.too_deep(touched, &mut depths) {
                self.refuse_object(touched.id, refusal);
            }
        }
    }

    /// Refuses an object whose container is already at the maximum depth. The containers of an object are recorded with
    /// every change.
    fn too_deep(&self, touched: &Touched, depths: &mut HashMap<ObjectRef, usize>) -> Option<Refusal> {
        let snapshot = self.draft.snapshot();
        let after = touched.after.as_ref()?;
        let changed =
            |field: &Field| touched.before.as_ref().is_none_or(|before| !(field.same)(before.as_ref(), after.as_ref()));
        let containers = snapshot.kind(touched.kind).references();
        let mut containers = containers.filter(|(_, field)| field.reference.is_some_and(|reference| reference.within));
        let (_, field) = containers.find(|(reference, field)| {
            let target = snapshot.find(touched.id).and_then(|object| snapshot.outgoing(object).first_by(*reference));
            changed(field) && target.is_some_and(|target| snapshot.depth(target, depths) > MAX_CONTAINERS)
        })?;
        let reason = format!("must not be nested more than {MAX_CONTAINERS} deep");
        Some(Refusal::Invalid { field: field.name.to_owned(), reason })
    }

    fn refuse_collision(&mut self, collision: &Collision) {
        // The object that was written is the origin. If both were written, it is the one that entered the index last.
        let (claimant, other) = match self.origin.contains_key(&collision.holder) {
            true => (collision.holder, collision.other),
            false => (collision.other, collision.holder),
        };
        let snapshot = self.draft.snapshot();
        let Some(kind) = snapshot.find(claimant).map(|object| snapshot.kind(object.kind)) else { return };
        let refusal = Refusal::KeyConflict {
            field: collision.field.to_owned(),
            what: collision.what.clone(),
            holder: self.called(snapshot, kind, other),
            claimant: self.called(self.base, kind, claimant),
        };
        self.refuse_object(claimant, refusal);
    }

    pub(super) fn refuse_object(&mut self, object: Uuid, refusal: Refusal) {
        let origin = self.origin.get(&object).copied();
        let (item, part) = origin.map_or((0, None), |origin| (origin.item, origin.part));
        self.refuse(
            item,
            match part {
                Some(part) => refusal.within(part),
                None => refusal,
            },
        );
    }

    fn touched(&self, start: &Snapshot) -> Vec<Touched> {
        let snapshot = self.draft.snapshot();
        let mut touched = Vec::new();
        for id in self.draft.touched_since(self.mark) {
            let (before, after) = (start.row_of(id).cloned(), snapshot.row_of(id).cloned());
            if let Some(object) = snapshot.find(id).or_else(|| start.find(id)) {
                touched.push(Touched { kind: object.kind, id, before, after });
            }
        }
        touched
    }
}
