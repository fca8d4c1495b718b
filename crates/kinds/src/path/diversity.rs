//! Path diversity in the API: two paths, and the failures that break both.

use std::sync::Arc;

use async_graphql::{Object, Result};

use super::answer::{Path, Paths};
use crate::Node;
use crate::errors::internal;
use crate::scalars::Revision;
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::path::{self, Risk};

/// Two paths between two objects that have as little as possible in common.
#[derive(Clone, Debug)]
pub struct Diversity {
    snapshot: Arc<Snapshot>,
    paths: Paths,
    disjoint: bool,
    risks: Arc<[path::SharedRisk]>,
}

impl Diversity {
    /// Creates a diversity of a snapshot.
    pub fn new(snapshot: Arc<Snapshot>, found: path::Diversity) -> Self {
        let paths = Paths::new(Arc::clone(&snapshot), found.paths);
        Self { snapshot, paths, disjoint: found.disjoint, risks: found.risks.into() }
    }
}

/// Two paths between two objects that have as little as possible in common.
#[Object]
impl Diversity {
    /// The revision at which the paths were found.
    async fn revision(&self) -> Revision {
        Revision(self.snapshot.revision())
    }

    /// The two paths. One path if there is no second one; empty if there is none.
    async fn paths(&self) -> Vec<Path> {
        self.paths.each()
    }

    /// True if there are two paths without a device or line in common.
    async fn disjoint(&self) -> bool {
        self.disjoint
    }

    /// Everything whose failure alone breaks both paths (or the only path), except the ends themselves.
    async fn risks(&self) -> Vec<SharedRisk> {
        let risk = |risk: &path::SharedRisk| SharedRisk { snapshot: Arc::clone(&self.snapshot), risk: risk.clone() };
        self.risks.iter().map(risk).collect()
    }
}

/// An object or risk group whose failure alone breaks both paths.
#[derive(Clone, Debug)]
pub struct SharedRisk {
    snapshot: Arc<Snapshot>,
    risk: path::SharedRisk,
}

/// An object or risk group whose failure alone breaks both paths.
#[Object]
impl SharedRisk {
    /// The object that fails. Null if a risk group fails.
    async fn node(&self) -> Result<Option<Node>> {
        self.object().map(|object| node(&self.snapshot, object)).transpose()
    }

    /// The kind of the object. Null if a risk group fails.
    async fn kind(&self) -> Option<&'static str> {
        self.object().map(|object| self.snapshot.kind(object.kind).name)
    }

    /// The path of the object as a person would write it, such as `rack/ams1/A14`. Null if a risk group fails.
    async fn path(&self) -> Option<String> {
        self.object().map(|object| self.snapshot.path(object))
    }

    /// The risk group that fails, with all cables, circuits and power feeds that name it. Null if an object fails.
    async fn risk_group(&self) -> Option<&str> {
        match &self.risk.what {
            Risk::Object(_) => None,
            Risk::Group(name) => Some(name),
        }
    }

    /// True if an end of the paths goes down as well, so that no other path would help.
    async fn takes_end(&self) -> bool {
        self.risk.takes_end
    }

    /// The objects that go down on the first and on the second path, in the order of the path.
    async fn breaks(&self) -> Result<Vec<Vec<Node>>> {
        let nodes = |objects: &Vec<ObjectRef>| objects.iter().map(|object| node(&self.snapshot, *object)).collect();
        self.risk.breaks.iter().map(nodes).collect()
    }
}

impl SharedRisk {
    fn object(&self) -> Option<ObjectRef> {
        match self.risk.what {
            Risk::Object(object) => Some(object),
            Risk::Group(_) => None,
        }
    }
}

fn node(snapshot: &Arc<Snapshot>, object: ObjectRef) -> Result<Node> {
    Node::at(snapshot, object).ok_or_else(|| internal("a path runs over what is not there"))
}
