//! Traces of cables with lanes, of many lines at once, through patch panels, and of names with colons.

use serde_json::{Value, json};

use super::apply::done;
use super::trace::id;
use crate::harness::{Database, Server};

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
        let found = client.ok(peers, json!({ "name": name })).await["port"].take();
        assert_eq!((&found["peers"], &found["farEnds"]), (&expected, &expected), "{name}");
        assert_eq!(found["farEndsTruncated"], json!(false));
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
    let found = client.ok(both, json!({})).await;
    assert_eq!(found["powerFeeds"]["nodes"], json!([{"peers": [{"name": "i2"}]}]));
    assert_eq!(found["circuits"]["nodes"], json!([{"aEnd": {"peers": [{"name": "x2"}]}}]));
    let peer = |name: &str, kind: &str| json!({"name": name, "peers": [{"__typename": kind}]});
    let none = |name: &str| json!({"name": name, "peers": []});
    let mut ports = found["ports"]["nodes"].as_array().expect("ports").clone();
    ports.sort_by_key(|port| port["name"].to_string());
    assert_eq!(ports, [none("i1"), peer("i2", "PowerFeed"), none("x1"), peer("x2", "CircuitTermination")]);
}

#[tokio::test]
async fn many_lines_are_traced_in_one_query() {
    let server = lanes().await;
    let client = server.client();
    let (a1, a3) = (id(&client, "ports", "a1").await, id(&client, "ports", "a3").await);
    let wide_id = client.ok("{ port(device: \"a\", name: \"wide\") { id } }", json!({})).await["port"]["id"].clone();
    let traces = "query($from: [ID!]!) { traces(from: $from) {
      origin { ... on Port { name } } revision complete branches { positions endPositions outcome } } }";
    let found = client.ok(traces, json!({ "from": [a3, wide_id, a1, a1] })).await["traces"].take();
    let branch = |positions: Value, ends: Value, outcome: &str| json!([{"positions": positions, "endPositions": ends, "outcome": outcome}]);
    let trace = |name: &str, complete: bool, branches: Value| json!({"origin": {"name": name}, "revision": 1, "complete": complete, "branches": branches});
    let plain = trace("a1", true, branch(json!([]), json!([]), "COMPLETE"));
    let expected = json!([
        trace("a3", false, branch(json!([]), json!([]), "OPEN")),
        trace("wide", true, branch(json!([1, 2]), json!([1, 2]), "COMPLETE")),
        plain,
        plain,
    ]);
    assert_eq!(found, expected);
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
async fn far_ends_report_truncation() {
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
