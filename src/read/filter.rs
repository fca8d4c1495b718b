//! Filters on objects: the members that every kind's filter has, and filters on the targets of references.

use std::sync::Arc;

use foldhash::HashSet;

use super::steps::Steps;
use super::values::{ExternalRefFilter, IdFilter, TextFilter};
use underlay_inventory::{Kind, ObjectRef, ReferenceId, Snapshot};

/// The maximum number of candidates that a filter may return.
const MAX_NARROWED_CANDIDATES: usize = 100_000;

/// The object that a filter is applied to, in a snapshot, and the steps that this may take.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The snapshot that holds the object.
    pub snapshot: &'a Arc<Snapshot>,
    /// The index of the object.
    pub object: ObjectRef,
    /// The steps that are left to the evaluation.
    pub steps: &'a Steps,
}

/// A condition that can contain filters on other objects.
pub trait Nests {
    /// Returns the number of references and lists that lead from the object to the last of these others, at most.
    fn nesting(&self) -> usize {
        0
    }
}

impl Nests for bool {}
impl Nests for String {}
impl Nests for TextFilter {}

impl<T: Nests> Nests for Box<T> {
    fn nesting(&self) -> usize {
        self.as_ref().nesting()
    }
}

impl<T: Nests> Nests for Option<T> {
    fn nesting(&self) -> usize {
        self.as_ref().map_or(0, Nests::nesting)
    }
}

impl<T: Nests> Nests for Vec<T> {
    fn nesting(&self) -> usize {
        self.iter().map(Nests::nesting).max().unwrap_or_default()
    }
}

/// A filter on the objects of a kind.
pub trait Filter<K: Kind>: Nests + Send + Sync + 'static {
    /// Returns true if an object matches. If the steps are used up, the result means nothing.
    fn fits(&self, row: &K::Row, at: At<'_>) -> bool;

    /// Returns a superset of the matching objects if an index can find it and it is small enough; `None` if any object
    /// may match, or if the steps are used up.
    fn candidates(&self, snapshot: &Snapshot, steps: &Steps) -> Option<Vec<ObjectRef>>;

    /// Returns whether a filter on a reference requires the reference to be absent or present.
    fn is_null(&self) -> Option<bool>;
}

/// Returns true if the target of a reference matches a filter.
pub fn reference_fits<K: Kind, F: Filter<K>>(filter: &F, reference: ReferenceId, at: At<'_>) -> bool {
    let target = at.snapshot.outgoing(at.object).by(reference).find(|target| target.kind == K::ID);
    let row = target.and_then(|object| Some((object, at.snapshot.row(object)?.as_any().downcast_ref::<K::Row>()?)));
    match (filter.is_null(), row) {
        (Some(true), row) => row.is_none(),
        (_, None) => false,
        (_, Some((object, row))) => filter.fits(row, At { object, ..at }),
    }
}

/// Returns true if one of the targets of a reference matches a filter. The reference may have several targets.
pub fn any_reference_fits<K: Kind, F: Filter<K>>(filter: &F, reference: ReferenceId, at: At<'_>) -> bool {
    at.snapshot.outgoing(at.object).by(reference).filter(|target| target.kind == K::ID).any(|object| {
        let row = at.snapshot.row(object).and_then(|row| row.as_any().downcast_ref::<K::Row>());
        row.is_some_and(|row| filter.fits(row, At { object, ..at }))
    })
}

/// Returns true if some of the objects that refer to an object match one filter, and none match another.
pub fn referrers_fit<K: Kind, F: Filter<K>>(
    some: Option<&F>,
    none: Option<&F>,
    reference: ReferenceId,
    at: At<'_>,
) -> bool {
    let any = |filter: &F| {
        at.snapshot.incoming(at.object).by(reference).any(|object| {
            let row = at.snapshot.row(object).and_then(|row| row.as_any().downcast_ref::<K::Row>());
            row.is_some_and(|row| filter.fits(row, At { object, ..at }))
        })
    };
    some.is_none_or(&any) && none.is_none_or(|filter| !any(filter))
}

/// Returns the objects that refer to one of the candidates of a filter on a reference.
pub fn reference_candidates<K: Kind, F: Filter<K>>(
    filter: &F,
    reference: ReferenceId,
    snapshot: &Snapshot,
    steps: &Steps,
) -> Option<Vec<ObjectRef>> {
    let targets = filter.candidates(snapshot, steps)?;
    few(targets.into_iter().flat_map(|target| snapshot.incoming(target).by(reference)), steps)
}

/// Returns the candidates of the members that every filter has.
pub fn common_candidates<K: Kind>(
    id: Option<&IdFilter>,
    name: Option<&TextFilter>,
    external: Option<&ExternalRefFilter>,
    snapshot: &Snapshot,
    steps: &Steps,
) -> Option<Vec<ObjectRef>> {
    if let Some(filter) = id.filter(|id| id.ids().next().is_some()) {
        let ids = filter.ids().filter_map(|id| uuid::Uuid::parse_str(id).ok());
        return Some(ids.filter_map(|id| snapshot.find(id)).filter(|object| object.kind == K::ID).collect());
    }
    let object = |slot| ObjectRef { kind: K::ID, slot };
    if let Some(ExternalRefFilter { source: Some(source), external_id: Some(external_id) }) = external {
        let slot = snapshot.table(K::ID).by_external(source, external_id);
        return Some(slot.into_iter().map(object).collect());
    }
    let name = name.filter(|name| name.case_insensitive != Some(true))?;
    let names: Vec<&String> = match (&name.eq, &name.any) {
        (Some(name), _) => vec![name],
        (None, Some(names)) => names.iter().collect(),
        (None, None) => return None,
    };
    let table = snapshot.table(K::ID);
    few(names.into_iter().flat_map(|name| table.named(name)).map(object), steps)
}

/// Returns the candidates if they are few enough to be checked for each page. With more candidates, a page is found
/// faster by the index of its order, which begins at the cursor and ends when the page is full.
fn few(objects: impl Iterator<Item = ObjectRef>, steps: &Steps) -> Option<Vec<ObjectRef>> {
    let mut few = Vec::new();
    for object in objects {
        if few.len() == MAX_NARROWED_CANDIDATES || !steps.take() {
            return None;
        }
        few.push(object);
    }
    Some(few)
}

/// Returns true if an object is beneath another one, at any depth. If the steps are used up, the result means nothing.
pub fn is_within(ancestor: &str, at: At<'_>) -> bool {
    let ancestor = uuid::Uuid::parse_str(ancestor).ok().and_then(|id| at.snapshot.find(id));
    ancestor.is_some_and(|ancestor| at.snapshot.is_in_place(at.object, ancestor, || at.steps.take()))
}

/// Returns true if an object is contained in another one, at any depth.
pub(super) fn stands_in(snapshot: &Snapshot, object: ObjectRef, ancestor: ObjectRef) -> bool {
    let mut pending = vec![object];
    // Containment has no cycles, but several ends of a cable may be in the same container.
    let mut seen = HashSet::default();
    while let Some(object) = pending.pop() {
        for container in snapshot.nearest_containers(object) {
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
