//! Runs of sources over HTTP: their life, their counts and permissions. Tenants see nothing of them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Client, Database, Server, Sql, on_both_databases, until};

/// The time between two checks: short, so that the tests need not wait.
pub const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The fields of a run that tests look at.
const RUN: &str = "id mode state seen created updated unchanged retired deleted released failed skippedFields read \
    putAside leftOut renumbered errors { externalId code message } heldCount \
    held { kind id name externalId reason field value } firstRevision lastRevision cursor finishedAt";

/// A synchronizer of the source `nb`, as the tests play it.
pub struct Synchronizer {
    pub client: Client,
    pub run: String,
}

/// The mutation of a run, with its input.
pub async fn call(client: &Client, name: &str, input: Value) -> Value {
    let ty = format!("{}{}Input", name[..1].to_uppercase(), &name[1..]);
    let more = if name == "reportRun" { "resend { kind ids }" } else { "" };
    let query = format!("mutation($input: {ty}!) {{ {name}(input: $input) {{ history {more} run {{ {RUN} }} }} }}");
    client.ok(&query, json!({ "input": input })).await[name].take()
}

/// The reason why a mutation of a run is refused: the code and the message.
pub async fn refused(client: &Client, name: &str, input: Value) -> (String, String) {
    let ty = format!("{}{}Input", name[..1].to_uppercase(), &name[1..]);
    let query = format!("mutation($input: {ty}!) {{ {name}(input: $input) {{ run {{ id }} }} }}");
    let error = client.refused(&query, json!({ "input": input })).await.remove(0);
    (error.code, error.message)
}

/// Waits until a field of a source has a value.
pub async fn wait_for(client: &Client, source: &str, field: &str, expected: Value) {
    let query = format!("query($name: String!) {{ source(name: $name) {{ {field} }} }}");
    let name = field.split([' ', '(']).next().expect("a name");
    until(format!("{field} of {source} is {expected}"), async || {
        let found = client.ok(&query, json!({ "name": source })).await;
        if found["source"][name] == expected { Ok(()) } else { Err(found["source"].to_string()) }
    })
    .await;
}

/// Creates the source `nb` with these fields besides.
pub async fn source(client: &Client, more: Value) {
    let mut input = json!({"name": "nb", "type": "netbox"});
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    client
        .ok("mutation($input: SourceInput!) { createSource(input: $input) { revision } }", json!({"input": input}))
        .await;
}

impl Synchronizer {
    pub async fn start(client: &Client, mode: &str) -> Self {
        let run = call(client, "startRun", json!({"source": "nb", "mode": mode})).await;
        Self { client: client.clone(), run: run["run"]["id"].as_str().expect("an id").to_owned() }
    }

    /// Writes items; returns their results.
    pub async fn apply(&self, items: Vec<Value>) -> Vec<Value> {
        let query = "mutation($input: ApplyInput!) { apply(input: $input) { results { \
            status externalId skipped { field manager reason } error { code field message } } } }";
        let input = json!({"run": self.run, "mode": "PER_ITEM", "items": items});
        let data = self.client.ok(query, json!({ "input": input })).await;
        data["apply"]["results"].as_array().expect("results").clone()
    }

    pub async fn report(&self, mut report: Value) -> Value {
        report["run"] = json!(self.run);
        call(&self.client, "reportRun", report).await
    }

    pub async fn settle(&self, complete: bool) -> Value {
        call(&self.client, "settleRun", json!({"run": self.run, "complete": complete})).await["run"].take()
    }

    pub async fn finish(&self) -> Value {
        call(&self.client, "finishRun", json!({"run": self.run, "cursor": "c"})).await["run"].take()
    }

    /// A whole full run with these items; returns the run at its end.
    pub async fn full(client: &Client, items: Vec<Value>) -> Value {
        let it = Self::start(client, "FULL").await;
        for items in items.chunks(500) {
            it.apply(items.to_vec()).await;
        }
        it.settle(true).await;
        it.finish().await
    }
}

/// A region with an external id.
pub fn region(id: usize) -> Value {
    json!({"region": {"name": format!("r{id}"), "externalId": id.to_string()}})
}

