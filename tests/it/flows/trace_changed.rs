//! Subscriptions to a trace.

use std::time::Instant;

use serde_json::{Value, json};

use crate::harness::{Client, Server, Socket, on_both_databases};

const TRACE: &str = "subscription($from: ID!) { traceChanged(from: $from) {
    revision complete active branches { outcome end { ... on Port { name } } } } }";

fn port(device: &str) -> Value {
    json!({"port": {"device": {"site": "s", "device": device}, "name": "eth0", "type": "ETHERNET"}})
}

fn end(device: &str) -> Value {
    json!([{"port": {"site": "s", "device": device, "port": "eth0"}}])
}

async fn devices(client: &Client) -> Value {
    let device = |name: &str| json!({"device": {"site": {"site": "s"}, "name": name, "role": "SERVER"}});
    let mut items = vec![json!({"site": {"name": "s", "type": "EDGE"}})];
    for name in ["a", "b", "c"] {
        items.extend([device(name), port(name)]);
    }
    client.apply_all(items).await;
    let found = client.ok("{ device(site: \"s\", name: \"a\") { ports { nodes { id } } } }", json!({})).await;
    found["device"]["ports"]["nodes"][0]["id"].clone()
}

/// The next state: revision, complete, active, and how each branch ends.
async fn state(socket: &mut Socket) -> Value {
    let mut answer = socket.answer().await;
    let trace = answer["data"]["traceChanged"].take();
    if trace.is_null() {
        return trace;
    }
    let outcomes: Vec<_> = trace["branches"].as_array().expect("branches").iter().map(|it| &it["outcome"]).collect();
    json!([trace["revision"], trace["complete"], trace["active"], outcomes])
}

on_both_databases! {
    async fn a_trace_is_sent_again_when_it_changed(server: Server) {
        let client = server.client();
        let from = devices(&client).await;
        let mut socket = Socket::connect(server.url()).await;
        socket.subscribe("1", TRACE, json!({"from": from})).await;
        assert_eq!(state(&mut socket).await, json!([1, false, true, ["OPEN"]]), "at once");
        let cable = |status: &str| json!({"cable": {"name": "x", "status": status, "aEnds": end("a"), "bEnds": end("b")}});
        client.apply_all(vec![cable("CONNECTED")]).await;
        let connected = state(&mut socket).await;
        assert_eq!((&connected[0], &connected[1], &connected[3]), (&json!(2), &json!(true), &json!(["COMPLETE"])));
        // Changes elsewhere, or of fields without effect on the trace, send no event. A witness of another trace says
        // when the server has gone on to the revision after them.
        client.apply_all(vec![json!({"device": {"site": {"site": "s"}, "name": "d", "role": "SERVER"}}), port("d")]).await;
        let found = client.ok("{ device(site: \"s\", name: \"d\") { ports { nodes { id } } } }", json!({})).await;
        let mut witness = Socket::connect(server.url()).await;
        witness.subscribe("1", TRACE, json!({"from": found["device"]["ports"]["nodes"][0]["id"]})).await;
        assert_eq!(state(&mut witness).await[3], json!(["OPEN"]));
        client.apply_all(vec![json!({"device": {"site": {"site": "s"}, "name": "c", "description": "other"}})]).await;
        client.apply_all(vec![json!({"port": {"device": {"site": "s", "device": "b"}, "name": "eth0", "description": "new"}})]).await;
        client.apply_all(vec![json!({"cable": {"name": "y", "status": "CONNECTED", "aEnds": end("d"), "bEnds": end("c")}})]).await;
        assert_eq!(state(&mut witness).await[3], json!(["COMPLETE"]));
        // One that comes later has it at once, and nothing twice.
        let mut other = Socket::connect(server.url()).await;
        other.subscribe("1", TRACE, json!({"from": from})).await;
        assert_eq!(state(&mut other).await[1], true);
        client.apply_all(vec![cable("PLANNED")]).await;
        for socket in [&mut socket, &mut other] {
            assert_eq!(state(socket).await[2], false, "not active");
        }
        client.apply_all(vec![json!({"delete": {"ref": {"cable": {"cable": "x"}}}})]).await;
        for socket in [&mut socket, &mut other] {
            assert_eq!(state(socket).await[3], json!(["OPEN"]), "nothing came twice before");
        }
        client.apply_all(vec![json!({"delete": {"ref": {"device": {"site": "s", "device": "a"}}, "cascade": true}})]).await;
        assert_eq!(state(&mut socket).await, Value::Null, "it is gone");
    }

    async fn only_the_latest_state_is_sent(server: Server) {
        let client = server.client();
        let from = devices(&client).await;
        let mut socket = Socket::connect(server.url()).await;
        let begun = Instant::now();
        socket.subscribe("1", TRACE, json!({"from": from})).await;
        assert_eq!(state(&mut socket).await[3], json!(["OPEN"]));
        for number in 0..40 {
            let to = if number % 2 == 0 { "b" } else { "c" };
            let cable = json!({"cable": {"name": format!("x{number}"), "status": "CONNECTED", "aEnds": end("a"), "bEnds": end(to)}});
            client.apply_all(vec![cable]).await;
            if number < 39 {
                let gone = json!({"delete": {"ref": {"cable": {"cable": format!("x{number}")}}}});
                client.apply_all(vec![gone]).await;
            }
        }
        let mut states = 0;
        while state(&mut socket).await[0] != 80 {
            states += 1;
        }
        // A few more can come when the subscription begins.
        let most = 4.0 * begun.elapsed().as_secs_f64() + 4.0;
        assert!(f64::from(states) <= most, "at most four a second: {states}, and not {most}");
        client.apply_all(vec![json!({"delete": {"ref": {"cable": {"cable": "x39"}}}})]).await;
        assert_eq!(state(&mut socket).await[0], 81, "nothing comes after the latest state");
    }
}
