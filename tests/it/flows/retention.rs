//! Retention: old changes are deleted in whole revisions, and nobody is shown a history with a gap.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};
use underlay_engine::feed;
use underlay_engine::store::{Dropped, Store};
use underlay_inventory::Snapshot;

use crate::harness::inside::{Inside, registry};
use crate::harness::{Client, Database, Server, Sql, assert_same, on_both_databases};

const LOG: &str = "query($filter: ChangeFilter, $order: ChangeOrder, $after: String, $first: Int) {
    oldestRevision
    changes(filter: $filter, orderBy: $order, after: $after, first: $first) {
        totalCount nodes { revision at } edges { cursor } pageInfo { hasNextPage }
    }
}";

/// The store of a server, as another process would have it.
async fn store(server: &Server) -> Store {
    Store::open(&server.database_url().parse().expect("a URL"), underlay_kinds::tables())
        .await
        .expect("open the database")
}

async fn sweep(server: &Server, before: DateTime<Utc>) -> u64 {
    let store = store(server).await;
    let rows = feed::sweep(&store, before).await.expect("sweep");
    store.close().await.expect("close");
    rows
}

/// Makes a region and then changes it, `count` revisions in all, of which each touches another region too.
async fn history(client: &Client, count: usize) {
    for number in 1..=count {
        let items = vec![
            json!({"region": {"name": "r", "description": format!("{number}")}}),
            json!({"region": {"name": format!("r{number}")}}),
        ];
        assert_eq!(client.apply_all(items).await["revision"], number);
    }
}

/// The changes of a question, and the time of each revision in them.
async fn log(client: &Client, variables: Value) -> Value {
    client.ok(LOG, variables).await
}

fn revisions(log: &Value) -> Vec<i64> {
    let nodes = log["changes"]["nodes"].as_array().expect("nodes");
    nodes.iter().map(|node| node["revision"].as_i64().expect("a revision")).collect()
}

/// Returns the time of a revision.
async fn made_at(client: &Client, revision: i64) -> DateTime<Utc> {
    let found = log(client, json!({"filter": {"fromRevision": revision, "toRevision": revision}})).await;
    found["changes"]["nodes"][0]["at"].as_str().and_then(|at| at.parse().ok()).expect("a time")
}

fn later() -> DateTime<Utc> {
    Utc::now() + TimeDelta::days(1_000)
}

/// Nobody asks for it: the server does it by itself, soon after its start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_drops_changes_older_than_the_retention() {
    let mut server = Server::start(Database::Sqlite).arg("--feed-retention").arg("24h").await;
    history(&server.client(), 3).await;
    server.stop().await;
    let sql = Sql::connect(&server.database_url()).await;
    sql.run("UPDATE batch SET at = '2020-01-01 00:00:00+00:00' WHERE revision = 1").await;
    server.restart().await;
    sql.wait_for("SELECT count(*) FROM change WHERE revision = 1", 0).await;
    assert_eq!(log(&server.client(), json!({})).await["oldestRevision"], 2, "the others are young");
}

