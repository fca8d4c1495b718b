//! Traces over HTTP and on the command line: what they answer, what they refuse, and the drawing.

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

async fn id(client: &Client, list: &str, name: &str) -> String {
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
    let told: Vec<_> = middle["branches"].as_array().expect("branches").iter().collect();
    let ways: Vec<_> = told.iter().map(|it| (&it["direction"], &it["outcome"], &it["positions"])).collect();
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
async fn what_cannot_be_followed_is_refused() {
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
async fn a_drawing_holds_no_markup_of_others() {
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
async fn a_drawing_has_no_more_than_can_be_looked_at() {
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

/// A server with what `items` say, at the site ams1.
async fn with(devices: &[&str], ports: &[(&str, &str, Value)], cables: Vec<Value>) -> Server {
    let server = Server::start(Database::Sqlite).await;
    let mut items = vec![json!({"site": {"name": "ams1", "type": "DATACENTER"}})];
    let device = |name: &&str| json!({"device": {"site": {"site": "ams1"}, "name": name, "role": "SWITCH"}});
    items.extend(devices.iter().map(device));
    items.extend(ports.iter().map(|(device, name, more)| {
        let mut port = json!({"device": {"device": device}, "name": name, "type": "ETHERNET"});
        port.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!({ "port": port })
    }));
    items.extend(cables.into_iter().map(|cable| json!({ "cable": cable })));
    let made = server.client().apply_all(items).await;
    assert!(made["revision"].is_i64(), "{made:#}");
    server
}

fn port(device: &str, port: &str) -> Value {
    json!({"port": {"device": device, "port": port}})
}

/// Two ports with two lanes to two others: the first to the first, the second to the second.
async fn lanes() -> Server {
    let two = || json!({"positions": 2});
    let lane = |a: i32, b: i32, b_position: i32| json!({"aEnd": a, "aPosition": 1, "bEnd": b, "bPosition": b_position});
    let cable = json!({
        "name": "c", "aEnds": [port("a", "a1"), port("a", "a2"), port("a", "a3")],
        "bEnds": [port("b", "b1"), port("b", "b2")], "lanes": [lane(1, 1, 1), lane(2, 2, 2)],
    });
    let breakout = json!({
        "name": "d", "aEnds": [port("a", "wide")], "bEnds": [port("b", "wide")],
        "lanes": [{"aEnd": 1, "aPosition": 1, "bEnd": 1, "bPosition": 2}, {"aEnd": 1, "aPosition": 2, "bEnd": 1, "bPosition": 1}],
    });
    let ports = [
        ("a", "a1", json!({})),
        ("a", "a2", json!({})),
        ("a", "a3", json!({})),
        ("b", "b1", json!({})),
        ("b", "b2", two()),
        ("a", "wide", two()),
        ("b", "wide", two()),
    ];
    with(&["a", "b"], &ports, vec![cable, breakout]).await
}

#[tokio::test]
async fn peers_are_those_that_a_lane_leads_to() {
    let server = lanes().await;
    let client = server.client();
    let peers = "query($name: String!) { port(name: $name) {
      peers { ... on Port { name } } farEnds { ... on Port { name } } farEndsTruncated
    } }";
    for (name, expected) in [
        ("a1", json!([{"name": "b1"}])),
        ("a2", json!([{"name": "b2"}])),
        ("a3", json!([])),
        ("b1", json!([{"name": "a1"}])),
        ("b2", json!([{"name": "a2"}])),
    ] {
        let said = client.ok(peers, json!({ "name": name })).await["port"].take();
        assert_eq!((&said["peers"], &said["farEnds"]), (&expected, &expected), "{name}");
        assert_eq!(said["farEndsTruncated"], json!(false));
    }
    // Power feeds and circuits have lanes too.
    let end = |side: &str| json!({"circuitTermination": {"provider": "p", "circuit": "x", "side": side}});
    let feed = json!({"powerFeed": {"site": "ams1", "powerFeed": "F"}});
    let inlet = |name: &str| json!({"port": {"device": {"device": "a"}, "name": name, "type": "POWER_INLET"}});
    let lane = |a_position: i32, b: i32| json!({"aEnd": 1, "aPosition": a_position, "bEnd": b, "bPosition": 1});
    let data = |name: &str| json!({"port": {"device": {"device": "b"}, "name": name, "type": "ETHERNET"}});
    let made = client
        .apply_all(vec![
            json!({"provider": {"name": "p", "type": "TRANSIT"}}),
            json!({"circuit": {"provider": {"provider": "p"}, "name": "x", "type": "TRANSIT", "aEnd": {"site": {"site": "ams1"}}}}),
            json!({"powerFeed": {"site": {"site": "ams1"}, "name": "F"}}),
            inlet("i1"),
            inlet("i2"),
            data("x1"),
            data("x2"),
            json!({"cable": {"name": "cord", "aEnds": [feed], "bEnds": [port("a", "i1"), port("a", "i2")], "lanes": [lane(1, 2)]}}),
            json!({"cable": {"name": "xc", "aEnds": [end("A")], "bEnds": [port("b", "x1"), port("b", "x2")], "lanes": [lane(2, 2)]}}),
        ])
        .await;
    assert!(made["revision"].is_i64(), "{made:#}");
    let both = "{ powerFeeds { nodes { peers { ... on Port { name } } } }
      circuits { nodes { aEnd { peers { ... on Port { name } } } } }
      ports(filter: {name: {in: [\"x1\", \"x2\", \"i1\", \"i2\"]}}) { nodes { name peers { __typename } } } }";
    let said = client.ok(both, json!({})).await;
    assert_eq!(said["powerFeeds"]["nodes"], json!([{"peers": [{"name": "i2"}]}]));
    assert_eq!(said["circuits"]["nodes"], json!([{"aEnd": {"peers": [{"name": "x2"}]}}]));
    let peer = |name: &str, kind: &str| json!({"name": name, "peers": [{"__typename": kind}]});
    let none = |name: &str| json!({"name": name, "peers": []});
    let mut ports = said["ports"]["nodes"].as_array().expect("ports").clone();
    ports.sort_by_key(|port| port["name"].to_string());
    assert_eq!(ports, [none("i1"), peer("i2", "PowerFeed"), none("x1"), peer("x2", "CircuitTermination")]);
}

#[tokio::test]
async fn many_lines_are_followed_at_once() {
    let server = lanes().await;
    let client = server.client();
    let (a1, a3) = (id(&client, "ports", "a1").await, id(&client, "ports", "a3").await);
    let wide_id = client.ok("{ port(device: \"a\", name: \"wide\") { id } }", json!({})).await["port"]["id"].clone();
    let traces = "query($from: [ID!]!) { traces(from: $from) {
      origin { ... on Port { name } } revision complete branches { positions endPositions outcome } } }";
    let said = client.ok(traces, json!({ "from": [a3, wide_id, a1, a1] })).await["traces"].take();
    let branch = |positions: Value, ends: Value, outcome: &str| json!([{"positions": positions, "endPositions": ends, "outcome": outcome}]);
    let trace = |name: &str, complete: bool, branches: Value| json!({"origin": {"name": name}, "revision": 1, "complete": complete, "branches": branches});
    let plain = trace("a1", true, branch(json!([]), json!([]), "COMPLETE"));
    let expected = json!([
        trace("a3", false, branch(json!([]), json!([]), "OPEN")),
        trace("wide", true, branch(json!([1, 2]), json!([1, 2]), "COMPLETE")),
        plain,
        plain,
    ]);
    assert_eq!(said, expected);
    let nowhere = "0197a0c4-5d1e-7000-8000-000000000001";
    let cable = id(&client, "cables", "c").await;
    for (from, code, field, says) in [
        (json!([a1, nowhere]), "NOT_FOUND", "from[1]", nowhere),
        (json!([a1, a1, cable]), "INVALID", "from[2]", "a Cable is no end of a line"),
        (json!(["x"]), "INVALID", "from[0]", "must be a UUID"),
        (json!(vec![&a1; 1001]), "INVALID", "from", "has 1001 entries; at most 1000 are allowed"),
    ] {
        let errors =
            client.refused("query($from: [ID!]!) { traces(from: $from) { complete } }", json!({ "from": from })).await;
        let error = &errors[0];
        assert_eq!((error.code.as_str(), error.field.as_deref()), (code, Some(field)), "{error:?}");
        assert!(error.message.contains(says), "{error:?}");
    }
    let most = client
        .ok("query($from: [ID!]!) { traces(from: $from) { complete } }", json!({ "from": vec![&a1; 1000] }))
        .await;
    assert_eq!(most["traces"].as_array().map(Vec::len), Some(1000));
}

#[tokio::test]
async fn a_line_begins_at_what_has_a_name_or_a_field() {
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
    // What a line begins at has its trace as a field.
    let field = "query($id: ID!, $position: Int) { node(id: $id) {
      ... on Port { trace(position: $position) { origin { ... on Port { id } } branches { outcome } } } } }";
    assert_eq!(client.ok(field, json!({ "id": from })).await["node"]["trace"], expected["trace"]);
    let errors = client.refused(field, json!({ "id": from, "position": 2 })).await;
    assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some("position")));
    let ends = "{ circuits { nodes { aEnd { trace { branches { outcome } } } } } }";
    let told = client.ok(ends, json!({})).await["circuits"]["nodes"][0]["aEnd"]["trace"]["branches"].take();
    assert_eq!(told.as_array().map(Vec::len), Some(3));
    client.apply_all(vec![json!({"powerFeed": {"site": {"site": "ams1"}, "name": "F"}})]).await;
    let feed =
        client.ok("{ powerFeeds { nodes { trace(throughDevices: true) { branches { outcome } } } } }", json!({})).await;
    assert_eq!(feed["powerFeeds"]["nodes"][0]["trace"]["branches"], json!([{"outcome": "OPEN"}]));
}

