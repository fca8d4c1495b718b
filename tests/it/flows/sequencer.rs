//! The sequencer within one process: panics, repeated requests, and snapshots of another history.

use std::sync::Arc;

use serde_json::json;
use underlay_engine::feed::{self, CurrentSnapshot};
use underlay_engine::store::Store;
use underlay_engine::write::{Author, Batch, Cascade, Item, Mode, Status, Writer};
use underlay_inventory::{Checked, Description, Problems, Registry, Snapshot};
use uuid::Uuid;

use crate::harness::inside::{Inside, batch, items, registry, sqlite};
use crate::harness::{assert_same, postgres};

fn sites(names: &[&str]) -> Batch {
    batch(items(names.iter().map(|name| json!({ "site": { "name": name, "type": "EDGE" } }))))
}

fn panics_at_boom(checked: &Checked<'_>, _: &mut Problems) {
    let rows = checked.touched.iter().filter_map(|touched| touched.after.as_ref());
    assert!(!rows.into_iter().any(|row| row.common().name == "boom"), "a rule with a mistake");
}

/// The kinds, with a rule for regions that panics at one name.
fn faulty_registry() -> Registry {
    let kinds = registry().kinds().collect::<Vec<_>>().into_iter().map(|kind| match kind.name {
        "Region" => &*Box::leak(Box::new(Description { rules: &[panics_at_boom], ..*kind })),
        _ => kind,
    });
    Registry::new(kinds.collect())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_that_makes_the_planner_panic_fails_alone() {
    let (url, _folder) = sqlite();
    let store = Store::open(&url.parse().unwrap(), underlay_kinds::tables()).await.unwrap();
    let registry = Arc::new(faulty_registry());
    let current = CurrentSnapshot::new(feed::load(&store, &registry).await.unwrap());
    let writer = Writer::start(store.clone(), current.clone());
    let region = |name: &str| {
        let item = underlay_engine::write::Item::parse(&registry, json!({ "region": { "name": name } })).unwrap();
        batch(vec![item])
    };
    for _ in 0..3 {
        let (boom, good) = tokio::join!(writer.write(region("boom")), writer.write(region("good")));
        assert_eq!(boom.unwrap_err().code().as_str(), "INTERNAL");
        good.unwrap();
        assert_eq!(writer.dry_run(region("boom")).await.unwrap_err().code().as_str(), "INTERNAL");
    }
    assert_eq!(current.get().revision(), 1, "the good one was written once");
}

/// A chain of parents as long as the batch allows, deepest first: it is written or refused, and nothing breaks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_chain_of_parents_breaks_nothing() {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    for (length, mode) in [(60, Mode::Atomic), (1000, Mode::Atomic), (1000, Mode::PerItem)] {
        let region = |number: usize| {
            let name = format!("{mode:?} {length} {number}");
            let parent =
                (number + 1 < length).then(|| json!({ "region": format!("{mode:?} {length} {}", number + 1) }));
            json!({ "region": { "name": name, "parent": parent } })
        };
        let chain = Batch { mode, ..batch(items((0..length).map(region))) };
        let answer = inside.writer.write(chain).await.unwrap();
        let failed: Vec<_> = answer.outcomes.iter().filter_map(|it| it.error.as_ref()).collect();
        assert!(failed.iter().all(|error| error.code().as_str() != "INTERNAL"), "{failed:?}");
        let written = mode == Mode::PerItem || failed.is_empty();
        assert_eq!(answer.revision.is_some(), written, "{mode:?} {length}: {:?}", failed.first());
    }
    inside.writer.write(sites(&["after"])).await.unwrap();
    assert_same(&inside.current.get(), &inside.loaded().await);
}

