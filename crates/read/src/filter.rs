//! Filters on objects: the members that every kind's filter has, and filters on the targets of references.

use std::sync::Arc;

use async_graphql::InputObject;
use foldhash::HashSet;

use super::steps::Steps;
use super::values::{ExternalRefFilter, IdFilter, TextFilter, few as few_entries};
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

/// Compares the path of an object: `rack/ams1/A14`, or `ams1/A14` without the kind. All given members must hold.
#[derive(Clone, Debug, Default, InputObject)]
pub struct PathFilter {
    /// The path equals this one.
    pub eq: Option<String>,
    /// The path is one of these: at most 1,000.
    #[graphql(name = "in", validator(custom = "few_entries"))]
    pub any: Option<Vec<String>>,
}

impl PathFilter {
    /// Returns true if the path of an object matches.
    pub fn fits(&self, snapshot: &Snapshot, object: ObjectRef) -> bool {
        let own = snapshot.paths(object);
        self.eq.as_ref().is_none_or(|path| own.contains(path))
            && self.any.as_ref().is_none_or(|paths| paths.iter().any(|path| own.contains(path)))
    }

    /// Returns a superset of the objects that match; `None` if any object may.
    fn candidates<K: Kind>(&self, snapshot: &Snapshot, steps: &Steps) -> Option<Vec<ObjectRef>> {
        let paths = match (&self.eq, &self.any) {
            (Some(path), _) => std::slice::from_ref(path),
            (None, Some(paths)) => paths.as_slice(),
            (None, None) => return None,
        };
        few(paths.iter().flat_map(|path| snapshot.named_by_path(K::describe(), path)), steps)
    }
}

/// Returns the candidates of the members that every filter has.
pub fn common_candidates<K: Kind>(
    id: Option<&IdFilter>,
    path: Option<&PathFilter>,
    name: Option<&TextFilter>,
    external: Option<&ExternalRefFilter>,
    snapshot: &Snapshot,
    steps: &Steps,
) -> Option<Vec<ObjectRef>> {
    if let Some(filter) = id.filter(|id| id.ids().next().is_some()) {
        let ids = filter.ids().filter_map(|id| uuid::Uuid::parse_str(id).ok());
        return Some(ids.filter_map(|id| snapshot.find(id)).filter(|object| object.kind == K::ID).collect());
    }
    if let Some(candidates) = path.and_then(|path| path.candidates::<K>(snapshot, steps)) {
        return Some(candidates);
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

/// Returns true if an object is beneath another one, at any depth. The other one is named by its id, or by its path as it
/// is printed. If the steps are used up, the result means nothing.
pub fn is_within(ancestor: &str, at: At<'_>) -> bool {
    let (snapshot, go_on) = (at.snapshot, || at.steps.take());
    match uuid::Uuid::parse_str(ancestor) {
        Ok(id) => snapshot.find(id).is_some_and(|place| snapshot.is_in_place(at.object, place, go_on)),
        Err(_) => snapshot.is_in_a_place(at.object, |place| snapshot.has_path(place, ancestor), go_on),
    }
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
