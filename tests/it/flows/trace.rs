//! Traces over HTTP and on the command line: answers, rejected queries, and drawings.

use serde_json::{Value, json};

use super::apply::done;
use crate::harness::{Client, Database, Server};

const TRACE: &str = "query($from: ID!, $position: Int, $through: Boolean) {
  trace(from: $from, position: $position, throughDevices: $through) {
    origin { __typename }
    revision complete active split truncated
    branches {
      direction positions outcome active lengthM knownLengthM latencyMs cableCount
      end { __typename ... on Port { name } ... on ProviderNetwork { name } }
      steps {
        ... on Port { name device { name } } ... on Cable { name } ... on CircuitTermination { side }
        ... on Circuit { name } ... on Site { name } ... on ProviderNetwork { name } ... on PowerFeed { name }
      }
    }
  }
}";

/// A server with a leaf, a panel with two fibres, a circuit to a network, and a name that means harm.
async fn fleet() -> Server {
    let server = Server::start(Database::Sqlite).await;
    let port = |device: &str, name: &str, kind: &str, more: Value| {
        let mut item = json!({"device": {"device": device}, "name": name, "type": kind});
        item.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!({"port": item})
    };
    let front = |name: &str, position: i32| {
        let rear = json!({"port": "R1", "family": "REAR"});
        let through = json!({"passThrough": [{"rear": rear, "rearPosition": position}]});
        port("<script>alert('x')</script>", name, "PATCH_FRONT", through)
    };
    let reference = |family: &str, name: &str| json!({"port": {"family": family, "port": name}});
    let items = vec![
        json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
        json!({"device": {"site": {"site": "ams1"}, "name": "leaf-1", "role": "LEAF"}}),
        json!({"device": {"site": {"site": "ams1"}, "name": "<script>alert('x')</script>", "role": "PATCH_PANEL"}}),
        json!({"provider": {"name": "lumen", "type": "TRANSIT"}}),
        json!({"providerNetwork": {"provider": {"provider": "lumen"}, "name": "as3356"}}),
        port("leaf-1", "up", "ETHERNET", json!({})),
        port("leaf-1", "idle", "ETHERNET", json!({})),
        front("1", 1),
        front("2", 2),
        port("<script>alert('x')</script>", "R1", "PATCH_REAR", json!({"positions": 2})),
        json!({"circuit": {
            "provider": {"provider": "lumen"}, "name": "c", "circuitId": "L-1", "type": "TRANSIT", "latencyMs": 4,
            "aEnd": {"site": {"site": "ams1"}}, "zEnd": {"providerNetwork": {"provider": "lumen", "providerNetwork": "as3356"}},
        }}),
        json!({"cable": {
            "name": "patch", "label": "\"><img src=x onerror=alert(1)>", "color": "red\" onload=\"alert(1)",
            "lengthM": 2, "aEnds": [reference("DATA", "up")], "bEnds": [reference("FRONT", "2")],
        }}),
        json!({"cable": {
            "name": "trunk", "lengthM": 40, "aEnds": [reference("REAR", "R1")],
            "bEnds": [{"circuitTermination": {"provider": "lumen", "circuit": "c", "side": "A"}}],
        }}),
    ];
    let made = server.client().apply_all(items).await;
    assert!(made["revision"].is_i64(), "{made:#}");
    server
}

pub async fn id(client: &Client, list: &str, name: &str) -> String {
    let query = format!("query($name: String) {{ {list}(filter: {{name: {{eq: $name}}}}) {{ nodes {{ id }} }} }}");
    let data = client.ok(&query, json!({ "name": name })).await;
    data[list]["nodes"][0]["id"].as_str().unwrap_or_else(|| panic!("no {name} in {list}")).to_owned()
}

