//! Writes a graph in the language of Graphviz.
//!
//! A graph with edges that have a direction is a `digraph`, in which all other edges are marked as `dir = none`.

use std::collections::HashMap;

use petgraph::dot::{Config, Dot};
use petgraph::graph::Graph as Petgraph;
use petgraph::{Directed, EdgeType, Undirected};

use super::answer::{DrawnNode, Edge, Graph};
use crate::paths::bandwidth;
use underlay_kit::line;

/// Returns a graph in the language of Graphviz.
pub(super) fn write(graph: &Graph) -> String {
    match graph.edges.iter().any(|edge| edge.directed) {
        true => format!("digraph {{\n{}}}\n", content::<Directed>(graph)),
        false => format!("graph {{\n{}}}\n", content::<Undirected>(graph)),
    }
}

fn content<Ty: EdgeType>(graph: &Graph) -> String {
    let mut drawn = Petgraph::<&DrawnNode, &Edge, Ty>::with_capacity(graph.nodes.len(), graph.edges.len());
    let numbers: HashMap<&str, _> = graph.nodes.iter().map(|node| (node.id.as_str(), drawn.add_node(node))).collect();
    for edge in &graph.edges {
        if let (Some(from), Some(to)) = (numbers.get(edge.from.as_str()), numbers.get(edge.to.as_str())) {
            drawn.add_edge(*from, *to, edge);
        }
    }
    let config = [Config::GraphContentOnly, Config::NodeNoLabel, Config::EdgeNoLabel];
    let dot = Dot::with_attr_getters(&drawn, &config, &|_, edge| of_edge(edge.weight(), Ty::is_directed()), &|_,
                                                                                                              (
        _,
        node,
    )| {
        of_node(node)
    });
    format!("    node [ shape = box ]\n{dot:?}")
}

fn of_node(node: &DrawnNode) -> String {
    let mut attributes = vec![
        format!("label = {}", quoted(&node.name)),
        format!("tooltip = {}", quoted(&node.path)),
        format!("kind = {}", quoted(&node.kind)),
    ];
    attributes.extend(node.object.role.iter().map(|role| format!("role = {}", quoted(role))));
    attributes.extend(node.object.status.iter().map(|status| format!("status = {}", quoted(status))));
    attributes.extend(node.outside.then(|| "style = dashed".to_owned()));
    attributes.join(", ")
}

fn of_edge(edge: &Edge, in_directed: bool) -> String {
    let mut attributes = vec![format!("layer = {}", quoted(&edge.layer)), format!("count = {}", edge.count)];
    let mut words: Vec<String> = (edge.count > 1).then(|| format!("{} ×", edge.count)).into_iter().collect();
    words.extend(edge.speed_bps.map(bandwidth));
    attributes.extend((!words.is_empty()).then(|| format!("label = {}", quoted(&words.join(", ")))));
    attributes.extend(edge.speed_bps.map(|speed| format!("speedBps = {speed}")));
    attributes.extend(edge.state.iter().map(|state| format!("state = {}", quoted(state))));
    let color = match edge.state.as_deref() {
        Some("DOWN") => Some("red"),
        Some("DEGRADED") => Some("orange"),
        _ => None,
    };
    attributes.extend(color.map(|color| format!("color = {color}")));
    let style = match edge.layer.as_str() {
        "LOGICAL" => Some("dashed"),
        "CONTAINMENT" => Some("dotted"),
        _ => None,
    };
    attributes.extend(style.map(|style| format!("style = {style}")));
    attributes.extend((in_directed && !edge.directed).then(|| "dir = none".to_owned()));
    attributes.join(", ")
}

/// Returns a text in quotation marks. Graphviz shows it as it is, except for hidden characters, which are escaped.
fn quoted(text: &str) -> String {
    let text = line(text);
    let mut out = String::from("\"");
    for (at, letter) in text.char_indices() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            // Graphviz replaces the entities of HTML, also in texts that are no markup.
            '&' if is_entity(&text[at..]) => out.push_str("&amp;"),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Returns true if a text that begins with `&` begins with an entity such as `&lt;` or `&#60;`.
fn is_entity(text: &str) -> bool {
    let name = text[1..].split_once(';').map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '#'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::answer::Details;

    fn node(id: &str, name: &str) -> DrawnNode {
        let object = Details { role: Some("LEAF".into()), status: None };
        let (kind, path) = ("Device".into(), format!("device/s/{name}"));
        DrawnNode { id: id.into(), kind, name: name.into(), path, outside: id == "y", object }
    }

    fn edge(layer: &str, directed: bool, count: u64) -> Edge {
        let (from, to) = ("x".into(), "y".into());
        Edge { layer: layer.into(), from, to, directed, count, speed_bps: None, state: None }
    }

    #[test]
    fn edges_without_a_direction_make_a_graph() {
        let cables =
            Edge { speed_bps: Some(50_000_000_000), state: Some("DEGRADED".into()), ..edge("PHYSICAL", false, 2) };
        let graph = Graph { nodes: vec![node("x", "a"), node("y", "b")], edges: vec![cables] };
        let expected = "\
graph {
    node [ shape = box ]
    0 [ label = \"a\", tooltip = \"device/s/a\", kind = \"Device\", role = \"LEAF\"]
    1 [ label = \"b\", tooltip = \"device/s/b\", kind = \"Device\", role = \"LEAF\", style = dashed]
    0 -- 1 [ layer = \"PHYSICAL\", count = 2, label = \"2 ×, 50 Gbit/s\", speedBps = 50000000000, state = \"DEGRADED\", color = orange]
}
";
        assert_eq!(write(&graph), expected);
    }

    #[test]
    fn edges_with_a_direction_make_a_digraph() {
        let edges = vec![edge("POWER", true, 1), edge("LOGICAL", false, 1)];
        let text = write(&Graph { nodes: vec![node("x", "a"), node("y", "b")], edges });
        assert!(text.starts_with("digraph {\n"), "{text}");
        assert!(text.contains("    0 -> 1 [ layer = \"POWER\", count = 1]\n"), "{text}");
        assert!(text.contains("    0 -> 1 [ layer = \"LOGICAL\", count = 1, style = dashed, dir = none]\n"), "{text}");
    }

    #[test]
    fn names_are_shown_as_they_are() {
        for (name, expected) in [
            ("a\"b\\", r#""a\"b\\""#),
            ("<b>", "\"<b>\""),
            ("a & b", "\"a & b\""),
            ("&lt;&#60;&", "\"&amp;lt;&amp;#60;&\""),
            ("\u{1b}[1m\u{202e}\u{9b}", r#""\\u{1b}[1m\\u{202e}\\u{9b}""#),
            ("\n", r#""\\u{a}""#),
        ] {
            assert_eq!(quoted(name), expected);
        }
    }
}
