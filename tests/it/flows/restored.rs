//! A backup replaces the database under a running server. Clients that know later or other changes have to start
//! again, and nobody resumes from a history that no longer exists.

use serde_json::{Value, json};

use super::replicas::{Written, site, sites, write};
use crate::harness::postgres::Postgres;
use crate::harness::{Cli, Client, Database, Proxy, Received, Server, Socket, until};

const EVENTS: &str = "subscription($after: ChangeCursor) { changes(after: $after) { type cursor revision name } }";

/// Writes a site for each name, one after the other, also when the database is only just coming back.
async fn write_each(client: &Client, names: impl Iterator<Item = String>) {
    for name in names {
        until(format!("{name} is written"), async || match write(client, vec![site(&name)], None).await {
            Written::Yes(_) => Ok(()),
            other => Err(format!("{other:?}")),
        })
        .await;
    }
}

fn named(what: &str, count: usize) -> impl Iterator<Item = String> + use<'_> {
    (0..count).map(move |number| format!("{what}-{number}"))
}

/// The error that a subscription ends with; events before it say only how far it is.
async fn end(socket: &mut Socket) -> Value {
    loop {
        match socket.receive().await {
            Received::Message(message) if message["type"] == "next" => {
                assert_eq!(message["payload"]["data"]["changes"]["type"], "PROGRESS", "{message}");
            }
            Received::Message(mut message) if message["type"] == "error" => break message["payload"][0].take(),
            other => panic!("no end: {other:?}"),
        }
    }
}

/// Checks that a subscriber with a position of the lost history is rejected, and that one after the current revision
/// gets new events.
async fn begins_afresh(server: &Server, lost: &Value, name: &str) {
    let mut socket = Socket::connect(server.url()).await;
    socket.subscribe("1", EVENTS, json!({"after": lost})).await;
    let error = end(&mut socket).await;
    assert_eq!(error["extensions"]["code"], "REVISION_COMPACTED", "{error}");
    let (revision, _) = sites(&server.client()).await;
    socket.subscribe("2", EVENTS, json!({"after": revision})).await;
    write_each(&server.client(), std::iter::once(name.to_owned())).await;
    let (now, _) = sites(&server.client()).await;
    let received = socket.events(usize::try_from(now - revision).expect("a number")).await;
    assert_eq!(received.last().map(|event| (&event["name"], &event["revision"])), Some((&json!(name), &json!(now))));
}

/// A replica follows while the database under it is replaced by an older one, to which somebody has written since.
async fn under_a_replica(written_since: usize) {
    let postgres = tokio::task::spawn_blocking(Postgres::start).await.expect("PostgreSQL");
    let url = postgres.create_database().await;
    let (network, over) = Proxy::to(&url).await;
    let replica = Server::start(Database::Postgres(over)).await;
    write_each(&replica.client(), named("kept", 3)).await;
    network.cut();
    postgres.disconnect(&url).await;
    let backup = postgres.copy_database(&url).await;
    network.open();
    let mut socket = Socket::connect(replica.url()).await;
    socket.subscribe("1", EVENTS, json!({"after": 0})).await;
    write_each(&replica.client(), named("lost", 4)).await;
    let received = socket.events(7).await;
    network.cut();
    postgres.restore(&url, &backup).await;
    let other = Server::start(Database::Postgres(url)).await;
    write_each(&other.client(), named("since", written_since)).await;
    network.open();
    let error = end(&mut socket).await;
    assert_eq!(error["extensions"]["code"], "REVISION_COMPACTED", "{error}");
    let restored = sites(&other.client()).await;
    until("the replica has the restored inventory", async || {
        let found = sites(&replica.client()).await;
        if found == restored { Ok(()) } else { Err(format!("{found:?}")) }
    })
    .await;
    assert_eq!(restored.1.len(), 3 + written_since);
    begins_afresh(&replica, &received[6]["cursor"], "over the network").await;
    begins_afresh(&other, &received[6]["cursor"], "beside it").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn an_older_database_under_a_replica() {
    under_a_replica(0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn another_history_of_the_same_length_under_a_replica() {
    under_a_replica(4).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_longer_history_under_a_replica() {
    under_a_replica(9).await;
}

/// The way in which a file is saved and restored.
#[derive(Clone, Copy)]
enum Method {
    Copied,
    ByCommands,
}

async fn under_a_server(method: Method, written_since: usize) {
    let mut server = Server::start(Database::Sqlite).await;
    let file = server.database_url().strip_prefix("sqlite://").expect("a file").to_owned();
    let backup = format!("{file}.backup");
    let run = async |command: &[&str]| {
        let outcome = Cli::new([command, &["--database", &format!("sqlite://{file}")]].concat()).await;
        assert_eq!(outcome.code, 0, "{outcome:?}");
    };
    write_each(&server.client(), named("kept", 3)).await;
    match method {
        Method::ByCommands => run(&["backup", &backup]).await,
        Method::Copied => {
            server.stop().await;
            std::fs::copy(&file, &backup).expect("copy the file");
            server.restart().await;
        }
    }
    write_each(&server.client(), named("lost", 4)).await;
    let mut socket = Socket::connect(server.url()).await;
    socket.subscribe("1", EVENTS, json!({"after": 0})).await;
    let received = socket.events(7).await;
    server.stop().await;
    match method {
        Method::ByCommands => run(&["restore", &backup, "--force"]).await,
        Method::Copied => drop(std::fs::copy(&backup, &file).expect("copy the file")),
    }
    server.restart().await;
    assert_eq!(sites(&server.client()).await.1.len(), 3);
    write_each(&server.client(), named("since", written_since)).await;
    begins_afresh(&server, &received[6]["cursor"], "afresh").await;
}

#[tokio::test]
async fn a_file_that_was_copied_back() {
    for written_since in [0, 4, 9] {
        under_a_server(Method::Copied, written_since).await;
    }
}

#[tokio::test]
async fn a_backup_that_was_restored() {
    for written_since in [0, 4, 9] {
        under_a_server(Method::ByCommands, written_since).await;
    }
}
