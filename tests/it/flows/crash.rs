//! `kill -9` during a batch of 10,000 items: all of it or nothing is written, and the database is sound.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::replicas::{Written, write};
use crate::harness::inside::{Inside, registry};
use crate::harness::{Database, Server, Sql, assert_same, on_both_databases, until};

const ITEMS: usize = 10_000;
const CRASH_ROUNDS: u32 = 4;

/// A site and devices in it, all with the same description; in each round the devices trade their asset tags.
fn batch(round: u32) -> Vec<Value> {
    let text = format!("round {round}");
    let mut items = vec![json!({ "site": { "name": "s", "type": "EDGE", "description": text } })];
    items.extend((1..ITEMS).map(|number| {
        json!({ "device": {
            "name": format!("d{number}"), "site": { "site": "s" }, "role": "SERVER", "description": text,
            // Unique, and another's in the next round.
            "assetTag": format!("tag {}", (number + round as usize) % ITEMS),
        } })
    }));
    items
}

/// Checks that the database is sound, and returns its last revision.
async fn in_order(server: &Server) -> i64 {
    let sql = Sql::connect(&server.database_url()).await;
    match server.database() {
        Database::Sqlite => {
            assert_eq!(sql.texts("PRAGMA integrity_check").await, ["ok"]);
            assert_eq!(sql.texts("SELECT \"table\" FROM pragma_foreign_key_check").await, Vec::<String>::new());
        }
        Database::Postgres(_) => {
            let known = sql.number("SELECT count(*) FROM pg_available_extensions WHERE name = 'amcheck'").await;
            if known == 1 {
                sql.run("CREATE EXTENSION IF NOT EXISTS amcheck").await;
                let indexes = "FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam \
                               JOIN pg_namespace n ON n.oid = c.relnamespace WHERE a.amname = 'btree' AND n.nspname = 'public'";
                sql.run(&format!("SELECT bt_index_check(c.oid, true) {indexes}")).await;
                assert!(sql.number(&format!("SELECT count(*) {indexes}")).await > 19, "indexes were checked");
            }
        }
    }
    let last = sql.number("SELECT number FROM revision").await;
    assert_eq!(sql.number("SELECT count(*) FROM batch").await, last);
    assert_eq!(sql.number("SELECT coalesce(max(revision), 0) FROM batch").await, last);
    assert_eq!(sql.number("SELECT coalesce(max(revision), 0) FROM change").await, last);
    let texts = sql.texts("SELECT DISTINCT description FROM device UNION SELECT description FROM site").await;
    assert!(texts.len() <= 1, "batches are whole: {texts:?}");
    if last > 0 {
        assert_eq!(sql.number("SELECT count(*) FROM device").await, ITEMS as i64 - 1);
        assert_eq!(sql.number("SELECT count(DISTINCT version) FROM device").await, 1);
        assert_eq!(sql.number(&format!("SELECT count(*) FROM device WHERE version <> {last}")).await, 0);
        assert_eq!(sql.number(&format!("SELECT count(*) FROM change WHERE revision = {last}")).await, ITEMS as i64);
    }
    sql.close().await;
    last
}

/// Waits until a server serves a revision, and gives the number of its devices. A database server may still commit for
/// a process that is dead, after the next one has loaded: then that one follows.
async fn serves(server: &Server, revision: i64) -> Value {
    until(format!("the server serves {revision}"), async || {
        let served = server.client().execute("{ devices(first: 1) { totalCount } }", json!({})).await;
        let is_served = served.extensions["revision"].as_i64() == Some(revision);
        if is_served { Ok(served.data["devices"]["totalCount"].clone()) } else { Err(served.extensions.to_string()) }
    })
    .await
}

on_both_databases! {
    async fn a_killed_server_leaves_whole_batches(mut server: Server) {
        // The first one runs to its end and shows how long one takes.
        let begun = Instant::now();
        assert_eq!(write(&server.client(), batch(0), None).await, Written::Yes(1));
        let mut usual = begun.elapsed();
        let (mut revision, mut nothing, mut all) = (1, 0, 0);
        for round in 1..=CRASH_ROUNDS {
            let client = server.client();
            let begun = Instant::now();
            let writer = tokio::spawn(async move { write(&client, batch(round), None).await });
            // From the middle of planning to past the commit.
            let share = f64::from(round) / f64::from(CRASH_ROUNDS) * 0.75 + 0.25;
            while begun.elapsed() < usual.mul_f64(share) && !writer.is_finished() {
                // The moment of the kill is the test; whatever it hits must leave whole batches.
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            server.kill();
            let took = begun.elapsed();
            let answer = writer.await.unwrap();
            server.restart().await;
            let last = in_order(&server).await;
            match answer {
                Written::Yes(made) => {
                    assert_eq!((made, last), (revision + 1, revision + 1), "what was answered is there");
                    usual = took;
                }
                Written::Unknown => assert!(last == revision || last == revision + 1),
                Written::No(why) => panic!("refused: {why}"),
            }
            if last == revision { nothing += 1 } else { all += 1 }
            revision = last;
            assert_eq!(serves(&server, last).await, ITEMS - 1);
        }
        eprintln!("{nothing} batches were lost whole, {all} were kept whole");
        let inside = Inside::open(&server.database_url()).await;
        let followed = inside.followed(underlay_inventory::Snapshot::empty(registry())).await;
        assert_same(&followed, &inside.loaded().await);
        let answer = write(&server.client(), batch(CRASH_ROUNDS + 1), None).await;
        assert_eq!(answer, Written::Yes(revision + 1), "and it goes on");
    }
}
