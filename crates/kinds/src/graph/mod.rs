//! Graphs in the API: the devices, racks or sites in a part of the inventory, and the connections between them.
//!
//! The graph is built by `topology`. This module turns it into objects of the snapshot that answers the request.

mod answer;

use std::sync::Arc;

use async_graphql::{Context, Enum, Error, ErrorExtensions, ID, Object, Result};

pub use answer::Graph;

use super::device::Device;
use super::errors::{internal, unreadable};
use super::object_arguments::find_object;
use super::query_metrics::QueryTimer;
use super::rack::Rack;
use super::request::Request;
use super::shared_values::ValueKey;
use super::site::Site;
use super::topology;
use underlay_error::Code;
use underlay_inventory::{Kind, KindId};
use underlay_read::ReadError;
use underlay_topology::graph::{
    ConnectionState, Edge, GraphError, GraphQuery, Layer, MAX_DEPTH, MAX_NODES, Node, graph,
};
use underlay_topology::path::View;

/// The default number of nodes.
const DEFAULT_NODES: usize = 50;

/// The objects that are the nodes of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum)]
pub enum GraphBy {
    /// Every device is a node.
    #[default]
    Device,
    /// Every rack is a node. It stands for everything in it. Devices that are in no rack are left out.
    Rack,
    /// Every site is a node. It stands for everything at it.
    Site,
}

impl GraphBy {
    /// Returns the kind of the nodes.
    fn kind(self) -> KindId {
        match self {
            Self::Device => Device::ID,
            Self::Rack => Rack::ID,
            Self::Site => Site::ID,
        }
    }
}

/// A layer of edges in a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "Layer")]
pub enum GraphLayer {
    /// Complete lines between ETHERNET and OPTICAL ports, through patch panels and circuits. Lines also lead to
    /// provider networks.
    Physical,
    /// The supply of power, from power feeds and outlets to inlets. With devices as nodes, power feeds are nodes too.
    Power,
    /// Links. With devices as nodes, the sites and clusters that links end at are nodes too.
    Logical,
    /// Containment: devices in a chassis; racks in locations and sites; sites in regions. The containers of racks and
    /// sites are nodes too.
    Containment,
}

/// The state of the connections that an edge of a graph stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "ConnectionState")]
pub enum GraphState {
    /// All of them work.
    Up,
    /// Some of them work, or work in part.
    Degraded,
    /// None of them works.
    Down,
}

/// The root field for graphs.
#[derive(Debug, Default)]
pub struct GraphRoots;

/// The root field for graphs.
#[Object]
impl GraphRoots {
    /// Draws a part of the inventory as a graph: its devices, racks or sites, and the connections between them. All
    /// connections of one layer between the same two nodes are one edge with a count. Connections inside a node are
    /// left out.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    async fn graph(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "The object whose content is drawn, by its id or path: objects anywhere beneath it, the members of a cluster, and the object itself. Defaults to the whole inventory."
        )]
        within: Option<ID>,
        #[graphql(
            desc = "The number of hops by which edges are followed beyond the drawn part: 0 to 10. Nodes there are marked as `outside`. Defaults to 0: only connections inside the drawn part."
        )]
        depth: Option<i32>,
        #[graphql(desc = "The layers of edges: at least one. Defaults to PHYSICAL.")] layers: Option<Vec<GraphLayer>>,
        #[graphql(desc = "The objects that are the nodes. Defaults to DEVICE.")] by: Option<GraphBy>,
        #[graphql(desc = "The maximum number of nodes: 0 to 1000. Defaults to 50.")] first: Option<i32>,
    ) -> Result<Option<Graph>> {
        let request = Request::of(context);
        let snapshot = request.snapshot();
        let within = within.map(|id| find_object(&snapshot, "within", &id)).transpose()?;
        let layers = layers.map_or_else(|| vec![Layer::Physical], |it| it.into_iter().map(Into::into).collect());
        if layers.is_empty() {
            return Err(argument("layers", "must have at least one layer".to_owned()));
        }
        let question = GraphQuery {
            within,
            layers,
            depth: in_range("depth", depth, 0, MAX_DEPTH)?,
            max_nodes: in_range("first", first, DEFAULT_NODES, MAX_NODES)?,
            ..GraphQuery::new(by.unwrap_or_default().kind())
        };
        let drawn = Arc::clone(&snapshot);
        let work = async {
            let timer = QueryTimer::begin("graph");
            let found = request.compute(move |stop| {
                let view = View { snapshot: &drawn, roles: topology() };
                graph(view, &GraphQuery { stop: Some(stop), ..question })
            });
            let found = found.await.map_err(|error| unanswered(&error))?;
            let (nodes, edges) = (found.graph.node_count(), found.graph.edge_count());
            timer.answered(nodes + edges);
            request.pace.hold(nodes * size_of::<Node>() + edges * size_of::<Edge>()).await;
            Ok(Graph::new(Arc::clone(&snapshot), found))
        };
        let found = request.shared.get(ValueKey::of(context, "graph", &snapshot)?, work).await?;
        Ok(Some(Graph::clone(&found)))
    }
}

fn in_range(name: &'static str, asked: Option<i32>, usual: usize, most: usize) -> Result<usize> {
    let Some(asked) = asked else { return Ok(usual) };
    let fits = usize::try_from(asked).ok().filter(|asked| *asked <= most);
    fits.ok_or_else(|| argument(name, format!("must be from 0 to {most}, not {asked}")))
}

fn argument(argument: &'static str, reason: String) -> Error {
    unreadable(&ReadError::Argument { argument, reason })
}

/// Converts the error of a query without an answer to a GraphQL error.
fn unanswered(error: &GraphError) -> Error {
    match error {
        GraphError::Stopped => internal(&error.to_string()),
        GraphError::TooComplex { .. } => {
            Error::new(error.to_string()).extend_with(|_, extensions| extensions.set("code", Code::TooComplex.as_str()))
        }
    }
}