pub fn regions(ids: std::ops::Range<usize>) -> Vec<Value> {
    ids.map(region).collect()
}

/// The names of all regions.
pub async fn names(client: &Client) -> Vec<String> {
    let data = client.ok("{ regions(first: 1000) { nodes { name } } }", json!({})).await;
    let nodes = data["regions"]["nodes"].as_array().expect("nodes").clone();
    nodes.iter().map(|node| node["name"].as_str().expect("a name").to_owned()).collect()
}

on_both_databases! {
    async fn a_run_counts_what_it_did_and_ends(mut server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        let it = Synchronizer::start(&client, "FULL").await;
        let (code, message) = refused(&client, "startRun", json!({"source": "nb", "mode": "FULL"})).await;
        assert!(code == "IN_USE" && message.contains(&it.run), "{code} {message}");
        let partial = Synchronizer::start(&client, "PARTIAL").await;

        let results = it.apply(vec![region(1), region(2), json!({"region": {"name": "", "externalId": "3"}})]).await;
        assert_eq!(results.iter().map(|it| it["status"].as_str().unwrap()).collect::<Vec<_>>(), ["CREATED", "CREATED", "FAILED"]);
        it.apply(vec![region(1)]).await;
        let (results, _) = client.apply_lines(&format!("run={}", it.run), &[region(4), region(5)]).await;
        assert_eq!(results[1]["status"], "CREATED", "{results:?}");

        // A restart in the middle of the run loses nothing.
        server.kill();
        server.restart().await;
        let it = Synchronizer { client: server.client(), ..it };
        let report = it.report(json!({
            "seenIds": [{"kind": "Region", "ids": ["1", "2", "9"]}],
            "gone": [{"kind": "Region", "externalId": "5"}],
            "counts": {"read": 7, "putAside": 2, "leftOut": 1},
            "errors": [{"externalId": "8", "code": "BAD", "message": "cannot be read"}],
        })).await;
        assert_eq!(report["resend"], json!([{"kind": "Region", "ids": ["9"]}]));
        let suspects = it.client.ok("{ source(name: \"nb\") { suspectCount suspects { kind externalId } } }", json!({})).await;
        assert_eq!(suspects["source"]["suspects"], json!([{"kind": "Region", "externalId": "5"}]));
        let run = it.settle(true).await;
        assert_eq!(run["state"], "RUNNING", "{run:#}");
        let run = it.finish().await;
        let counts = ["seen", "created", "unchanged", "updated", "failed", "read", "putAside", "leftOut", "retired"];
        let counts = counts.map(|name| run[name].as_i64().unwrap());
        assert_eq!(counts, [6, 4, 1, 0, 2, 7, 2, 1, 0], "{run:#}");
        assert_eq!((&run["state"], &run["cursor"]), (&json!("SUCCEEDED"), &json!("c")));
        let errors = run["errors"].as_array().unwrap();
        assert!(errors[0]["externalId"] == "3" && errors[1]["code"] == "BAD", "{errors:?}");
        assert!(run["firstRevision"].as_i64() < run["lastRevision"].as_i64(), "{run:#}");

        // A run that has ended accepts nothing, and the error says so.
        let input = json!({"run": it.run, "items": [region(1)]});
        let error = it.client.refused("mutation($input: ApplyInput!) { apply(input: $input) { revision } }", json!({"input": input})).await;
        assert!(error[0].code == "INCOMPATIBLE" && error[0].message.contains("is SUCCEEDED"), "{error:?}");
        assert_eq!(it.client.post_lines(&format!("run={}", it.run), "").await.status, 200, "nothing is nothing");
        let unknown = "00000000-0000-4000-8000-000000000001";
        for (name, input) in [("finishRun", json!({"run": unknown})), ("cancelRun", json!({"run": "x"}))] {
            assert_eq!(refused(&it.client, name, input).await.0, "NOT_FOUND", "{name}");
        }
        let runs = it.client.ok("{ sources { nodes { lastSuccessAt suspectCount runs { nodes { id state } } } } }", json!({})).await;
        let source = &runs["sources"]["nodes"][0];
        assert!(source["lastSuccessAt"].is_string() && source["suspectCount"] == 0, "{source:#}");
        assert_eq!(source["runs"]["nodes"].as_array().unwrap().len(), 2);
        assert_eq!(source["runs"]["nodes"][0], json!({"id": partial.run, "state": "RUNNING"}));
    }

    async fn a_run_writes_only_what_a_run_may(server: Server) {
        let client = server.client();
        source(&client, json!({"paused": true})).await;
        let (code, message) = refused(&client, "startRun", json!({"source": "nb", "mode": "FULL"})).await;
        assert!(code == "INCOMPATIBLE" && message.contains("is paused"), "{code} {message}");
        assert_eq!(refused(&client, "startRun", json!({"source": "no", "mode": "FULL"})).await.0, "NOT_FOUND");
        client.ok("mutation { apply(input: {items: [{source: {name: \"nb\", paused: false}}]}) { revision } }", json!({})).await;
        // Until a run of it was started, anybody writes in its name, as an export does.
        client.apply_input(json!({"source": "nb", "items": [region(1)]})).await;
        let it = Synchronizer::start(&client, "PARTIAL").await;
        let apply = "mutation($input: ApplyInput!) { apply(input: $input) { revision } }";
        for (input, code) in [
            (json!({"source": "nb", "items": [region(1)]}), "INCOMPATIBLE"),
            (json!({"run": it.run, "source": "other", "items": [region(1)]}), "INVALID"),
            (json!({"run": it.run, "conflicts": "FORCE", "items": [region(1)]}), "INVALID"),
            (json!({"run": it.run, "items": [{"delete": {"ref": {"region": {"region": "r1"}}}}]}), "FORBIDDEN"),
            (json!({"run": it.run, "items": [{"region": {"name": "r1", "externalRefs": null}}]}), "INVALID"),
            (json!({"run": "00000000-0000-4000-8000-000000000001", "items": [region(1)]}), "NOT_FOUND"),
        ] {
            assert_eq!(client.refused(apply, json!({"input": input})).await[0].code, code, "{input}");
        }
        let (code, message) = refused(&client, "settleRun", json!({"run": it.run, "complete": true})).await;
        assert!(code == "INVALID" && message.contains("partial run"), "{code} {message}");
        let ids: Vec<String> = (0..10_001).map(|id| id.to_string()).collect();
        let report = json!({"run": it.run, "seenIds": [{"kind": "Region", "ids": ids}]});
        let (code, message) = refused(&client, "reportRun", report).await;
        assert!(code == "INVALID" && message.contains("at most 10000"), "{code} {message}");
        let long = json!({"run": it.run, "cursor": "x".repeat(4_097)});
        assert_eq!(refused(&client, "finishRun", long).await.0, "INVALID");
        assert_eq!(it.finish().await["state"], "SUCCEEDED");
        assert_eq!(names(&client).await, ["r1"], "nothing else was written");
    }

    async fn a_silent_run_is_abandoned_and_a_failed_scan_removes_nothing(server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        Synchronizer::full(&client, regions(0..3)).await;
        let it = Synchronizer::start(&client, "FULL").await;
        let sql = Sql::connect(&server.database_url()).await;
        sql.run("UPDATE source_run SET heartbeat_at = '2020-01-01T00:00:00+00:00' WHERE finished_at IS NULL").await;
        let (code, message) = refused(&client, "settleRun", json!({"run": it.run, "complete": true})).await;
        assert!(code == "INCOMPATIBLE" && message.contains("is ABANDONED"), "{code} {message}");
        assert_eq!(names(&client).await.len(), 3);
        // The next one can start, and what is not complete fails.
        for settles in [Some(false), None] {
            let it = Synchronizer::start(&client, "FULL").await;
            it.apply(vec![region(0)]).await;
            if let Some(complete) = settles {
                assert_eq!(it.settle(complete).await["state"], "RUNNING");
            }
            assert_eq!(it.finish().await["state"], "FAILED");
            assert_eq!(names(&client).await.len(), 3, "half a scan removes nothing");
        }
        let it = Synchronizer::start(&client, "FULL").await;
        let cancelled = call(&client, "cancelRun", json!({"run": it.run})).await;
        assert_eq!(cancelled["run"]["state"], "CANCELLED");
        sql.close().await;
    }

    async fn objects_that_others_changed_are_requested_again(server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        Synchronizer::full(&client, regions(0..3)).await;
        let it = Synchronizer::start(&client, "FULL").await;
        let seen = json!({"seenIds": [{"kind": "Region", "ids": ["0", "1", "2"]}]});
        assert_eq!(it.report(seen.clone()).await["resend"], json!([]));
        client.apply_all(vec![json!({"region": {"name": "r1", "description": "by hand"}})]).await;
        let again = json!([{"kind": "Region", "ids": ["1"]}]);
        assert_eq!(it.report(seen.clone()).await["resend"], again);
        it.settle(true).await;
        it.finish().await;
        let next = Synchronizer::start(&client, "FULL").await;
        assert_eq!(next.report(seen.clone()).await["resend"], again, "it was changed after the last run began");
        next.settle(true).await;
        next.finish().await;
        let last = Synchronizer::start(&client, "FULL").await;
        assert_eq!(last.report(seen).await["resend"], json!([]));
    }
}

