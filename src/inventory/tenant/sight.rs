//! Which objects a tenant sees in full.

use std::collections::HashMap;
use std::sync::Arc;

use crate::inventory::{Description, KindId, Place, ReferenceId, Snapshot};
use crate::store::Row;

/// How a tenant sees an object by itself, whatever refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// In full: it is its own.
    Own,
    /// In full: it is nobody's.
    Shared,
    /// It is, or belongs to, something of others.
    Hidden,
}

/// How a tenant sees the objects of a value. What was worked out is kept.
pub(super) struct Sights<'a> {
    value: &'a Snapshot,
    tenant: &'a str,
    belonging: Vec<Belonging>,
    known: HashMap<Place, Sight>,
}

/// By which of its references an object without a tenant belongs to others.
struct Belonging {
    /// What contains it, and what it requires.
    needs: Vec<ReferenceId>,
    /// The parents of its key, of which the first that is set counts.
    parents: Vec<ReferenceId>,
}

impl Belonging {
    fn of(kind: &Description) -> Self {
        let needs = kind.references().filter(|(_, field)| {
            let contained = field.reference.is_some_and(|reference| reference.contained);
            contained || field.required
        });
        let by = |(place, _)| ReferenceId { kind: kind.id, field: place as u8 };
        Self { needs: needs.map(|(by, _)| by).collect(), parents: kind.parent_fields().map(by).collect() }
    }
}

impl<'a> Sights<'a> {
    /// For some objects.
    pub fn of_some(value: &'a Snapshot, tenant: &'a str) -> Self {
        let belonging = value.registry().kinds().map(Belonging::of).collect();
        Self { value, tenant, belonging, known: HashMap::new() }
    }

    /// For all objects.
    pub fn of_all(value: &'a Snapshot, tenant: &'a str) -> Self {
        Self { known: HashMap::with_capacity(value.len()), ..Self::of_some(value, tenant) }
    }

    /// How an object is seen; what is not there is hidden. It is asked of what the object belongs to first, which is not
    /// deep: containers are nested within bounds.
    pub fn of(&mut self, place: Place) -> Sight {
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let sight = match self.value.row(place).map(|row| row.common().tenant) {
            Some(Some(tenant)) if tenant == self.tenant => Sight::Own,
            None | Some(Some(_)) => Sight::Hidden,
            Some(None) => {
                // What belongs to itself, in a circle that no rule has refused, belongs to nobody who is known.
                self.known.insert(place, Sight::Hidden);
                if self.is_of_others(place) { Sight::Hidden } else { Sight::Shared }
            }
        };
        self.known.insert(place, sight);
        sight
    }

    /// Whether an object without a tenant belongs to something that is hidden.
    fn is_of_others(&mut self, place: Place) -> bool {
        let edges = self.value.outgoing(place);
        let Belonging { needs, parents } = &self.belonging[usize::from(place.kind.0)];
        let parent = parents.iter().find(|by| edges.first_by(**by).is_some());
        let by: Vec<ReferenceId> = needs.iter().chain(parent).copied().collect();
        let row = self.value.row(place);
        by.into_iter().any(|by| {
            let reference = self.value.registry().field(by).reference;
            let is_apart = |row: &Arc<dyn Row>| reference.is_some_and(|it| it.is_apart(row.as_ref()));
            if row.is_some_and(is_apart) {
                return false;
            }
            let mut targets = edges.by(by).peekable();
            targets.peek().is_some() && !targets.any(|target| self.of(target) != Sight::Hidden)
        })
    }

    /// The kind of a place.
    pub fn kind(&self, kind: KindId) -> &'static Description {
        self.value.kind(kind)
    }
}
