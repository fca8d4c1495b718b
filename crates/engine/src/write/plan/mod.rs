//! Resolves, plans and checks a batch on a snapshot. The result is the next snapshot and the list of changes.
//!
//! This is pure code without a query, a wait or a clock. The same code serves commits and dry runs, and works on any
//! snapshot.
//!
//! Each object that an item writes has an entry (`entry.rs`). The steps, in order:
//! 1. The deletes find their objects, by the names before the batch (`delete.rs`).
//! 2. Each item that writes gets its entries (`enter.rs`).
//! 3. Objects that are given by id or external id are recognised, because they may give up their keys
//!    (`recognise.rs`).
//! 4. In a large batch, parents and keys are looked up in advance on two threads (`prefetch.rs`).
//! 5. Each entry is identified: it means an existing object or creates one (`identify.rs`).
//! 6. References are replaced by ids (`references.rs`).
//! 7. Entries are applied to rows, field by field (`assemble.rs`). A new object gets the state that its source reports
//!    (`arrive.rs`).
//! 8. Ownership is released, objects are removed (`delete.rs`), and the result is checked (`verify.rs`, `protection.rs`).

mod arrive;
mod assemble;
mod by_key;
mod create;
mod delete;
mod enter;
mod entries;
mod entry;
mod family;
mod identify;
mod maps;
mod order;
mod outcome;
mod permitted;
mod prefetch;
mod protection;
mod recognise;
mod reference_cache;
mod references;
mod refusals;
mod rename;
mod verify;
mod work;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use foldhash::HashMap;
use uuid::Uuid;

use super::Leave;
use super::batch::{Batch, MAX_BATCH_ITEMS, Mode, Origin as Sender};
use super::outcome::Outcome;
use crate::feed;
use rename::Renames;
use underlay_inventory::{Draft, Head, KeyOf, ObjectRef, Refusal, Snapshot};
use work::{Bases, Ran, Work};

/// A planned batch: the snapshot that it would make.
#[derive(Debug)]
pub struct Planned {
    /// The next snapshot. It is the base if nothing changes or nothing may be written.
    pub next: Arc<Snapshot>,
    /// The objects that change, each once, in the order in which they were written.
    pub touched: Arc<[Uuid]>,
    /// The managers that are new with this batch.
    pub managers: Vec<(i32, String)>,
    /// The outcome of each item.
    pub outcomes: Vec<Outcome>,
    /// True if the batch can be written: no item was refused, or refused items do not affect the others.
    pub accepted: bool,
}

impl Planned {
    /// Returns true if there is something to write.
    pub fn changes_something(&self) -> bool {
        self.accepted && !self.touched.is_empty()
    }
}

/// Plans a batch that is to be written, on a snapshot.
///
/// # Errors
/// Returns an error if the batch as a whole is out of bounds, or may not be written. The errors of single items are in
/// their outcomes.
pub fn plan(base: &Snapshot, batch: &Batch, now: DateTime<Utc>) -> Result<Planned, Refusal> {
    check_reserved(base, batch)?;
    plan_leaving(base, base, batch, &Leave::new(), now)
}

/// The time that a batch may be ahead of the clock, so that times follow the order of revisions although replicas read
/// the clock at different moments.
const MAX_LEAD: TimeDelta = TimeDelta::seconds(10);

/// Returns the time of a batch: that of the batch before it, where the clock is a little behind it. A clock that was wrong
/// and is set back counts at once, so later batches can have earlier times than those of the wrong clock.
fn time_of(now: DateTime<Utc>, before: DateTime<Utc>) -> DateTime<Utc> {
    if before > now && before - now <= MAX_LEAD { before } else { now }
}

/// Plans a batch that leaves some fields as they are, after earlier batches of the same commit, which begins at the
/// snapshot `committed`. The id of an object that one of them deletes is still in use, because the rows of a commit are
/// written together.
///
/// # Errors
/// Returns the errors of [`plan`].
pub fn plan_leaving(
    committed: &Snapshot,
    base: &Snapshot,
    batch: &Batch,
    leave: &Leave,
    now: DateTime<Utc>,
) -> Result<Planned, Refusal> {
    batch.check()?;
    let bases = Bases { committed, base, leave };
    let head = Head { revision: base.revision() + 1, batch_id: batch.id, at: time_of(now, base.head().at) };
    let mut outcomes = vec![None; batch.items.len()];
    let (draft, accepted) = match batch.mode {
        Mode::Atomic => {
            let all: Vec<_> = batch.items.iter().enumerate().collect();
            let work = Work::of(Draft::of(base), bases, batch, head);
            let Ran { draft, results, .. } = work.run(&all)?;
            let accepted = results.iter().all(|(_, outcome)| outcome.error.is_none());
            fill(&mut outcomes, results);
            (draft, accepted)
        }
        Mode::PerItem => (one_by_one(bases, batch, head, &mut outcomes)?, true),
    };
    let mut outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
    if !accepted {
        outcomes.iter_mut().for_each(Outcome::take_back);
    }
    let nothing = |outcomes| Planned {
        next: Arc::new(base.clone()),
        touched: Arc::default(),
        managers: Vec::new(),
        outcomes,
        accepted,
    };
    if !accepted {
        return Ok(nothing(outcomes));
    }
    let (draft, touched) = restore_unchanged(base, draft);
    if touched.len() > MAX_BATCH_ITEMS {
        let deleted = touched.iter().filter(|id| draft.snapshot().find(**id).is_none()).count();
        if deleted > MAX_BATCH_ITEMS {
            return Err(Refusal::BatchTooLarge { count: deleted, unit: "objects to delete", most: MAX_BATCH_ITEMS });
        }
    }
    if touched.is_empty() {
        return Ok(nothing(outcomes));
    }
    let managers = new_managers(base, draft.snapshot());
    Ok(Planned { next: Arc::new(draft.finish(head)), touched: touched.into(), managers, outcomes, accepted })
}

