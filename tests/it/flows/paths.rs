//! Paths and diversity over HTTP and on the command line: answers and rejected queries.

use serde_json::{Value, json};

use super::apply::done;
use crate::harness::{Client, Database, Server};

const PATHS: &str = "query($from: ID!, $to: ID!, $avoid: [ID!], $mode: PathMode, $weight: PathWeight, $limit: Int,
    $plane: Plane, $logical: Boolean) {
  paths(from: $from, to: $to, avoid: $avoid, mode: $mode, weight: $weight, limit: $limit, plane: $plane,
        includeLogical: $logical) {
    revision
    paths {
      hops lengthM knownLengthM latencyMs bandwidthBps active logical
      nodes { __typename ... on Device { name } ... on ProviderNetwork { name } ... on Site { name } }
      segments {
        type lengthM knownLengthM latencyMs bandwidthBps active logical link { name }
        steps { ... on Port { name } ... on Cable { name } ... on CircuitTermination { side } ... on Circuit { name }
                ... on ProviderNetwork { name } ... on Site { name } }
      }
    }
  }
}";

const DIVERSITY: &str = "query($from: ID!, $to: ID!) {
  diversity(from: $from, to: $to) {
    revision disjoint paths { nodes { ... on Device { name } } }
    risks { node { id } kind path riskGroup takesEnd breaks { id } }
  }
}";

/// Two servers on two leaves in one rack, a border with a circuit to a network, a link to another site.
async fn fleet() -> Server {
    let server = Server::start(Database::Sqlite).await;
    let device = |name: &str, role: &str| json!({"device": {"site": {"site": "ams1"}, "name": name, "role": role}});
    let leaf = |name: &str| {
        let placement = json!({"rack": {"rack": "A1"}});
        json!({"device": {"site": {"site": "ams1"}, "name": name, "role": "LEAF", "placement": placement}})
    };
    let port = |device: &str, name: &str| json!({"port": {"device": {"device": device}, "name": name, "type": "ETHERNET", "speedBps": 10_000_000_000_i64}});
    let cable = |name: &str, a: (&str, &str), b: (&str, &str)| {
        let end = |(device, port): (&str, &str)| json!([{"port": {"device": device, "port": port}}]);
        json!({"cable": {"name": name, "lengthM": 3, "aEnds": end(a), "bEnds": end(b)}})
    };
    let network = json!({"providerNetwork": {"provider": "lumen", "providerNetwork": "as3356"}});
    let items = vec![
        json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
        json!({"site": {"name": "fra1", "type": "DATACENTER"}}),
        json!({"rack": {"site": {"site": "ams1"}, "name": "A1", "heightU": 42}}),
        json!({"provider": {"name": "lumen", "type": "TRANSIT"}}),
        json!({"providerNetwork": {"provider": {"provider": "lumen"}, "name": "as3356"}}),
        device("n1", "SERVER"),
        device("n2", "SERVER"),
        leaf("l1"),
        leaf("l2"),
        port("n1", "a"),
        port("n1", "b"),
        port("n2", "a"),
        port("n2", "b"),
        port("l1", "1"),
        port("l1", "2"),
        port("l1", "up"),
        port("l2", "1"),
        port("l2", "2"),
        cable("c1", ("n1", "a"), ("l1", "1")),
        cable("c2", ("n1", "b"), ("l2", "1")),
        cable("c3", ("n2", "a"), ("l1", "2")),
        cable("c4", ("n2", "b"), ("l2", "2")),
        json!({"circuit": {
            "provider": {"provider": "lumen"}, "name": "x", "type": "TRANSIT", "latencyMs": 4, "bandwidthMbps": 1000,
            "aEnd": {"site": {"site": "ams1"}, "port": {"device": "l1", "port": "up"}}, "zEnd": network,
        }}),
        json!({"link": {
            "name": "ams1-fra1", "type": "INTERNET", "latencyMs": 9, "a": {"site": {"site": "ams1"}}, "b": {"site": {"site": "fra1"}},
        }}),
    ];
    let made = server.client().apply_all(items).await;
    assert!(made["revision"].is_i64(), "{made:#}");
    server
}

