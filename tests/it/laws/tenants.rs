//! What tenants see: kept along with any history it is what it would be if it were made anew, and so are the changes
//! that they are told.

use std::sync::Arc;
use std::time::Duration;

use rand::Rng;
use underlay::feed::{self, Direction, Views};
use underlay::inventory::{Draft, Snapshot, TenantView};

use super::history::History;
use crate::harness::assert_same;
use crate::harness::inside::{Inside, registry, sqlite};

/// How many batches make a history.
const BATCHES: usize = 80;
/// Tenants of the history, and one that has nothing of its own.
const TENANTS: [&str; 3] = ["blue", "red", "green"];

/// How much a run has seen.
#[derive(Debug, Default)]
struct Tally {
    /// Revisions after which a tenant saw something else.
    changed: usize,
    /// Revisions after which it did not.
    unchanged: usize,
    /// Objects that were hidden at the end.
    hidden: usize,
    /// Objects that were shown reduced at the end.
    reduced: usize,
}

async fn law(seed: u64, tally: &mut Tally) {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    let mut history = History::new(seed);
    // Some begin with what is there already.
    let before = history.random.random_range(0..BATCHES / 2);
    write(&inside, &mut history, before).await;
    let views = Views::new(inside.view());
    let mut kept = Vec::new();
    for tenant in TENANTS {
        let view = views.of(Some(tenant)).await.expect("a view");
        let first = view.newest.get();
        kept.push((tenant, view, first));
    }
    write(&inside, &mut history, BATCHES - before).await;
    let whole = inside.newest.get();
    for (tenant, view, first) in kept {
        let value = view.newest.wait_for(whole.revision(), Duration::from_secs(20)).await;
        let anew = TenantView::of(&whole, tenant).expect("a view");
        assert_same(&value, anew.seen());
        told(&view.newest, &first, &value, tally);
        tally.hidden += whole.len() - value.len();
        let rows = whole.registry().kinds().flat_map(|kind| value.table(kind.id).rows(0));
        tally.reduced += rows.filter(|(_, row)| row.common().version == 0).count();
    }
}

async fn write(inside: &Inside, history: &mut History, batches: usize) {
    for _ in 0..batches {
        let batch = history.batch(&inside.newest.get());
        inside.writer.write(batch).await.expect("an answer");
    }
}

/// Sees that the changes that a tenant was told of lead from the first value to the last.
fn told(newest: &feed::Newest, first: &Arc<Snapshot>, last: &Snapshot, tally: &mut Tally) {
    let mut value = Snapshot::clone(first);
    for revision in first.revision() + 1..=last.revision() {
        let revised = newest.recent(revision).expect("a recent revision");
        match revised.changes.is_empty() {
            true => tally.unchanged += 1,
            false => tally.changed += 1,
        }
        let mut draft = Draft::of(&value);
        last.managers().for_each(|(id, name)| draft.add_manager(id, name));
        feed::apply(&mut draft, &revised.changes, Direction::Forward).expect("changes that fit");
        value = draft.finish(revised.head());
    }
    assert_same(&value, last);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_tenant_sees_is_the_same_kept_along_or_made_anew() {
    let (first, mut tally) = (super::value::seed(), Tally::default());
    for seed in first..first + 8 {
        law(seed, &mut tally).await;
    }
    eprintln!("{tally:?}");
    let Tally { changed, unchanged, hidden, reduced } = tally;
    assert!(changed > 50 && unchanged > 10 && hidden > 50 && reduced > 10, "histories that say something");
}

#[tokio::test]
async fn who_sees_nothing_of_others_sees_all_that_is_nobodys() {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    let items = underlay::demo::items(&underlay::demo::Options::default()).map(|mut item| {
        let fields = item.as_object_mut().and_then(|item| item.values_mut().next()).expect("an item");
        fields.as_object_mut().expect("fields").remove("tenant");
        item
    });
    let items = crate::harness::inside::items(items.collect::<Vec<_>>());
    inside.writer.write(crate::harness::inside::batch(items)).await.expect("written");
    let whole = inside.newest.get();
    let view = TenantView::of(&whole, "blue").expect("a view");
    assert!(whole.len() > 1_000);
    assert_same(&whole, view.seen());
    assert!(Arc::ptr_eq(view.seen().part_of().expect("a part"), &whole));
    assert!(TenantView::of(&Arc::new(Snapshot::empty(registry())), "blue").expect("a view").seen().is_empty());
}
