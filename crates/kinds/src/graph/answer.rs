//! The answer of a graph query in the API.

use std::sync::Arc;

use async_graphql::{ID, Object, Result, SimpleObject};
use underlay_entity::long::Long;

use super::{GraphLayer, GraphState};
use crate::errors::internal;
use crate::scalars::Revision;
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_read::Paced;
use underlay_topology::graph::{Drawing, Edge, Node};

/// A part of the inventory as a graph.
#[derive(Clone)]
pub struct Graph {
    snapshot: Arc<Snapshot>,
    drawing: Arc<Drawing>,
}

impl Graph {
    /// Creates the graph of a snapshot.
    pub fn new(snapshot: Arc<Snapshot>, drawing: Drawing) -> Self {
        Self { snapshot, drawing: Arc::new(drawing) }
    }

    fn id(&self, object: ObjectRef) -> Result<ID> {
        let row = self.snapshot.row(object).ok_or_else(|| internal("a node of a graph is not there"))?;
        Ok(row.common().id.to_string().into())
    }

    fn edge(&self, ends: [ObjectRef; 2], edge: &Edge) -> Result<GraphEdge> {
        let [from, to] = ends;
        Ok(GraphEdge {
            layer: edge.layer.into(),
            from: self.id(from)?,
            to: self.id(to)?,
            directed: edge.layer.is_directed(),
            count: edge.count,
            speed_bps: edge.speed_bps.map(Long),
            state: edge.state.map(Into::into),
        })
    }
}

/// A part of the inventory as a graph.
#[Object]
impl Graph {
    /// The revision at which the graph was drawn.
    async fn revision(&self) -> Revision {
        Revision(self.snapshot.revision())
    }

    /// True if the graph has all of its nodes. False if `first` leaves out nodes, and with them their edges.
    async fn complete(&self) -> bool {
        self.drawing.complete
    }

    /// The nodes. First come the devices, racks or sites of the drawn part, then further nodes in it, then those outside
    /// by their distance, each by kind, name and id. A node of another kind than `by` asks for always has an edge.
    async fn nodes(&self) -> Vec<Paced<GraphNode>> {
        let node = |node: &Node| GraphNode { snapshot: Arc::clone(&self.snapshot), node: *node };
        self.drawing.graph.node_weights().map(node).map(Paced).collect()
    }

    /// The edges, by layer and then in the order of their nodes.
    async fn edges(&self) -> Result<Vec<Paced<GraphEdge>>> {
        let graph = &self.drawing.graph;
        let edges = graph.edge_indices().filter_map(|at| Some((graph.edge_endpoints(at)?, graph.edge_weight(at)?)));
        edges.map(|((from, to), edge)| self.edge([graph[from].object, graph[to].object], edge).map(Paced)).collect()
    }
}

/// A node of a graph.
#[derive(Clone, Debug)]
pub struct GraphNode {
    snapshot: Arc<Snapshot>,
    node: Node,
}

/// A node of a graph.
#[Object]
impl GraphNode {
    /// The id of the object, by which edges name the node.
    async fn id(&self) -> Result<ID> {
        Ok(self.row()?.common().id.to_string().into())
    }

    /// The kind of the object, such as `Device`.
    async fn kind(&self) -> &'static str {
        self.snapshot.kind(self.node.object.kind).name
    }

    /// The name of the object, unique within its parent.
    async fn name(&self) -> Result<&str> {
        Ok(self.row()?.common().name)
    }

    /// The path of the object as a person would write it, such as `device/ams1/leaf-1`.
    async fn path(&self) -> String {
        self.snapshot.path(self.node.object)
    }

    /// True if the object is not in the drawn part, but connected to it within `depth` hops.
    async fn outside(&self) -> bool {
        self.node.outside
    }

    /// The object that the node stands for.
    async fn object(&self) -> Result<crate::Object> {
        crate::Object::at(&self.snapshot, self.node.object).ok_or_else(|| internal("a node of a graph is not there"))
    }
}

impl GraphNode {
    fn row(&self) -> Result<&dyn underlay_entity::row::Row> {
        let row = self.snapshot.row(self.node.object).ok_or_else(|| internal("a node of a graph is not there"))?;
        Ok(row.as_ref())
    }
}

/// An edge of a graph: all connections of one layer between two nodes.
#[derive(Clone, Debug, SimpleObject)]
pub struct GraphEdge {
    /// The layer of the connections.
    layer: GraphLayer,
    /// The id of a node. If the edge is directed, this node feeds or contains the other one.
    from: ID,
    /// The id of the other node.
    to: ID,
    /// True for POWER and CONTAINMENT, whose edges have a direction.
    directed: bool,
    /// The number of connections: lines, supplies of power, links.
    count: usize,
    /// The sum of the speeds of the connections in bits per second, as far as they are known. A line has the lower
    /// speed of the two ports at its ends, a link its capacity. Null if no speed is known.
    speed_bps: Option<Long>,
    /// The state of the connections. A connection works if everything on it is in use, and both objects at its ends
    /// run. Null for CONTAINMENT.
    state: Option<GraphState>,
}