async fn id(client: &Client, list: &str, name: &str) -> Value {
    let query = format!("query($name: String) {{ {list}(filter: {{name: {{eq: $name}}}}) {{ nodes {{ id }} }} }}");
    client.ok(&query, json!({ "name": name })).await[list]["nodes"][0]["id"].clone()
}

/// The names of the nodes of each path.
fn nodes(paths: &Value) -> Vec<String> {
    let name = |node: &Value| node["name"].as_str().unwrap_or_default().to_owned();
    let names = |path: &Value| path["nodes"].as_array().expect("nodes").iter().map(name).collect::<Vec<_>>().join(" ");
    paths.as_array().expect("paths").iter().map(names).collect()
}

#[tokio::test]
async fn paths_are_found_over_http() {
    let server = fleet().await;
    let client = server.client();
    let (n1, n2) = (id(&client, "devices", "n1").await, id(&client, "devices", "n2").await);
    let (l1, provider) = (id(&client, "devices", "l1").await, id(&client, "providers", "lumen").await);
    let out = client.ok(PATHS, json!({"from": n1, "to": provider})).await["paths"].take();
    let segment = |steps: Value, length: Value, known: f64, latency: Value, bandwidth: i64| {
        json!({"type": "LINE", "lengthM": length, "knownLengthM": known, "latencyMs": latency, "active": true,
               "bandwidthBps": bandwidth, "logical": false, "link": null, "steps": steps})
    };
    let name = |name: &str| json!([{ "name": name }]);
    let first = json!([name("a"), name("c1"), name("1")]);
    let second = json!([name("up"), [{"side": "A"}], name("x"), [{"side": "Z"}], name("as3356")]);
    let expected = json!({"revision": 1, "paths": [{
        "hops": 2, "lengthM": null, "knownLengthM": 3.0, "latencyMs": 4.0, "bandwidthBps": 1_000_000_000, "active": true,
        "logical": false,
        "nodes": [
            {"__typename": "Device", "name": "n1"},
            {"__typename": "Device", "name": "l1"},
            {"__typename": "ProviderNetwork", "name": "as3356"},
        ],
        "segments": [
            segment(first, json!(3.0), 3.0, Value::Null, 10_000_000_000),
            segment(second, Value::Null, 0.0, json!(4.0), 1_000_000_000),
        ],
    }]});
    assert_eq!(out, expected);
    for (variables, expected) in [
        (json!({"from": n1, "to": n2, "limit": 100}), &["n1 l1 n2", "n1 l2 n2"][..]),
        (json!({"from": n1, "to": n2, "mode": "DISJOINT"}), &["n1 l1 n2", "n1 l2 n2"]),
        (json!({"from": n1, "to": n2, "weight": "LENGTH", "avoid": [l1]}), &["n1 l2 n2"]),
        (json!({"from": n1, "to": n2, "avoid": [l1, id(&client, "sites", "ams1").await]}), &[]),
        (json!({"from": n1, "to": n2, "plane": "MANAGEMENT"}), &[]),
    ] {
        let found = client.ok(PATHS, variables.clone()).await;
        assert_eq!(nodes(&found["paths"]["paths"]), expected, "{variables}");
    }
}

#[tokio::test]
async fn a_diversity_names_what_is_shared() {
    let server = fleet().await;
    let client = server.client();
    let (n1, n2) = (id(&client, "devices", "n1").await, id(&client, "devices", "n2").await);
    let found = client.ok(DIVERSITY, json!({"from": n1, "to": n2})).await["diversity"].take();
    assert_eq!(
        (&found["disjoint"], nodes(&found["paths"])),
        (&json!(true), vec!["n1 l1 n2".into(), "n1 l2 n2".into()])
    );
    let risks: Vec<String> = found["risks"]
        .as_array()
        .expect("risks")
        .iter()
        .map(|risk| {
            assert!(risk["node"]["id"].is_string() && risk["riskGroup"].is_null(), "{risk:#}");
            assert!(risk["breaks"].as_array().is_some_and(|both| both.iter().all(|it| it != &json!([]))), "{risk:#}");
            format!("{} {} {}", risk["kind"], risk["path"], risk["takesEnd"]).replace('"', "")
        })
        .collect();
    assert_eq!(risks, ["Rack rack/ams1/A1 false", "Site site/ams1 true"]);
}

