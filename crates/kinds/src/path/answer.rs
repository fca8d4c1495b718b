//! Paths in the API: the objects that they run over, segment by segment.

use std::sync::Arc;

use async_graphql::{Enum, Object, Result, Union};
use underlay_entity::long::Long;

use crate::cluster::Cluster;
use crate::device::Device;
use crate::errors::internal;
use crate::link::Link;
use crate::provider_network::ProviderNetwork;
use crate::scalars::Revision;
use crate::site::Site;
use crate::trace::Hop;
use underlay_inventory::{Kind, ObjectRef, Snapshot};
use underlay_topology::path;

/// The paths between two objects.
#[derive(Clone, Debug)]
pub struct Paths {
    snapshot: Arc<Snapshot>,
    paths: Arc<[path::Path]>,
}

impl Paths {
    /// Creates the paths of a snapshot.
    pub fn new(snapshot: Arc<Snapshot>, paths: Vec<path::Path>) -> Self {
        Self { snapshot, paths: paths.into() }
    }

    /// Returns every path, in order.
    pub fn each(&self) -> Vec<Path> {
        (0..self.paths.len()).map(|at| Path { of: self.clone(), at }).collect()
    }
}

/// The paths between two objects.
#[Object]
impl Paths {
    /// The revision at which the paths were found.
    async fn revision(&self) -> Revision {
        Revision(self.snapshot.revision())
    }

    /// The paths, the best first. Empty if there is none.
    async fn paths(&self) -> Vec<Path> {
        self.each()
    }
}

/// A path between two objects.
#[derive(Clone, Debug)]
pub struct Path {
    of: Paths,
    at: usize,
}

/// A path between two objects.
#[Object]
impl Path {
    /// The objects that the path runs over, including its ends: devices, provider networks and, with `includeLogical`,
    /// sites and clusters.
    async fn nodes(&self) -> Result<Vec<PathNode>> {
        self.path().nodes.iter().map(|object| PathNode::at(&self.of.snapshot, *object)).collect()
    }

    /// The segments of the path. Each connects a node to the next.
    async fn segments(&self) -> Vec<PathSegment> {
        (0..self.path().segments.len()).map(|at| PathSegment { of: self.clone(), at }).collect()
    }

    /// The number of hops between nodes. The step from a device to its own site or cluster is not a hop.
    async fn hops(&self) -> usize {
        self.path().hops()
    }

    /// The length in metres. Null if the length of a line is unknown.
    async fn length_m(&self) -> Option<f64> {
        self.path().measure.length_m()
    }

    /// The sum of all known lengths in metres.
    async fn known_length_m(&self) -> f64 {
        self.path().measure.known_length_m
    }

    /// The one-way latency in milliseconds of the circuits that are crossed. Null if none is crossed or one latency is
    /// unknown.
    async fn latency_ms(&self) -> Option<f64> {
        self.path().measure.latency_ms()
    }

    /// The sum in milliseconds of all one-way latencies that are known: of circuits, and of cables of known length, which
    /// count 5 microseconds per kilometre. Circuits of the type CROSS_CONNECT without a latency count like cables.
    async fn known_latency_ms(&self) -> f64 {
        self.path().measure.known_latency_ms()
    }

    /// The number of circuits and links of unknown latency. Circuits of the type CROSS_CONNECT are not counted.
    async fn unknown_latencies(&self) -> u32 {
        self.path().measure.unknown_latencies
    }

    /// The bandwidth of the narrowest part in bits per second. Null if the bandwidth of a part is unknown.
    async fn bandwidth_bps(&self) -> Option<Long> {
        self.path().bandwidth_bps.map(Long)
    }

    /// True if everything on it is CONNECTED, ACTIVE and enabled.
    async fn active(&self) -> bool {
        self.path().is_active()
    }

    /// True if a part of the path is logical: the inventory does not say what that part runs over.
    async fn logical(&self) -> bool {
        self.path().is_logical()
    }
}

impl Path {
    fn path(&self) -> &path::Path {
        &self.of.paths[self.at]
    }
}

/// An object that a path runs over or ends at.
#[derive(Clone, Debug, Union)]
pub enum PathNode {
    /// A device that the path passes or ends at.
    Device(Device),
    /// A provider network, which forwards traffic between its circuits.
    ProviderNetwork(ProviderNetwork),
    /// A site that a logical part of the path leads to.
    Site(Site),
    /// A cluster that a logical part of the path leads to.
    Cluster(Cluster),
}

