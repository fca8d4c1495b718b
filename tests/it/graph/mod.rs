//! Graphs of parts of an inventory: asked in process, of inventories that are built through the write path.
//!
//! `random` compares the graphs of random networks with those of a plain model; `cases` says rule by rule what is drawn
//! of a picture; `limits` says how a query ends that would have too many nodes or steps.

mod cases;
mod limits;
mod random;

use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::graph::{Drawing, GraphError, GraphQuery, Layer, graph};
use underlay_topology::path::View;

use crate::impact::name;

/// Draws a graph.
pub fn draw(snapshot: &Snapshot, question: &GraphQuery) -> Result<Drawing, GraphError> {
    let view = View { snapshot, roles: underlay_kinds::topology() };
    graph(view, question)
}

/// Returns a question about a kind of nodes and layers, in words: `Rack physical+power`.
pub fn question(snapshot: &Snapshot, words: &str) -> GraphQuery {
    let (kind, layers) = words.split_once(' ').expect("a kind and layers");
    let by = snapshot.registry().named(kind).expect("a kind").id;
    let layer = |word: &str| match word {
        "physical" => Layer::Physical,
        "power" => Layer::Power,
        "logical" => Layer::Logical,
        "containment" => Layer::Containment,
        _ => panic!("there is no layer {word}"),
    };
    GraphQuery { layers: layers.split('+').map(layer).collect(), ..GraphQuery::new(by) }
}

/// Returns the nodes in their order; those outside are in brackets.
pub fn nodes(snapshot: &Snapshot, drawing: &Drawing) -> Vec<String> {
    let node = |object: ObjectRef, outside: bool| {
        let name = name(snapshot, object);
        if outside { format!("({name})") } else { name }
    };
    drawing.graph.node_weights().map(|it| node(it.object, it.outside)).collect()
}

/// Returns the edges in their order, as `a -- b Physical 2 10000 Up`, or with `->` if they have a direction.
pub fn edges(snapshot: &Snapshot, drawing: &Drawing) -> Vec<String> {
    let graph = &drawing.graph;
    let edge = |at| {
        let ((from, to), edge) = (graph.edge_endpoints(at).expect("an edge"), graph[at]);
        let [from, to] = [from, to].map(|node| name(snapshot, graph[node].object));
        let arrow = if edge.layer.is_directed() { "->" } else { "--" };
        let mut words = vec![format!("{from} {arrow} {to} {:?} {}", edge.layer, edge.count)];
        words.extend(edge.speed_bps.map(|speed| speed.to_string()));
        words.extend(edge.state.map(|state| format!("{state:?}")));
        words.join(" ")
    };
    graph.edge_indices().map(edge).collect()
}
