//! Graphs over HTTP and on the command line: what they answer, what they refuse, and that Graphviz and readers of
//! GraphML can read them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::apply::done;
use crate::harness::{Database, Server};

const GRAPH: &str = "query($within: ID, $depth: Int, $layers: [GraphLayer!], $by: GraphBy, $first: Int) {
  graph(within: $within, depth: $depth, layers: $layers, by: $by, first: $first) {
    revision complete
    nodes { id kind name path outside object { __typename name ... on Device { role status } } }
    edges { layer from to directed count speedBps state }
  }
}";

/// A name that means harm to Graphviz, to XML and to terminals.
const HOSTILE: &str = "a\"]<b>&lt;\\N\u{202e}\u{200b}";

/// A leaf and a spine with two cables, a rack with power, and a device with a harmful name.
async fn fleet() -> Server {
    let server = Server::start(Database::Sqlite).await;
    let rack = json!({"rack": {"rack": "A1"}});
    let port = |device: &str, name: &str, kind: &str| {
        let speed = (kind == "ETHERNET").then_some(10_000_000_000_i64);
        json!({"port": {"device": {"device": device}, "name": name, "type": kind, "speedBps": speed}})
    };
    let end = |device: &str, port: &str| json!({"port": {"device": device, "port": port}});
    let cable = |name: &str, a: Value, b: Value| json!({"cable": {"name": name, "aEnds": [a], "bEnds": [b]}});
    let items = vec![
        json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
        json!({"rack": {"site": {"site": "ams1"}, "name": "A1", "heightU": 42}}),
        json!({"powerFeed": {"site": {"site": "ams1"}, "rack": {"rack": "A1"}, "name": "fa"}}),
        json!({"device": {"site": {"site": "ams1"}, "name": "leaf-1", "role": "LEAF", "placement": rack}}),
        json!({"device": {"site": {"site": "ams1"}, "name": "spine-1", "role": "SPINE"}}),
        json!({"device": {"site": {"site": "ams1"}, "name": HOSTILE, "role": "SERVER", "placement": rack}}),
        port("leaf-1", "1", "ETHERNET"),
        port("leaf-1", "2", "ETHERNET"),
        port("leaf-1", "3", "ETHERNET"),
        port("spine-1", "1", "ETHERNET"),
        port("spine-1", "2", "ETHERNET"),
        port(HOSTILE, "1", "ETHERNET"),
        port("leaf-1", "psu", "POWER_INLET"),
        cable("c1", end("leaf-1", "1"), end("spine-1", "1")),
        cable("c2", end("leaf-1", "2"), end("spine-1", "2")),
        cable("c3", end("leaf-1", "3"), end(HOSTILE, "1")),
        cable("c4", end("leaf-1", "psu"), json!({"powerFeed": {"powerFeed": "fa"}})),
    ];
    let made = server.client().apply_all(items).await;
    assert!(made["revision"].is_i64(), "{made:#}");
    server
}

async fn id(server: &Server, list: &str, name: &str) -> Value {
    let query = format!("query($name: String) {{ {list}(filter: {{name: {{eq: $name}}}}) {{ nodes {{ id }} }} }}");
    server.client().ok(&query, json!({ "name": name })).await[list]["nodes"][0]["id"].clone()
}

