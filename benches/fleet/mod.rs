//! The made-up fleet as a snapshot. `UNDERLAY_BENCH_PORTS` sets its size. It is planned batch by batch, as in the
//! server.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::Value;
use underlay_demo::{MAX_RACKS, Options, Size};
use underlay_engine::write::{Author, Batch, Conflicts, Item, MAX_BATCH_ITEMS, Mode, Origin, plan};
use underlay_inventory::{Kind, Snapshot};
use underlay_kinds::port::Port;
use uuid::Uuid;

/// The default number of ports of the fleet.
const PORTS: usize = 1_000_000;
/// The number of ports if nothing is measured: `cargo test` only checks that the benchmarks run.
const TESTED_PORTS: usize = 2_000;

/// Returns the number of ports of the fleet.
fn ports() -> usize {
    let measured = std::env::args().any(|argument| argument == "--bench");
    let asked = std::env::var("UNDERLAY_BENCH_PORTS").ok();
    let usual = if measured { PORTS } else { TESTED_PORTS };
    asked.map_or(usual, |text| text.parse().expect("UNDERLAY_BENCH_PORTS is a number"))
}

/// Returns a fleet with this number of ports: the first items of the largest fleet.
pub fn fleet() -> Arc<Snapshot> {
    let ports = ports();
    let mut snapshot = Snapshot::empty(Arc::new(underlay_kinds::registry()));
    let mut items = underlay_demo::items(&Options { size: Size::Fleet { racks: MAX_RACKS }, ..Options::default() });
    while snapshot.table(Port::ID).len() < ports {
        let items: Vec<Value> = items.by_ref().take(MAX_BATCH_ITEMS).collect();
        assert!(!items.is_empty(), "the largest fleet has {} ports", snapshot.table(Port::ID).len());
        snapshot = planned(&snapshot, &batch(&snapshot, items));
    }
    Arc::new(snapshot)
}

/// Returns a batch of a user.
pub fn batch(snapshot: &Snapshot, items: impl IntoIterator<Item = Value>) -> Batch {
    let item = |item| Item::parse(snapshot.registry(), item).expect("an item");
    Batch {
        id: Uuid::new_v4(),
        items: items.into_iter().map(item).collect(),
        mode: Mode::Atomic,
        conflicts: Conflicts::Fail,
        author: Author::user("bench"),
        origin: Origin::Client,
        request_id: None,
        bytes: 0,
    }
}

/// Returns the snapshot after a batch that must be accepted.
pub fn planned(snapshot: &Snapshot, batch: &Batch) -> Snapshot {
    let planned = plan(snapshot, batch, now()).expect("a plan");
    let refused = planned.outcomes.iter().find_map(|outcome| outcome.error.as_ref());
    assert!(planned.accepted, "the batch was refused: {refused:?}");
    Arc::unwrap_or_clone(planned.next)
}

/// The time when everything is written.
pub fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH
}