impl PathNode {
    fn at(snapshot: &Arc<Snapshot>, object: ObjectRef) -> Result<Self> {
        let node = match object.kind {
            Device::ID => snapshot.hold(object).map(Device).map(Self::Device),
            ProviderNetwork::ID => snapshot.hold(object).map(ProviderNetwork).map(Self::ProviderNetwork),
            Site::ID => snapshot.hold(object).map(Site).map(Self::Site),
            Cluster::ID => snapshot.hold(object).map(Cluster).map(Self::Cluster),
            _ => None,
        };
        node.ok_or_else(|| internal("a path runs over what is no node"))
    }
}

/// A segment of a path: the connection from one node to the next.
#[derive(Clone, Debug)]
pub struct PathSegment {
    of: Path,
    at: usize,
}

/// A segment of a path: the connection from one node to the next.
#[Object]
impl PathSegment {
    /// The way in which the two nodes are connected.
    #[graphql(name = "type")]
    async fn segment_type(&self) -> PathSegmentType {
        self.segment().connection.into()
    }

    /// The hops of the line in the direction of the path, as `trace` returns them. Empty if there is no line.
    async fn steps(&self) -> Result<Vec<Vec<Hop>>> {
        let snapshot = &self.of.of.snapshot;
        let hop =
            |object: &ObjectRef| Hop::at(snapshot, *object).ok_or_else(|| internal("a line runs over what is no hop"));
        self.segment().steps.iter().map(|step| step.iter().map(hop).collect()).collect()
    }

    /// The link that says that the nodes are connected. Null unless `type` is LINK.
    async fn link(&self) -> Option<Link> {
        match self.segment().connection {
            path::Connection::Association(object) => self.of.of.snapshot.hold(object).map(Link),
            _ => None,
        }
    }

    /// The length in metres. Null if the length of a part is unknown.
    async fn length_m(&self) -> Option<f64> {
        self.segment().measure.length_m()
    }

    /// The sum of all known lengths in metres.
    async fn known_length_m(&self) -> f64 {
        self.segment().measure.known_length_m
    }

    /// The one-way latency in milliseconds of the circuits that are crossed. Null if none is crossed or one latency is
    /// unknown.
    async fn latency_ms(&self) -> Option<f64> {
        self.segment().measure.latency_ms()
    }

    /// The sum in milliseconds of all one-way latencies that are known: of circuits, and of cables of known length, which
    /// count 5 microseconds per kilometre. Circuits of the type CROSS_CONNECT without a latency count like cables.
    async fn known_latency_ms(&self) -> f64 {
        self.segment().measure.known_latency_ms()
    }

    /// The number of circuits and links of unknown latency. Circuits of the type CROSS_CONNECT are not counted.
    async fn unknown_latencies(&self) -> u32 {
        self.segment().measure.unknown_latencies
    }

    /// The bandwidth of the narrowest part in bits per second. Null if the bandwidth of a part is unknown.
    async fn bandwidth_bps(&self) -> Option<Long> {
        self.segment().bandwidth_bps.map(Long)
    }

    /// True if everything on it is CONNECTED, ACTIVE and enabled.
    async fn active(&self) -> bool {
        self.segment().active
    }

    /// True if the segment is logical: the inventory does not say what it runs over.
    async fn logical(&self) -> bool {
        self.segment().connection.is_logical()
    }
}

impl PathSegment {
    fn segment(&self) -> &path::Segment {
        &self.of.path().segments[self.at]
    }
}

/// The way in which a node of a path is connected to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum PathSegmentType {
    /// A line of cables, panels and circuits connects the nodes.
    Line,
    /// The nodes are parts of the same chassis or stack.
    Parent,
    /// A circuit connects the nodes and ends at a bare site.
    BareSite,
    /// A link without cables connects the nodes.
    Link,
    /// The device is at the site, or in the cluster.
    Member,
}

impl From<path::Connection> for PathSegmentType {
    fn from(connection: path::Connection) -> Self {
        match connection {
            path::Connection::Line => Self::Line,
            path::Connection::Whole => Self::Parent,
            path::Connection::Loose => Self::BareSite,
            path::Connection::Association(_) => Self::Link,
            path::Connection::Member => Self::Member,
        }
    }
}