#[tokio::test]
async fn a_graph_is_drawn_over_http() {
    let server = fleet().await;
    let client = server.client();
    let (leaf, spine) = (id(&server, "devices", "leaf-1").await, id(&server, "devices", "spine-1").await);
    let (rack, harm) = (id(&server, "racks", "A1").await, id(&server, "devices", HOSTILE).await);
    let node = |id: &Value, name: &str, role: &str, outside: bool| {
        let object = json!({"__typename": "Device", "name": name, "role": role, "status": "ACTIVE"});
        json!({"id": id, "kind": "Device", "name": name, "path": format!("device/ams1/{name}"), "outside": outside,
               "object": object})
    };
    let edge = |from: &Value, to: &Value, count: i64| {
        json!({"layer": "PHYSICAL", "from": from, "to": to, "directed": false, "count": count,
               "speedBps": count * 10_000_000_000, "state": "UP"})
    };
    let found = client.ok(GRAPH, json!({"within": rack, "depth": 1})).await["graph"].take();
    let expected = json!({
        "revision": 1, "complete": true,
        "nodes": [
            node(&harm, HOSTILE, "SERVER", false),
            node(&leaf, "leaf-1", "LEAF", false),
            node(&spine, "spine-1", "SPINE", true),
        ],
        "edges": [edge(&harm, &leaf, 1), edge(&leaf, &spine, 2)],
    });
    assert_eq!(found, expected);

    let all = client.ok(GRAPH, json!({"layers": ["POWER", "PHYSICAL", "POWER"], "first": 1000})).await["graph"].take();
    let names: Vec<_> = all["nodes"].as_array().expect("nodes").iter().map(|node| node["name"].clone()).collect();
    assert_eq!(names, [HOSTILE, "leaf-1", "spine-1", "fa"]);
    let power = json!({"layer": "POWER", "from": id(&server, "powerFeeds", "fa").await, "to": leaf, "directed": true,
                       "count": 1, "speedBps": null, "state": "UP"});
    assert_eq!(all["edges"], json!([edge(&harm, &leaf, 1), edge(&leaf, &spine, 2), power]));

    for (variables, count, complete) in [
        (json!({"first": 2}), 2, false),
        (json!({"first": 0}), 0, false),
        (json!({"by": "SITE"}), 1, true),
        (json!({"by": "RACK"}), 1, true),
        (json!({"within": id(&server, "ports", "psu").await}), 0, true),
    ] {
        let found = client.ok(GRAPH, variables.clone()).await["graph"].take();
        let counted = found["nodes"].as_array().map(Vec::len);
        assert_eq!((counted, &found["complete"]), (Some(count), &json!(complete)), "{variables}");
    }
}

#[tokio::test]
async fn arguments_that_mean_no_graph_are_refused() {
    let server = fleet().await;
    let client = server.client();
    let nowhere = "0197a0c4-5d1e-7000-8000-000000000001";
    for (variables, code, field, says) in [
        (json!({"within": nowhere}), "NOT_FOUND", "within", "does not exist"),
        (
            json!({"within": "rack"}),
            "INVALID",
            "within",
            "must be a UUID or a path such as rack/ams1/A14, not \"rack\"",
        ),
        (json!({"within": "rack/A1"}), "NOT_FOUND", "within", "an object with the path rack/A1"),
        (json!({"first": -1}), "INVALID", "first", "must be from 0 to 1000, not -1"),
        (json!({"first": 1_001}), "INVALID", "first", "must be from 0 to 1000, not 1001"),
        (json!({"depth": 11}), "INVALID", "depth", "must be from 0 to 10, not 11"),
        (json!({"layers": []}), "INVALID", "layers", "must have at least one layer"),
    ] {
        let errors = client.refused(GRAPH, variables.clone()).await;
        let error = &errors[0];
        assert_eq!((error.code.as_str(), error.field.as_deref()), (code, Some(field)), "{variables}: {error:?}");
        assert!(error.message.contains(says), "{variables}: {error:?}");
    }
    for variables in [json!({"layers": ["OPTICAL"]}), json!({"by": "PORT"})] {
        let errors = client.refused(GRAPH, variables.clone()).await;
        assert!(errors[0].message.contains("does not contain the given value"), "{variables}: {errors:?}");
        assert!(errors[0].field.is_some(), "{variables}: {errors:?}");
    }
}

