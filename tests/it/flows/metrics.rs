//! What Prometheus collects: how large the inventory is, and what questions to the topology cost.

use serde_json::json;

use crate::harness::{Database, Server};

/// The value of a line of `/metrics`.
async fn value(server: &Server, line: &str) -> Option<f64> {
    let collected = server.client().get("/metrics").await;
    assert_eq!(collected.status, 200);
    let text = collected.text();
    let found = text.lines().find_map(|there| there.strip_prefix(line)?.strip_prefix(' '));
    found.map(|number| number.parse().expect("a number"))
}

#[tokio::test]
async fn metrics_count_objects_and_questions() {
    let server = Server::start(Database::Sqlite).await;
    let items = json!([
        {"site": {"name": "ams1", "type": "EDGE"}},
        {"device": {"site": {"site": "ams1"}, "name": "leaf-1", "role": "LEAF"}},
        {"port": {"device": {"device": "leaf-1"}, "name": "e1", "type": "ETHERNET"}},
        {"port": {"device": {"device": "leaf-1"}, "name": "e2", "type": "ETHERNET"}},
    ]);
    let apply = "mutation($input: ApplyInput!) { apply(input: $input) { revision results { id } } }";
    let written = server.client().execute(apply, json!({ "input": { "items": items } })).await;
    assert_eq!(value(&server, "underlay_revision").await, Some(1.0));
    assert_eq!(value(&server, r#"underlay_objects{kind="Port"}"#).await, Some(2.0));
    assert_eq!(value(&server, r#"underlay_objects{kind="Cable"}"#).await, Some(0.0));
    assert_eq!(value(&server, r#"underlay_question_seconds_count{question="trace"}"#).await, None);

    let port = &written.data["apply"]["results"][2]["id"];
    let trace = "query($from: ID!) { trace(from: $from) { complete } }";
    server.client().execute(trace, json!({ "from": port })).await;
    server.client().execute(trace, json!({ "from": port })).await;
    assert_eq!(value(&server, r#"underlay_question_seconds_count{question="trace"}"#).await, Some(2.0));
    assert_eq!(value(&server, r#"underlay_question_objects_sum{question="trace"}"#).await, Some(2.0));
    assert_eq!(value(&server, r#"underlay_question_seconds_bucket{question="trace",le="30"}"#).await, Some(2.0));
}
