//! Lists of objects: what a list is of, before anything of it is read.

use std::sync::Arc;

use super::filter::Filter;
use super::order::{By, Direction};
use super::places::FilterShare;
use underlay_inventory::{Held, Kind, ObjectRef, ReferenceId, Snapshot};

/// A kind that can be listed.
pub trait Listed: Kind {
    /// The filter of the kind's lists.
    type Filter: Filter<Self>;
    /// The order of the kind's lists.
    type Order: Copy + Send + Sync + Into<(By<Self>, Direction)>;
    /// Returns the GraphQL object.
    fn of(held: Held<Self>) -> Self;
}

/// The source of the objects of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListScope {
    /// All objects of the kind.
    All,
    /// The objects that refer to an object by a reference.
    Referrers(ObjectRef, ReferenceId),
}

/// The revision in the cursors of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cursors {
    /// None: the next page is of the current snapshot.
    CurrentSnapshot,
    /// The revision of the list: the next page is of the same revision.
    Pinned,
}

/// A list of objects.
#[derive(Debug)]
pub struct Listing<K: Listed> {
    pub snapshot: Arc<Snapshot>,
    pub scope: ListScope,
    pub filter: Option<Arc<K::Filter>>,
    pub order: Option<K::Order>,
    pub cursors: Cursors,
    /// The work that the filter may take on the whole list.
    pub share: FilterShare,
}
