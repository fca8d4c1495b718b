//! A subscriber gets every change after its starting position once and in order: from the recent revisions, from the
//! log, and live, also if it leaves in the middle of a revision and returns.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use rand::Rng;
use serde_json::json;
use underlay_engine::feed::{Cursor, EventPosition, LostError, Room, Subscriber};
use underlay_engine::store::ChangeQuery;
use uuid::Uuid;

use crate::harness::HANG;
use crate::harness::inside::{Inside, batch, items, sqlite};

const WRITERS: usize = 4;
const WRITES: usize = 20;
const SUBSCRIBERS: usize = 300;
/// The position of a change: its revision, and its position within it.
type ChangePosition = (i64, i32);

async fn write(inside: &Inside, writer: usize) {
    for count in 0..WRITES {
        let size = rand::rng().random_range(1..12);
        let sites = (0..size).map(|item| json!({ "region": { "name": format!("{writer}-{count}-{item}") } }));
        let answer = inside.writer.write(batch(items(sites))).await.expect("write");
        let revision = answer.revision.expect("a revision");
        assert!(inside.current.get().revision() >= revision, "it is answered after it is visible");
    }
}

/// Follows from somewhere until the last revision, leaving and coming back; gives where it began, and what it saw.
async fn follow(inside: &Inside, done: &AtomicBool) -> (ChangePosition, Vec<ChangePosition>) {
    let dice = |most: u64| rand::rng().random_range(0..=most);
    // They come at any time, before, during and after the writes: that is the test.
    tokio::time::sleep(Duration::from_millis(dice(400))).await;
    let start = match dice(2) {
        0 => None,
        _ => Some(Cursor::after_revision(dice(inside.current.get().revision() as u64) as i64)),
    };
    let mut at = start;
    let mut seen = Vec::new();
    let mut began = None;
    loop {
        let size = dice(30) as usize;
        let begun = Subscriber::begin_with(&inside.view(), at, size).await;
        let mut subscriber = begun.expect("begin");
        at = Some(subscriber.at());
        began.get_or_insert((subscriber.at().revision, i32::MAX));
        for _ in 0..dice(40) {
            let (done, last) = (done.load(Ordering::Relaxed), inside.current.get().revision());
            if done && (subscriber.at().revision, subscriber.at().position) == (last, EventPosition::End) {
                return (began.expect("a beginning"), seen);
            }
            // It may be stopped in the middle of waiting.
            let patience = Duration::from_millis(if dice(9) == 0 { 5 } else { 1_000 });
            let part = match tokio::time::timeout(patience, subscriber.next()).await {
                Ok(part) => part.expect("a part"),
                Err(_) => continue,
            };
            assert!(part.head.revision <= inside.current.get().revision(), "seen before it is visible");
            let mut leaves = false;
            for change in &part.changes[part.first..] {
                seen.push((change.revision, change.position));
                at = Some(Cursor::within(part.head, EventPosition::Change(change.position)));
                leaves = dice(30) == 0;
                if leaves {
                    break;
                }
            }
            if leaves {
                break;
            }
            at = Some(subscriber.at());
        }
        tokio::time::sleep(Duration::from_millis(dice(30))).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_subscriber_sees_everything_once_and_in_order() {
    let (url, _folder) = sqlite();
    // So little that every way is taken.
    let room = Room { revisions: 8, changes: 60, bytes: usize::MAX };
    let inside = Arc::new(Inside::open_with(&url, room).await);
    let done = Arc::new(AtomicBool::new(false));
    let subscribers = (0..SUBSCRIBERS).map(|_| {
        let (inside, done) = (Arc::clone(&inside), Arc::clone(&done));
        tokio::spawn(async move { follow(&inside, &done).await })
    });
    let subscribers: Vec<_> = subscribers.collect();
    join_all((0..WRITERS).map(|writer| write(&inside, writer))).await;
    done.store(true, Ordering::Relaxed);
    let query = ChangeQuery { oldest_first: true, limit: 1_000_000, ..ChangeQuery::default() };
    let all = inside.store.changes(&query).await.expect("the log");
    let all: Vec<ChangePosition> = all.iter().map(|change| (change.revision, change.position)).collect();
    let seen = tokio::time::timeout(HANG, join_all(subscribers)).await.expect("all come to the end");
    for subscriber in seen {
        let (began, seen) = subscriber.expect("a subscriber");
        let expected: Vec<ChangePosition> = all.iter().copied().filter(|position| *position > began).collect();
        assert!(seen == expected, "began at {began:?}, saw {} of {}", seen.len(), expected.len());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_position_of_another_history_is_rejected() {
    let (url, _folder) = sqlite();
    for room in [Room::default(), Room { revisions: 0, changes: 0, bytes: 0 }] {
        let inside = Inside::open_with(&url, room).await;
        for _ in 0..3 {
            let region = json!({ "region": { "name": Uuid::new_v4().to_string() } });
            inside.writer.write(batch(items([region]))).await.expect("write");
        }
        let head = inside.current.get().head();
        let view = inside.view();
        let begin = |at| Subscriber::begin(&view, Some(at));
        let foreign = |revision, position| Cursor { revision, position, batch_id: Some(Uuid::new_v4()) };
        let good = Cursor::end_of(head);
        assert!(begin(good).await.is_ok());
        assert!(begin(Cursor::after_revision(0)).await.is_ok());
        for bad in [
            foreign(head.revision, EventPosition::End),
            foreign(head.revision, EventPosition::Change(0)),
            foreign(head.revision - 1, EventPosition::End),
            foreign(head.revision - 1, EventPosition::Moved(Uuid::nil())),
        ] {
            let refused = begin(bad).await;
            assert!(matches!(refused, Err(LostError::Compacted { oldest: 1, .. })), "{bad:?}: {refused:?}");
        }
    }
}