#[tokio::test]
async fn invalid_ends_are_rejected() {
    let server = fleet().await;
    let client = server.client();
    let (n1, n2) = (id(&client, "devices", "n1").await, id(&client, "devices", "n2").await);
    let (rack, fra) = (id(&client, "racks", "A1").await, id(&client, "sites", "fra1").await);
    let nowhere = "0197a0c4-5d1e-7000-8000-000000000001";
    let many = vec![nowhere; 1_001];
    for (variables, code, field, says) in [
        (json!({"from": nowhere, "to": n2}), "NOT_FOUND", "from", "does not exist"),
        (json!({"from": n1, "to": nowhere}), "NOT_FOUND", "to", "does not exist"),
        (json!({"from": "n1", "to": n2}), "INVALID", "from", "must be a UUID"),
        (json!({"from": n1, "to": n2, "avoid": [nowhere]}), "NOT_FOUND", "avoid", "does not exist"),
        (json!({"from": n1, "to": n2, "avoid": many}), "INVALID", "avoid", "0 to 1000 entries, not 1001"),
        (json!({"from": rack, "to": n2}), "INVALID", "from", "no path begins or ends at a Rack"),
        (json!({"from": n1, "to": rack}), "INVALID", "to", "VirtualMachine, Host; no path begins or ends at a Rack"),
        (json!({"from": n1, "to": n1}), "INVALID", "to", "both have device/ams1/n1"),
        (json!({"from": n1, "to": fra}), "INVALID", "to", "site/fra1 has none"),
        (json!({"from": n1, "to": n2, "limit": 0}), "INVALID", "limit", "from 1 to 100, not 0"),
        (json!({"from": n1, "to": n2, "limit": 1_000_000}), "INVALID", "limit", "from 1 to 100, not 1000000"),
        (json!({"from": n1, "to": n2, "limit": -1}), "INVALID", "limit", "from 1 to 100, not -1"),
    ] {
        let errors = client.refused(PATHS, variables.clone()).await;
        let error = &errors[0];
        assert_eq!((error.code.as_str(), error.field.as_deref()), (code, Some(field)), "{variables}: {error:?}");
        assert!(error.message.contains(says), "{variables}: {error:?}");
    }
    let errors = client.refused(DIVERSITY, json!({"from": rack, "to": n2})).await;
    assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some("from")));
}

#[tokio::test]
async fn paths_are_drawn_on_the_command_line() {
    let server = fleet().await;
    let outcome = server.cli(["paths", "device/n1", "provider/lumen"]).await;
    let expected = "\
2 hops, more than 3 m, 4 ms, 1 Gbit/s
● device/ams1/n1
┃ n1/a ━ c1 ━ l1/1  3 m
○ device/ams1/l1
┃ l1/up ━ x/A ━ x ━ x/Z ━ as3356  4 ms
● providerNetwork/lumen/as3356

as of revision 1
";
    assert_eq!(done(&outcome), expected);
    let disjoint = server.cli(["paths", "n1:a", "device/n2", "--disjoint", "-o", "json"]).await;
    let disjoint: Value = serde_json::from_str(done(&disjoint)).expect("JSON");
    assert_eq!(nodes(&disjoint["paths"]), ["n1 l1 n2", "n1 l2 n2"]);
    let shared = server.cli(["paths", "device/n1", "device/n2", "--diversity"]).await;
    let printed = done(&shared);
    assert!(
        printed.contains("no device or line in common\nWhat breaks both alone\n! rack/ams1/A1\n! site/ams1"),
        "{printed}"
    );
    let none = server.cli(["paths", "device/n1", "device/n2", "--avoid", "site/ams1"]).await;
    let none = done(&none);
    assert!(none.starts_with("there is no path\nnot searched: ") && none.ends_with("\nas of revision 1\n"), "{none}");
    for (arguments, code, says) in [
        (&["paths", "device/n1", "device/nothing"][..], 1, "there is no device/nothing (NOT_FOUND)"),
        (&["paths", "device/n1", "rack/A1"], 1, "no path begins or ends at a Rack"),
        (&["paths", "device/n1", "device/n2", "--limit", "101"], 1, "from 1 to 100"),
        (&["paths", "device/n1", "device/n2", "--diversity", "--limit", "2"], 2, "cannot be used with"),
        (&["paths", "device/n1"], 2, "required"),
    ] {
        let outcome = server.cli(arguments).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (code, ""), "{outcome:?}");
        assert!(outcome.stderr.contains(says), "{outcome:?}");
    }
}

