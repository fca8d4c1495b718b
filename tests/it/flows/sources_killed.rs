//! Servers that are killed while sources run, and replicas that write for one run at once: nothing goes that a source
//! still has, nothing counts twice, and the end is that of one clean run.

mod played;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use tokio::sync::watch;

use self::played::{APPLY, Played, REPORT, SETTLE, START, item, persist};
use super::replicas::servers;
use super::sources::{Synchronizer, call, names, region, regions, source};
use crate::harness::{Client, Database, Server, Sql, on_both_databases, postgres, until};

on_both_databases! {
    async fn a_server_killed_while_it_settles_goes_on_where_it_was(mut server: Server) {
        const ALL_OBJECTS: usize = 3_000;
        const KEPT_OBJECTS: usize = 100;
        let client = server.client();
        source(&client, json!({"prune": "DELETE", "limits": {"share": 1.0, "count": 100_000}})).await;
        Synchronizer::full(&client, regions(0..ALL_OBJECTS)).await;
        let it = Synchronizer::start(&client, "FULL").await;
        let ids: Vec<String> = (0..KEPT_OBJECTS).map(|id| id.to_string()).collect();
        it.report(json!({"seenIds": [{"kind": "Region", "ids": ids}]})).await;

        let sql = Sql::connect(&server.database_url()).await;
        const COUNT_QUERY: &str = "SELECT count(*) FROM region";
        let (mut killed, mut there) = (0, ALL_OBJECTS as i64);
        let settled = loop {
            let (client, run) = (server.client(), it.run.clone());
            let settling = tokio::spawn(async move { client.try_execute(SETTLE, json!({"run": run})).await });
            // It is killed as soon as it removed something more, and at last it is let alone.
            while killed < 4 && !settling.is_finished() && sql.number(COUNT_QUERY).await == there {}
            let is_killed = killed < 4 && !settling.is_finished();
            if is_killed {
                server.kill();
                killed += 1;
            }
            let answer = settling.await.expect("a task");
            if is_killed {
                server.restart().await;
            }
            there = sql.number(COUNT_QUERY).await;
            assert!(there >= KEPT_OBJECTS as i64, "{there} are left");
            if let Ok(answer) = answer {
                break answer;
            }
        };
        assert!(killed > 1, "it was killed {killed} times");
        assert!(settled.errors.is_empty(), "{:?}", settled.errors);
        let it = Synchronizer { client: server.client(), ..it };
        let run = it.finish().await;
        let counts = ["seen", "deleted", "failed"].map(|name| run[name].as_i64().expect("a number"));
        let expected = [KEPT_OBJECTS as i64, (ALL_OBJECTS - KEPT_OBJECTS) as i64, 0];
        assert_eq!((&run["state"], counts), (&json!("SUCCEEDED"), expected), "{run:#}");
        let expected: BTreeSet<String> = (0..KEPT_OBJECTS).map(|id| format!("r{id}")).collect();
        assert_eq!(names(&server.client()).await.into_iter().collect::<BTreeSet<_>>(), expected);
        let ledger = "SELECT CAST(sum(removed) AS BIGINT) FROM source_ledger";
        let removed = (ALL_OBJECTS - KEPT_OBJECTS) as i64;
        assert_eq!(sql.number(ledger).await, removed, "every removal counts once against the limits");
        sql.close().await;
    }

    async fn a_settling_that_goes_on_is_judged_as_it_was_begun(mut server: Server) {
        // Just as many as the default limits permit.
        const ALL_OBJECTS: usize = 3_000;
        const KEPT_OBJECTS: usize = 2_700;
        const COUNT_QUERY: &str = "SELECT count(*) FROM region";
        let ids: Vec<String> = (0..KEPT_OBJECTS).map(|id| id.to_string()).collect();
        let (it, sql) = loop {
            let client = server.client();
            source(&client, json!({"prune": "DELETE"})).await;
            Synchronizer::full(&client, regions(0..ALL_OBJECTS)).await;
            let it = Synchronizer::start(&client, "FULL").await;
            it.report(json!({"seenIds": [{"kind": "Region", "ids": ids}]})).await;
            let sql = Sql::connect(&server.database_url()).await;
            let run = it.run.clone();
            let settling = tokio::spawn(async move { client.try_execute(SETTLE, json!({"run": run})).await });
            // It is killed between the two batches in which it removes them.
            while !settling.is_finished() && sql.number(COUNT_QUERY).await == ALL_OBJECTS as i64 {}
            server.kill();
            let _answer = settling.await.expect("a task");
            server.restart().await;
            let left = sql.number(COUNT_QUERY).await;
            if left > KEPT_OBJECTS as i64 && left < ALL_OBJECTS as i64 {
                break (Synchronizer { client: server.client(), ..it }, sql);
            }

            // It had removed all before it was killed. That is no middle, so this begins again on a new database.
            assert_eq!(left, KEPT_OBJECTS as i64);
            sql.close().await;
            server = Server::start(another(server.database()).await).await;
        };
        let run = it.settle(true).await;
        let removed = json!(ALL_OBJECTS - KEPT_OBJECTS);
        assert_eq!((&run["state"], &run["deleted"]), (&json!("RUNNING"), &removed), "{run:#}");
        assert_eq!(it.finish().await["state"], "SUCCEEDED");
        assert_eq!(sql.number(COUNT_QUERY).await, KEPT_OBJECTS as i64);
        sql.close().await;
    }

    async fn servers_killed_at_random_points_lose_nothing(mut server: Server) {
        const SOURCES: usize = 4;
        const KILLS: usize = 25;
        let (client, current) = watch::channel(server.client());
        for number in 0..SOURCES {
            let input = json!({"name": format!("s{number}"), "type": "test", "prune": "DELETE",
                "limits": {"share": 1.0, "count": 100_000}});
            let create = "mutation($input: SourceInput!) { createSource(input: $input) { revision } }";
            server.client().ok(create, json!({"input": input})).await;
        }
        let calls = Arc::new(AtomicUsize::new(0));
        let (stop, stopped) = watch::channel(false);
        let sources = (0..SOURCES).map(|number| {
            let played = Played::new(number, current.clone(), Arc::clone(&calls));
            tokio::spawn(played.until(stopped.clone()))
        });
        let sources: Vec<_> = sources.collect();
        let mut random = StdRng::seed_from_u64(41);
        for _ in 0..KILLS {
            let wanted = calls.load(Ordering::Relaxed) + random.random_range(1..4 * SOURCES);
            until(format!("{wanted} calls are made"), async || calls.load(Ordering::Relaxed) >= wanted).await;
            // The moment within a call is the test: whatever the kill hits, nothing is lost.
            tokio::time::sleep(Duration::from_millis(random.random_range(0..10))).await;
            server.kill();
            server.restart().await;
            client.send_replace(server.client());
        }
        stop.send_replace(true);
        let ended: Vec<Played> = join_all(sources).await.into_iter().map(|ended| ended.expect("a source")).collect();
        let interrupted: usize = ended.iter().map(|played| played.interrupted).sum();
        eprintln!("{interrupted} runs were interrupted, {} were given up", ended.iter().map(|it| it.given_up).sum::<usize>());
        assert!(interrupted >= KILLS, "only {interrupted} runs were interrupted");

        // The end is that of one clean run of each source.
        let clean = Server::start(Database::Sqlite).await;
        for played in &ended {
            let input = json!({"name": played.source, "type": "test"});
            let create = "mutation($input: SourceInput!) { createSource(input: $input) { revision } }";
            clean.client().ok(create, json!({"input": input})).await;
            let started = clean.client().ok(START, json!({"source": played.source, "id": played.source})).await;
            let run = &started["startRun"]["run"]["id"];
            let items: Vec<Value> = played.has.iter().map(|(id, round)| item(&played.source, *id, *round)).collect();
            clean.client().ok(APPLY, json!({"input": {"run": run, "items": items}})).await;
        }
        assert_eq!(objects(&server.client()).await, objects(&clean.client()).await);
    }
}

