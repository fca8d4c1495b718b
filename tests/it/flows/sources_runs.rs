//! The runs of a source over HTTP: a start that is repeated, pages of runs, the runs that are kept, silent runs, and
//! the health that follows from runs.

use chrono::TimeDelta;
use futures_util::future::join_all;
use serde_json::{Value, json};
use underlay_engine::sources::Timing;

use super::sources::{CHECK_INTERVAL, Synchronizer, call, names, refused, region, regions, source, wait_for};
use crate::harness::{APPLY, Client, Server, Sql, Within, on_both_databases, until};

const START: &str = "mutation($mode: RunMode!, $id: String) {
  startRun(input: {source: \"nb\", mode: $mode}, requestId: $id) { history run { id state } } }";

on_both_databases! {
    async fn a_repeated_start_gets_the_run_of_the_first(mut server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        let first = client.ok(START, json!({"mode": "FULL", "id": "r1"})).await;
        assert_eq!(client.ok(START, json!({"mode": "FULL", "id": "r1"})).await, first, "the answer was lost");
        let many = join_all((0..4).map(|_| client.ok(START, json!({"mode": "PARTIAL", "id": "r2"})))).await;
        assert!(many.iter().all(|run| *run == many[0] && *run != first), "{many:?}");
        for (case, variables, code) in [
            ("another request", json!({"mode": "FULL", "id": "r3"}), "IN_USE"),
            ("no name", json!({"mode": "FULL"}), "IN_USE"),
            ("the name of another request", json!({"mode": "PARTIAL", "id": "r1"}), "REQUEST_REUSED"),
            ("no name of a request", json!({"mode": "FULL", "id": " "}), "INVALID"),
        ] {
            assert_eq!(client.refused(START, variables).await[0].code, code, "{case}");
        }
        // The names of runs and of batches are one set.
        let batch = json!({"items": [{"region": {"name": "r"}}], "requestId": "r1"});
        let errors = client.refused(APPLY, json!({"input": batch})).await;
        assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("REQUEST_REUSED", Some("requestId")));
        client.apply_input(json!({"items": [{"region": {"name": "r"}}], "requestId": "r4"})).await;
        let errors = client.refused(START, json!({"mode": "PARTIAL", "id": "r4"})).await;
        assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("REQUEST_REUSED", Some("requestId")));

        server.kill();
        server.restart().await;
        let client = server.client();
        assert_eq!(client.ok(START, json!({"mode": "FULL", "id": "r1"})).await, first, "after a restart");
        let run = first["startRun"]["run"]["id"].clone();
        call(&client, "cancelRun", json!({"run": run})).await;
        client.ok("mutation { apply(input: {items: [{source: {name: \"nb\", paused: true}}]}) { revision } }", json!({})).await;
        let again = client.ok(START, json!({"mode": "FULL", "id": "r1"})).await;
        assert_eq!(again["startRun"]["run"], json!({"id": run, "state": "CANCELLED"}), "a run is started once");
    }

    async fn runs_come_in_pages_newest_first(server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        let mut started = Vec::new();
        for number in 0..7 {
            let it = Synchronizer::start(&client, if number % 3 == 0 { "FULL" } else { "PARTIAL" }).await;
            it.finish().await;
            started.insert(0, json!(it.run));
        }
        let query = "query($first: Int, $after: String) { source(name: \"nb\") { lastRun { id } runs(first: $first, after: $after) {
            totalCount nodes { id } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }";
        let (mut found, mut after) = (Vec::new(), Value::Null);
        for more in [true, true, false] {
            let page = client.ok(query, json!({"first": 3, "after": after})).await["source"].take();
            assert_eq!(page["lastRun"]["id"], started[0]);
            let runs = &page["runs"];
            assert_eq!((&runs["totalCount"], &runs["pageInfo"]["hasNextPage"]), (&json!(7), &json!(more)), "{runs:#}");
            assert_eq!(runs["pageInfo"]["hasPreviousPage"], !after.is_null());
            let edges = runs["edges"].as_array().expect("edges");
            assert_eq!(runs["pageInfo"]["startCursor"], edges[0]["cursor"]);
            assert!(edges.iter().zip(runs["nodes"].as_array().expect("nodes")).all(|(edge, node)| edge["node"] == *node));
            found.extend(edges.iter().map(|edge| edge["node"]["id"].clone()));
            after = runs["pageInfo"]["endCursor"].clone();
        }
        assert_eq!(found, started);
        for (first, after) in [(1_001, Value::Null), (-1, Value::Null), (1, json!("x")), (1, json!("YS9i"))] {
            let errors = client.refused(query, json!({"first": first, "after": after})).await;
            assert_eq!(errors[0].code, "INVALID", "{first} {after}");
        }
        let none = client.ok(query, json!({"first": 0})).await;
        assert_eq!(none["source"]["runs"]["nodes"], json!([]));
    }

    async fn partial_runs_do_not_push_out_full_ones(server: Server) {
        let client = server.client();
        source(&client, json!({})).await;
        let full = Synchronizer::full(&client, regions(0..1)).await;
        let sql = Sql::connect(&server.database_url()).await;
        let (new_id, count) = match server.database() {
            crate::harness::Database::Sqlite => ("randomblob(16)", "700"),
            crate::harness::Database::Postgres(_) => ("gen_random_uuid()", "700"),
        };
        let rest = "source_id, state, started_at, heartbeat_at, finished_at, actor, base_revision, complete, renumbered, \
            seen, created, updated, unchanged, retired, deleted, released, failed, skipped_fields, read, put_aside, \
            left_out, errors, first_revision, last_revision, cursor";
        sql.run(&format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
             INSERT INTO source_run (id, mode, {rest}) SELECT {new_id}, 'PARTIAL', {rest} FROM source_run, n"
        )).await;
        for _ in 0..2 {
            Synchronizer::start(&client, "PARTIAL").await.finish().await;
        }
        let of = |mode: &str| format!("SELECT count(*) FROM source_run WHERE mode = '{mode}'");
        assert_eq!((sql.number(&of("FULL")).await, sql.number(&of("PARTIAL")).await), (1, 501));
        Synchronizer::start(&client, "FULL").await.finish().await;
        assert_eq!((sql.number(&of("FULL")).await, sql.number(&of("PARTIAL")).await), (2, 501));
        let runs = client.ok("{ source(name: \"nb\") { runs(first: 1000) { nodes { id } } } }", json!({})).await;
        let runs = runs["source"]["runs"]["nodes"].as_array().expect("runs").clone();
        assert!(runs.contains(&json!({"id": full["id"]})), "the full run is still there");
        sql.close().await;
    }

    async fn a_run_that_went_silent_is_abandoned(mut server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        Synchronizer::full(&client, regions(0..3)).await;
        server.kill();
        let timing = Timing { patience: TimeDelta::milliseconds(300), look: CHECK_INTERVAL };
        let short = Within::start(&server.database_url(), timing);
        let client = short.client();
        let it = Synchronizer::start(&client, "FULL").await;
        wait_for(&client, "nb", "lastRun { id state }", json!({"id": it.run, "state": "ABANDONED"})).await;
        for (name, input) in [
            ("reportRun", json!({"run": it.run})),
            ("settleRun", json!({"run": it.run, "complete": true})),
            ("finishRun", json!({"run": it.run})),
            ("cancelRun", json!({"run": it.run})),
        ] {
            let (code, message) = refused(&client, name, input).await;
            assert!(code == "INCOMPATIBLE" && message.contains("is ABANDONED"), "{name}: {code} {message}");
        }
        let input = json!({"run": it.run, "items": [region(9)]});
        assert_eq!(client.refused(APPLY, json!({"input": input})).await[0].code, "INCOMPATIBLE");
        assert_eq!(names(&client).await, ["r0", "r1", "r2"], "nothing was written, and nothing went");
        // The next full run is not blocked.
        let next = Synchronizer::start(&client, "FULL").await;
        assert_ne!(next.run, it.run);
        drop(short);
    }

    async fn a_clock_that_was_set_back_keeps_no_run_open(mut server: Server) {
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        Synchronizer::full(&client, regions(0..3)).await;
        let sql = Sql::connect(&server.database_url()).await;
        const FUTURE: &str = "UPDATE source_run SET heartbeat_at = '2099-01-01T00:00:00+00:00' WHERE finished_at IS NULL";
        let abandoned = async |client: &Client, run: &str| {
            let (code, message) = refused(client, "settleRun", json!({"run": run, "complete": true})).await;
            assert!(code == "INCOMPATIBLE" && message.contains("is ABANDONED"), "{code} {message}");
        };
        // The next start does not wait for the clock, and neither does a call of the run.
        let killed = Synchronizer::start(&client, "FULL").await;
        sql.run(FUTURE).await;
        let next = Synchronizer::start(&client, "FULL").await;
        abandoned(&client, &killed.run).await;
        sql.run(FUTURE).await;
        abandoned(&client, &next.run).await;
        // Nor does the upkeep.
        server.kill();
        let within = Within::start(&server.database_url(), Timing { look: CHECK_INTERVAL, ..Timing::default() });
        let client = within.client();
        let last = Synchronizer::start(&client, "FULL").await;
        sql.run(FUTURE).await;
        wait_for(&client, "nb", "lastRun { id state }", json!({"id": last.run, "state": "ABANDONED"})).await;
        assert_eq!(names(&client).await.len(), 3);
        sql.close().await;
        drop(within);
    }

    async fn a_deleted_source_has_no_gauges(mut server: Server) {
        server.kill();
        let within = Within::start(&server.database_url(), Timing { look: CHECK_INTERVAL, ..Timing::default() });
        let client = within.client();
        source(&client, json!({})).await;
        let has_gauges = async || {
            let text = client.get("/metrics").await.text();
            let gauges = ["health", "objects", "held", "last_success_timestamp_seconds"];
            gauges.map(|name| text.lines().any(|line| line.starts_with(&format!("underlay_source_{name}{{source=\"nb\""))))
        };
        for (expected, delete) in [([true; 4], true), ([false; 4], false)] {
            until(format!("the gauges are {expected:?}"), async || {
                let found = has_gauges().await;
                if found == expected { Ok(()) } else { Err(format!("{found:?}")) }
            })
            .await;
            if delete {
                let id = client.ok("{ source(name: \"nb\") { id } }", json!({})).await["source"]["id"].clone();
                client.ok("mutation($id: ID!) { deleteSource(id: $id) { revision } }", json!({"id": id})).await;
            }
        }
        drop(within);
    }

    async fn health_follows_from_the_runs(mut server: Server) {
        server.kill();
        let within = Within::start(&server.database_url(), Timing { look: CHECK_INTERVAL, ..Timing::default() });
        let client = within.client();
        let sql = Sql::connect(&server.database_url()).await;
        source(&client, json!({"prune": "DELETE"})).await;
        wait_for(&client, "nb", "health", json!("NEVER")).await;
        Synchronizer::full(&client, regions(0..30)).await;
        wait_for(&client, "nb", "health", json!("FRESH")).await;

        // A look that finds the same health makes no revision, and neither does a run that changes nothing. Another
        // source shows that there was a look: it is paused, which is a revision, and found to be so, which is the next.
        client.ok("mutation { createSource(input: {name: \"other\", type: \"x\"}) { revision } }", json!({})).await;
        wait_for(&client, "other", "health", json!("NEVER")).await;
        let look = async || client.ok("{ revision source(name: \"nb\") { version } }", json!({})).await;
        let before = look().await;
        Synchronizer::full(&client, regions(0..30)).await;
        client.apply_all(vec![json!({"source": {"name": "other", "paused": true}})]).await;
        wait_for(&client, "other", "health", json!("PAUSED")).await;
        let after = look().await;
        assert_eq!(after["revision"].as_i64(), before["revision"].as_i64().map(|revision| revision + 2));
        assert_eq!(after["source"], before["source"], "no revision changed it");

        sql.run("UPDATE source_turn SET last_success_at = '2020-01-01T00:00:00+00:00'").await;
        wait_for(&client, "nb", "health", json!("STALE")).await;
        for _ in 0..3 {
            let it = Synchronizer::start(&client, "FULL").await;
            it.settle(false).await;
            it.finish().await;
        }
        wait_for(&client, "nb", "health", json!("FAILING")).await;
        let held = Synchronizer::full(&client, regions(0..5)).await;
        assert_eq!(held["state"], "HELD");
        wait_for(&client, "nb", "health", json!("HELD")).await;
        let pause = |paused: bool| {
            let items = json!([{"source": {"name": "nb", "paused": paused}}]);
            client.apply_input(json!({"items": items}))
        };
        pause(true).await;
        wait_for(&client, "nb", "health", json!("PAUSED")).await;
        pause(false).await;
        wait_for(&client, "nb", "health", json!("HELD")).await;
        call(&client, "rejectRun", json!({"run": held["id"]})).await;
        Synchronizer::full(&client, regions(0..30)).await;
        wait_for(&client, "nb", "health", json!("FRESH")).await;
        let actors = client.ok("{ changes(first: 1, filter: {kinds: [\"Source\"]}) { nodes { actor after } } }", json!({})).await;
        assert_eq!(actors["changes"]["nodes"][0]["actor"], "underlay", "{actors}");
        sql.close().await;
        drop(within);
    }

    async fn the_runs_of_a_deleted_source_go(mut server: Server) {
        server.kill();
        let within = Within::start(&server.database_url(), Timing { look: CHECK_INTERVAL, ..Timing::default() });
        let client = within.client();
        source(&client, json!({"prune": "DELETE"})).await;
        client.ok("mutation { createSource(input: {name: \"other\", type: \"x\"}) { revision } }", json!({})).await;
        call(&client, "startRun", json!({"source": "other", "mode": "FULL"})).await;
        Synchronizer::full(&client, regions(0..30)).await;
        Synchronizer::full(&client, regions(0..25)).await;
        Synchronizer::full(&client, regions(0..5)).await;
        let it = Synchronizer::start(&client, "FULL").await;
        it.apply(regions(0..30)).await;
        it.report(json!({"gone": [{"kind": "Region", "externalId": "5"}]})).await;
        it.apply(vec![json!({"region": {"name": "", "externalId": "x"}})]).await;
        let sql = Sql::connect(&server.database_url()).await;
        const TABLES: [&str; 8] = [
            "source_run", "source_turn", "source_seen", "source_ledger", "source_suspect", "source_item", "source_failure", "source_held",
        ];
        for table in &TABLES[..7] {
            assert!(sql.number(&format!("SELECT count(*) FROM {table}")).await > 0, "{table} is empty");
        }
        let id = client.ok("{ source(name: \"nb\") { id } }", json!({})).await["source"]["id"].clone();
        client.ok("mutation($id: ID!) { deleteSource(id: $id) { revision } }", json!({"id": id})).await;
        sql.wait_for("SELECT count(*) FROM source_run", 1).await;
        for table in TABLES {
            let left = i64::from(["source_run", "source_turn"].contains(&table));
            assert_eq!(sql.number(&format!("SELECT count(*) FROM {table}")).await, left, "{table}");
        }
        assert_eq!(refused(&client, "finishRun", json!({"run": it.run})).await.0, "NOT_FOUND");
        assert_eq!(names(&client).await.len(), 30, "the objects stay");
        // A source with the same name begins anew.
        source(&client, json!({})).await;
        Synchronizer::full(&client, regions(0..1)).await;
        sql.close().await;
        drop(within);
    }
}
