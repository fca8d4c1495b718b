//! The metrics for Prometheus: the size of the inventory, and the cost of requests, batches and queries. All of them
//! are documented.

use std::collections::BTreeMap;

use serde_json::json;

use crate::harness::metrics::Exported;
use crate::harness::{Received, Server, Socket, on_both_databases, until};
use crate::laws::metrics::{Documented, documented};

const APPLY: &str = "mutation($input: ApplyInput!) { apply(input: $input) { revision results { id } } }";

/// Uses a server a little: writes, asks, is refused, follows, and waits for the first sweep.
pub async fn use_a_little(server: &Server) {
    let client = server.client();
    let items = json!([
        {"site": {"name": "ams1", "type": "EDGE"}},
        {"device": {"site": {"site": "ams1"}, "name": "leaf-1", "role": "LEAF"}},
        {"port": {"device": {"device": "leaf-1"}, "name": "e1", "type": "ETHERNET"}},
        {"port": {"device": {"device": "leaf-1"}, "name": "e2", "type": "ETHERNET"}},
    ]);
    let written = client.execute(APPLY, json!({ "input": { "items": items } })).await;
    client.execute(APPLY, json!({ "input": { "items": items } })).await;
    client.execute(APPLY, json!({ "input": { "items": [{"region": {"name": ""}}] } })).await;
    let port = &written.data["apply"]["results"][2]["id"];
    let trace = "query($from: ID!) { trace(from: $from) { complete } }";
    client.execute(trace, json!({ "from": port })).await;
    client.execute(trace, json!({ "from": port })).await;
    client.execute("{ nothing }", json!({})).await;
    assert_eq!(client.get("/graphql?query=").await.status, 400);
    let source = "mutation { createSource(input: {name: \"nb\", type: \"netbox\"}) { revision } }";
    client.execute(source, json!({})).await;
    let run = "mutation { startRun(input: {source: \"nb\", mode: FULL}) { run { id } } }";
    let run = client.execute(run, json!({})).await.data["startRun"]["run"]["id"].clone();
    let cancel = "mutation($run: ID!) { cancelRun(input: {run: $run}) { run { state } } }";
    client.execute(cancel, json!({ "run": run })).await;
    let lease = json!({"names": ["hosts/08"], "holder": "one", "seconds": 60});
    client
        .execute("mutation($input: TakeLeasesInput!) { takeLeases(input: $input) { now } }", json!({ "input": lease }))
        .await;
    let strays = json!({"holder": "one", "lease": "hosts/08", "epoch": 1, "provisioner": "simulated",
        "strays": [{"name": "lone"}], "total": 1});
    let report = "mutation($input: ReportStraysInput!) { reportStrays(input: $input) { total } }";
    client.execute(report, json!({ "input": strays })).await;
    let mut socket = Socket::connect(server.url()).await;
    socket.subscribe("1", "subscription { changes(after: 0) { revision } }", json!({})).await;
    socket.event().await;
    let begun = Exported::of(server).await;
    assert_eq!((begun.sum("underlay_subscriptions", &[]), begun.sum("underlay_open_connections", &[])), (1.0, 1.0));
    socket.subscribe("2", "subscription { changes(after: 99) { revision } }", json!({})).await;
    while !matches!(socket.receive().await, Received::Message(message) if message["type"] == "error") {}
    drop(socket);
    until("a sweep was made and the subscription has ended", async || {
        let now = Exported::of(server).await;
        now.types.contains_key("underlay_oldest_revision") && now.sum("underlay_subscriptions", &[]) == 0.0
    })
    .await;
}

on_both_databases! {
    async fn metrics_count_events_and_are_documented(server: Server) {
        use_a_little(&server).await;
        let exported = Exported::of(&server).await;
        let postgres = server.database_url().starts_with("postgres");
        for (name, labels, value) in [
            ("underlay_revision", &[][..], 3.0), ("underlay_oldest_revision", &[], 1.0), ("underlay_database_up", &[], 1.0),
            ("underlay_objects", &[("kind", "Port")], 2.0), ("underlay_objects", &[("kind", "Cable")], 0.0),
            ("underlay_requests_total", &[("operation", "mutation"), ("code", "OK")], 8.0),
            ("underlay_requests_total", &[("operation", "query"), ("code", "OK")], 2.0),
            ("underlay_requests_total", &[("operation", "query"), ("code", "INVALID")], 1.0),
            ("underlay_requests_total", &[("operation", "unread")], 1.0),
            ("underlay_request_seconds_count", &[("operation", "query")], 3.0),
            ("underlay_batches_total", &[("outcome", "written")], 3.0), ("underlay_batches_total", &[("outcome", "unchanged")], 1.0),
            ("underlay_batches_total", &[("outcome", "refused")], 1.0), ("underlay_batches_total", &[("outcome", "failed")], 0.0),
            ("underlay_batch_items_sum", &[], 11.0), ("underlay_batch_seconds_count", &[], 5.0),
            ("underlay_commit_seconds_count", &[], 3.0), ("underlay_commit_batches_sum", &[], 3.0),
            ("underlay_source_runs_total", &[("source", "nb"), ("state", "CANCELLED")], 1.0),
            ("underlay_source_health", &[("source", "nb"), ("health", "NEVER")], 1.0), ("underlay_source_objects", &[], 0.0),
            ("underlay_hosts_strays", &[("provisioner", "simulated")], 1.0),
            ("underlay_question_seconds_count", &[("question", "trace")], 2.0),
            ("underlay_question_objects_sum", &[("question", "trace")], 2.0),
            ("underlay_question_seconds_bucket", &[("question", "trace"), ("le", "30")], 2.0),
            ("underlay_subscriptions_ended_total", &[("code", "REVISION_COMPACTED")], 1.0),
            ("underlay_retention_seconds", &[], 400.0 * 86_400.0), ("underlay_connections_dropped_total", &[], 0.0),
        ] {
            assert_eq!(exported.sum(name, labels), value, "{name} {labels:?}");
        }
        let bytes = |kind| exported.sum("underlay_object_bytes", &[("kind", kind)]);
        assert!(bytes("Port") > 2.0 * 50.0 && bytes("Cable") == 0.0, "{}", bytes("Port"));
        let documented_metrics: BTreeMap<String, Documented> = documented();
        for (name, kind) in &exported.types {
            let documented_metrics = documented_metrics.get(name).unwrap_or_else(|| panic!("{name} is not documented"));
            assert_eq!((&documented_metrics.kind, &documented_metrics.labels), (kind, &exported.labels(name)), "{name}");
        }
        let missing: Vec<_> = documented_metrics.iter().filter(|(name, _)| !exported.types.contains_key(*name)).collect();
        let excused = |documented_metrics: &Documented| documented_metrics.meaning.contains("only on PostgreSQL") && !postgres || documented_metrics.meaning.contains("only on Linux") && !cfg!(target_os = "linux");
        assert!(missing.iter().all(|(_, documented_metrics)| excused(documented_metrics)), "documented, but not exported: {missing:?}");
    }
}