#[tokio::test]
async fn a_line_is_followed_over_http() {
    let server = fleet().await;
    let client = server.client();
    let from = id(&client, "ports", "up").await;
    let trace = client.ok(TRACE, json!({ "from": from })).await["trace"].take();
    let panel = json!({"name": "<script>alert('x')</script>"});
    let expected = json!({
        "origin": {"__typename": "Port"},
        "revision": 1, "complete": true, "active": true, "split": false, "truncated": false,
        "branches": [{
            "direction": "CABLE", "positions": [], "outcome": "COMPLETE", "active": true, "lengthM": null,
            "knownLengthM": 42.0, "latencyMs": 4.0, "cableCount": 2,
            "end": {"__typename": "ProviderNetwork", "name": "as3356"},
            "steps": [
                [{"name": "up", "device": {"name": "leaf-1"}}], [{"name": "patch"}],
                [{"name": "2", "device": panel}], [{"name": "R1", "device": panel}], [{"name": "trunk"}],
                [{"side": "A"}], [{"name": "c"}], [{"side": "Z"}], [{"name": "as3356"}],
            ],
        }],
    });
    assert_eq!(trace, expected);
    let rear = id(&client, "ports", "R1").await;
    let middle = client.ok(TRACE, json!({ "from": rear, "position": 1 })).await["trace"].take();
    let found_branches: Vec<_> = middle["branches"].as_array().expect("branches").iter().collect();
    let ways: Vec<_> = found_branches.iter().map(|it| (&it["direction"], &it["outcome"], &it["positions"])).collect();
    let one = json!([1]);
    assert_eq!(ways, [(&json!("CABLE"), &json!("COMPLETE"), &one), (&json!("THROUGH"), &json!("OPEN"), &one)]);
    let far = "query($id: ID!) { node(id: $id) { ... on Port { farEnds { __typename ... on Port { name } } } } }";
    let of = |data: Value| data["node"]["farEnds"].clone();
    assert_eq!(of(client.ok(far, json!({ "id": from })).await), json!([{"__typename": "ProviderNetwork"}]));
    // The far ends of a port of a panel lie both ways: the network, and for the second fibre the leaf.
    let both = json!([{"__typename": "ProviderNetwork"}, {"__typename": "Port", "name": "up"}]);
    assert_eq!(of(client.ok(far, json!({ "id": rear })).await), both);
    let idle = id(&client, "ports", "idle").await;
    assert_eq!(of(client.ok(far, json!({ "id": idle })).await), json!([]));
}

#[tokio::test]
async fn invalid_starts_are_rejected() {
    let server = fleet().await;
    let client = server.client();
    let (leaf, port) = (id(&client, "devices", "leaf-1").await, id(&client, "ports", "R1").await);
    let nowhere = "0197a0c4-5d1e-7000-8000-000000000001";
    for (variables, code, field, says) in [
        (json!({ "from": nowhere }), "NOT_FOUND", "from", "does not exist"),
        (json!({ "from": "leaf-1" }), "INVALID", "from", "must be a UUID"),
        (
            json!({ "from": leaf }),
            "INVALID",
            "from",
            "must be one of PowerFeed, Port, CircuitTermination; a Device is no end of a line",
        ),
        (json!({ "from": port, "position": 3 }), "INVALID", "position", "from 1 to 2"),
        (json!({ "from": port, "position": 0 }), "INVALID", "position", "from 1 to 2"),
        (json!({ "from": port, "position": -1 }), "INVALID", "position", "from 1 to 2"),
    ] {
        let errors = client.refused(TRACE, variables.clone()).await;
        let error = &errors[0];
        assert_eq!((error.code.as_str(), error.field.as_deref()), (code, Some(field)), "{variables}: {error:?}");
        assert!(error.message.contains(says), "{variables}: {error:?}");
    }
}

