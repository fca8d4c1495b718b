//! Diversity in the API: two paths, and what breaks both.

use std::sync::Arc;

use async_graphql::{Object, Result};

use super::answer::{Path, Paths};
use crate::inventory::{Place, Snapshot};
use crate::kinds::Node;
use crate::kinds::errors::internal;
use crate::kinds::scalars::Revision;
use crate::topology::path::{self, Risk};

/// Two paths between two objects that have as little as possible in common.
#[derive(Clone, Debug)]
pub struct Diversity {
    snapshot: Arc<Snapshot>,
    paths: Paths,
    disjoint: bool,
    risks: Vec<path::SharedRisk>,
}

impl Diversity {
    /// A diversity in this snapshot.
    pub fn new(snapshot: Arc<Snapshot>, found: path::Diversity) -> Self {
        let paths = Paths::new(Arc::clone(&snapshot), found.paths);
        Self { snapshot, paths, disjoint: found.disjoint, risks: found.risks }
    }
}

/// Two paths between two objects that have as little as possible in common.
#[Object]
impl Diversity {
    /// The revision that it is of.
    async fn revision(&self) -> Revision {
        Revision(self.snapshot.revision())
    }

    /// Two paths; one where there is no other, none where there is none.
    async fn paths(&self) -> Vec<Path> {
        self.paths.each()
    }

    /// Whether there are two without a device or line in common.
    async fn disjoint(&self) -> bool {
        self.disjoint
    }

    /// Everything whose failure alone breaks both paths (or the one that there is), but for their ends themselves.
    async fn risks(&self) -> Vec<SharedRisk> {
        let risk = |risk: &path::SharedRisk| SharedRisk { snapshot: Arc::clone(&self.snapshot), risk: risk.clone() };
        self.risks.iter().map(risk).collect()
    }
}

/// What breaks two paths at once when it fails alone.
#[derive(Clone, Debug)]
pub struct SharedRisk {
    snapshot: Arc<Snapshot>,
    risk: path::SharedRisk,
}

/// What breaks two paths at once when it fails alone.
#[Object]
impl SharedRisk {
    /// The object that fails; null where a risk group does.
    async fn node(&self) -> Result<Option<Node>> {
        self.object().map(|place| node(&self.snapshot, place)).transpose()
    }

    /// The kind of the object; null where a risk group fails.
    async fn kind(&self) -> Option<&'static str> {
        self.object().map(|place| self.snapshot.kind(place.kind).name)
    }

    /// The way to the object as a person would write it: `rack/ams1/A14`; null where a risk group fails.
    async fn path(&self) -> Option<String> {
        self.object().map(|place| self.snapshot.path(place))
    }

    /// The risk group that fails: all cables, circuits and power feeds that name it; null where an object does.
    async fn risk_group(&self) -> Option<&str> {
        match &self.risk.what {
            Risk::Object(_) => None,
            Risk::Group(name) => Some(name),
        }
    }

    /// Whether an end of the paths goes down as well, so that no other path would help.
    async fn takes_end(&self) -> bool {
        self.risk.takes_end
    }

    /// What goes down of the first and of the second path, in the order of the path.
    async fn breaks(&self) -> Result<Vec<Vec<Node>>> {
        let nodes = |places: &Vec<Place>| places.iter().map(|place| node(&self.snapshot, *place)).collect();
        self.risk.breaks.iter().map(nodes).collect()
    }
}

impl SharedRisk {
    fn object(&self) -> Option<Place> {
        match self.risk.what {
            Risk::Object(place) => Some(place),
            Risk::Group(_) => None,
        }
    }
}

fn node(snapshot: &Arc<Snapshot>, place: Place) -> Result<Node> {
    Node::at(snapshot, place).ok_or_else(|| internal("a path runs over what is not there"))
}
