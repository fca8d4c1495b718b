//! The places in which objects are, for readers that ask for everything beneath one.
//!
//! An object is beneath what it stands in or ends at, at any depth. Some objects stand in nothing by themselves, and are
//! where others are: a virtual machine where its host is, a cluster where its devices are, a circuit where it ends.
//! References declare that (`Field::placing`, `Field::placing_target`). It changes nothing else: what is placed so
//! does not go with its place.

use foldhash::HashSet;

use super::edges::{Edge, ObjectRef};
use super::kind::{Description, Registry};
use super::number::ReferenceId;
use super::snapshot::Snapshot;

impl Registry {
    /// Returns true if objects of a kind can stand in others or end at them by their own references. Only of such
    /// objects do the events of a change know where they were.
    pub fn has_containers(&self, kind: &Description) -> bool {
        let mut references = kind.references().filter_map(|(_, field)| field.reference.as_ref());
        references.any(|reference| reference.within || reference.ends)
    }

    /// Returns true if objects of a kind can be beneath others.
    pub fn has_places(&self, kind: &Description) -> bool {
        let leads = kind.references().any(|(_, field)| {
            field.reference.as_ref().is_some_and(|reference| reference.within || reference.ends || reference.places)
        });
        let is_led_to = || {
            self.kinds()
                .flat_map(Description::references)
                .filter_map(|(_, field)| field.reference.as_ref())
                .any(|reference| reference.places_target && reference.targets.contains(&kind.name))
        };
        leads || is_led_to()
    }
}

impl Snapshot {
    /// Returns true if an object is beneath a place, at any depth. `go_on` is called for each object that is looked at;
    /// if it returns false, the search ends, and the result means nothing.
    pub fn is_in_place(&self, object: ObjectRef, place: ObjectRef, go_on: impl FnMut() -> bool) -> bool {
        self.is_in_a_place(object, |at| at == place, go_on)
    }

    /// Does the same for any place that fits.
    pub fn is_in_a_place(
        &self,
        object: ObjectRef,
        fits: impl Fn(ObjectRef) -> bool,
        mut go_on: impl FnMut() -> bool,
    ) -> bool {
        let mut pending = vec![(object, None)];
        // Containment has no cycles, but several ends of a cable may be in the same container.
        let mut seen = HashSet::default();
        while let Some((at, reached_by)) = pending.pop() {
            if !go_on() {
                return false;
            }
            for (next, by) in self.next_places(at, reached_by) {
                if fits(next) {
                    return true;
                }
                if seen.insert(next) {
                    pending.push((next, Some(by)));
                }
            }
        }
        false
    }

    /// Returns where an object is, one step on: what it stands in or ends at, and what it is where it is with. An object
    /// that was reached from one that places it is not searched for others that do: a circuit is where both of its ends
    /// are, but one end is not where the other is.
    fn next_places(
        &self,
        object: ObjectRef,
        reached_by: Option<ReferenceId>,
    ) -> impl Iterator<Item = (ObjectRef, ReferenceId)> + '_ {
        let reference = |edge: &Edge| self.registry().field(edge.reference()).reference.as_ref();
        let step = |edge: Edge| (edge.other(), edge.reference());
        let outgoing = self.outgoing(object);
        let standing = outgoing.iter().filter(move |edge| self.stands_by(object, edge.reference())).map(step);
        // The first reference counts: a virtual machine with a host is not everywhere where its cluster is.
        let placing = outgoing.iter().find(|edge| reference(edge).is_some_and(|it| it.places)).map(step);
        let placed_by = self.incoming(object).iter().filter(move |edge| {
            reached_by != Some(edge.reference()) && reference(edge).is_some_and(|it| it.places_target)
        });
        standing.chain(placing).chain(placed_by.map(step))
    }
}
