//! The WebSocket protocol `graphql-transport-ws`, in detail.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Bytes, Message};

use super::subscriptions::{CHANGES, summary};
use crate::harness::{Database, Received, Server, Socket, on_both_databases};

const PROTOCOL: Option<&str> = Some("graphql-transport-ws");

fn message(value: Value) -> Received {
    Received::Message(value)
}

/// Sends messages on a new connection, and gives what comes at the end of it.
async fn closed(server: &Server, messages: &[Value]) -> (u16, String) {
    let mut socket = Socket::open(server.url(), PROTOCOL).await.expect("connect");
    for message in messages {
        socket.send(message.clone()).await;
    }
    loop {
        match socket.receive().await {
            Received::Closed(code, reason) => return (code, reason),
            Received::Message(_) => {}
            Received::Lost => panic!("lost"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_protocol_violation_closes_the_connection() {
    let server = Server::start(Database::Sqlite).await;
    let init = json!({"type": "connection_init"});
    let subscribe = json!({"id": "1", "type": "subscribe", "payload": {"query": CHANGES}});
    let close = |code, reason: &str| (code, reason.to_owned());
    assert_eq!(closed(&server, &[init.clone(), init.clone()]).await, close(4429, "Too many initialisation requests"));
    assert_eq!(closed(&server, std::slice::from_ref(&subscribe)).await, close(4401, "Unauthorized"));
    let twice = [init.clone(), subscribe.clone(), subscribe.clone()];
    assert_eq!(closed(&server, &twice).await, close(4409, "Subscriber for 1 already exists"));
    for bad in [
        json!(7),
        json!({"type": "start"}),
        json!({"type": "subscribe", "id": "x"}),
        json!({"type": "subscribe", "payload": {"query": "{ revision }"}}),
        json!({"type": "complete"}),
        json!({"type": "ping", "payload": "x"}),
    ] {
        let (code, reason) = closed(&server, &[init.clone(), bad.clone()]).await;
        assert_eq!((code, reason.starts_with("Invalid message")), (4400, true), "{bad}: {reason}");
    }
    for (raw, code) in [
        (Message::text("{"), 4400),
        (Message::binary(Bytes::from_static(b"{\"type\":\"connection_init\"}")), 4400),
        (Message::text(" ".repeat(5 * 1024 * 1024)), 1009),
    ] {
        let mut socket = Socket::open(server.url(), PROTOCOL).await.expect("connect");
        socket.send_raw(raw).await;
        match socket.receive().await {
            Received::Closed(closed, _) => assert_eq!(closed, code),
            other => panic!("{code}: {other:?}"),
        }
    }
    for protocol in [None, Some("graphql-ws")] {
        // The client's own library refuses an answer without the protocol that it asked for.
        let Ok(mut socket) = Socket::open(server.url(), protocol).await else { continue };
        assert_eq!(socket.receive().await, Received::Closed(4406, "Subprotocol not acceptable".to_owned()));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_connection_is_closed() {
    // It is closed after 2 instead of 10 seconds.
    let server = Server::start(Database::Sqlite).env("UNDERLAY_TEST_TIMES", "5").await;
    assert_eq!(closed(&server, &[]).await, (4408, "Connection initialisation timeout".to_owned()));
    let ping = json!({"type": "ping"});
    assert_eq!(closed(&server, &[ping]).await.0, 4408, "a ping is no beginning");
}

on_both_databases! {
    async fn operations_of_all_types_run_concurrently(server: Server) {
        let mut socket = Socket::open(server.url(), PROTOCOL).await.expect("connect");
        // Asked before the beginning too.
        socket.send(json!({"type": "ping"})).await;
        assert_eq!(socket.receive().await, message(json!({"type": "pong"})));
        socket.send(json!({"type": "connection_init", "payload": {"any": "thing"}})).await;
        assert_eq!(socket.receive().await, message(json!({"type": "connection_ack"})));
        socket.send(json!({"type": "ping", "payload": {"a": [1]}})).await;
        assert_eq!(socket.receive().await, message(json!({"type": "pong", "payload": {"a": [1]}})));
        socket.send(json!({"type": "pong", "payload": {}})).await;
        socket.subscribe("s", CHANGES, json!({"after": 0})).await;
        let create = "mutation($name: String!) { createRegion(input: { name: $name }) { revision } }";
        socket.subscribe("m", create, json!({"name": "r"})).await;
        // The answer and the event come in any order.
        let (mut event, mut answer, mut complete) = (None, None, false);
        while event.is_none() || answer.is_none() || !complete {
            let Received::Message(received) = socket.receive().await else { panic!("the end") };
            match (received["id"].as_str(), received["type"].as_str()) {
                (Some("s"), Some("next")) => event = Some(received["payload"]["data"]["changes"].clone()),
                (Some("m"), Some("next")) => answer = Some(received["payload"]["data"].clone()),
                (Some("m"), Some("complete")) => complete = answer.is_some(),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(answer, Some(json!({"createRegion": {"revision": 1}})));
        assert_eq!(event.as_ref().map(summary), Some("1 r CREATED".to_owned()));
        // An id is free again when its operation has ended.
        socket.subscribe("m", "{ region(name: \"r\") { name } }", json!({})).await;
        assert_eq!(socket.answer().await["data"], json!({"region": {"name": "r"}}));
        assert_eq!(socket.receive().await, message(json!({"id": "m", "type": "complete"})));
        // A subscription that the client completes sends nothing more, and its id is free at once.
        socket.send(json!({"id": "s", "type": "complete"})).await;
        socket.subscribe("s", create, json!({"name": "q"})).await;
        assert_eq!(socket.answer().await["data"], json!({"createRegion": {"revision": 2}}));
        assert_eq!(socket.receive().await, message(json!({"id": "s", "type": "complete"})));
        socket.send(json!({"id": "nobody", "type": "complete"})).await;
        // What comes next is of another subscription.
        socket.subscribe("t", CHANGES, json!({"after": 1})).await;
        let Received::Message(next) = socket.receive().await else { panic!("the end") };
        assert_eq!((&next["id"], &next["type"]), (&json!("t"), &json!("next")), "{next}");
    }

    async fn a_rejected_operation_ends_alone(server: Server) {
        let mut socket = Socket::connect(server.url()).await;
        let deep = format!("{{ {} }}", "a {".repeat(200));
        for (query, variables, words) in [
            ("{ nothing }", json!({}), "Unknown field"),
            ("subscription { changes {", json!({}), "expected"),
            (deep.as_str(), json!({}), "nested too deep"),
            ("subscription { changes { cursor } b: changes { cursor } }", json!({}), "exactly one field"),
            ("subscription($f: ChangeEventFilter) { changes(filter: $f) { cursor } }", json!({"f": {"kinds": ["Rak"]}}), "Rak"),
            ("subscription { traceChanged(from: \"x\") { complete } }", json!({}), "from"),
        ] {
            socket.subscribe("1", query, variables).await;
            let errors = socket.refusal().await;
            assert!(errors[0]["message"].as_str().expect("a message").contains(words), "{errors}");
            assert!(errors[0]["extensions"]["code"].is_string(), "{errors}");
        }
        // A field that fails is an answer.
        let create = "mutation { createRegion(input: { name: \"\" }) { revision } }";
        socket.subscribe("1", create, json!({})).await;
        let answer = socket.answer().await;
        assert_eq!((&answer["data"], &answer["errors"][0]["extensions"]["code"]), (&json!({"createRegion": null}), &json!("INVALID")));
        assert_eq!(socket.receive().await, message(json!({"id": "1", "type": "complete"})));
        // Too many.
        for number in 0..100 {
            socket.subscribe(&format!("s{number}"), CHANGES, json!({})).await;
        }
        socket.subscribe("one more", CHANGES, json!({})).await;
        let errors = socket.refusal().await;
        assert_eq!(errors[0]["message"], "at most 100 operations may run on one connection");
        socket.send(json!({"id": "s7", "type": "complete"})).await;
        socket.subscribe("one more", "{ revision }", json!({})).await;
        assert_eq!(socket.answer().await["data"]["revision"], 0);
    }

    async fn a_server_that_stops_says_come_back(mut server: Server) {
        let client = server.client();
        let mut socket = Socket::connect(server.url()).await;
        socket.subscribe("1", CHANGES, json!({"after": 0})).await;
        client.apply_all(vec![json!({"region": {"name": "r"}})]).await;
        let event = socket.event().await;
        let (closed, ()) = tokio::join!(socket.receive(), server.stop());
        assert_eq!(closed, Received::Closed(1012, "the server stops: connect again".to_owned()));
        server.restart().await;
        server.client().apply_all(vec![json!({"region": {"name": "q"}})]).await;
        let mut socket = Socket::connect(server.url()).await;
        socket.subscribe("1", CHANGES, json!({"after": event["cursor"]})).await;
        assert_eq!(summary(&socket.event().await), "2 q CREATED", "where it was");
    }

    async fn equal_subscriptions_get_equal_answers(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({"region": {"name": "r0"}})]).await;
        let mut sockets = Vec::new();
        for number in 0..20 {
            let mut socket = Socket::connect(server.url()).await;
            let after = if number % 2 == 0 { json!(0) } else { Value::Null };
            socket.subscribe("1", CHANGES, json!({"after": after})).await;
            if number % 2 == 0 {
                assert_eq!(summary(&socket.event().await), "1 r0 CREATED");
            }
            socket.subscribe("2", "{ revision }", json!({})).await;
            socket.answer().await;
            socket.receive().await;
            sockets.push(socket);
        }
        for number in 1..=30 {
            client.apply_all(vec![json!({"region": {"name": format!("r{number}")}})]).await;
        }
        let mut all = Vec::new();
        for socket in &mut sockets {
            all.push(socket.events(30).await);
        }
        client.apply_all(vec![json!({"region": {"name": "last"}})]).await;
        for socket in &mut sockets {
            assert_eq!(summary(&socket.event().await), "32 last CREATED", "nothing came twice before");
        }
        assert_eq!(summary(&all[0][29]), "31 r30 CREATED");
        assert!(all.iter().all(|events| *events == all[0]), "to the byte");
    }
}
