//! A process dies, freezes or loses its connection during a commit. The test makes sure of that moment by holding a
//! lock that the commit needs.

use super::replicas::{Written, agree, servers, site, write};
use crate::harness::{Database, Proxy, Server, Sql, postgres};

/// The commit of a batch waits for this lock, once `slow_commits` was run.
const LOCK_NUMBER: i64 = 42;

/// Connections that wait for a lock and have taken the revision.
const WAITING_QUERY: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                       AND wait_event_type = 'Lock' AND (query LIKE 'INSERT INTO \"batch\"%' OR query = 'COMMIT')";
/// All connections that wait for a lock.
const LOCKED_QUERY: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                      AND wait_event_type = 'Lock'";
const IDLE_QUERY: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                    AND state = 'idle in transaction' AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()";

/// Makes every commit of a batch wait for the advisory lock, and takes it.
async fn slow_commits(sql: &Sql) {
    sql.run(&format!(
        "CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN PERFORM pg_advisory_xact_lock_shared({LOCK_NUMBER}); RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER wait_for_test AFTER INSERT ON batch DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW EXECUTE FUNCTION wait_for_test();
         SELECT pg_advisory_lock({LOCK_NUMBER});"
    ))
    .await;
}

async fn release(sql: &Sql) {
    sql.run(&format!("SELECT pg_advisory_unlock({LOCK_NUMBER})")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_server_is_killed_in_its_commit() {
    let (url, mut servers) = servers(2).await;
    let sql = Sql::connect(&url).await;
    assert_eq!(write(&servers[0].client(), vec![site("first")], None).await, Written::Yes(1));
    let lock = Sql::connect(&url).await;
    lock.run("BEGIN; LOCK TABLE batch IN SHARE MODE").await;
    let client = servers[0].client();
    let lost = tokio::spawn(async move { write(&client, vec![site("lost")], None).await });
    sql.wait_for(WAITING_QUERY, 1).await;
    servers[0].kill();
    lock.run("ROLLBACK").await;
    assert_eq!(lost.await.unwrap(), Written::Unknown, "nobody was there to answer");
    assert_eq!(write(&servers[1].client(), vec![site("second")], None).await, Written::Yes(2), "no gap, no wait");
    servers[0].restart().await;
    let sites = agree(&url, &servers).await;
    assert!(!sites.contains_key("lost") && sites.contains_key("second"));
    assert_eq!(write(&servers[0].client(), vec![site("third")], None).await, Written::Yes(3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_server_is_killed_after_it_sent_its_commit() {
    let (url, mut servers) = servers(2).await;
    let sql = Sql::connect(&url).await;
    slow_commits(&sql).await;
    let client = servers[0].client();
    let lost = tokio::spawn(async move { write(&client, vec![site("late")], None).await });
    sql.wait_for(WAITING_QUERY, 1).await;
    servers[0].kill();
    release(&sql).await;
    assert_eq!(lost.await.unwrap(), Written::Unknown);
    // The commit was on its way: it came through.
    assert_eq!(write(&servers[1].client(), vec![site("next")], None).await, Written::Yes(2));
    servers[0].restart().await;
    let sites = agree(&url, &servers).await;
    assert!(sites.contains_key("late") && sites.contains_key("next"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_server_freezes_while_it_holds_the_revision() {
    let (url, mut servers) = servers(2).await;
    let sql = Sql::connect(&url).await;
    let lock = Sql::connect(&url).await;
    lock.run("BEGIN; LOCK TABLE batch IN SHARE MODE").await;
    let client = servers[0].client();
    let frozen = tokio::spawn(async move { write(&client, vec![site("frozen")], None).await });
    sql.wait_for(WAITING_QUERY, 1).await;
    servers[0].freeze().await;
    lock.run("ROLLBACK").await;
    // Its statement is done, and it does not go on: it sits on the revision.
    sql.wait_for(IDLE_QUERY, 1).await;
    // The frozen one never gives it back by itself: the others wait no longer than the time-out.
    assert_eq!(write(&servers[1].client(), vec![site("other")], None).await, Written::Yes(1));
    servers[0].thaw();
    let answer = frozen.await.unwrap();
    assert!(matches!(&answer, Written::No(why) if why.starts_with("UNAVAILABLE")), "{answer:?}");
    let sites = agree(&url, &servers).await;
    assert!(!sites.contains_key("frozen"), "an item that was reported as not written does not exist");
    assert_eq!(write(&servers[0].client(), vec![site("frozen")], None).await, Written::Yes(2), "it writes again");
    agree(&url, &servers).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_server_freezes_after_it_sent_its_commit() {
    let (url, mut servers) = servers(2).await;
    let sql = Sql::connect(&url).await;
    slow_commits(&sql).await;
    let client = servers[0].client();
    let frozen = tokio::spawn(async move { write(&client, vec![site("frozen")], None).await });
    sql.wait_for(WAITING_QUERY, 1).await;
    servers[0].freeze().await;
    release(&sql).await;
    assert_eq!(write(&servers[1].client(), vec![site("other")], None).await, Written::Yes(2));
    servers[0].thaw();
    assert_eq!(frozen.await.unwrap(), Written::Yes(1), "it was written, and is answered so");
    let sites = agree(&url, &servers).await;
    assert_eq!(sites.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_connection_is_lost_in_the_commit() {
    let url = postgres::create_database().await;
    let (proxy, over) = Proxy::to(&url).await;
    let servers = [Server::start(Database::Postgres(over)).await];
    let client = servers[0].client();
    let sql = Sql::connect(&url).await;
    slow_commits(&sql).await;

    // The network goes, the database goes on: the batch is found.
    let writer = client.clone();
    let found = tokio::spawn(async move { write(&writer, vec![site("found")], None).await });
    sql.wait_for(WAITING_QUERY, 1).await;
    proxy.cut();
    proxy.open();
    // It looks its batch up behind its own commit, which is still going on.
    sql.wait_for(LOCKED_QUERY, 2).await;
    assert!(!found.is_finished(), "nobody can know yet");
    release(&sql).await;
    assert_eq!(found.await.unwrap(), Written::Yes(1));

    // The database ends the connection and the transaction with it: the batch is not found.
    sql.run(&format!("SELECT pg_advisory_lock({LOCK_NUMBER})")).await;
    let writer = client.clone();
    let first = tokio::spawn(async move { write(&writer, vec![site("gone")], None).await });
    sql.wait_for(WAITING_QUERY, 1).await;
    sql.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query = 'COMMIT' \
         AND wait_event_type = 'Lock'",
    )
    .await;
    let answer = first.await.unwrap();
    assert!(matches!(&answer, Written::No(why) if why.starts_with("UNAVAILABLE")), "{answer:?}");
    release(&sql).await;
    let sites = agree(&url, &servers).await;
    assert!(sites.contains_key("found") && !sites.contains_key("gone"));
    assert_eq!(write(&client, vec![site("gone")], None).await, Written::Yes(2));
}
