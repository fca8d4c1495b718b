//! Draws a part of the inventory as a graph: its nodes are machines, or the objects of one kind that contain machines,
//! and its edges say how these are connected.
//!
//! A query names a kind of nodes, layers of edges, and an object whose content is drawn. Each layer finds connections
//! between single objects (`physical`, `power`, `logical`, `containment`). Each end of a connection belongs to one node
//! (`grouping`). All connections of one layer between the same two nodes are one edge with a count. Connections inside
//! a node are left out.
//!
//! Some objects are nodes although they are of another kind, because a layer ends there: networks of other operators,
//! sources of power, and groups that are logically connected. These are drawn only with an edge.
//!
//! Guarantees:
//!
//! - A query reads one snapshot, and the same query gets the same answer, in the same order, in every process.
//! - An answer has at most the requested number of nodes, and says if there are more.
//! - Every edge connects two nodes of the answer. There is at most one edge for a layer, a direction and two nodes.
//! - A query ends soon after its flag is set, and fails when it would take more than [`MAX_STEPS`].

mod answer;
mod build;
mod connection;
mod containment;
mod error;
mod grouping;
mod lines;
mod logical;
mod members;
mod physical;
mod power;

pub use answer::{ConnectionState, Drawing, Edge, Layer, Node};
pub use error::GraphError;

use build::Builder;

use super::path::View;
use super::steps::{Steps, StopFlag};
use underlay_inventory::{KindId, ObjectRef};

/// The maximum number of steps of a query.
pub const MAX_STEPS: u64 = 20_000_000;
/// The maximum number of nodes in an answer.
pub const MAX_NODES: usize = 1_000;
/// The maximum number of hops beyond the drawn part.
pub const MAX_DEPTH: usize = 10;

/// The parameters of a graph query.
#[derive(Clone, Debug)]
pub struct GraphQuery {
    /// The object whose content is drawn; `None` for the whole inventory.
    pub within: Option<ObjectRef>,
    /// The kind of the nodes: that of machines, or a kind that contains machines.
    pub by: KindId,
    /// The layers of the edges.
    pub layers: Vec<Layer>,
    /// The number of hops by which edges are followed beyond the drawn part.
    pub depth: usize,
    /// The maximum number of nodes.
    pub max_nodes: usize,
    /// The maximum number of steps; `None` for [`MAX_STEPS`].
    pub max_steps: Option<u64>,
    /// The flag that stops the query; `None` if nothing stops it.
    pub stop: Option<StopFlag>,
}

impl GraphQuery {
    /// Returns a query for the physical connections of the whole inventory.
    pub fn new(by: KindId) -> Self {
        Self {
            within: None,
            by,
            layers: vec![Layer::Physical],
            depth: 0,
            max_nodes: MAX_NODES,
            max_steps: None,
            stop: None,
        }
    }
}

/// Returns the graph of a part of the inventory.
///
/// # Errors
/// Returns an error if the query takes too many steps, or if it was stopped.
pub fn graph(view: View<'_>, question: &GraphQuery) -> Result<Drawing, GraphError> {
    let mut steps = Steps::new(question.max_steps.unwrap_or(MAX_STEPS), question.stop.clone());
    Builder::new(view, question).build(&mut steps)
}