/// One client deletes an object while another one creates an object of another kind with its id: their batches wait
/// together and share a commit.
async fn an_id_that_another_batch_of_the_commit_deletes_cannot_be_taken(url: &str) {
    let inside = Inside::open(url).await;
    let delete = |kind: &str, id: Uuid| Item::Delete {
        kind: registry().named(kind),
        object: json!({ "id": id }),
        cascade: Cascade::No,
        if_version: None,
    };
    let mut shared = 0;
    for round in 0..20 {
        let id = Uuid::now_v7();
        // Rows of a site and of a rack have nothing in common but their ids.
        let (old, new) = if round % 2 == 0 { ("region", "provider") } else { ("site", "rack") };
        let yard = json!({ "site": { "name": format!("yard{round}"), "type": "EDGE" } });
        let object = |kind: &str| match kind {
            "rack" => {
                json!({ kind: { "id": id, "name": format!("n{round}"), "heightU": 1, "site": format!("yard{round}") } })
            }
            "region" => json!({ kind: { "id": id, "name": format!("n{round}") } }),
            _ => {
                json!({ kind: { "id": id, "name": format!("n{round}"), "type": if kind == "site" { "EDGE" } else { "TRANSIT" } } })
            }
        };
        inside.writer.write(batch(items([yard, object(old)]))).await.unwrap();
        let names: Vec<_> = (0..90).map(|at| format!("s{round}-{at}")).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let (first, deleted, created, innocent) = tokio::join!(
            inside.writer.write(sites(&names)),
            inside.writer.write(batch(vec![delete(old, id)])),
            inside.writer.write(batch(items([object(new)]))),
            inside.writer.write(sites(&[&format!("innocent{round}")])),
        );
        assert!(first.is_ok() && innocent.is_ok_and(|answer| answer.revision.is_some()), "round {round}");
        let (deleted, created) = (deleted.unwrap(), created.unwrap());
        assert!(deleted.revision.is_some(), "round {round}: {:?}", deleted.outcomes);
        match &created.outcomes[0].error {
            Some(error) => {
                shared += 1;
                assert_eq!((error.code().as_str(), error.field()), ("INVALID", Some("id")), "{error}");
                assert!(
                    error
                        .to_string()
                        .ends_with("which another request is deleting: repeat this one, or give another id")
                );
                let repeated = inside.writer.write(batch(items([object(new)]))).await.unwrap();
                assert!(repeated.revision.is_some(), "{:?}", repeated.outcomes);
            }
            None => assert!(created.revision > deleted.revision, "it came in a later commit"),
        }
        assert_same(&inside.current.get(), &inside.loaded().await);
    }
    assert!(shared > 0, "no two of them shared a commit");
    assert_same(&inside.current.get(), inside.followed(Snapshot::empty(registry())).await.as_ref());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_id_that_another_batch_of_the_commit_deletes_cannot_be_taken_on_sqlite() {
    let (url, _folder) = sqlite();
    an_id_that_another_batch_of_the_commit_deletes_cannot_be_taken(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn an_id_that_another_batch_of_the_commit_deletes_cannot_be_taken_on_postgres() {
    an_id_that_another_batch_of_the_commit_deletes_cannot_be_taken(&postgres::create_database().await).await;
}

/// Two processes: the same request at both, at the same moment and one after the other.
async fn a_request_is_written_once(url: &str) {
    let (one, two) = (Inside::open(url).await, Inside::open(url).await);
    for round in 0..20_i64 {
        let (name, request) = (format!("s{round}"), Some(format!("request {round}")));
        let repeated = || Batch { request_id: request.clone(), ..sites(&[&name]) };
        let (first, second) = tokio::join!(one.writer.write(repeated()), two.writer.write(repeated()));
        let (first, second) = (first.unwrap(), second.unwrap());
        assert_eq!((first.revision, second.revision), (Some(round + 1), Some(round + 1)), "one revision for both");
        assert_eq!(first.outcomes[0].id, second.outcomes[0].id);
        let later = two.writer.write(repeated()).await.unwrap();
        assert_eq!((later.revision, later.outcomes[0].id), (first.revision, first.outcomes[0].id));
        assert!(later.snapshot.revision() > round, "the answer has the object in it");
    }
    for it in [one, two] {
        let snapshot = feed::catch_up(&it.store, &it.current).await.unwrap();
        assert_same(&snapshot, &it.loaded().await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_written_once_by_two_processes_on_sqlite() {
    let (url, _folder) = sqlite();
    a_request_is_written_once(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_request_is_written_once_by_two_processes_on_postgres() {
    a_request_is_written_once(&postgres::create_database().await).await;
}

fn describe(text: &str, request: Option<&str>) -> Batch {
    let request_id = request.map(str::to_owned);
    Batch { request_id, ..batch(items([json!({ "region": { "name": "r", "description": text } })])) }
}

/// The name of a request means what was asked under it first.
async fn a_name_of_a_request_stands_for_one_request(url: &str) {
    let (one, two) = (Inside::open(url).await, Inside::open(url).await);
    assert_eq!(one.writer.write(describe("first", Some("a"))).await.unwrap().revision, Some(1));
    let region = one.current.get().registry().named("region").unwrap().id;
    let id = one.current.get().table(region).rows(0).next().unwrap().1.common().id;
    let delete = Item::Delete { kind: None, object: json!(id), cascade: Cascade::No, if_version: None };
    for it in [&one, &two] {
        let delete = Batch { request_id: Some("a".to_owned()), ..batch(vec![delete.clone()]) };
        for other in [delete, describe("second", Some("a"))] {
            let refusal = it.writer.write(other).await.unwrap_err();
            assert_eq!((refusal.code().as_str(), refusal.field()), ("REQUEST_REUSED", Some("requestId")));
            assert!(refusal.to_string().starts_with("requestId names another request"), "{refusal}");
        }
        assert_eq!(it.writer.write(describe("first", Some("a"))).await.unwrap().revision, Some(1), "the same again");
    }
    // Each actor has names of their own.
    let author = Author::user("other");
    let other = two.writer.write(Batch { author, ..describe("second", Some("a")) }).await.unwrap();
    assert_eq!(other.revision, Some(2));
}

/// An answer that wrote nothing is given again too, though the same request would write something now.
async fn a_request_that_wrote_nothing_is_remembered(url: &str) {
    let (one, two) = (Inside::open(url).await, Inside::open(url).await);
    one.writer.write(describe("there", None)).await.unwrap();
    let refused = || {
        let region = json!({ "region": { "name": "r", "parent": { "region": "not there" } } });
        Batch { request_id: Some("refused".to_owned()), ..batch(items([region])) }
    };
    let first = one.writer.write(describe("there", Some("unchanged"))).await.unwrap();
    assert_eq!((first.revision, first.outcomes[0].status), (None, Status::Unchanged));
    let first_refused = two.writer.write(refused()).await.unwrap();
    assert_eq!((first_refused.revision, first_refused.outcomes[0].status), (None, Status::Failed));
    two.writer.write(describe("changed", None)).await.unwrap();
    two.writer.write(batch(items([json!({ "region": { "name": "not there" } })]))).await.unwrap();
    for it in [&one, &two, &Inside::open(url).await] {
        let repeated = it.writer.write(describe("there", Some("unchanged"))).await.unwrap();
        assert_eq!((repeated.revision, repeated.outcomes[0].status), (None, Status::Unchanged));
        assert_eq!(repeated.outcomes[0].id, first.outcomes[0].id);
        let repeated = it.writer.write(refused()).await.unwrap();
        let error =
            |answer: &underlay_engine::write::WriteAnswer| answer.outcomes[0].error.as_ref().map(ToString::to_string);
        assert_eq!(error(&repeated), error(&first_refused));
        feed::catch_up(&it.store, &it.current).await.unwrap();
        assert_eq!(it.current.get().revision(), 3, "nothing was written");
    }
    // Both at once, at two processes: one answers first, and the other gives the same answer.
    for round in 0..10 {
        let request = format!("round {round}");
        let (left, right) = tokio::join!(
            one.writer.write(describe("changed", Some(&request))),
            two.writer.write(describe("changed", Some(&request)))
        );
        assert_eq!((left.unwrap().revision, right.unwrap().revision), (None, None));
    }
    // A request that is older than a day is forgotten.
    let later = one.store.read_clock().await.unwrap() + chrono::TimeDelta::seconds(1);
    let mut forgotten = 0;
    while let count @ 1.. = one.store.forget_requests(later, 5).await.unwrap() {
        forgotten += count;
    }
    assert_eq!(forgotten, 12);
    let again = two.writer.write(describe("there", Some("unchanged"))).await.unwrap();
    assert_eq!(again.revision, Some(4), "a name that is forgotten can be given again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_id_belongs_to_one_request_on_sqlite() {
    let ((url, _folder), (other, _other)) = (sqlite(), sqlite());
    a_name_of_a_request_stands_for_one_request(&url).await;
    a_request_that_wrote_nothing_is_remembered(&other).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_request_id_belongs_to_one_request_on_postgres() {
    a_name_of_a_request_stands_for_one_request(&postgres::create_database().await).await;
    a_request_that_wrote_nothing_is_remembered(&postgres::create_database().await).await;
}

/// An answer without changes must not be based on an old snapshot. There is no replication here, so the second process
/// does not know the writes of the first one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn an_answer_that_writes_nothing_is_not_based_on_an_old_snapshot() {
    let url = postgres::create_database().await;
    let (one, two) = (Inside::open(&url).await, Inside::open(&url).await);
    let describe = |text: &str| batch(items([json!({ "site": { "name": "s", "type": "EDGE", "description": text } })]));
    assert_eq!(two.writer.write(describe("old")).await.unwrap().revision, Some(1));
    assert_eq!(one.writer.write(describe("new")).await.unwrap().revision, Some(2));
    let back = two.writer.write(describe("old")).await.unwrap();
    assert_eq!(back.revision, Some(3), "it is not unchanged: somebody else has changed it");
    assert_eq!(one.writer.write(sites(&["other"])).await.unwrap().revision, Some(4));
    let renamed = json!({ "id": back.outcomes[0].id, "name": "other" });
    let refused = two.writer.write(batch(items([json!({ "site": renamed })]))).await.unwrap();
    assert_eq!(refused.outcomes[0].error.as_ref().map(|error| error.code().as_str()), Some("DUPLICATE"));
}

/// A database is restored from a backup and goes on differently: the same numbers, another history.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_database_is_loaded_afresh() {
    let ((old, _old), (restored, _restored)) = (sqlite(), sqlite());
    let before = Inside::open(&old).await;
    for name in ["a", "b", "c"] {
        before.writer.write(sites(&[name])).await.unwrap();
    }
    let ahead: Arc<Snapshot> = before.current.get();
    let after = Inside::open(&restored).await;
    for (name, revision) in [("x", 1), ("y", 2), ("z", 3), ("w", 4)] {
        feed::catch_up(&after.store, &after.current).await.unwrap();
        after.writer.write(sites(&[name])).await.unwrap();
        // Before, at and after the revisions that the process remembers.
        let current = CurrentSnapshot::new(Snapshot::clone(&ahead));
        let snapshot = feed::catch_up(&after.store, &current).await.unwrap();
        assert_eq!(snapshot.revision(), revision);
        assert_same(&snapshot, &after.loaded().await);
        assert_same(&current.get(), &snapshot);
    }
    // A process that has not noticed the other history, at the same revision, does not write on top of missing changes.
    let (level, _level) = sqlite();
    let level = Inside::open(&level).await;
    for name in ["x", "y", "z"] {
        level.writer.write(sites(&[name])).await.unwrap();
    }
    let current = CurrentSnapshot::new(Snapshot::clone(&ahead));
    let writer = Writer::start(level.store.clone(), current.clone());
    let answer = writer.write(sites(&["more"])).await.unwrap();
    assert_eq!(answer.revision, Some(4));
    assert_same(&current.get(), &level.loaded().await);
    assert_eq!(current.get().len(), 4, "x, y, z and more");
}
