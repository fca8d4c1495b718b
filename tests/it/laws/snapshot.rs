//! The snapshot that wrote, the one that replicated and the one that is loaded afresh are equal after any history, and
//! the history can be undone. The diff of two revisions leads from one to the other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::json;
use underlay_engine::feed::{self, Difference, Direction};
use underlay_engine::store::Committed;
use underlay_engine::write::{Batch, Status};
use underlay_entity::change;
use underlay_inventory::{Draft, Snapshot, check_all};
use underlay_read::{self, DiffQuery};
use uuid::Uuid;

use super::history::History;
use crate::harness::inside::{Inside, registry, sqlite};
use crate::harness::{assert_same, assert_same_objects, postgres};

/// The number of batches in a history.
const BATCHES: usize = 60;

#[derive(Default)]
struct Tally {
    written: usize,
    refused: usize,
    statuses: BTreeMap<(String, String), usize>,
}

/// Runs one history on an empty database and sees that everything that came of it fits together.
async fn law(url: &str, seed: u64, tally: &mut Tally) {
    let inside = Inside::open(url).await;
    let mut history = History::new(seed);
    let mut snapshots = vec![inside.current.get()];
    for _ in 0..BATCHES {
        // Several at once share a commit.
        let together = if rand::Rng::random_range(&mut history.random, 0..4) == 0 { 4 } else { 1 };
        let snapshot = inside.current.get();
        let batches: Vec<Batch> = (0..together).map(|_| history.batch(&snapshot)).collect();
        for answer in join_all(batches.into_iter().map(|batch| inside.writer.write(batch))).await {
            let answer = answer.unwrap_or_else(|refusal| panic!("seed {seed}: a batch was refused: {refusal}"));
            let wrote = answer.revision.is_some();
            tally.written += usize::from(wrote);
            tally.refused += usize::from(!wrote && answer.outcomes.iter().any(|it| it.status == Status::Failed));
            for outcome in &answer.outcomes {
                let kind = outcome.kind.unwrap_or_default().to_owned();
                *tally.statuses.entry((kind, format!("{:?}", outcome.status))).or_default() += usize::from(wrote);
                assert_ne!(
                    outcome.error.as_ref().map(|error| error.code().as_str()),
                    Some("INTERNAL"),
                    "seed {seed}: {:?}",
                    outcome.error
                );
            }
            // A repeated request is answered with the first one's revision, and mostly a later snapshot.
            if answer.revision == Some(answer.snapshot.revision()) && !answer.changes.is_empty() {
                snapshots.push(answer.snapshot);
            }
        }
        // Large batches take another lane, and are answered in another order.
        snapshots.sort_by_key(|snapshot| snapshot.revision());
        snapshots.dedup_by_key(|snapshot| snapshot.revision());
    }
    let snapshot = inside.current.get();
    let revisions: Vec<i64> = snapshots.iter().map(|snapshot| snapshot.revision()).collect();
    assert_eq!(
        revisions,
        (0..=snapshot.revision()).collect::<Vec<_>>(),
        "seed {seed}: every revision was answered once"
    );

    assert_same(&snapshot, &inside.loaded().await);
    assert_same(&snapshot, inside.followed(Snapshot::empty(registry())).await.as_ref());
    let middle = &snapshots[snapshots.len() / 2];
    assert_same(&snapshot, inside.followed(Snapshot::clone(middle)).await.as_ref());

    diffs(&inside, &snapshots, &mut history).await;
    undo(&inside, &snapshots).await;
    sound(&inside, middle).await;
    let store = inside.store.clone();
    drop(inside);
    store.close().await.expect("close");
}

/// Checks that an audit finds no problem in the database, with the whole log and with its newer part.
async fn sound(inside: &Inside, middle: &Snapshot) {
    for before in [chrono::DateTime::UNIX_EPOCH, middle.head().at] {
        feed::sweep(&inside.store, before).await.expect("sweep");
        let loaded = Arc::new(inside.loaded().await);
        let audit = feed::audit(&inside.store, &loaded).await.expect("audit");
        assert_eq!((audit.flaws, audit.count), (Vec::new(), 0));
        assert!(audit.changes > 0);
        let broken = check_all(&loaded);
        assert!(broken.is_empty(), "rules that are broken: {broken:#?}");
    }
}

/// The number of pairs of revisions of a history that are compared.
const PAIRS: usize = 12;

