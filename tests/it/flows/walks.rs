//! Subscriptions that begin at old revisions undo the log to find what moved: few of them at a time.

use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Value, json};
use underlay_engine::access::Caller;
use underlay_engine::feed::{Cursor, Progress, Room, Subscriber};
use underlay_engine::runtime::FairSemaphore;
use underlay_read::{EventFilter, Events, What};

use super::subscriptions::{CHANGES, summaries};
use crate::harness::inside::{Inside, batch, items, sqlite};
use crate::harness::{HANG, Server, Socket, on_both_databases, until};

/// The items of a region with a site, and of a rack at the site.
fn places() -> Vec<Value> {
    vec![
        json!({"region": {"name": "north"}}),
        json!({"region": {"name": "south"}}),
        json!({"site": {"name": "a", "type": "EDGE", "region": {"region": "north"}}}),
        json!({"rack": {"site": {"site": "a"}, "name": "r", "heightU": 42}}),
    ]
}

fn to(region: &str) -> Value {
    json!({"site": {"name": "a", "region": {"region": region}}})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_walk_waits_for_its_place_and_gives_it_back() {
    let (url, _folder) = sqlite();
    // No revision is held in memory.
    let inside = Inside::open_with(&url, Room { revisions: 0, changes: 0, bytes: 0 }).await;
    let write = async |items_of: Vec<Value>| inside.writer.write(batch(items(items_of))).await.expect("write");
    write(places()).await;
    write(vec![to("south")]).await;
    write(vec![to("north")]).await;
    let snapshot = inside.current.get();
    let regions = snapshot.registry().named("Region").expect("a kind");
    let mut rows = snapshot.table(regions.id).rows(0).map(|(_, row)| row.common());
    let north = rows.find(|row| row.name == "north").map(|row| row.id);
    let view = inside.view();
    let permits = FairSemaphore::with_share(1, 1);
    let key = Caller::anybody().key();
    let events = async || {
        let subscriber = Subscriber::begin(&view, Some(Cursor::after_revision(1))).await.expect("it begins");
        let filter = EventFilter { within: north, ..EventFilter::default() };
        Events::new(subscriber, filter, Arc::new(Progress::new(None)), (permits.clone(), key.clone()))
    };
    let place = permits.acquire(key.clone()).await;
    let mut first = events().await;
    assert!(matches!(first.next().await.expect("an event").what, What::Change(_)), "the change itself needs no walk");
    tokio::select! {
        event = first.next() => panic!("another one has the only place: {event:?}"),
        () = until("the walk waits for its place", async || permits.waiting() == 1) => {}
    }
    drop(place);
    assert!(matches!(first.next().await.expect("an event").what, What::Move(_)));
    // While the first one goes on with its walk, a second one waits; it walks when that is idle.
    let mut second = events().await;
    assert!(matches!(second.next().await.expect("an event").what, What::Change(_)));
    tokio::select! {
        event = second.next() => panic!("the first one goes on with its walk: {event:?}"),
        () = until("the second walk waits", async || permits.waiting() == 1) => {}
    }
    let moved = tokio::time::timeout(HANG, second.next()).await.expect("the place is given back");
    assert!(matches!(moved.expect("an event").what, What::Move(_) | What::Progress));
    // The first one begins another walk.
    assert!(matches!(first.next().await.expect("an event").what, What::Change(_)));
    drop(second);
    let moved = loop {
        match first.next().await.expect("an event").what {
            What::Progress => {}
            what => break what,
        }
    };
    assert!(matches!(moved, What::Move(_)));
}

on_both_databases! {
    async fn many_subscriptions_of_one_caller_catch_up_one_after_the_other(server: Server) {
        const SUBSCRIPTIONS: usize = 8;
        let client = server.client();
        client.apply_all(places()).await;
        client.apply_all(vec![to("south")]).await;
        // More revisions than are held in memory.
        for round in 0..520 {
            client.apply_all(vec![json!({"region": {"name": "other", "description": format!("{round}")}})]).await;
        }
        client.apply_all(vec![to("north")]).await;
        let found = client.ok("{ region(name: \"north\") { id } }", json!({})).await;
        let filter = json!({"within": found["region"]["id"]});
        let mut sockets = Vec::new();
        for number in 0..SUBSCRIPTIONS {
            let mut socket = Socket::connect(server.url()).await;
            // Each has an execution of its own.
            let query = CHANGES.replace("type cursor", &format!("type n{number}: type cursor"));
            socket.subscribe("1", &query, json!({"after": 1, "filter": filter})).await;
            sockets.push(socket);
        }
        // All are read at the same time: the server gives up a client that answers no ping while it waits for its turn.
        for events in join_all(sockets.iter_mut().map(|socket| socket.events(4))).await {
            let mut seen = summaries(&events);
            seen.sort();
            assert_eq!(seen, ["2 a UPDATED", "2 r LEFT", "523 a UPDATED", "523 r ENTERED"]);
        }
    }
}