// A server that keeps everything drops nothing of what these begin to drop.
on_both_databases! {
    async fn old_changes_are_deleted_and_later_ones_stay(mut server: Server) with ["--feed-retention", "0"] {
        let client = server.client();
        assert_eq!(log(&client, json!({"filter": {"fromRevision": 0}})).await["oldestRevision"], 1, "an empty log is whole");
        assert_eq!(sweep(&server, later()).await, 0, "there is nothing to drop");
        history(&client, 5).await;
        for whole in [json!({}), json!({"fromRevision": 0}), json!({"fromRevision": 1}), json!({"fromTime": "2001-01-01T00:00:00Z"})] {
            assert_eq!(log(&client, json!({"filter": whole})).await["changes"]["totalCount"], 10, "{whole}");
        }
        assert_eq!(sweep(&server, made_at(&client, 3).await).await, 2 + 4, "two batches of two changes");
        let left = log(&client, json!({"order": "OLDEST_FIRST"})).await;
        assert_eq!((&left["oldestRevision"], &left["changes"]["totalCount"]), (&json!(3), &json!(6)));
        assert_eq!(revisions(&left), [3, 3, 4, 4, 5, 5]);
        let of_one = client.ok("{ region(name: \"r\") { changes { nodes { revision } } } }", json!({})).await;
        assert_eq!(of_one["region"]["changes"]["nodes"], json!([{"revision": 5}, {"revision": 4}, {"revision": 3}]));
        // The newest stays whatever its age, and writing goes on.
        sweep(&server, later()).await;
        assert_eq!(revisions(&log(&client, json!({})).await), [5, 5]);
        server.stop().await;
        server.restart().await;
        let client = server.client();
        let next = client.apply_all(vec![json!({"region": {"name": "r", "description": "6"}})]).await;
        assert_eq!(next["revision"], 6);
        assert_eq!(revisions(&log(&client, json!({})).await), [6, 5, 5]);
        let sql = Sql::connect(&server.database_url()).await;
        assert_eq!(sql.number("SELECT count(*) FROM batch").await, 2);
        assert_eq!(sql.number("SELECT count(*) FROM change").await, 3);
        assert_eq!(sql.number("SELECT count(*) FROM region").await, 6, "only changes are dropped");
    }

    async fn dropped_changes_are_not_shown_as_no_changes(server: Server) {
        let client = server.client();
        history(&client, 4).await;
        let first = log(&client, json!({"order": "OLDEST_FIRST", "first": 3})).await;
        let cursor = |index: usize| first["changes"]["edges"][index]["cursor"].clone();
        let of_one = "query($after: String) { region(name: \"r\") { changes(first: 3, after: $after) { pageInfo { endCursor } } } }";
        let end = client.ok(of_one, json!({})).await["region"]["changes"]["pageInfo"]["endCursor"].clone();
        let (second, third) = (made_at(&client, 2).await, made_at(&client, 3).await);
        sweep(&server, third).await;
        for (filter, field) in [
            (json!({"fromRevision": 2}), "fromRevision"), (json!({"fromRevision": 0}), "fromRevision"),
            (json!({"toRevision": 2}), "toRevision"), (json!({"toRevision": 0}), "toRevision"),
            (json!({"fromTime": second}), "fromTime"), (json!({"toTime": second}), "toTime"),
        ] {
            let errors = client.refused(LOG, json!({"filter": filter})).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("REVISION_COMPACTED", Some(field)), "{filter}");
            assert_eq!(errors[0].extensions["oldestRevision"], 3, "{filter}");
            assert!(errors[0].message.contains("changes before revision 3 are no longer held"), "{errors:?}");
        }
        for held in [json!({"fromRevision": 3}), json!({"toRevision": 3}), json!({"fromTime": third}), json!({"toTime": third})] {
            assert!(log(&client, json!({"filter": held})).await["changes"]["totalCount"].as_i64() >= Some(2), "{held}");
        }
        for order in ["OLDEST_FIRST", "NEWEST_FIRST"] {
            let errors = client.refused(LOG, json!({"order": order, "after": cursor(2)})).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("REVISION_COMPACTED", Some("after")));
        }
        let errors = client.refused(of_one, json!({"after": end})).await;
        assert_eq!((errors[0].code.as_str(), &errors[0].extensions["oldestRevision"]), ("REVISION_COMPACTED", &json!(3)));
    }

    async fn changes_are_found_by_time(server: Server) {
        let client = server.client();
        history(&client, 4).await;
        let mut times = Vec::new();
        for revision in 1..=4 {
            times.push(made_at(&client, revision).await);
        }
        assert!(times.is_sorted_by(|earlier, later| earlier < later), "{times:?}");
        let moment = TimeDelta::microseconds(1);
        let bounds = times.iter().flat_map(|at| [*at - moment, *at, *at + moment]);
        let bounds: Vec<_> = bounds.map(Some).chain([None]).collect();
        for (from, to) in bounds.iter().flat_map(|from| bounds.iter().map(move |to| (*from, *to))) {
            let fits = |at: &DateTime<Utc>| from.is_none_or(|from| *at >= from) && to.is_none_or(|to| *at <= to);
            let expected = (1..=4).zip(&times).filter(|(_, at)| fits(at)).flat_map(|(revision, _)| [revision, revision]);
            let given = [("fromTime", json!(from)), ("toTime", json!(to))].into_iter().filter(|(_, at)| !at.is_null());
            let filter: Value = given.map(|(name, at)| (name.to_owned(), at)).collect::<Map<_, _>>().into();
            let found = log(&client, json!({"filter": filter, "order": "OLDEST_FIRST"})).await;
            assert_eq!(revisions(&found), expected.collect::<Vec<i64>>(), "from {from:?} to {to:?} of {times:?}");
        }
    }

    async fn a_future_revision_is_rejected(server: Server) {
        let client = server.client();
        history(&client, 2).await;
        let next = log(&client, json!({"filter": {"fromRevision": 3}})).await;
        assert_eq!(revisions(&next), Vec::<i64>::new(), "nothing new");
        // A cursor of a history that has gone further: of a database that was restored since.
        let ahead = Server::start(Database::Sqlite).await;
        history(&ahead.client(), 3).await;
        let cursor = log(&ahead.client(), json!({})).await["changes"]["edges"][0]["cursor"].clone();
        for (variables, field) in [
            (json!({"filter": {"fromRevision": 4}}), "fromRevision"), (json!({"filter": {"toRevision": 3}}), "toRevision"),
            (json!({"after": cursor}), "after"), (json!({"filter": {"fromRevision": i64::MAX}}), "fromRevision"),
        ] {
            let errors = client.refused(LOG, variables.clone()).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(field)), "{variables}");
            assert_eq!(errors[0].extensions["newestRevision"], 2, "{variables}");
            assert!(errors[0].message.contains("the newest here is 2"), "{errors:?}");
        }
    }

    async fn a_revision_is_dropped_as_a_whole(server: Server) with ["--feed-retention", "0"] {
        const ITEMS: usize = 250;
        let client = server.client();
        client.apply_all((0..ITEMS).map(|it| json!({"region": {"name": format!("r{it}")}})).collect()).await;
        client.apply_all(vec![json!({"region": {"name": "last"}})]).await;
        let (store, sql) = (store(&server).await, Sql::connect(&server.database_url()).await);
        let mut steps = Vec::new();
        loop {
            let dropped = store.drop_before(later(), 100).await.expect("a step");
            let seen = log(&client, json!({"first": 1000})).await;
            assert_eq!((&seen["oldestRevision"], revisions(&seen)), (&json!(2), vec![2]), "at once: {steps:?}");
            match dropped {
                Dropped::Some(rows) => steps.push((rows, sql.number("SELECT count(*) FROM change").await)),
                nothing => break assert_eq!(nothing, Dropped::Nothing),
            }
        }
        assert_eq!(steps, [(1, 251), (100, 151), (100, 51), (50, 1)], "rows that were dropped, and what is left");
        store.close().await.expect("close");
    }

    async fn replicas_sweep_concurrently_and_a_late_follower_reloads(server: Server) {
        let client = server.client();
        history(&client, 30).await;
        let (one, two) = (Inside::open(&server.database_url()).await, store(&server).await);
        let before = made_at(&client, 20).await;
        let write = client.apply_all(vec![json!({"region": {"name": "meanwhile"}})]);
        let (first, second, _) = futures_util::join!(feed::sweep(&one.store, before), feed::sweep(&two, before), write);
        // Where both come at the same moment one of them leaves it to the other. The server's own first sweep can come
        // too, and deletes what another one has begun to drop.
        let rows = first.expect("one") + second.expect("two") + sweep(&server, before).await;
        assert!(rows <= 19 * 3, "{rows} rows");
        let sql = Sql::connect(&server.database_url()).await;
        sql.wait_for("SELECT count(*) FROM batch", 12).await;
        sql.wait_for("SELECT count(*) FROM change", 11 * 2 + 1).await;
        assert_eq!(log(&client, json!({})).await["oldestRevision"], 20);
        // Nobody can follow from the beginning any more, nor from a revision that was dropped.
        let late = one.followed(Snapshot::empty(registry())).await;
        assert_same(&late, &one.loaded().await);
        assert_eq!(late.revision(), 31);
        two.close().await.expect("close");
    }
}