/// Two switches on two radios, and an access point with three stations: what is in the air is a line like others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn radio_links_carry_paths_impacts_and_drawings() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let device = |name: &str, role: &str| json!({"device": {"site": {"site": "s"}, "name": name, "role": role, "forwards": true}});
    let port = |device: &str, name: &str, r#type: &str| json!({"port": {"device": {"device": device}, "name": name, "type": r#type}});
    let end = |device: &str, port: &str| json!({"port": {"device": device, "port": port}});
    let mut items = vec![json!({"site": {"name": "s", "type": "DATACENTER"}})];
    items.extend(
        [("sw1", "SWITCH"), ("sw2", "SWITCH"), ("rad1", "OTHER"), ("rad2", "OTHER")]
            .map(|(name, role)| device(name, role)),
    );
    items.extend(["ap", "st1", "st2", "st3"].map(|name| device(name, "OTHER")));
    items.extend(
        [("sw1", "e1", "ETHERNET"), ("sw2", "e1", "ETHERNET")].map(|(on, name, r#type)| port(on, name, r#type)),
    );
    items.extend(
        ["rad1", "rad2"].iter().flat_map(|radio| [port(radio, "lan", "ETHERNET"), port(radio, "air", "WIRELESS")]),
    );
    items.extend(["ap", "st1", "st2", "st3"].map(|name| port(name, "air", "WIRELESS")));
    let cable = |name: &str, a: Value, b: Vec<Value>| json!({"cable": {"name": name, "aEnds": [a], "bEnds": b}});
    items.extend([
        cable("c1", end("sw1", "e1"), vec![end("rad1", "lan")]),
        cable("c2", end("sw2", "e1"), vec![end("rad2", "lan")]),
        cable("air", end("rad1", "air"), vec![end("rad2", "air")]),
        cable("cell", end("ap", "air"), ["st1", "st2", "st3"].map(|station| end(station, "air")).to_vec()),
    ]);
    client.apply_all(items).await;

    let id = async |name: &str| {
        let found = client.ok("query($n: String!) { device(site: \"s\", name: $n) { id } }", json!({"n": name})).await;
        found["device"]["id"].clone()
    };
    for (from, to, way) in
        [("sw1", "sw2", vec!["sw1", "rad1", "rad2", "sw2"]), ("st1", "st3", vec!["st1", "ap", "st3"])]
    {
        let found = client.ok(PATHS, json!({"from": id(from).await, "to": id(to).await})).await;
        let nodes = found["paths"]["paths"][0]["nodes"].as_array().cloned().unwrap_or_default();
        let names: Vec<&str> = nodes.iter().map(|node| node["name"].as_str().expect("a name")).collect();
        assert_eq!(names, way, "{found:#}");
    }
    let impact = "query($of: [ID!]!, $anchors: [ID!]) { impact(of: $of, anchors: $anchors) {
        affected { nodes { node { ... on Device { name } } } } } }";
    let hit = client.ok(impact, json!({"of": [id("rad2").await], "anchors": [id("sw2").await]})).await;
    let nodes = hit["impact"]["affected"]["nodes"].as_array().cloned().unwrap_or_default();
    assert!(nodes.iter().any(|node| node["node"]["name"] == "sw1"), "{hit:#}");
    let drawn = client.ok("{ graph(layers: [PHYSICAL]) { edges { from to } } }", json!({})).await;
    let edges = drawn["graph"]["edges"].as_array().cloned().unwrap_or_default();
    for (one, other) in [("rad1", "rad2"), ("ap", "st1"), ("ap", "st3")] {
        let ends = [id(one).await, id(other).await];
        let joins = |edge: &Value| ends.contains(&edge["from"]) && ends.contains(&edge["to"]);
        assert!(edges.iter().any(joins), "{one} and {other}: {drawn:#}");
    }
}
