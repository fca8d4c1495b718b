//! Disjoint paths from some nodes to others, as a flow in any graph of petgraph whose edges lead in both directions.
//!
//! Every edge and every node carries a bounded number of paths: one, if the paths must have nothing in common. A node
//! gets its bound by *node splitting*: it becomes two vertices, one where paths arrive and one where they leave, and
//! the step between them has the capacity of the node. The flow grows path by path. Each search looks for an
//! *augmenting path* in the *residual graph* (`residual`), which contains the steps for which there is room, and for
//! every step that carries a path the way back over it. Such a step back moves a path that was found before to another
//! way.
//!
//! There are two searches. `augment` looks for a path with few edges from both sides at once, so that it finds a near
//! sink without a visit to the rest of the graph. `least_cost` looks for the cheapest path, so that the flow is always
//! the cheapest of its size.
//!
//! petgraph's `ford_fulkerson` and `dinics` need a directed graph whose nodes and edges have dense indices. To get one,
//! a query would have to extract the whole network; these searches visit the part that they need. petgraph has no flow
//! of least cost. The tests compare with petgraph on random graphs.

mod augment;
mod least_cost;
mod residual;
#[cfg(test)]
mod tests;

pub(crate) use augment::{augmenting_path, sink_side};
pub(crate) use least_cost::LeastCost;
pub(crate) use residual::{Capacity, Flow, Residual};
