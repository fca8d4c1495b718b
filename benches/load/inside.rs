//! What is measured without a server: making the next value, and what objects weigh in memory.
//!
//! It runs in a process of its own, `load inside DATABASE`, so that the memory goes with it, and prints JSON.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};
use underlay::inventory::{Description, Draft, Head, Registry, Snapshot};
use underlay::kinds;
use underlay::store::{Row, Store};
use uuid::Uuid;

use crate::allocator::held;
use crate::measure::median;
use crate::problem::{Doing, LoadError, Result};
use crate::server;

/// How long it may take.
const PATIENCE: Duration = Duration::from_secs(1800);
/// How many objects change in the large step.
const MANY: usize = 1_000;

/// What was measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Inside {
    /// Seconds to the next value after one object changed.
    pub one: f64,
    /// Seconds to the next value after a thousand objects changed.
    pub many: f64,
    /// What the objects of each kind weigh.
    pub weights: Vec<Weight>,
}

/// What the objects of a kind weigh: rows, references both ways, and their part of the indexes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weight {
    pub kind: String,
    pub objects: usize,
    /// Bytes, of all objects together.
    pub bytes: i64,
}

/// Measures on a database, in another process.
pub async fn measure(database: &str) -> Result<Inside> {
    let program = std::env::current_exe().doing(|| "find this program".to_owned())?;
    let mut command = Command::new(program);
    command.args(["inside", database]);
    Ok(serde_json::from_str(&server::run(command, PATIENCE).await?)?)
}

/// Measures on a database, in this process.
pub async fn print(database: &str) -> Result<()> {
    let store = Store::open(&database.parse()?).await?;
    let (value, weights) = weigh(&store, &Arc::new(kinds::registry())).await?;
    store.close().await?;
    let port = value.registry().named("Port").ok_or_else(|| LoadError::Answer("there are no ports".to_owned()))?;
    let one = next_values(value.clone(), port, 1, 400)?;
    let many = next_values(value, port, MANY, 40)?;
    println!("{}", serde_json::to_string(&Inside { one, many, weights })?);
    Ok(())
}

/// Loads the inventory kind by kind and sees how much memory each asks for.
async fn weigh(store: &Store, registry: &Arc<Registry>) -> Result<(Snapshot, Vec<Weight>)> {
    let mut draft = Draft::of(&Snapshot::empty(Arc::clone(registry)));
    let mut loaded = Vec::new();
    let mut weights = Vec::new();
    for kind in registry.kinds() {
        let rows: Vec<Arc<dyn Row>> = store.load(&[kind.table]).await?.rows.into_iter().flatten().collect();
        let before = held();
        for row in &rows {
            draft.reserve(kind.id, row.common().id);
        }
        weights.push(Weight { kind: kind.name.to_owned(), objects: rows.len(), bytes: held() - before });
        loaded.push(rows);
    }
    for ((kind, rows), weight) in registry.kinds().zip(loaded).zip(&mut weights) {
        let before = held();
        for row in &rows {
            // A copy, because what was loaded was partly made by another thread.
            put(&mut draft, kind, row.duplicate())?;
        }
        // What a draft remembers of its making is not a part of the value.
        draft = Draft::of(&draft.finish(head(1)));
        weight.bytes += held() - before;
    }
    Ok((draft.finish(head(1)), weights))
}

/// Makes value after value, each with so many changed ports, anywhere in the inventory; seconds for each.
fn next_values(mut value: Snapshot, kind: &'static Description, changed: usize, times: usize) -> Result<f64> {
    let mut random = SmallRng::seed_from_u64(5);
    let slots: Vec<u32> = value.table(kind.id).rows(0).map(|(slot, _)| slot).collect();
    let mut took = Vec::with_capacity(times);
    for number in 0..times {
        let revision = i64::MAX / 2 + number as i64;
        let chosen = slots.choose_multiple(&mut random, changed);
        let rows = chosen.filter_map(|slot| value.table(kind.id).row(*slot)).map(|row| updated(row, revision));
        let rows: Vec<_> = rows.collect();
        let begin = Instant::now();
        let mut draft = Draft::of(&value);
        for row in rows {
            put(&mut draft, kind, row)?;
        }
        let next = draft.finish(head(revision));
        took.push(begin.elapsed().as_secs_f64());
        // The last value goes here, while nothing is measured: the server drops it on another thread.
        value = next;
    }
    Ok(median(took))
}

fn put(draft: &mut Draft, kind: &'static Description, row: Arc<dyn Row>) -> Result<()> {
    let missing = |id: Uuid| LoadError::Answer(format!("a row of {} refers to {id}, which is not there", kind.name));
    draft.put(kind, row).map(drop).map_err(missing)
}

/// The row as an update leaves it.
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