#[tokio::test]
async fn colons_in_names_are_tried_on_the_command_line() {
    let none = || json!({});
    let ports = [
        ("sw1", "eth0:1", none()),
        ("sw1", "Ethernet1:2", none()),
        ("sw1:eth0", "9", none()),
        ("sw1", "eth0:9", none()),
        ("sw2:a", "1", none()),
        ("sw2:a", "both:1", none()),
    ];
    let server = with(&["sw1", "sw1:eth0", "sw2:a"], &ports, Vec::new()).await;
    for (name, path) in [
        ("sw1:eth0:1", "port/ams1/sw1/eth0:1"),
        ("sw1:Ethernet1:2", "port/ams1/sw1/Ethernet1:2"),
        ("sw2:a:1", "port/ams1/sw2:a/1"),
        ("sw2:a:both:1", "port/ams1/sw2:a/both:1"),
        ("port/sw1/eth0:9", "port/ams1/sw1/eth0:9"),
        ("port/ams1/sw1:eth0/9", "port/ams1/sw1:eth0/9"),
    ] {
        let outcome = server.cli(["trace", name]).await;
        assert!(done(&outcome).contains(&format!("● {path}\n")), "{outcome:?}");
    }
    let several = "sw1:eth0:9 can be read in several ways, and fits 2 objects: \
                   port/ams1/sw1/eth0:9, port/ams1/sw1:eth0/9 (AMBIGUOUS)";
    for arguments in [&["trace", "sw1:eth0:9"][..], &["paths", "sw1:eth0:9", "device/sw1"]] {
        let outcome = server.cli(arguments).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{outcome:?}");
        assert!(
            outcome.stderr.contains(several) && outcome.stderr.contains("write the one that is meant"),
            "{outcome:?}"
        );
    }
    let outcome = server.cli(["trace", "sw1:eth0:7"]).await;
    assert!(outcome.stderr.contains("there is no port sw1:eth0:7 (NOT_FOUND)"), "{outcome:?}");
}

