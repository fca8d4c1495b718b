//! A single point of failure in the API.

use std::sync::Arc;

use async_graphql::{Result, SimpleObject};

use crate::inventory::{Place, Snapshot};
use crate::kinds::Node;
use crate::kinds::errors::internal;

/// An object whose failure alone takes something else away.
#[derive(Clone, Debug, SimpleObject)]
pub struct SinglePointOfFailure {
    /// The object.
    node: Node,
    /// The kind of the object.
    kind: &'static str,
    /// The way to the object as a person would write it: `rack/ams1/A14`.
    path: String,
    /// How many others are DOWN or ISOLATED without it, besides what it contains.
    count: usize,
}

impl SinglePointOfFailure {
    /// A single point of failure, with its object and how many others it takes away.
    pub fn of(snapshot: &Arc<Snapshot>, place: Option<Place>, count: usize) -> Result<Self> {
        let found = place.and_then(|place| Some((Node::at(snapshot, place)?, place)));
        let (node, place) = found.ok_or_else(|| internal("what fails is not there"))?;
        let (kind, path) = (snapshot.kind(place.kind).name, snapshot.path(place));
        Ok(Self { node, kind, path, count })
    }
}