#[tokio::test]
async fn a_drawing_contains_no_markup_from_the_inventory() {
    let server = fleet().await;
    let client = server.client();
    let from = id(&client, "ports", "up").await;
    let answer = client.get(&format!("/trace/{from}.svg")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.headers["content-type"], "image/svg+xml; charset=utf-8");
    assert!(answer.headers["content-security-policy"].to_str().is_ok_and(|it| it.contains("default-src 'none'")));
    let drawing = answer.text();
    assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"));
    for harm in ["<script", "<img", "onload=\"", "red\""] {
        assert!(!drawing.contains(harm), "{harm}: {drawing}");
    }
    for shown in ["leaf-1", "&lt;script&gt;", "lumen", "L-1", "as3356", "40 m", "4 ms"] {
        assert!(drawing.contains(shown), "{shown}: {drawing}");
    }
    let field = client.ok("query($from: ID!) { trace(from: $from) { svg } }", json!({ "from": from })).await;
    assert_eq!(field["trace"]["svg"].as_str(), Some(drawing.as_str()));
    let open = client.get(&format!("/trace/{}.svg", id(&client, "ports", "idle").await)).await;
    assert!(open.text().contains("class=\"cross\"") && open.text().contains("nothing leads on"));
    let leaf = id(&client, "devices", "leaf-1").await;
    for (path, status, says) in [
        (
            format!("/trace/{leaf}.svg"),
            400,
            "the object must be one of PowerFeed, Port, CircuitTermination; a Device is no end",
        ),
        ("/trace/0197a0c4-5d1e-7000-8000-000000000001.svg".to_owned(), 404, "does not exist"),
        ("/trace/x.svg".to_owned(), 400, "must be a UUID"),
        (format!("/trace/{from}"), 404, "/trace/ID.svg"),
    ] {
        let answer = client.get(&path).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.text());
        assert!(answer.text().contains(says), "{path}: {}", answer.text());
        assert!(answer.headers["content-type"].to_str().is_ok_and(|it| it.starts_with("text/plain")));
    }
}

#[tokio::test]
async fn the_size_of_a_drawing_is_limited() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let end = |name: String| json!({"port": {"device": "b", "port": name}});
    let mut items = vec![json!({"site": {"name": "ams1", "type": "DATACENTER"}})];
    let device = |name: &str| json!({"device": {"site": {"site": "ams1"}, "name": name, "role": "SWITCH"}});
    items.extend(["a", "b"].map(device));
    let port =
        |device: &str, name: String| json!({"port": {"device": {"device": device}, "name": name, "type": "ETHERNET"}});
    items.push(port("a", "up".to_owned()));
    items.extend((0..600).map(|at| port("b", format!("e{at}"))));
    let ends: Vec<Value> = (0..600).map(|at| end(format!("e{at}"))).collect();
    let up = json!({"port": {"device": "a", "port": "up"}});
    items.push(json!({"cable": {"name": "octopus", "aEnds": [up], "bEnds": ends}}));
    client.apply_all(items).await;
    let answer = client.get(&format!("/trace/{}.svg", id(&client, "ports", "up").await)).await;
    let drawing = answer.text();
    assert!(drawing.contains("not drawn: 100 more") && drawing.matches("octopus").count() == 500, "{drawing}");
}