#[tokio::test]
async fn a_trunk_in_its_own_panel_hides_no_connection() {
    let front = |position: i32| {
        let rear = json!({"port": "R", "family": "REAR"});
        json!({"type": "PATCH_FRONT", "passThrough": [{"rear": rear, "rearPosition": position}]})
    };
    let ports = [
        ("z", "e", json!({})),
        ("far", "e", json!({})),
        ("p", "R", json!({"type": "PATCH_REAR", "positions": 2})),
        ("p", "1", front(1)),
        ("p", "2", front(2)),
    ];
    let patch = |family: &str, name: &str| json!({"port": {"device": "p", "family": family, "port": name}});
    let cables = vec![
        json!({"name": "self", "aEnds": [patch("REAR", "R")], "bEnds": [patch("FRONT", "1")]}),
        json!({"name": "c", "aEnds": [port("z", "e")], "bEnds": [patch("FRONT", "2"), port("far", "e")]}),
    ];
    let server = with(&["z", "far", "p"], &ports, cables).await;
    let client = server.client();
    let z = "{ port(device: \"z\", name: \"e\") { farEnds { ... on Port { device { name } } } farEndsTruncated
      trace { complete truncated branches { outcome } } } }";
    let expected = json!({
        "farEnds": [{"device": {"name": "far"}}], "farEndsTruncated": false,
        "trace": {"complete": false, "truncated": false, "branches": [{"outcome": "LOOP"}, {"outcome": "COMPLETE"}]},
    });
    assert_eq!(client.ok(z, json!({})).await["port"], expected);
    let (z, far) = (id(&client, "devices", "z").await, id(&client, "devices", "far").await);
    let paths =
        "query($from: ID!, $to: ID!) { paths(from: $from, to: $to) { paths { nodes { ... on Device { name } } } } }";
    for (from, to) in [(&z, &far), (&far, &z)] {
        let found = client.ok(paths, json!({ "from": from, "to": to })).await;
        assert_eq!(found["paths"]["paths"].as_array().map(Vec::len), Some(1), "{found}");
    }
}

