//! `@skip` and `@include` with variables, as the case table of the specification has them (GraphQL, sections 3.13 and
//! 6.1.2), over every transport: what a document skips is not executed.

use serde_json::{Value, json};

use crate::harness::{Client, Database, Received, Server, Socket};

/// Sends a document by POST, by GET and over a WebSocket; returns the one answer: the data, or the first error.
async fn everywhere(server: &Server, body: &Value) -> Result<Value, String> {
    let client = server.client();
    let posted = client.post_bytes("application/json", body.to_string()).await.expect("an answer").json();
    let parameters: Vec<(&str, String)> = ["query", "operationName", "variables"]
        .into_iter()
        .filter_map(|name| match &body[name] {
            Value::Null => None,
            Value::String(text) => Some((name, text.clone())),
            other => Some((name, other.to_string())),
        })
        .collect();
    let address = reqwest::Url::parse_with_params("http://x/graphql", &parameters).expect("a URL");
    let got = client.get(&address.as_str()["http://x".len()..]).await.json();
    let mut socket = Socket::connect(server.url()).await;
    socket.send(json!({"type": "subscribe", "id": "1", "payload": body})).await;
    let received = match socket.receive().await {
        Received::Message(mut message) if message["type"] == "error" => json!({"errors": message["payload"].take()}),
        Received::Message(mut message) => message["payload"].take(),
        ended => panic!("{ended:?}"),
    };
    let outcome = |answer: &Value| match answer["errors"][0]["message"].as_str() {
        Some(message) => Err(message.to_owned()),
        None => Ok(answer["data"].clone()),
    };
    assert_eq!(outcome(&posted), outcome(&got), "POST and GET: {body}");
    assert_eq!(outcome(&posted), outcome(&received), "POST and WebSocket: {body}");
    outcome(&posted)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_condition_has_the_value_or_the_default_of_its_variable() {
    let server = Server::start(Database::Sqlite).await;
    const NEITHER: &str = "must be true or false";
    // The definition of the variable, what is sent, and the value of the condition.
    for (definition, sent, value) in [
        ("$x: Boolean = true", json!({}), Ok(true)),
        ("$x: Boolean = false", json!({}), Ok(false)),
        ("$x: Boolean = true", json!({"x": false}), Ok(false)),
        ("$x: Boolean = false", json!({"x": true}), Ok(true)),
        ("$x: Boolean = true", json!({"x": null}), Err(NEITHER)),
        ("$x: Boolean! = true", json!({}), Ok(true)),
        ("$x: Boolean! = false", json!({}), Ok(false)),
        ("$x: Boolean! = true", json!({"x": false}), Ok(false)),
        ("$x: Boolean! = true", json!({"x": null}), Err("not null")),
        ("$x: Boolean!", json!({"x": true}), Ok(true)),
        ("$x: Boolean!", json!({"x": false}), Ok(false)),
        ("$x: Boolean!", json!({}), Err("is required")),
        ("$x: Boolean!", json!({"x": null}), Err("not null")),
        ("$x: Boolean!", json!({"x": "true"}), Err(NEITHER)),
        ("$x: Boolean!", json!({"x": 1}), Err(NEITHER)),
        ("$x: Boolean = true", json!({"x": []}), Err(NEITHER)),
    ] {
        let selections = "skipped: revision @skip(if: $x) included: revision @include(if: $x) \
                          ... @skip(if: $x) { a: revision } ...F @include(if: $x)";
        let text = format!("query({definition}) {{ {selections} }} fragment F on Query {{ b: revision }}");
        let found = everywhere(&server, &json!({"query": text, "variables": sent})).await;
        match (found, value) {
            (Ok(found), Ok(value)) => {
                let expected = if value { json!({"included": 0, "b": 0}) } else { json!({"skipped": 0, "a": 0}) };
                assert_eq!(found, expected, "{definition}, {sent}");
            }
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{definition}, {sent}: {found}"),
            (found, value) => panic!("{definition}, {sent}: {found:?} and not {value:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_directives_must_agree_and_need_a_boolean() {
    let server = Server::start(Database::Sqlite).await;
    for (skip, include, stays) in
        [(false, true, true), (true, true, false), (false, false, false), (true, false, false)]
    {
        let text = format!("{{ revision @skip(if: {skip}) @include(if: {include}) s: revision }}");
        let found = everywhere(&server, &json!({"query": text})).await.expect("data");
        assert_eq!(found["revision"].is_number(), stays, "{text}");
    }
    for condition in ["(if: null)", "(if: \"true\")", "(if: 1)", ""] {
        let text = format!("{{ revision @skip{condition} s: revision }}");
        everywhere(&server, &json!({"query": text})).await.expect_err(condition);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_defaults_are_those_of_the_operation_that_runs() {
    let server = Server::start(Database::Sqlite).await;
    let text = "query A($x: Boolean = true) { ...F } query B($x: Boolean = false) { ...F s: revision }
                fragment F on Query { revision @include(if: $x) }";
    for (name, expected) in [("A", json!({"revision": 0})), ("B", json!({"s": 0}))] {
        let found = everywhere(&server, &json!({"query": text, "operationName": name})).await;
        assert_eq!(found, Ok(expected), "{name}");
    }
}

async fn revision(client: &Client) -> Value {
    client.ok("{ revision }", json!({})).await["revision"].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mutation_that_is_skipped_writes_nothing() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let create = "createRegion(input: {name: \"r\"})";
    let created = format!("{create} {{ revision }}");
    for definition in ["$dry: Boolean = true", "$dry: Boolean! = true"] {
        for text in [
            format!("mutation({definition}) {{ {create} @skip(if: $dry) {{ revision }} }}"),
            format!("mutation({definition}) {{ ...F @skip(if: $dry) }} fragment F on Mutation {{ {created} }}"),
            format!("mutation({definition}) {{ ... @skip(if: $dry) {{ {created} }} }}"),
        ] {
            assert_eq!(client.ok(&text, json!({})).await, json!({}), "{text}");
            let mut socket = Socket::connect(server.url()).await;
            socket.subscribe("1", &text, json!({})).await;
            assert_eq!(socket.answer().await["data"], json!({}), "{text}");
        }
    }
    // A condition that cannot be read was taken as false: the mutation ran.
    for sent in [json!({}), json!({"dry": null}), json!({"dry": "true"})] {
        let text = format!("mutation($dry: Boolean!) {{ ... @skip(if: $dry) {{ {created} }} }}");
        let errors = client.refused(&text, sent.clone()).await;
        assert_eq!(errors[0].code, "INVALID", "{sent}: {errors:?}");
    }
    assert_eq!(revision(&client).await, 0, "nothing was written");
    let text = format!("mutation($dry: Boolean = true) {{ ... @skip(if: $dry) {{ {created} }} }}");
    client.ok(&text, json!({"dry": false})).await;
    assert_eq!(revision(&client).await, 1, "what is not skipped is written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_variable_without_a_condition_has_its_default_too() {
    let server = Server::start(Database::Sqlite).await;
    server.client().apply_all(vec![json!({"region": {"name": "r"}})]).await;
    let text = "query($name: String! = \"r\") { region(name: $name) { name } }";
    let found = everywhere(&server, &json!({"query": text})).await;
    assert_eq!(found, Ok(json!({"region": {"name": "r"}})));
}
