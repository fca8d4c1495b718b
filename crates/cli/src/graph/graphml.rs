//! Writes a graph as GraphML, which yEd, Gephi, NetworkX and others read.
//!
//! NetworkX and others read no graph of which some edges are directed and others are not. So all edges are directed if any
//! layer has a direction, and the data `directed` of each edge says whether its layer has one.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use super::answer::{DrawnNode, Edge, Graph};
use underlay_kit::line;

/// The data of nodes and edges: the name, and the type that readers give to it.
const OF_NODES: [(&str, &str); 6] = [
    ("label", "string"),
    ("kind", "string"),
    ("path", "string"),
    ("role", "string"),
    ("status", "string"),
    ("outside", "boolean"),
];
const OF_EDGES: [(&str, &str); 6] = [
    ("layer", "string"),
    ("directed", "boolean"),
    ("count", "int"),
    ("weight", "double"),
    ("speedBps", "long"),
    ("state", "string"),
];

/// Returns a graph as GraphML.
pub(super) fn write(graph: &Graph) -> String {
    let mut text = String::new();
    // Writing to a text in memory cannot fail.
    let _ = write_to(&mut text, graph);
    text
}

fn write_to(out: &mut String, graph: &Graph) -> fmt::Result {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
    for (of, keys) in [("node", OF_NODES.as_slice()), ("edge", OF_EDGES.as_slice())] {
        for (name, ty) in keys {
            writeln!(out, "  <key id=\"{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{ty}\"/>")?;
        }
    }
    let is_directed = graph.edges.iter().any(|edge| edge.directed);
    writeln!(out, "  <graph edgedefault=\"{}\">", if is_directed { "directed" } else { "undirected" })?;
    graph.nodes.iter().try_for_each(|node| write_node(out, node))?;
    graph.edges.iter().enumerate().try_for_each(|(at, edge)| write_edge(out, at, edge))?;
    writeln!(out, "  </graph>\n</graphml>")
}

fn write_node(out: &mut String, node: &DrawnNode) -> fmt::Result {
    writeln!(out, "    <node id=\"{}\">", escaped(&node.id))?;
    data(out, "label", Some(&node.name))?;
    data(out, "kind", Some(&node.kind))?;
    data(out, "path", Some(&node.path))?;
    data(out, "role", node.object.role.as_deref())?;
    data(out, "status", node.object.status.as_deref())?;
    data(out, "outside", Some(if node.outside { "true" } else { "false" }))?;
    writeln!(out, "    </node>")
}

fn write_edge(out: &mut String, at: usize, edge: &Edge) -> fmt::Result {
    let (from, to) = (escaped(&edge.from), escaped(&edge.to));
    writeln!(out, "    <edge id=\"e{at}\" source=\"{from}\" target=\"{to}\">")?;
    data(out, "layer", Some(&edge.layer))?;
    data(out, "directed", Some(if edge.directed { "true" } else { "false" }))?;
    data(out, "count", Some(&edge.count.to_string()))?;
    // Layouts draw edges with a larger weight shorter or wider.
    data(out, "weight", Some(&edge.count.to_string()))?;
    data(out, "speedBps", edge.speed_bps.map(|speed| speed.to_string()).as_deref())?;
    data(out, "state", edge.state.as_deref())?;
    writeln!(out, "    </edge>")
}

fn data(out: &mut String, key: &str, value: Option<&str>) -> fmt::Result {
    match value {
        Some(value) => writeln!(out, "      <data key=\"{key}\">{}</data>", escaped(value)),
        None => Ok(()),
    }
}

/// Escapes a text for XML. Hidden characters, and those that XML cannot contain, are escaped as on a terminal.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in line(text).chars() {
        let written: Cow<'static, str> = match letter {
            '&' => "&amp;".into(),
            '<' => "&lt;".into(),
            '>' => "&gt;".into(),
            '"' => "&quot;".into(),
            '\u{fffe}' | '\u{ffff}' => letter.escape_unicode().to_string().into(),
            letter => {
                out.push(letter);
                continue;
            }
        };
        out.push_str(&written);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_edges_have_typed_data() {
        let node = DrawnNode {
            id: "x".into(),
            kind: "Rack".into(),
            name: "A<1>".into(),
            path: "rack/s/A".into(),
            ..DrawnNode::default()
        };
        let edge = Edge {
            layer: "POWER".into(),
            from: "x".into(),
            to: "x".into(),
            directed: true,
            count: 2,
            speed_bps: Some(7),
            state: Some("UP".into()),
        };
        let text = write(&Graph { nodes: vec![node], edges: vec![edge] });
        let (head, body) = text.split_once("  <graph ").expect("keys and a graph");
        assert!(
            head.contains("<key id=\"speedBps\" for=\"edge\" attr.name=\"speedBps\" attr.type=\"long\"/>"),
            "{head}"
        );
        let expected = "\
edgedefault=\"directed\">
    <node id=\"x\">
      <data key=\"label\">A&lt;1&gt;</data>
      <data key=\"kind\">Rack</data>
      <data key=\"path\">rack/s/A</data>
      <data key=\"outside\">false</data>
    </node>
    <edge id=\"e0\" source=\"x\" target=\"x\">
      <data key=\"layer\">POWER</data>
      <data key=\"directed\">true</data>
      <data key=\"count\">2</data>
      <data key=\"weight\">2</data>
      <data key=\"speedBps\">7</data>
      <data key=\"state\">UP</data>
    </edge>
  </graph>
</graphml>
";
        assert_eq!(body, expected);
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escaped("a&b<c>\"'é"), "a&amp;b&lt;c&gt;&quot;'é");
        assert_eq!(escaped("\u{1b}\u{202e}\u{85}\u{fffe}"), "\\u{1b}\\u{202e}\\u{85}\\u{fffe}");
    }
}