#[tokio::test]
async fn a_graph_is_written_for_graphviz() {
    let server = fleet().await;
    let outcome = server.cli(["graph", "--within", "rack/A1", "--depth", "1", "--layers", "power,physical"]).await;
    let text = done(&outcome);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines[1], lines[lines.len() - 1]), ("digraph {", "    node [ shape = box ]", "}"));
    let statements: Vec<_> = lines[2..lines.len() - 1].iter().map(|line| statement(line)).collect();
    let seen = |name: &str| {
        statements.iter().filter_map(|(what, it)| Some((what.clone(), it.get(name)?.clone()))).collect::<Vec<_>>()
    };
    let pair = |what: &str, value: &str| (what.to_owned(), value.to_owned());
    // Hidden characters are shown as escapes, everything else as it is, as Graphviz reads it.
    let labels = seen("label");
    assert_eq!(labels[0], pair("0", "a\"]<b>&amp;lt;\\N\\u{202e}\\u{200b}"));
    assert_eq!(labels[1..4], [pair("1", "leaf-1"), pair("2", "fa"), pair("3", "spine-1")]);
    assert_eq!(seen("layer"), [pair("0 -> 1", "PHYSICAL"), pair("1 -> 3", "PHYSICAL"), pair("2 -> 1", "POWER")]);
    assert_eq!(seen("dir"), [pair("0 -> 1", "none"), pair("1 -> 3", "none")]);
    assert_eq!(seen("count"), [pair("0 -> 1", "1"), pair("1 -> 3", "2"), pair("2 -> 1", "1")]);
    assert_eq!(seen("role")[..2], [pair("0", "SERVER"), pair("1", "LEAF")]);
    assert_eq!(seen("style"), [pair("3", "dashed")]);

    let plain = server.cli(["graph", "--by", "rack"]).await;
    assert_eq!(
        done(&plain),
        "graph {\n    node [ shape = box ]\n    0 [ label = \"A1\", tooltip = \"rack/ams1/A1\", kind = \"Rack\", status = \"ACTIVE\"]\n}\n"
    );
}

/// Reads a statement of Graphviz: what it is about, and its attributes as Graphviz understands them.
fn statement(line: &str) -> (String, BTreeMap<String, String>) {
    let (what, rest) = line.trim().split_once(" [ ").expect("attributes");
    let mut letters = rest.chars().peekable();
    let mut attributes = BTreeMap::new();
    loop {
        let mut name = String::new();
        while let Some(letter) = letters.next_if(|letter| letter.is_ascii_alphanumeric()) {
            name.push(letter);
        }
        assert_eq!(letters.by_ref().take(3).collect::<String>(), " = ", "{line}");
        let mut value = String::new();
        if letters.next_if_eq(&'"').is_some() {
            loop {
                match letters.next().unwrap_or_else(|| panic!("a text without an end: {line}")) {
                    '"' => break,
                    '\\' => value.extend(letters.next()),
                    letter => value.push(letter),
                }
            }
        } else {
            while let Some(letter) = letters.next_if(|letter| letter.is_ascii_alphanumeric()) {
                value.push(letter);
            }
        }
        attributes.insert(name, value);
        match letters.next() {
            Some(',') => assert_eq!(letters.next(), Some(' '), "{line}"),
            Some(']') => break,
            other => panic!("{other:?} in {line}"),
        }
    }
    assert_eq!(letters.next(), None, "{line}");
    (what.to_owned(), attributes)
}

/// An element of an XML document.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
    children: Vec<Element>,
}

/// Reads an XML document without comments and references to anything outside; panics if it is not well-formed.
fn xml(text: &str) -> Element {
    let text = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let allowed =
        |letter: char| matches!(letter, '\n' | '\t' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(allowed), "a character that XML does not allow");
    let mut open = vec![Element::default()];
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        open.last_mut().expect("an element").text += &unescaped(before);
        let (tag, after) = after.split_once('>').expect("the end of a tag");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let closed = open.pop().expect("an element");
            assert_eq!(closed.name, name);
            open.last_mut().expect("an element around it").children.push(closed);
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let element = element(tag);
        match is_empty {
            true => open.last_mut().expect("an element around it").children.push(element),
            false => open.push(element),
        }
    }
    let mut root = open.pop().expect("the document");
    assert!(open.is_empty() && root.children.len() == 1 && (root.text.clone() + rest).trim().is_empty(), "one root");
    root.children.remove(0)
}

fn element(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut element = Element { name: name.to_owned(), ..Element::default() };
    while !rest.trim().is_empty() {
        let (key, after) = rest.trim_start().split_once("=\"").expect("an attribute");
        let (value, after) = after.split_once('"').expect("the end of a value");
        assert_eq!(element.attributes.insert(key.to_owned(), unescaped(value)), None, "{key} twice");
        rest = after;
    }
    element
}

fn unescaped(text: &str) -> String {
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (entity, after) = part.split_once(';').expect("an entity");
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            _ => panic!("the entity {entity}"),
        });
        out += after;
    }
    out
}