/// Checks that only its runs write in the name of a source whose name is reserved. A dry run writes nothing, so it is
/// not checked: everybody who may write in the name of a source may also start its runs.
///
/// # Errors
/// Returns an error if the batch belongs to no run.
pub(super) fn check_reserved(base: &Snapshot, batch: &Batch) -> Result<(), Refusal> {
    let (Some(source), Sender::Client | Sender::Holder(_)) = (batch.author.source.as_deref(), &batch.origin) else {
        return Ok(());
    };
    let key = KeyOf { parent: Uuid::nil(), family: 0, name: source.into() };
    let is_reserved = base.registry().kinds().any(|kind| {
        let row = base.table(kind.id).by_key(&key).and_then(|slot| base.row(ObjectRef { kind: kind.id, slot }));
        kind.reserves.zip(row).is_some_and(|(reserves, row)| reserves(row.as_ref()))
    });
    match is_reserved {
        true => Err(Refusal::Incompatible {
            field: "source".to_owned(),
            message: format!(
                "the name of source {source} is reserved for its runs: start a run with startRun, and give its id as run"
            ),
        }),
        false => Ok(()),
    }
}

/// Restores the rows of objects that were changed and changed back. Returns the other touched objects, in order, except
/// those that were created and deleted.
fn restore_unchanged(base: &Snapshot, mut draft: Draft) -> (Draft, Vec<Uuid>) {
    let mut unchanged = Vec::new();
    let mut touched = draft.touched_since(0);
    touched.retain(|id| match (base.find(*id), draft.snapshot().row_of(*id)) {
        (None, after) => after.is_some(),
        (Some(_), None) => true,
        (Some(object), Some(after)) => {
            let kind = base.kind(object.kind);
            let same = base.row(object).filter(|before| feed::same(kind, before.as_ref(), after.as_ref()));
            unchanged.extend(same.map(|before| (kind, before.clone())));
            same.is_none()
        }
    });
    for (kind, row) in unchanged {
        // The row existed before with the same references, so its targets exist.
        let _ = draft.put(kind, row);
    }
    (draft, touched)
}

/// Plans each item on the snapshot with the accepted items before it. Targets of references come first, and an item
/// that gives up a name comes before the one that takes it. Items that exchange names in a ring are planned together.
fn one_by_one(bases: Bases<'_>, batch: &Batch, head: Head, outcomes: &mut [Option<Outcome>]) -> Result<Draft, Refusal> {
    let base = bases.base;
    let mut accepted = Draft::of(base);
    let mut written = HashMap::default();
    let source = batch.author.source.as_deref();
    let renames = Renames::of(base, &batch.items, source);
    for at in order::of(base, &batch.items, source, order::By::References(&renames)) {
        if outcomes[at].is_some() {
            continue;
        }
        let together = renames.ring(at);
        let items: Vec<_> = together.iter().map(|at| (*at, &batch.items[*at])).collect();
        let mut work = Work::of(accepted.clone(), bases, batch, head);
        work.written = written;
        let Ran { draft, mut results, written: by_now } = work.run(&items)?;
        written = by_now;
        match results.iter().find(|(_, outcome)| outcome.error.is_some()).map(|(item, _)| *item) {
            None => accepted = draft.settle(),
            Some(refused) => {
                for (_, outcome) in results.iter_mut().filter(|(_, outcome)| outcome.error.is_none()) {
                    outcome.refuse(rename::depends_on(refused));
                }
            }
        }
        fill(outcomes, results);
    }
    Ok(accepted)
}

fn fill(outcomes: &mut [Option<Outcome>], results: Vec<(usize, Outcome)>) {
    for (at, outcome) in results {
        outcomes[at] = Some(outcome.storable());
    }
}

fn new_managers(base: &Snapshot, next: &Snapshot) -> Vec<(i32, String)> {
    let known = |id: i32| base.manager(id).is_some();
    next.managers().filter(|(id, _)| !known(*id)).map(|(id, name)| (id, name.to_string())).collect()
}