#[tokio::test]
async fn far_ends_say_that_they_are_not_all() {
    // A strand of more than 1,000 hops beside a port.
    let panels = 350;
    let mut ports: Vec<(&str, String, Value)> = Vec::new();
    let mut cables = Vec::new();
    let end = |family: &str, at: usize| json!({"port": {"device": "p", "family": family, "port": at.to_string()}});
    for at in 0..panels {
        let rear = json!({"port": at.to_string(), "family": "REAR"});
        ports.push(("p", at.to_string(), json!({"type": "PATCH_REAR"})));
        ports.push(("p", at.to_string(), json!({"type": "PATCH_FRONT", "passThrough": [{ "rear": rear }]})));
        if at > 0 {
            cables.push(json!({"aEnds": [end("REAR", at - 1)], "bEnds": [end("FRONT", at)]}));
        }
    }
    cables.push(json!({"aEnds": [port("z", "e")], "bEnds": [end("FRONT", 0), port("b", "e")]}));
    ports.extend(["z", "b"].map(|device| (device, "e".to_owned(), json!({}))));
    let ports: Vec<(&str, &str, Value)> =
        ports.iter().map(|(device, name, more)| (*device, name.as_str(), more.clone())).collect();
    let server = with(&["z", "b", "p"], &ports, cables).await;
    let query = "{ port(device: \"z\", name: \"e\") { farEnds { ... on Port { device { name } } } farEndsTruncated
      trace { truncated complete } } }";
    let expected = json!({
        "farEnds": [{"device": {"name": "b"}}], "farEndsTruncated": true, "trace": {"truncated": true, "complete": false},
    });
    assert_eq!(server.client().ok(query, json!({})).await["port"], expected);
}