#[tokio::test]
async fn a_line_is_drawn_on_the_command_line() {
    let server = fleet().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("line.svg");
    let outcome = server.cli(["trace", "leaf-1:up", "--svg", file.to_str().expect("text")]).await;
    let expected = "\
● port/ams1/leaf-1/up
┃ cable/patch  \"><img src=x onerror=alert(1)>, red\" onload=\"alert(1), 2 m
○ port/ams1/<script>alert('x')</script>/FRONT/2
│
○ port/ams1/<script>alert('x')</script>/REAR/R1
┃ cable/trunk  40 m
○ circuitTermination/lumen/c/A
☁ circuit/lumen/c  L-1, 4 ms
○ circuitTermination/lumen/c/Z
│
● providerNetwork/lumen/as3356
  2 cables, more than 42 m, 4 ms

complete, active, as of revision 1
";
    assert_eq!(done(&outcome), expected);
    assert!(std::fs::read_to_string(&file).expect("the drawing").starts_with("<svg "));
    let open = server.cli(["trace", "port/leaf-1/idle"]).await;
    assert!(done(&open).contains("✗ OPEN: nothing leads on"), "{open:?}");
    let json = server.cli(["trace", "port/R1", "--position", "2", "-o", "json"]).await;
    let json: Value = serde_json::from_str(done(&json)).expect("JSON");
    assert_eq!((&json["branches"][1]["positions"], &json["svg"]), (&json!([2]), &Value::Null));
    for (arguments, code, says) in [
        (&["trace", "leaf-1:nothing"][..], 1, "there is no port/leaf-1/nothing (NOT_FOUND)"),
        (&["trace", "device/leaf-1"], 1, "a Device is no end of a line"),
        (&["trace", "leaf-1:up", "--position", "2"], 1, "from 1 to 1"),
        (&["trace", "leaf-1"], 2, "write KIND/NAME"),
        (&["trace", "a:b:c:d:e:f:g:h:i:j"], 2, "more than 8 colons; write port/DEVICE/PORT"),
        (&["trace", "leaf-1:up", "--svg", "/nowhere/x.svg"], 1, "/nowhere/x.svg cannot be written"),
    ] {
        let outcome = server.cli(arguments).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (code, ""), "{outcome:?}");
        assert!(outcome.stderr.contains(says), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_trace_begins_at_a_reference_or_from_a_field() {
    let server = fleet().await;
    let client = server.client();
    let made = client
        .apply_all(vec![json!({"port": {"device": {"device": "leaf-1"}, "name": "up", "type": "ETHERNET",
            "externalRefs": [{"source": "netbox", "externalId": "17"}]}})])
        .await;
    assert!(made["revision"].is_i64(), "{made:#}");
    let from = id(&client, "ports", "up").await;
    let by = "query($from: ID, $object: AnyRef) { trace(from: $from, object: $object) {
      origin { ... on Port { id } } branches { outcome } } }";
    let expected = client.ok(by, json!({ "from": from })).await;
    for object in [
        json!({ "id": from }),
        json!({"port": {"device": "leaf-1", "port": "up"}}),
        json!({"port": {"source": "netbox", "externalId": "17"}}),
        json!({"port": {"id": from}}),
    ] {
        assert_eq!(client.ok(by, json!({ "object": object })).await, expected, "{object}");
    }
    let circuit = json!({"circuitTermination": {"provider": "lumen", "circuit": "c", "side": "A"}});
    assert_eq!(
        client.ok(by, json!({ "object": circuit })).await["trace"]["branches"].as_array().map(Vec::len),
        Some(3)
    );
    let neither = "give exactly one of from and object";
    for (variables, code, field, says) in [
        (json!({}), "INVALID", "from", neither),
        (json!({"from": from, "object": {"id": from}}), "INVALID", "from", neither),
        (json!({"object": {"port": {"port": "nothing"}}}), "NOT_FOUND", "object.port", "Port nothing does not exist"),
        (json!({"object": {"port": {"source": "netbox", "externalId": "18"}}}), "NOT_FOUND", "object.port", "18"),
        (
            json!({"object": {"device": {"device": "leaf-1"}}}),
            "INVALID",
            "object.device",
            "a Device is no end of a line",
        ),
        (json!({"object": {"id": "x"}}), "INVALID", "object.id", "must be a UUID"),
    ] {
        let errors = client.refused(by, variables.clone()).await;
        let error = &errors[0];
        assert_eq!((error.code.as_str(), error.field.as_deref()), (code, Some(field)), "{variables}: {error:?}");
        assert!(error.message.contains(says), "{variables}: {error:?}");
    }
    // Objects at which a line begins have a field with their trace.
    let field = "query($id: ID!, $position: Int) { node(id: $id) {
      ... on Port { trace(position: $position) { origin { ... on Port { id } } branches { outcome } } } } }";
    assert_eq!(client.ok(field, json!({ "id": from })).await["node"]["trace"], expected["trace"]);
    let errors = client.refused(field, json!({ "id": from, "position": 2 })).await;
    assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some("position")));
    let ends = "{ circuits { nodes { aEnd { trace { branches { outcome } } } } } }";
    let found_branches = client.ok(ends, json!({})).await["circuits"]["nodes"][0]["aEnd"]["trace"]["branches"].take();
    assert_eq!(found_branches.as_array().map(Vec::len), Some(3));
    client.apply_all(vec![json!({"powerFeed": {"site": {"site": "ams1"}, "name": "F"}})]).await;
    let feed =
        client.ok("{ powerFeeds { nodes { trace(throughDevices: true) { branches { outcome } } } } }", json!({})).await;
    assert_eq!(feed["powerFeeds"]["nodes"][0]["trace"]["branches"], json!([{"outcome": "OPEN"}]));
}