#[tokio::test]
async fn a_graph_is_written_as_graphml() {
    let server = fleet().await;
    let outcome = server
        .cli(["graph", "--within", "rack/A1", "--depth", "1", "--layers", "physical,power", "-o", "graphml"])
        .await;
    let document = xml(done(&outcome));
    assert_eq!(
        (document.name.as_str(), document.attributes["xmlns"].as_str()),
        ("graphml", "http://graphml.graphdrawing.org/xmlns")
    );
    let (keys, graphs): (Vec<_>, Vec<_>) = document.children.iter().partition(|child| child.name == "key");
    let types: BTreeMap<(&str, &str), &str> = keys
        .iter()
        .map(|key| {
            ((key.attributes["for"].as_str(), key.attributes["id"].as_str()), key.attributes["attr.type"].as_str())
        })
        .collect();
    let [graph] = graphs.as_slice() else { panic!("one graph") };
    assert_eq!(graph.attributes["edgedefault"], "directed");
    let mut labels = BTreeMap::new();
    for child in &graph.children {
        for data in &child.children {
            let ty = types[&(child.name.as_str(), data.attributes["key"].as_str())];
            let fits = match ty {
                "boolean" => ["true", "false"].contains(&data.text.as_str()),
                "int" | "long" => data.text.parse::<i64>().is_ok(),
                "double" => data.text.parse::<f64>().is_ok(),
                _ => true,
            };
            assert!(fits, "{data:?} is no {ty}");
        }
        if child.name == "node" {
            let label = child.children.iter().find(|data| data.attributes["key"] == "label").expect("a label");
            labels.insert(child.attributes["id"].clone(), label.text.clone());
        }
    }
    let shown = "a\"]<b>&lt;\\N\\u{202e}\\u{200b}";
    let edges: Vec<_> = graph.children.iter().filter(|child| child.name == "edge").collect();
    let ends = |edge: &&Element| {
        let end = |key: &str| labels[&edge.attributes[key]].clone();
        let directed = edge.children.iter().find(|data| data.attributes["key"] == "directed").expect("the data");
        (end("source"), end("target"), directed.text.clone())
    };
    let expected = [(shown, "leaf-1", "false"), ("leaf-1", "spine-1", "false"), ("fa", "leaf-1", "true")];
    let expected = expected.map(|(a, b, directed)| (a.to_owned(), b.to_owned(), directed.to_owned()));
    assert_eq!(edges.iter().map(ends).collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn the_command_says_what_is_missing_or_wrong() {
    let server = fleet().await;
    let asked = server.cli(["graph", "--within", "rack/A1", "-o", "json"]).await;
    let found: Value = serde_json::from_str(done(&asked)).expect("JSON");
    assert_eq!((&found["complete"], found["nodes"].as_array().map(Vec::len)), (&json!(true), Some(2)));
    assert!(asked.stderr.is_empty(), "{asked:?}");

    let cut = server.cli(["graph", "--limit", "1"]).await;
    assert!(cut.code == 0 && cut.stdout.contains("label = "), "{cut:?}");
    assert!(cut.stderr.starts_with("note: these are the first 1 nodes"), "{cut:?}");
    let empty = server.cli(["graph", "--within", "port/leaf-1/1"]).await;
    assert_eq!((empty.code, empty.stdout.as_str()), (0, "graph {\n    node [ shape = box ]\n}\n"));
    assert_eq!(empty.stderr, "note: there is nothing to draw\n");
    for (arguments, code, says) in [
        (&["graph", "--within", "rack/nothing"][..], 1, "there is no rack/nothing (NOT_FOUND)"),
        (&["graph", "--layers", "physical,optical"], 2, "invalid value 'optical'"),
        (&["graph", "--by", "port"], 2, "invalid value 'port'"),
        (&["graph", "--depth", "11"], 2, "11 is not in 0..=10"),
        (&["graph", "--limit", "1001"], 2, "must be a whole number from 1 to 1000"),
    ] {
        let outcome = server.cli(arguments).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (code, ""), "{outcome:?}");
        assert!(outcome.stderr.contains(says), "{outcome:?}");
    }
}