/// Sees of some pairs of revisions that the difference between them, applied to the one, is the other; and that it
/// holds nothing else.
async fn diffs(inside: &Inside, snapshots: &[Arc<Snapshot>], history: &mut History) {
    let ends = [(0, snapshots.len() - 1), (snapshots.len() - 1, 0)];
    let mut some = || rand::Rng::random_range(&mut history.random, 0..snapshots.len());
    for (from, to) in (0..PAIRS).map(|_| (some(), some())).chain(ends).collect::<Vec<_>>() {
        let (from, to) = (&snapshots[from], &snapshots[to]);
        let differences = differences(inside, from, to).await;
        let objects: BTreeSet<Uuid> = differences.iter().map(|it| it.object).collect();
        assert_eq!(objects.len(), differences.len(), "each object once");
        let row = |snapshot: &Snapshot, id: Uuid| snapshot.row_of(id).cloned();
        for difference in &differences {
            let (before, after) = (row(from, difference.object), row(to, difference.object));
            let names = (difference.before.is_some(), difference.after.is_some());
            assert_eq!(names, (before.is_some(), after.is_some()), "{difference:#?}");
            let named = after.as_ref().or(before.as_ref()).expect("a row");
            assert_eq!(difference.name, named.common().name);
            if let (Some(before), Some(after)) = (&before, &after) {
                let kind = to.registry().named(difference.kind).expect("a kind");
                assert!(!feed::same(kind, before.as_ref(), after.as_ref()), "it is as it was: {difference:#?}");
            }
        }
        let mut draft = Draft::of(from);
        let records: Vec<_> = differences.iter().map(|it| record(it, to.revision())).collect();
        feed::apply(&mut draft, &records, Direction::Forward).expect("records that fit");
        assert_same_but_for_times(&draft.finish(to.head()), to);
    }
}

/// Returns all differences between two revisions, from small pages.
async fn differences(inside: &Inside, from: &Snapshot, to: &Snapshot) -> Vec<Difference> {
    let current = inside.current.get();
    let mut question = DiffQuery::all(from.revision(), to.revision(), 40);
    let mut found: Vec<Difference> = Vec::new();
    loop {
        let page = underlay_read::diff(&inside.store, &current, &question).await.expect("a page");
        found.extend(page.differences);
        if !page.more {
            return found;
        }
        question.after = found.last().map(|last| last.object);
    }
}

/// A difference as a record that can be applied.
fn record(difference: &Difference, revision: i64) -> change::Model {
    let text = |fields: &Option<_>| fields.as_ref().map(|fields: &serde_json::Map<_, _>| json!(fields).to_string());
    change::Model {
        revision,
        position: 0,
        format: feed::FORMAT,
        kind: difference.kind.to_owned(),
        object_id: difference.object,
        name: difference.name.clone(),
        operation: difference.operation(),
        before: text(&difference.before),
        after: text(&difference.after),
        scope_before: None,
        scope_after: None,
        actor: String::new(),
        source: None,
        at: chrono::DateTime::UNIX_EPOCH,
    }
}

#[track_caller]
fn assert_same_but_for_times(left: &Snapshot, right: &Snapshot) {
    for kind in right.registry().kinds() {
        assert_eq!(left.table(kind.id).len(), right.table(kind.id).len(), "the number of {}", kind.name);
        for (_, row) in right.table(kind.id).rows(0) {
            let id = row.common().id;
            let other = left.row_of(id).unwrap_or_else(|| panic!("{} {id} is missing", kind.name));
            assert!(feed::same(kind, other.as_ref(), row.as_ref()), "{other:#?}\nis not as\n{row:#?}");
        }
    }
}

/// Undoes a history, revision by revision, down to the empty snapshot.
async fn undo(inside: &Inside, snapshots: &[Arc<Snapshot>]) {
    let last = snapshots.last().expect("a snapshot");
    let mut undone = Snapshot::clone(last);
    for earlier in snapshots.iter().rev().skip(1) {
        let committed: Vec<Committed> = inside.store.batches_after(earlier.revision(), 1).await.expect("records");
        let mut draft = Draft::of(&undone);
        feed::apply(&mut draft, &committed[0].changes, Direction::Backward).expect("records that can be undone");
        undone = draft.finish(earlier.head());
        assert_same_objects(earlier, &undone);
    }
    assert!(undone.is_empty(), "nothing is left at the beginning");
}

/// The seed of a run: another each time, unless one is given to see a failure again.
pub fn seed() -> u64 {
    let seed = std::env::var("UNDERLAY_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(rand::random);
    eprintln!("UNDERLAY_TEST_SEED={seed}");
    seed
}

fn check(tally: &Tally) {
    eprintln!("written {}, refused {}; {:#?}", tally.written, tally.refused, tally.statuses);
    assert!(tally.written > 50 && tally.refused > 50, "histories that say something");
    for kind in registry().kinds() {
        for status in ["Created", "Updated", "Deleted"] {
            let seen = tally.statuses.get(&(kind.name.to_owned(), status.to_owned())).copied().unwrap_or_default();
            assert!(seen > 0, "no {} was {status}", kind.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_ways_to_a_snapshot_agree_on_sqlite() {
    let (first, mut tally) = (seed(), Tally::default());
    for seed in first..first + 12 {
        let (url, _folder) = sqlite();
        law(&url, seed, &mut tally).await;
    }
    check(&tally);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn all_ways_to_a_snapshot_agree_on_postgres() {
    let (first, mut tally) = (seed(), Tally::default());
    for seed in first..first + 12 {
        let url = postgres::create_database().await;
        law(&url, seed, &mut tally).await;
        postgres::drop_database(&url).await;
    }
    check(&tally);
}