pub async fn token(server: &Server, arguments: &[&str]) -> Client {
    let arguments = ["token", "create"].iter().chain(arguments).copied();
    let made = server.cli(arguments).env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
    server.client().bearing(made.stdout.trim())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synchronizer_runs_its_source_and_a_tenant_sees_nothing_of_it() {
    let server = Server::start(Database::Sqlite).asking().await;
    let mine = token(&server, &["--role", "synchronizer", "--source", "nb"]).await;
    let other = token(&server, &["--role", "synchronizer", "--source", "ipam"]).await;
    let operator = token(&server, &["--role", "operator"]).await;
    let tenant = token(&server, &["--role", "admin", "--tenant", "blue"]).await;
    let it = Synchronizer::start(&mine, "FULL").await;
    it.apply(regions(0..2)).await;
    for (client, name, input) in [
        (&other, "startRun", json!({"source": "nb", "mode": "FULL"})),
        (&other, "finishRun", json!({"run": it.run})),
        (&mine, "approveRun", json!({"run": it.run})),
        (&mine, "rejectRun", json!({"run": it.run})),
        (&tenant, "startRun", json!({"source": "nb", "mode": "FULL"})),
        (&tenant, "finishRun", json!({"run": it.run})),
    ] {
        assert_eq!(refused(client, name, input).await.0, "FORBIDDEN", "{name}");
    }
    let delete = json!({"items": [{"delete": {"ref": {"region": {"region": "r1"}}}}]});
    let force = json!({"items": [region(1)], "conflicts": "FORCE"});
    for input in [delete, force] {
        let apply = "mutation($input: ApplyInput!) { apply(input: $input) { revision } }";
        assert_eq!(other.refused(apply, json!({"input": input})).await[0].code, "FORBIDDEN", "{input}");
    }
    it.settle(true).await;
    it.finish().await;

    let found = operator.ok("{ source(name: \"nb\") { id type reserved runs { nodes { id } } } }", json!({})).await;
    assert_eq!((&found["source"]["type"], &found["source"]["reserved"]), (&json!("other"), &json!(true)));
    let id = &found["source"]["id"];
    let see = "query($id: ID!) { source(name: \"nb\") { id } sources { totalCount nodes { id } } node(id: $id) { id } \
        nodes(ids: [$id]) { id } search(text: \"nb\") { node { id } } regions { totalCount } }";
    let seen = tenant.ok(see, json!({ "id": id })).await;
    let nothing = json!({"source": null, "sources": {"totalCount": 0, "nodes": []}, "node": null, "nodes": [null],
        "search": [], "regions": {"totalCount": 2}});
    assert_eq!(seen, nothing);
    let seen = operator.ok(see, json!({ "id": id })).await;
    assert_eq!((&seen["sources"]["totalCount"], &seen["node"]["id"]), (&json!(1), id));
    assert_eq!(&seen["search"][0]["node"]["id"], id, "{seen}");
}
