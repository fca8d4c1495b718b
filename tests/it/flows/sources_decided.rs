//! Tests that what is held can be decided about, run by run: fields that partial runs would empty, and those of runs that
//! failed. What is held hides no failure, and an approval makes no source fresh.

use serde_json::{Value, json};
use underlay_engine::sources::Timing;

use super::sources::{CHECK_INTERVAL, Synchronizer, call, refused, region, regions, source, wait_for};
use crate::harness::{Client, Server, Sql, Within, on_both_databases, until};

/// The limits that hold every field.
fn nothing() -> Value {
    json!({"limits": {"share": 0, "count": 0}, "prune": "DELETE"})
}

/// A region beneath the region 0, or beneath none.
fn child(id: usize, beneath: bool) -> Value {
    let parent = if beneath { json!({"externalId": "0"}) } else { Value::Null };
    json!({"region": {"name": format!("c{id}"), "externalId": format!("c{id}"), "parent": parent}})
}

/// A source with these children of the region 0.
async fn family(client: &Client, children: usize) {
    source(client, nothing()).await;
    let all = std::iter::once(region(0)).chain((0..children).map(|id| child(id, true)));
    assert_eq!(Synchronizer::full(client, all.collect()).await["state"], "SUCCEEDED");
}

/// A run that empties the parents of some children; its end.
async fn emptying(client: &Client, mode: &str, children: &[usize]) -> Value {
    let it = Synchronizer::start(client, mode).await;
    it.apply(children.iter().map(|id| child(*id, false)).collect()).await;
    it.finish().await
}

/// The number of regions that stand beneath another one.
async fn beneath(client: &Client) -> i64 {
    let query = "{ regions(filter: {parent: {isNull: false}}) { totalCount } }";
    client.ok(query, json!({})).await["regions"]["totalCount"].as_i64().expect("a number")
}

/// A field of the source.
async fn of_source(client: &Client, field: &str) -> Value {
    let found = client.ok(&format!("{{ source(name: \"nb\") {{ it: {field} }} }}"), json!({})).await;
    found["source"]["it"].clone()
}

async fn decide(client: &Client, name: &str, run: &Value) -> Value {
    call(client, name, json!({"run": run["id"]})).await["run"].take()
}

