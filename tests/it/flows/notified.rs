//! Replicas that are notified of each other's commits, and replicas that receive no notifications.

use underlay_engine::store::{Listener, Notification};

use super::replicas::{Written, site, sites, write};
use crate::harness::inside::{Inside, batch, items};
use crate::harness::{Client, Database, HANG, Proxy, Server, Sql, postgres, until};

/// Waits until a replica answers from a revision.
async fn in_step(client: &Client, revision: i64) {
    until("the replica is in step", async || sites(client).await.0 >= revision).await;
}

async fn written(client: &Client, name: &str) -> i64 {
    match write(client, vec![site(name)], None).await {
        Written::Yes(revision) => revision,
        other => panic!("{name}: {other:?}"),
    }
}

#[tokio::test]
#[ignore = "needs postgres"]
async fn a_commit_notifies_the_other_processes() {
    let url = postgres::create_database().await;
    let (one, other) =
        tokio::join!(Server::start(Database::Postgres(url.clone())), Server::start(Database::Postgres(url.clone())));
    let sql = Sql::connect(&url).await;
    let listening = "SELECT count(*) AS number FROM pg_stat_activity
                     WHERE query = 'LISTEN \"underlay_revision\"' AND datname = current_database()";
    sql.wait_for(listening, 2).await;
    for round in 0..20 {
        let (writer, reader) = if round % 2 == 0 { (&one, &other) } else { (&other, &one) };
        let revision = written(&writer.client(), &format!("site-{round}")).await;
        in_step(&reader.client(), revision).await;
    }
    assert_eq!(sites(&one.client()).await, sites(&other.client()).await);
}

/// A process need not look at what it wrote itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_notification_names_its_process() {
    let url = postgres::create_database().await;
    let (one, other) = (Inside::open(&url).await, Inside::open(&url).await);
    assert_ne!(one.store.process(), other.store.process());
    let mut listener = Listener::open(&url.parse().expect("a URL")).await.expect("listen");
    for (number, writer) in [&one, &other, &other, &one].into_iter().enumerate() {
        writer.writer.write(batch(items([site(&format!("site-{number}"))]))).await.expect("written");
        let notification =
            tokio::time::timeout(HANG, listener.next()).await.expect("a notification in time").expect("a notification");
        assert_eq!(notification, Some(Notification::Commit(Some(writer.store.process()))));
    }
    // Another program, or an older version, does not say.
    Sql::connect(&url).await.run("NOTIFY underlay_revision").await;
    let notification =
        tokio::time::timeout(HANG, listener.next()).await.expect("a notification in time").expect("a notification");
    assert_eq!(notification, Some(Notification::Commit(None)));
}

#[tokio::test]
#[ignore = "needs postgres"]
async fn a_replica_without_notifications_stays_in_step() {
    let url = postgres::create_database().await;
    let (proxy, over) = Proxy::to(&url).await;
    let writer = Server::start(Database::Postgres(url.clone())).await;
    // It listens over a network of its own, which drops all notifications.
    let deaf = Server::start(Database::Postgres(url)).arg("--feed-listen-url").arg(&over).await;
    in_step(&deaf.client(), written(&writer.client(), "notified").await).await;
    proxy.silence();
    in_step(&deaf.client(), written(&writer.client(), "not notified").await).await;
    proxy.cut();
    in_step(&deaf.client(), written(&writer.client(), "cut off").await).await;
    proxy.open();
    in_step(&deaf.client(), written(&writer.client(), "notified again").await).await;
    assert_eq!(sites(&writer.client()).await, sites(&deaf.client()).await);
    assert_eq!(sites(&deaf.client()).await.1.len(), 4);
}

/// A replica that cannot read what others wrote leaves the service that balances requests, and comes back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_replica_that_lags_too_long_is_not_ready() {
    let url = postgres::create_database().await;
    let server = Server::start(Database::Postgres(url.clone())).env("UNDERLAY_FEED_MAX_LAG", "1s").await;
    in_step(&server.client(), written(&server.client(), "before").await).await;
    let (holder, other) = (Sql::connect(&url).await, Sql::connect(&url).await);
    // A payload was sent, and nobody can read it.
    holder.run("BEGIN; LOCK TABLE batch, change IN ACCESS EXCLUSIVE MODE").await;
    other.run("UPDATE revision SET number = number + 1, batch_id = gen_random_uuid()").await;
    let becomes = async |status: u16| {
        until(format!("the server is {status}"), async || {
            let ready = server.client().get("/readyz").await;
            if ready.status == status { Ok(ready.json()) } else { Err(ready.text()) }
        })
        .await
    };
    let ready = becomes(503).await;
    assert_eq!((ready["status"].as_str(), ready["database"].as_str()), (Some("behind"), Some("ok")), "{ready}");
    assert_eq!(sites(&server.client()).await.1.len(), 1, "reads go on");
    holder.run("ROLLBACK").await;
    becomes(200).await;
}
