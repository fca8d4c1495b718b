//! Criterion benchmarks within the process: making the next snapshot, reading, and planning and recording batches. The
//! inventory is the made-up fleet, whose size `UNDERLAY_BENCH_PORTS` sets, planned batch by batch as in the server. No
//! database and no server take part.

mod fleet;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use serde_json::json;
use underlay_engine::access::Caller;
use underlay_engine::feed;
use underlay_engine::write::{MAX_BATCH_ITEMS, plan};
use underlay_entity::row::Row;
use underlay_inventory::{Draft, Head, Held, Kind, Selector, Snapshot};
use underlay_kinds::device::Device;
use underlay_kinds::port::{Port, PortFilter};
use underlay_read::{Cursors, ListScope, Listing, PageArguments, Places, TextFilter};
use uuid::Uuid;

use fleet::{batch, fleet, now};

/// The allocator of the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Returns ports anywhere in the inventory.
fn anywhere(snapshot: &Snapshot, count: usize) -> Vec<Arc<dyn Row>> {
    let mut random = SmallRng::seed_from_u64(5);
    let slots: Vec<u32> = snapshot.table(Port::ID).rows(0).map(|(slot, _)| slot).collect();
    let chosen = slots.choose_multiple(&mut random, count);
    chosen.filter_map(|slot| snapshot.table(Port::ID).row(*slot)).cloned().collect()
}

/// Returns the rows as an update leaves them.
fn updated(rows: &[Arc<dyn Row>], version: i64) -> Vec<Arc<dyn Row>> {
    let update = |row: &Arc<dyn Row>| {
        let mut row = row.duplicate();
        let common = Arc::get_mut(&mut row).expect("a row of our own").common_mut();
        *common.description = Some("measured".to_owned());
        *common.version = version;
        row
    };
    rows.iter().map(update).collect()
}

fn next(snapshot: &Snapshot, rows: Vec<Arc<dyn Row>>) -> Snapshot {
    let mut draft = Draft::of(snapshot);
    for row in rows {
        draft.put(Port::describe(), row).expect("what it refers to is there");
    }
    draft.finish(Head { revision: snapshot.revision() + 1, ..snapshot.head() })
}

fn next_snapshot(criterion: &mut Criterion, snapshot: &Arc<Snapshot>) {
    let mut group = criterion.benchmark_group("next snapshot");
    for count in [1, 1_000] {
        let rows = anywhere(snapshot, count);
        group.bench_function(format!("{count} updated"), |bencher| {
            // The snapshots are dropped outside of the measurement.
            let setup = || updated(&rows, snapshot.revision() + 1);
            bencher.iter_batched(setup, |rows| next(snapshot, rows), BatchSize::PerIteration);
        });
    }
    group.finish();
}

fn point_reads(criterion: &mut Criterion, snapshot: &Arc<Snapshot>) {
    let rows = anywhere(snapshot, 10_000);
    let ids: Vec<Uuid> = rows.iter().map(|row| row.common().id).collect();
    let mut turn = ids.iter().cycle();
    let mut next = move || *turn.next().expect("there are ports");
    let mut group = criterion.benchmark_group("point read");
    group.bench_function("by id", |bencher| bencher.iter(|| snapshot.row_of(black_box(next()))));
    group.bench_function("by id, then its device", |bencher| {
        bencher.iter(|| {
            let port: Held<Port> = snapshot.find(next()).and_then(|object| snapshot.hold(object)).expect("a port");
            port.follow::<Device>(Port::DEVICE)
        });
    });
    let (_, row) = snapshot.table(Device::ID).rows(0).last().expect("a device");
    let selector = Selector { name: Some(row.common().name.to_owned()), ..Selector::default() };
    group.bench_function("device by name", |bencher| {
        bencher.iter(|| snapshot.select(Device::describe(), "name", &selector).expect("one device"));
    });
    group.finish();
}

fn lists(criterion: &mut Criterion, snapshot: &Arc<Snapshot>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let list = |filter: Option<PortFilter>| Listing::<Port> {
        snapshot: Arc::clone(snapshot),
        scope: ListScope::All,
        filter: filter.map(Arc::new),
        order: None,
        cursors: Cursors::CurrentSnapshot,
        share: Places::default().filter_share(Caller::anybody().key(), u64::MAX),
    };
    let page = PageArguments { first: Some(50), ..PageArguments::default() };
    let mut group = criterion.benchmark_group("list");
    let all = list(None);
    group.bench_function("a page of 50", |bencher| {
        bencher.iter(|| runtime.block_on(all.page(&page)).expect("a page"));
    });
    // Nothing matches, so the scan reads everything.
    let nowhere = TextFilter { contains: Some("nowhere".to_owned()), ..TextFilter::default() };
    let scanned = list(Some(PortFilter { name: Some(nowhere), ..PortFilter::default() }));
    group.bench_function("a filter that scans everything", |bencher| {
        bencher.iter(|| runtime.block_on(scanned.page(&page)).expect("a page"));
    });
    group.finish();
}

fn plans(criterion: &mut Criterion, snapshot: &Arc<Snapshot>) {
    let rows = anywhere(snapshot, MAX_BATCH_ITEMS);
    let update = |row: &Arc<dyn Row>| json!({"port": {"id": row.common().id, "description": "measured"}});
    let mut group = criterion.benchmark_group("plan and record");
    for count in [1, MAX_BATCH_ITEMS.min(rows.len())] {
        let batch = batch(snapshot, rows[..count].iter().map(update));
        group.bench_function(format!("{count} updated"), |bencher| {
            bencher.iter_with_large_drop(|| {
                let planned = plan(snapshot, &batch, now()).expect("a plan");
                let records = feed::changes(snapshot, &planned.next, &planned.touched, ("bench", None));
                (planned, records)
            });
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    let snapshot = fleet();
    eprintln!("{} ports, {} objects", snapshot.table(Port::ID).len(), snapshot.len());
    next_snapshot(criterion, &snapshot);
    point_reads(criterion, &snapshot);
    lists(criterion, &snapshot);
    plans(criterion, &snapshot);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(5));
    targets = all
}
criterion_main!(benches);
