//! `kill -9` again and again while clients write and subscribe. A subscriber ends up with exactly the changes in the
//! log, and the log gives the snapshot that is loaded afresh.
//!
//! `UNDERLAY_TEST_CRASHES` is the number of times that the server is killed; 30 take a minute.

use std::time::Duration;

use rand::Rng;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::replicas::{Written, write};
use super::seam::{ChangePosition, LAST_CHANGES_KIND, log};
use crate::harness::inside::{Inside, registry};
use crate::harness::{Client, HANG, Received, Server, Socket, assert_same, on_both_databases};

/// The default number of times that the server is killed.
const CRASHES: u32 = 6;
const SUBSCRIBERS: usize = 3;

const EVENTS: &str = "subscription($after: ChangeCursor) {
    changes(after: $after) { type cursor revision name change { position } } }";

/// Writes as fast as it can until the flag stops it.
async fn write_on(server: watch::Receiver<String>, end: watch::Receiver<bool>) {
    for count in 0.. {
        if *end.borrow() {
            return;
        }
        let client = Client::new(&server.borrow().clone());
        let site = |item| json!({"site": {"name": format!("s{count}-{item}"), "type": "EDGE"}});
        if write(&client, (0..3).map(site).collect(), None).await == Written::Unknown {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Follows from the beginning over all crashes, and gives what it saw.
async fn follow(server: watch::Receiver<String>) -> Vec<ChangePosition> {
    let (mut seen, mut after) = (Vec::new(), json!(0));
    loop {
        let url = server.borrow().clone();
        let _ = listen(&url, &mut after, &mut seen).await;
        if seen.last().is_some_and(|(_, name): &(ChangePosition, String)| name == LAST_CHANGES_KIND) {
            return seen.into_iter().map(|(position, _)| position).collect();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Follows until the connection is lost, or the last change came.
async fn listen(
    url: &str,
    after: &mut Value,
    seen: &mut Vec<(ChangePosition, String)>,
) -> Result<(), tokio_tungstenite::tungstenite::Error> {
    let mut socket = Socket::open(url, Some("graphql-transport-ws")).await?;
    socket.try_send(json!({"type": "connection_init"})).await?;
    let payload = json!({"query": EVENTS, "variables": {"after": after}});
    if socket.receive().await != Received::Message(json!({"type": "connection_ack"})) {
        return Ok(());
    }
    socket.try_send(json!({"id": "1", "type": "subscribe", "payload": payload})).await?;
    while let Received::Message(message) = socket.receive().await {
        assert_eq!(message["type"], "next", "{message}");
        let event = &message["payload"]["data"]["changes"];
        *after = event["cursor"].clone();
        if event["type"] == "PROGRESS" {
            continue;
        }
        let number = |value: &Value| value.as_i64().expect("a number");
        let position = (number(&event["revision"]), number(&event["change"]["position"]));
        let name = event["name"].as_str().expect("a name").to_owned();
        let is_last = name == LAST_CHANGES_KIND;
        seen.push((position, name));
        if is_last {
            break;
        }
    }
    Ok(())
}

on_both_databases! {
    async fn a_subscriber_misses_nothing_over_crashes(mut server: Server) {
        let crashes = std::env::var("UNDERLAY_TEST_CRASHES").ok();
        let crashes = crashes.map_or(CRASHES, |text| text.parse().expect("UNDERLAY_TEST_CRASHES is a number"));
        let (at, url) = watch::channel(server.url().to_owned());
        let (end, ended) = watch::channel(false);
        let writer = tokio::spawn(write_on(url.clone(), ended));
        let subscribers: Vec<_> = (0..SUBSCRIBERS).map(|_| tokio::spawn(follow(url.clone()))).collect();
        for _ in 0..crashes {
            // The moment of the kill is the test: no subscriber may miss anything, wherever it hits.
            let pause = rand::rng().random_range(300..1_500);
            tokio::time::sleep(Duration::from_millis(pause)).await;
            server.kill();
            server.restart().await;
            at.send_replace(server.url().to_owned());
        }
        end.send_replace(true);
        writer.await.expect("the writer");
        let last = write(&server.client(), vec![json!({"region": {"name": LAST_CHANGES_KIND}})], None).await;
        assert!(matches!(last, Written::Yes(_)), "{last:?}");
        let all: Vec<ChangePosition> = log(&server.client()).await.into_iter().map(|(position, _)| position).collect();
        assert!(all.len() > crashes as usize, "only {} changes were written", all.len());
        for subscriber in subscribers {
            let seen = tokio::time::timeout(HANG, subscriber).await;
            let seen = seen.expect("it comes to the end").expect("a subscriber");
            let differs = seen.iter().zip(&all).position(|(seen, expected)| seen != expected);
            assert!(seen == all, "{} of {} changes, the first other one is {differs:?}", seen.len(), all.len());
        }
        let inside = Inside::open(&server.database_url()).await;
        let followed = inside.followed(underlay_inventory::Snapshot::empty(registry())).await;
        assert_same(&followed, &inside.loaded().await);
        eprintln!("{} changes over {crashes} crashes", all.len());
    }
}