on_both_databases! {
    async fn each_of_several_runs_is_decided_about(server: Server) {
        let client = server.client();
        family(&client, 6).await;
        let mut runs = Vec::new();
        for children in [&[0][..], &[1, 2], &[3], &[4]] {
            let run = emptying(&client, "PARTIAL", children).await;
            assert_eq!((&run["state"], &run["heldCount"]), (&json!("HELD"), &json!(children.len())), "{run:#}");
            runs.push(run);
        }
        assert_eq!(of_source(&client, "heldCount").await, 5);
        let holding = of_source(&client, "holdingRuns { id heldCount }").await;
        let expected: Vec<Value> = runs.iter().rev().map(|run| json!({"id": run["id"], "heldCount": run["heldCount"]})).collect();
        assert_eq!(holding, json!(expected));

        let approved = decide(&client, "approveRun", &runs[1]).await;
        assert_eq!((&approved["state"], &approved["heldCount"], beneath(&client).await), (&json!("SUCCEEDED"), &json!(0), 4));
        let rejected = decide(&client, "rejectRun", &runs[0]).await;
        assert_eq!((&rejected["state"], &rejected["heldCount"], beneath(&client).await), (&json!("CANCELLED"), &json!(0), 4));
        for run in &runs[..2] {
            assert_eq!(refused(&client, "approveRun", json!({"run": run["id"]})).await.0, "INCOMPATIBLE", "it is decided");
        }
        // The command line decides about all that are left.
        let done = server.cli(["source", "approve", "nb"]).await;
        let named = |run: &Value| done.stderr.contains(run["id"].as_str().expect("an id"));
        assert!(done.code == 0 && named(&runs[2]) && named(&runs[3]), "{done:?}");
        assert_eq!((of_source(&client, "heldCount").await, beneath(&client).await), (json!(0), 2));
    }

    async fn a_full_run_takes_over_what_partial_runs_hold(server: Server) {
        let client = server.client();
        family(&client, 4).await;
        let first = emptying(&client, "PARTIAL", &[0]).await;
        let it = Synchronizer::start(&client, "FULL").await;
        it.apply(vec![region(0), child(0, false), child(1, true), child(2, true)]).await;
        it.settle(true).await;
        let full = it.finish().await;
        assert_eq!((&full["state"], &full["heldCount"]), (&json!("HELD"), &json!(2)), "{full:#}");
        let later = emptying(&client, "PARTIAL", &[1]).await;
        let (code, message) = refused(&client, "approveRun", json!({"run": first["id"]})).await;
        assert!(code == "INCOMPATIBLE" && message.contains(full["id"].as_str().expect("an id")), "{code} {message}");
        for run in [&later, &full] {
            assert_eq!(decide(&client, "approveRun", run).await["state"], "SUCCEEDED");
        }
        assert_eq!((of_source(&client, "heldCount").await, beneath(&client).await), (json!(0), 1));
    }

    async fn what_a_failed_run_holds_is_decided_about(server: Server) {
        let client = server.client();
        family(&client, 4).await;
        // A scan that fails, one that nobody ends, and one that is given up.
        let failed = emptying(&client, "FULL", &[0]).await;
        let killed = Synchronizer::start(&client, "FULL").await;
        killed.apply(vec![child(1, false)]).await;
        let sql = Sql::connect(&server.database_url()).await;
        sql.run("UPDATE source_run SET heartbeat_at = '2020-01-01T00:00:00+00:00' WHERE finished_at IS NULL").await;
        let given_up = Synchronizer::start(&client, "FULL").await;
        given_up.apply(vec![child(2, false)]).await;
        call(&client, "cancelRun", json!({"run": given_up.run})).await;
        assert_eq!((&failed["state"], &failed["heldCount"]), (&json!("FAILED"), &json!(1)));
        let states = of_source(&client, "holdingRuns { state heldCount }").await;
        let expected = ["HELD", "ABANDONED", "FAILED"].map(|state| json!({"state": state, "heldCount": 1}));
        assert_eq!(states, json!(expected));

        let approved = decide(&client, "approveRun", &failed).await;
        assert_eq!((&approved["state"], &approved["heldCount"], beneath(&client).await), (&json!("FAILED"), &json!(0), 3));
        let rejected = decide(&client, "rejectRun", &json!({"id": killed.run})).await;
        assert_eq!((&rejected["state"], &rejected["heldCount"], beneath(&client).await), (&json!("ABANDONED"), &json!(0), 3));
        let rejected = server.cli(["source", "reject", "nb"]).await;
        assert!(rejected.code == 0 && rejected.stderr.contains(&given_up.run), "{rejected:?}");
        assert_eq!(of_source(&client, "heldCount").await, 0);
        sql.close().await;
    }

    async fn what_is_held_hides_no_failure_and_goes_when_somebody_empties_it(mut server: Server) {
        server.kill();
        let within = Within::start(&server.database_url(), Timing { look: CHECK_INTERVAL, ..Timing::default() });
        let client = within.client();
        family(&client, 6).await;
        wait_for(&client, "nb", "health", json!("FRESH")).await;
        emptying(&client, "PARTIAL", &[0, 1, 2]).await;
        wait_for(&client, "nb", "health", json!("HELD")).await;
        for _ in 0..3 {
            emptying(&client, "FULL", &[3]).await;
        }
        wait_for(&client, "nb", "health", json!("FAILING")).await;
        let metrics = client.get("/metrics").await.text();
        assert!(metrics.contains("underlay_source_held{source=\"nb\"} 4"), "{metrics}");

        // The source is read again, and people empty what is held, each in another way: no run has to notice.
        let all = std::iter::once(region(0)).chain((0..6).map(|id| child(id, id > 3)));
        Synchronizer::full(&client, all.collect()).await;
        wait_for(&client, "nb", "health", json!("HELD")).await;
        client.apply_input(json!({"conflicts": "FORCE", "items": [{"region": {"name": "c0", "parent": null}}]})).await;
        for name in ["c1", "c3"] {
            let delete = json!([{"delete": {"ref": {"region": {"region": name}}}}]);
            client.apply_input(json!({"items": delete})).await;
        }
        until("only c2 is held", async || {
            let left = of_source(&client, "heldCount").await;
            if left == 1 { Ok(()) } else { Err(left) }
        })
        .await;
        assert_eq!(of_source(&client, "health").await, "HELD");
        client.apply_input(json!({"conflicts": "FORCE", "items": [{"region": {"name": "c2", "parent": null}}]})).await;
        wait_for(&client, "nb", "health", json!("FRESH")).await;
        drop(within);
    }

    async fn a_field_that_a_later_run_may_empty_is_no_longer_held(server: Server) {
        let client = server.client();
        family(&client, 2).await;
        let held = emptying(&client, "PARTIAL", &[0, 1]).await;
        assert_eq!(held["heldCount"], 2);
        client.apply_all(vec![json!({"source": {"name": "nb", "limits": {"share": 0, "count": 1}}})]).await;
        let later = emptying(&client, "PARTIAL", &[0, 1]).await;
        assert_eq!((&later["heldCount"], beneath(&client).await), (&json!(1), 1), "one may be emptied");
        assert_eq!(of_source(&client, "heldCount").await, 1);
        decide(&client, "rejectRun", &later).await;
        assert_eq!(of_source(&client, "heldCount").await, 0);
    }

    async fn an_approval_makes_no_source_fresh(server: Server) {
        let client = server.client();
        family(&client, 20).await;
        let sql = Sql::connect(&server.database_url()).await;
        sql.run("UPDATE source_turn SET last_success_at = '2020-01-01T00:00:00+00:00'").await;
        let long_ago = of_source(&client, "lastSuccessAt").await;
        let partial = emptying(&client, "PARTIAL", &[0]).await;
        assert_eq!(decide(&client, "approveRun", &partial).await["state"], "SUCCEEDED");
        assert_eq!(of_source(&client, "lastSuccessAt").await, long_ago, "a partial run reads not everything");

        let full = Synchronizer::full(&client, vec![region(0)]).await;
        assert_eq!((&full["state"], of_source(&client, "lastSuccessAt").await), (&json!("HELD"), long_ago));
        let approved = decide(&client, "approveRun", &full).await;
        assert_eq!((&approved["state"], &approved["deleted"]), (&json!("SUCCEEDED"), &json!(20)), "{approved:#}");
        assert_eq!(of_source(&client, "lastSuccessAt").await, full["finishedAt"], "it succeeded when it ended");

        // An old run that is approved late does not set a newer success back.
        Synchronizer::full(&client, regions(0..3)).await;
        let old = Synchronizer::full(&client, regions(0..2)).await;
        assert_eq!(old["state"], "HELD");
        sql.run("UPDATE source_turn SET last_success_at = '2099-01-01T00:00:00+00:00'").await;
        let newer = of_source(&client, "lastSuccessAt").await;
        assert_eq!(decide(&client, "approveRun", &old).await["state"], "SUCCEEDED");
        assert_eq!(of_source(&client, "lastSuccessAt").await, newer);
        sql.close().await;
    }

    async fn a_run_with_which_something_is_held_is_kept(server: Server) {
        let client = server.client();
        family(&client, 1).await;
        let held = emptying(&client, "PARTIAL", &[0]).await;
        let sql = Sql::connect(&server.database_url()).await;
        let new_id = match server.database() {
            crate::harness::Database::Sqlite => "randomblob(16)",
            crate::harness::Database::Postgres(_) => "gen_random_uuid()",
        };
        let rest = "source_id, state, finished_at, actor, base_revision, complete, renumbered, \
            seen, created, updated, unchanged, retired, deleted, released, failed, skipped_fields, read, put_aside, \
            left_out, errors, first_revision, last_revision, cursor";
        sql.run(&format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
             INSERT INTO source_run (id, mode, started_at, heartbeat_at, {rest})
             SELECT {new_id}, mode, '2099-01-01T00:00:00+00:00', heartbeat_at, {rest} FROM source_run, n WHERE mode = 'PARTIAL'"
        )).await;
        Synchronizer::start(&client, "PARTIAL").await.finish().await;
        let of = "SELECT count(*) FROM source_run WHERE mode = 'PARTIAL'";
        assert!(sql.number(of).await < 600, "old runs go");
        assert_eq!(decide(&client, "approveRun", &held).await["state"], "SUCCEEDED");
        assert_eq!(beneath(&client).await, 0);
        sql.close().await;
    }

    async fn a_placement_ends_and_lists_are_held_and_emptied_by_approval(server: Server) {
        let client = server.client();
        source(&client, nothing()).await;
        let items = |empty: bool| {
            let or = |value: Value, none: Value| if empty { none } else { value };
            vec![
                json!({"site": {"name": "s", "type": "EDGE", "externalId": "s"}}),
                json!({"provider": {"name": "p", "type": "TRANSIT", "externalId": "p"}}),
                json!({"rack": {"site": {"externalId": "s"}, "name": "k", "heightU": 42, "externalId": "k"}}),
                json!({"device": {"site": {"externalId": "s"}, "name": "d", "role": "SERVER", "externalId": "d",
                    "placement": or(json!({"rack": {"externalId": "k"}, "startUnit": 1, "unitHeight": 1}), Value::Null),
                    "addresses": or(json!([{"type": "INTERNAL", "address": "10.0.0.1"}]), json!([]))}}),
                json!({"circuit": {"provider": {"externalId": "p"}, "name": "c", "circuitId": "1", "type": "PROVIDER_CIRCUIT", "externalId": "c",
                    "zEnd": or(json!({"site": {"externalId": "s"}}), Value::Null)}}),
            ]
        };
        let state = "{ devices { nodes { placement { startUnit } addresses { address } } } circuits { nodes { zEnd { site { name } } } } }";
        let run = Synchronizer::full(&client, items(false)).await;
        assert_eq!((&run["state"], &run["failed"]), (&json!("SUCCEEDED"), &json!(0)), "{run:#}");
        let whole = client.ok(state, json!({})).await;
        let run = Synchronizer::full(&client, items(true)).await;
        assert_eq!((&run["state"], &run["failed"]), (&json!("HELD"), &json!(0)), "{run:#}");
        let mut fields: Vec<&str> = run["held"].as_array().expect("a list").iter().map(|it| it["field"].as_str().expect("a field")).collect();
        fields.sort_unstable();
        assert_eq!(fields, ["addresses", "placement", "zEnd"]);
        assert_eq!(client.ok(state, json!({})).await, whole, "all of it is as it was");
        let approved = decide(&client, "approveRun", &run).await;
        assert_eq!((&approved["state"], &approved["errors"]), (&json!("SUCCEEDED"), &json!([])), "{approved:#}");
        let empty = json!({"devices": {"nodes": [{"placement": null, "addresses": []}]}, "circuits": {"nodes": [{"zEnd": null}]}});
        assert_eq!(client.ok(state, json!({})).await, empty);
    }
}
