//! Filters on objects: what every kind's filter can do, and how filters look through references.

use std::sync::Arc;

use foldhash::HashSet;

use super::values::{ExternalRefFilter, IdFilter, TextFilter};
use underlay_inventory::{Kind, ObjectRef, ReferenceId, Snapshot};

/// How many places a filter narrows a list to.
const MOST_NARROWED: usize = 100_000;

/// Where a filter stands: an object in a snapshot.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The snapshot.
    pub snapshot: &'a Arc<Snapshot>,
    /// The place of the object.
    pub place: ObjectRef,
}

/// Which objects of a kind are asked for.
pub trait Filter<K: Kind>: Send + Sync {
    /// Whether an object fits.
    fn fits(&self, row: &K::Row, at: At<'_>) -> bool;

    /// Places among which all that fit are, where an index tells and they are not too many; `None` when it may be any.
    fn candidates(&self, snapshot: &Snapshot) -> Option<Vec<ObjectRef>>;

    /// Whether the filter, standing for a reference, asks for the reference to be absent or present.
    fn is_null(&self) -> Option<bool>;
}

/// Whether what an object refers to fits a filter.
pub fn reference_fits<K: Kind, F: Filter<K>>(filter: &F, reference: ReferenceId, at: At<'_>) -> bool {
    let target = at.snapshot.outgoing(at.place).by(reference).find(|target| target.kind == K::ID);
    let row = target.and_then(|place| Some((place, at.snapshot.row(place)?.as_any().downcast_ref::<K::Row>()?)));
    match (filter.is_null(), row) {
        (Some(true), row) => row.is_none(),
        (_, None) => false,
        (_, Some((place, row))) => filter.fits(row, At { place, ..at }),
    }
}

/// Whether one of the objects that an object refers to fits a filter, where a reference may be to several.
pub fn any_reference_fits<K: Kind, F: Filter<K>>(filter: &F, reference: ReferenceId, at: At<'_>) -> bool {
    at.snapshot.outgoing(at.place).by(reference).filter(|target| target.kind == K::ID).any(|place| {
        let row = at.snapshot.row(place).and_then(|row| row.as_any().downcast_ref::<K::Row>());
        row.is_some_and(|row| filter.fits(row, At { place, ..at }))
    })
}

/// Whether some, and none, of the objects that refer to an object fit.
pub fn referrers_fit<K: Kind, F: Filter<K>>(
    some: Option<&F>,
    none: Option<&F>,
    reference: ReferenceId,
    at: At<'_>,
) -> bool {
    let any = |filter: &F| {
        at.snapshot.incoming(at.place).by(reference).any(|place| {
            let row = at.snapshot.row(place).and_then(|row| row.as_any().downcast_ref::<K::Row>());
            row.is_some_and(|row| filter.fits(row, At { place, ..at }))
        })
    };
    some.is_none_or(&any) && none.is_none_or(|filter| !any(filter))
}

/// The objects that refer to one of those that a filter narrows a reference to.
pub fn reference_candidates<K: Kind, F: Filter<K>>(
    filter: &F,
    reference: ReferenceId,
    snapshot: &Snapshot,
) -> Option<Vec<ObjectRef>> {
    let targets = filter.candidates(snapshot)?;
    few(targets.into_iter().flat_map(|target| snapshot.incoming(target).by(reference)))
}

/// The objects that the common parts of a filter narrow a kind to.
pub fn common_candidates<K: Kind>(
    id: Option<&IdFilter>,
    name: Option<&TextFilter>,
    external: Option<&ExternalRefFilter>,
    snapshot: &Snapshot,
) -> Option<Vec<ObjectRef>> {
    if let Some(filter) = id.filter(|id| id.ids().next().is_some()) {
        let ids = filter.ids().filter_map(|id| uuid::Uuid::parse_str(id).ok());
        return Some(ids.filter_map(|id| snapshot.find(id)).filter(|place| place.kind == K::ID).collect());
    }
    let place = |slot| ObjectRef { kind: K::ID, slot };
    if let Some(ExternalRefFilter { source: Some(source), external_id: Some(external_id) }) = external {
        let slot = snapshot.table(K::ID).by_external(source, external_id);
        return Some(slot.into_iter().map(place).collect());
    }
    let name = name.filter(|name| name.case_insensitive != Some(true))?;
    let names: Vec<&String> = match (&name.eq, &name.any) {
        (Some(name), _) => vec![name],
        (None, Some(names)) => names.iter().collect(),
        (None, None) => return None,
    };
    let table = snapshot.table(K::ID);
    few(names.into_iter().flat_map(|name| table.named(name)).map(place))
}

/// The places, if they are few enough to be looked at for each page. Among more, a page is found sooner by the index of
/// its order, which begins at the cursor and ends when the page is full.
fn few(mut places: impl Iterator<Item = ObjectRef>) -> Option<Vec<ObjectRef>> {
    let few: Vec<ObjectRef> = places.by_ref().take(MOST_NARROWED).collect();
    places.next().is_none().then_some(few)
}

/// Whether an object stands anywhere beneath another.
pub fn is_within(ancestor: &str, at: At<'_>) -> bool {
    let ancestor = uuid::Uuid::parse_str(ancestor).ok().and_then(|id| at.snapshot.find(id));
    ancestor.is_some_and(|ancestor| stands_in(at.snapshot, at.place, ancestor))
}

/// Whether what is at a place stands anywhere beneath another.
pub(super) fn stands_in(snapshot: &Snapshot, place: ObjectRef, ancestor: ObjectRef) -> bool {
    let mut pending = vec![place];
    // Containment has no circles, but many ends of a cable may stand in the same place.
    let mut seen = HashSet::default();
    while let Some(place) = pending.pop() {
        for container in snapshot.nearest_containers(place) {
            if container == ancestor {
                return true;
            }
            if seen.insert(container) {
                pending.push(container);
            }
        }
    }
    false
}
