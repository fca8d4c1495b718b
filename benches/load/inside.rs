//! Measurements without a server: the time to make the next snapshot, and the memory of objects.
//!
//! They run in a separate process, `load inside DATABASE`, which prints JSON, so that their memory is freed at its end.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};
use underlay_engine::store::Store;
use underlay_entity::row::Row;
use underlay_inventory::{Description, Draft, Head, Registry, Snapshot};
use uuid::Uuid;

use crate::allocator::held;
use crate::measure::median;
use crate::problem::{Doing, LoadError, Result};
use crate::server;

/// The maximum time for these measurements.
const MEASUREMENTS_TIMEOUT: Duration = Duration::from_secs(1800);
/// The number of objects that change in the large step.
const CHANGED_OBJECTS: usize = 1_000;

/// The results of the measurements.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Inside {
    /// The seconds to make the next snapshot after one object changed.
    pub one: f64,
    /// The seconds to make the next snapshot after a thousand objects changed.
    pub many: f64,
    /// The memory of the objects of each kind.
    pub weights: Vec<Weight>,
}

/// The memory of the objects of a kind: rows, references in both directions, and their part of the indexes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weight {
    pub kind: String,
    pub objects: usize,
    /// The bytes of all objects together.
    pub bytes: i64,
}

/// Measures on a database, in another process.
pub async fn measure(database: &str) -> Result<Inside> {
    let program = std::env::current_exe().doing(|| "find this program".to_owned())?;
    let mut command = Command::new(program);
    command.args(["inside", database]);
    Ok(serde_json::from_str(&server::run(command, MEASUREMENTS_TIMEOUT).await?)?)
}

/// Measures on a database in this process, and prints the results as JSON.
pub async fn print(database: &str) -> Result<()> {
    let store = Store::open(&database.parse()?, underlay_kinds::tables()).await?;
    let (snapshot, weights) = weigh(&store, &Arc::new(underlay_kinds::registry())).await?;
    store.close().await?;
    let port = snapshot.registry().named("Port").ok_or_else(|| LoadError::Answer("there are no ports".to_owned()))?;
    let one = next_snapshots(snapshot.clone(), port, 1, 400)?;
    let many = next_snapshots(snapshot, port, CHANGED_OBJECTS, 40)?;
    println!("{}", serde_json::to_string(&Inside { one, many, weights })?);
    Ok(())
}

/// Loads the inventory kind by kind and measures the memory that each kind allocates.
async fn weigh(store: &Store, registry: &Arc<Registry>) -> Result<(Snapshot, Vec<Weight>)> {
    let mut draft = Draft::of(&Snapshot::empty(Arc::clone(registry)));
    let loaded = store.load().await?.rows;
    let mut weights = Vec::new();
    for (kind, rows) in registry.kinds().zip(&loaded) {
        let before = held();
        for row in rows {
            draft.reserve(kind.id, row.common().id);
        }
        weights.push(Weight { kind: kind.name.to_owned(), objects: rows.len(), bytes: held() - before });
    }
    for ((kind, rows), weight) in registry.kinds().zip(loaded).zip(&mut weights) {
        let before = held();
        for row in &rows {
            // The row is copied, because another thread allocated parts of the loaded one.
            put(&mut draft, kind, row.duplicate())?;
        }
        // The bookkeeping of a draft is not part of the snapshot.
        draft = Draft::of(&draft.finish(head(1)));
        weight.bytes += held() - before;
    }
    Ok((draft.finish(head(1)), weights))
}

/// Makes one snapshot after another, each with this number of changed ports anywhere in the inventory. Returns the
/// median time in seconds.
fn next_snapshots(mut snapshot: Snapshot, kind: &'static Description, changed: usize, times: usize) -> Result<f64> {
    let mut random = SmallRng::seed_from_u64(5);
    let slots: Vec<u32> = snapshot.table(kind.id).rows(0).map(|(slot, _)| slot).collect();
    let mut took = Vec::with_capacity(times);
    for number in 0..times {
        let revision = i64::MAX / 2 + number as i64;
        let chosen = slots.choose_multiple(&mut random, changed);
        let rows = chosen.filter_map(|slot| snapshot.table(kind.id).row(*slot)).map(|row| updated(row, revision));
        let rows: Vec<_> = rows.collect();
        let begin = Instant::now();
        let mut draft = Draft::of(&snapshot);
        for row in rows {
            put(&mut draft, kind, row)?;
        }
        let next = draft.finish(head(revision));
        took.push(begin.elapsed().as_secs_f64());
        // The last snapshot is dropped here, outside of the measurement. The server drops it on another thread.
        snapshot = next;
    }
    Ok(median(took))
}

fn put(draft: &mut Draft, kind: &'static Description, row: Arc<dyn Row>) -> Result<()> {
    let missing = |id: Uuid| LoadError::Answer(format!("a row of {} refers to {id}, which is not there", kind.name));
    draft.put(kind, row).map(drop).map_err(missing)
}

/// Returns the row as an update would change it.
fn updated(row: &Arc<dyn Row>, revision: i64) -> Arc<dyn Row> {
    let mut row = row.duplicate();
    if let Some(row) = Arc::get_mut(&mut row) {
        let common = row.common_mut();
        *common.description = Some(format!("measured {revision}"));
        *common.version = revision;
    }
    row
}

fn head(revision: i64) -> Head {
    Head { revision, batch_id: Uuid::new_v4(), at: chrono::DateTime::UNIX_EPOCH }
}
