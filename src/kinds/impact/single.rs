//! A single point of failure in the API.

use std::sync::Arc;

use async_graphql::{Result, SimpleObject};

use crate::inventory::Snapshot;
use crate::kinds::Node;
use crate::kinds::errors::internal;
use crate::topology::impact::SinglePoint;

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
    /// A single point of failure, with its object.
    pub fn of(snapshot: &Arc<Snapshot>, point: &SinglePoint) -> Result<Self> {
        let node = Node::at(snapshot, point.place).ok_or_else(|| internal("what fails is not there"))?;
        let (kind, path) = (snapshot.kind(point.place.kind).name, snapshot.path(point.place));
        Ok(Self { node, kind, path, count: point.count })
    }
}
