//! Paths in the API: what they run over, segment by segment.

use std::sync::Arc;

use async_graphql::{Enum, Object, Result, Union};
use underlay_entity::long::Long;

use crate::inventory::{Kind, Place, Snapshot};
use crate::kinds::cluster::Cluster;
use crate::kinds::device::Device;
use crate::kinds::errors::internal;
use crate::kinds::link::Link;
use crate::kinds::provider_network::ProviderNetwork;
use crate::kinds::scalars::Revision;
use crate::kinds::site::Site;
use crate::kinds::trace::Hop;
use crate::topology::path;

/// The paths between two objects.
#[derive(Clone, Debug)]
pub struct Paths {
    snapshot: Arc<Snapshot>,
    paths: Arc<[path::Path]>,
}

impl Paths {
    /// Paths in this snapshot.
    pub fn new(snapshot: Arc<Snapshot>, paths: Vec<path::Path>) -> Self {
        Self { snapshot, paths: paths.into() }
    }

    /// Each of them.
    pub fn each(&self) -> Vec<Path> {
        (0..self.paths.len()).map(|at| Path { of: self.clone(), at }).collect()
    }
}

/// The paths between two objects.
#[Object]
impl Paths {
    /// The revision that they are of.
    async fn revision(&self) -> Revision {
        Revision(self.snapshot.revision())
    }

    /// The paths, the first first; none where there is none.
    async fn paths(&self) -> Vec<Path> {
        self.each()
    }
}

/// A way between two objects.
#[derive(Clone, Debug)]
pub struct Path {
    of: Paths,
    at: usize,
}

/// A way between two objects.
#[Object]
impl Path {
    /// What it runs over, its ends included: devices, provider networks and, with `includeLogical`, sites and clusters.
    async fn nodes(&self) -> Result<Vec<PathNode>> {
        self.path().nodes.iter().map(|place| PathNode::at(&self.of.snapshot, *place)).collect()
    }

    /// What joins each node with the next.
    async fn segments(&self) -> Vec<PathSegment> {
        (0..self.path().segments.len()).map(|at| PathSegment { of: self.clone(), at }).collect()
    }

    /// How many hops there are from node to node; from a device to its own site or cluster there is none.
    async fn hops(&self) -> usize {
        self.path().hops()
    }

    /// The length in metres; null where that of a line is unknown.
    async fn length_m(&self) -> Option<f64> {
        self.path().length_m
    }

    /// The length in metres, as far as it is known.
    async fn known_length_m(&self) -> f64 {
        self.path().known_length_m
    }

    /// The latency one way in milliseconds of the circuits that are crossed; null where none is crossed or one is
    /// unknown.
    async fn latency_ms(&self) -> Option<f64> {
        self.path().latency_ms
    }

    /// The bandwidth of the narrowest part in bits per second; null where one is unknown.
    async fn bandwidth_bps(&self) -> Option<Long> {
        self.path().bandwidth_bps.map(Long)
    }

    /// Whether everything on it is CONNECTED, ACTIVE and enabled.
    async fn active(&self) -> bool {
        self.path().is_active()
    }

    /// Whether a part of it is logical: it is not known over what that runs.
    async fn logical(&self) -> bool {
        self.path().is_logical()
    }
}

impl Path {
    fn path(&self) -> &path::Path {
        &self.of.paths[self.at]
    }
}

/// What a path runs over or ends at.
#[derive(Clone, Debug, Union)]
pub enum PathNode {
    /// A device.
    Device(Device),
    /// A provider network, which passes on what comes.
    ProviderNetwork(ProviderNetwork),
    /// A site that a logical part of the path leads to.
    Site(Site),
    /// A cluster that a logical part of the path leads to.
    Cluster(Cluster),
}

impl PathNode {
    fn at(snapshot: &Arc<Snapshot>, place: Place) -> Result<Self> {
        let node = match place.kind {
            Device::ID => snapshot.hold(place).map(Device).map(Self::Device),
            ProviderNetwork::ID => snapshot.hold(place).map(ProviderNetwork).map(Self::ProviderNetwork),
            Site::ID => snapshot.hold(place).map(Site).map(Self::Site),
            Cluster::ID => snapshot.hold(place).map(Cluster).map(Self::Cluster),
            _ => None,
        };
        node.ok_or_else(|| internal("a path runs over what is no node"))
    }
}

/// What joins a node of a path with the next.
#[derive(Clone, Debug)]
pub struct PathSegment {
    of: Path,
    at: usize,
}

/// What joins a node of a path with the next.
#[Object]
impl PathSegment {
    /// How they are joined.
    async fn joint(&self) -> PathJoint {
        self.segment().joint.into()
    }

    /// The hops of the line in the direction of the path, as `trace` gives them; none where there is no line.
    async fn steps(&self) -> Result<Vec<Vec<Hop>>> {
        let snapshot = &self.of.of.snapshot;
        let hop = |place: &Place| Hop::at(snapshot, *place).ok_or_else(|| internal("a line runs over what is no hop"));
        self.segment().steps.iter().map(|step| step.iter().map(hop).collect()).collect()
    }

    /// The link that says that they are joined, where the joint is LINK.
    async fn link(&self) -> Option<Link> {
        match self.segment().joint {
            path::Joint::Association(place) => self.of.of.snapshot.hold(place).map(Link),
            _ => None,
        }
    }

    /// The length in metres; null where a part is unknown.
    async fn length_m(&self) -> Option<f64> {
        self.segment().length_m
    }

    /// The length in metres, as far as it is known.
    async fn known_length_m(&self) -> f64 {
        self.segment().known_length_m
    }

    /// The latency one way in milliseconds of the circuits that are crossed; null where none is crossed or one is
    /// unknown.
    async fn latency_ms(&self) -> Option<f64> {
        self.segment().latency_ms
    }

    /// The bandwidth of the narrowest part in bits per second; null where one is unknown.
    async fn bandwidth_bps(&self) -> Option<Long> {
        self.segment().bandwidth_bps.map(Long)
    }

    /// Whether everything on it is CONNECTED, ACTIVE and enabled.
    async fn active(&self) -> bool {
        self.segment().active
    }

    /// Whether it is logical: it is not known over what it runs.
    async fn logical(&self) -> bool {
        self.segment().joint.is_logical()
    }
}

impl PathSegment {
    fn segment(&self) -> &path::Segment {
        &self.of.path().segments[self.at]
    }
}

/// How a node of a path is joined with the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum PathJoint {
    /// By a line.
    Line,
    /// Inside of the chassis or stack that both are parts of.
    Parent,
    /// By a circuit that ends at a bare site.
    BareSite,
    /// By a link without cables.
    Link,
    /// A device is at the site, or in the cluster.
    Member,
}

impl From<path::Joint> for PathJoint {
    fn from(joint: path::Joint) -> Self {
        match joint {
            path::Joint::Line => Self::Line,
            path::Joint::Whole => Self::Parent,
            path::Joint::Loose => Self::BareSite,
            path::Joint::Association(_) => Self::Link,
            path::Joint::Member => Self::Member,
        }
    }
}
