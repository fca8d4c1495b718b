//! A single point of failure in the API.

use std::sync::Arc;

use async_graphql::{Result, SimpleObject};

use crate::Node;
use crate::errors::internal;
use underlay_inventory::{ObjectRef, Snapshot};

/// An object whose failure alone takes down or isolates other objects.
#[derive(Clone, Debug, SimpleObject)]
pub struct SinglePointOfFailure {
    /// The object whose failure is counted.
    node: Node,
    /// The kind of the object, such as `Rack`.
    kind: &'static str,
    /// The path of the object as a person would write it, such as `rack/ams1/A14`.
    path: String,
    /// The number of other objects that are DOWN or ISOLATED without it, besides those that it contains.
    count: usize,
}

impl SinglePointOfFailure {
    /// Creates a single point of failure from the object and the number of other objects that it takes down or
    /// isolates.
    pub fn of(snapshot: &Arc<Snapshot>, object: Option<ObjectRef>, count: usize) -> Result<Self> {
        let found = object.and_then(|object| Some((Node::at(snapshot, object)?, object)));
        let (node, object) = found.ok_or_else(|| internal("what fails is not there"))?;
        let (kind, path) = (snapshot.kind(object.kind).name, snapshot.path(object));
        Ok(Self { node, kind, path, count })
    }
}