/// Creates a database of the same type.
async fn another(database: &Database) -> Database {
    match database {
        Database::Sqlite => Database::Sqlite,
        Database::Postgres(_) => Database::Postgres(postgres::create_database().await),
    }
}

/// All regions: their labels and references by name.
async fn objects(client: &Client) -> BTreeMap<String, Value> {
    let query = "{ regions(first: 1000) { nodes { name labels externalRefs { source externalId } managers { field manager } } } }";
    let data = client.ok(query, json!({})).await;
    let nodes = data["regions"]["nodes"].as_array().expect("nodes").iter();
    let by_name = |node: &Value| {
        let mut node = node.clone();
        // The order tells which revision wrote a field, which is of no interest.
        let managers = node["managers"].as_array_mut().expect("managers");
        managers.sort_by_key(ToString::to_string);
        (node["name"].as_str().expect("a name").to_owned(), node)
    };
    nodes.map(by_name).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn replicas_that_write_for_one_run_at_once_count_exactly() {
    let (url, servers) = servers(2).await;
    let clients: Vec<Client> = servers.iter().map(Server::client).collect();
    source(&clients[0], json!({"prune": "DELETE", "limits": {"share": 1.0, "count": 1_000}})).await;
    // Both start the same run.
    let start = async |client: &Client| client.ok(START, json!({"source": "nb", "id": "r1"})).await;
    let (one, two) = tokio::join!(start(&clients[0]), start(&clients[1]));
    assert_eq!(one, two, "one request starts one run, wherever it arrives");
    let run = one["startRun"]["run"]["id"].as_str().expect("an id").to_owned();

    let write = async |number: usize| {
        let (_keep, current) = watch::channel(clients[number].clone());
        for id in number * 10..number * 10 + 20 {
            let input = json!({"run": run, "items": [region(id)], "requestId": format!("{number}-{id}")});
            let applied = persist(&current, APPLY, json!({"input": input})).await.expect("it is written");
            assert_ne!(applied["apply"]["results"][0]["status"], "FAILED", "{applied}");
            let report = json!({"run": run, "seenIds": [{"kind": "Region", "ids": [id.to_string()]}]});
            persist(&current, REPORT, json!({"input": report})).await.expect("it is reported");
        }
    };
    tokio::join!(write(0), write(1));
    let it = Synchronizer { client: clients[1].clone(), run };
    let settled = it.settle(true).await;
    let counts = ["seen", "created", "unchanged"].map(|name| settled[name].as_i64().expect("a number"));
    assert_eq!(counts, [30, 30, 10], "{settled:#}");
    assert_eq!(it.finish().await["state"], "SUCCEEDED");

    // Both settle the next one: what is gone is removed and counted once.
    let it = Synchronizer::start(&clients[0], "FULL").await;
    it.apply(regions(0..10)).await;
    let settle = async |number: usize| {
        let (_keep, current) = watch::channel(clients[number].clone());
        persist(&current, SETTLE, json!({"run": it.run})).await.expect("it is settled")
    };
    tokio::join!(settle(0), settle(1));
    let run = call(&clients[1], "finishRun", json!({"run": it.run})).await["run"].take();
    assert_eq!((&run["state"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(20)), "{run:#}");
    assert_eq!(names(&clients[1]).await.len(), 10);
    let sql = Sql::connect(&url).await;
    assert_eq!(sql.number("SELECT CAST(sum(removed) AS BIGINT) FROM source_ledger").await, 20);
    sql.close().await;
}
