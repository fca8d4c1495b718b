//! The database becomes unavailable: writes fail soon, reads continue, and the server recovers by itself.

use futures_util::future::join_all;
use serde_json::json;

use super::replicas::{Written, agree, site, sites, write};
use crate::harness::postgres::{self, Postgres};
use crate::harness::{Client, Database, Proxy, Server, until};

/// Checks that writes fail while the database is away, however many there are, and that reads continue.
async fn refuses_and_reads(client: &Client, known: usize) {
    for round in 0..2 {
        let many =
            (0..20).map(|number| async move { write(client, vec![site(&format!("no-{round}-{number}"))], None).await });
        for answer in join_all(many).await {
            assert!(matches!(&answer, Written::No(why) if why.starts_with("UNAVAILABLE")), "{answer:?}");
        }
        assert_eq!(sites(client).await.1.len(), known, "reads go on");
    }
    let dry = json!({ "items": [site("dry")], "dryRun": true });
    assert_eq!(client.apply_input(dry).await["results"][0]["status"], "CREATED", "a dry run needs no database");
    let ready = client.get("/readyz").await;
    assert_eq!((ready.status, ready.json()["database"].as_str()), (200, Some("unreachable")), "{}", ready.text());
}

/// Checks that writes succeed again without intervention.
async fn recovers(client: &Client, name: &str) {
    until("writes succeed again", async || match write(client, vec![site(name)], None).await {
        Written::Yes(_) => Ok(()),
        refused => Err(format!("{refused:?}")),
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn the_database_stops_and_starts_again() {
    let postgres = Postgres::start();
    let url = postgres.create_database().await;
    let servers = [Server::start(Database::Postgres(url.clone())).await];
    let client = servers[0].client();
    assert_eq!(write(&client, vec![site("before")], None).await, Written::Yes(1));
    postgres.stop_now();
    refuses_and_reads(&client, 1).await;
    postgres.start_again();
    recovers(&client, "after").await;
    // A restart that nobody notices in between: the connections are dead, and that is no reason to refuse.
    postgres.stop_now();
    postgres.start_again();
    recovers(&client, "later").await;
    assert_eq!(agree(&url, &servers).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn the_network_to_the_database_breaks() {
    let url = postgres::create_database().await;
    let (proxy, over) = Proxy::to(&url).await;
    let servers = [Server::start(Database::Postgres(over)).await];
    let client = servers[0].client();
    assert_eq!(write(&client, vec![site("before")], None).await, Written::Yes(1));
    proxy.cut();
    refuses_and_reads(&client, 1).await;
    proxy.open();
    recovers(&client, "after").await;
    // Nothing is cut, and nothing arrives.
    proxy.silence();
    refuses_and_reads(&client, 2).await;
    proxy.open();
    recovers(&client, "later").await;
    assert_eq!(agree(&url, &servers).await.len(), 3);
}
