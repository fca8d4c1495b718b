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

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use foldhash::{HashMap, HashSet};
use uuid::Uuid;

use super::Leave;
use super::batch::{Batch, Conflicts, Item, MAX_BATCH_ITEMS, Mode, Origin as Sender, Outcome};
use crate::feed;
use entries::Entries;
use entry::Input;
use family::Families;
use reference_cache::ReferenceCache;
use rename::Renames;
use underlay_inventory::{Draft, Head, KeyOf, KindId, ObjectRef, Refusal, Snapshot};

/// The number of items from which on prefetching is worth its cost.
const PREFETCHED_ITEMS: usize = 1_000;

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
    plan_after(base, base, batch, now)
}

/// Plans a batch after earlier batches of the same commit, which begins at the snapshot `committed`. The id of an
/// object that one of them deletes is still in use, because the rows of a commit are written together.
///
/// # Errors
/// Returns the errors of [`plan`].
pub fn plan_after(
    committed: &Snapshot,
    base: &Snapshot,
    batch: &Batch,
    now: DateTime<Utc>,
) -> Result<Planned, Refusal> {
    plan_leaving(committed, base, batch, &Leave::new(), now)
}

/// Plans a batch that leaves some fields as they are.
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
    // A clock that was set back must not make a later batch earlier.
    let head = Head { revision: base.revision() + 1, batch_id: batch.id, at: now.max(base.head().at) };
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
    let outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
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

/// The snapshots that a batch is planned on.
#[derive(Clone, Copy)]
struct Bases<'a> {
    /// The snapshot before the first batch of the same commit.
    committed: &'a Snapshot,
    /// The snapshot before the batch.
    base: &'a Snapshot,
    /// The fields that the batch leaves as they are.
    leave: &'a Leave,
}

/// The item of the batch that writes an object.
#[derive(Clone, Copy, Debug)]
struct WrittenBy {
    item: usize,
    /// True if the item contains the object's id.
    gives_id: bool,
}

impl WrittenBy {
    fn of(input: &Input<'_>) -> Self {
        Self { item: input.item, gives_id: input.gives_id() }
    }
}

/// The result of planning some items.
struct Ran {
    draft: Draft,
    results: Results,
    /// The objects that were written so far.
    written: HashMap<Uuid, WrittenBy>,
}

/// The state of planning some items together.
struct Work<'a> {
    /// The snapshot before the first batch of the same commit.
    committed: &'a Snapshot,
    /// The snapshot that the batch is compared with.
    base: &'a Snapshot,
    /// The fields that the batch leaves as they are.
    leave: &'a Leave,
    /// The next snapshot, while it is being made.
    draft: Draft,
    batch: &'a Batch,
    head: Head,
    /// The manager that will own the fields that are set, and its interned id.
    manager: String,
    manager_id: i32,
    entries: Entries<'a>,
    /// The meanings of references: many items of a batch refer to the same objects.
    reference_cache: ReferenceCache,
    /// The families of the values that occurred so far.
    families: Families,
    /// The objects that are recognised by id or external id, or created by entries with external ids, each with its
    /// last entry.
    claimed: HashMap<Uuid, usize>,
    /// The objects that earlier items of the batch wrote.
    written: HashMap<Uuid, WrittenBy>,
    /// The objects that these items delete. Other objects may take their keys.
    to_delete: HashSet<Uuid>,
    /// The item that is the origin of each object's change.
    origin: HashMap<Uuid, Origin>,
    /// The removed objects, each with its id and name.
    removed: Vec<(ObjectRef, Uuid, String)>,
    refusals: Vec<(usize, Refusal)>,
    /// The mark of the draft before these items.
    mark: usize,
}

/// The item that writes an object, and the part of the item that does so.
#[derive(Clone, Copy, Debug)]
struct Origin {
    item: usize,
    part: Option<&'static str>,
}

type Results = Vec<(usize, Outcome)>;

impl<'a> Work<'a> {
    fn of(draft: Draft, Bases { committed, base, leave }: Bases<'a>, batch: &'a Batch, head: Head) -> Self {
        let manager = batch.author.manager();
        Self {
            committed,
            base,
            leave,
            mark: draft.mark(),
            manager_id: draft.manager_id(&manager),
            draft,
            batch,
            head,
            manager,
            entries: Entries::default(),
            reference_cache: ReferenceCache::default(),
            families: Families::default(),
            claimed: HashMap::default(),
            written: HashMap::default(),
            to_delete: HashSet::default(),
            origin: HashMap::default(),
            removed: Vec::new(),
            refusals: Vec::new(),
        }
    }

    /// Plans these items together and checks the result.
    fn run(mut self, items: &[(usize, &'a Item)]) -> Result<Ran, Refusal> {
        let start = self.draft.snapshot().clone();
        let removals = self.find_removals(items);
        self.entries = Entries::of(items.len());
        self.origin.reserve(items.len());
        self.enter(items);
        self.recognise();
        let keys_meet = items.len() > 1 && self.keys_meet(items);
        if items.len() >= PREFETCHED_ITEMS && !keys_meet {
            self.prefetch();
        }
        for item in self.parents_first(items, keys_meet) {
            for at in self.entries.of_item(item) {
                // A failure is kept in the entry and reported when the entry is assembled.
                let _ = self.identify(at, 0);
            }
        }
        for at in 0..self.entries.len() {
            self.resolve_entry(at);
        }
        self.assemble();
        self.release(items);
        self.remove(removals)?;
        self.verify(&start);
        if self.batch.mode == Mode::PerItem && self.refusals.is_empty() {
            self.note_written();
        }
        let results = self.outcomes(&start, items);
        Ok(Ran { draft: self.draft, results, written: self.written })
    }

    /// Returns the items in the order in which their objects are identified: an object is looked up within its parents.
    fn parents_first(&self, items: &[(usize, &'a Item)], keys_meet: bool) -> Vec<usize> {
        match keys_meet {
            false => items.iter().map(|(at, _)| *at).collect(),
            true => order::of(self.base, &self.batch.items, self.source(), order::By::Keys),
        }
    }

    /// Returns true if the key of one item may contain an object that another item writes, judged by their kinds.
    fn keys_meet(&self, items: &[(usize, &'a Item)]) -> bool {
        let kinds = items.iter().filter_map(|(_, item)| match item {
            Item::Write { kind, .. } => Some(kind.id),
            _ => None,
        });
        let kinds: BTreeSet<KindId> = kinds.collect();
        let written = |name: &&str| self.base.registry().named(name).is_some_and(|kind| kinds.contains(&kind.id));
        kinds.iter().map(|kind| self.base.kind(*kind)).any(|kind| {
            let by = kind.recognised_by().and_then(|by| kind.field(by)).map(|index| &kind.fields[index]);
            let fields = kind.parent_fields().map(|(_, field)| field).chain(by);
            let mut targets = fields.filter_map(|field| field.reference).flat_map(|reference| reference.targets);
            !kind.parts.is_empty() || targets.any(written)
        })
    }

    fn refuse(&mut self, item: usize, refusal: Refusal) {
        self.refusals.push((item, refusal));
    }

    /// Records the item that writes an object. The first one counts, because later ones build on it.
    fn origin(&mut self, object: Uuid, item: usize, part: Option<&'static str>) {
        self.origin.entry(object).or_insert(Origin { item, part });
    }

    /// Returns true if the batch leaves a field of an object as it is.
    fn is_left(&self, object: Uuid, field: &str) -> bool {
        self.leave.get(&object).is_some_and(|fields| fields.contains(&field))
    }

    fn conflicts(&self) -> Conflicts {
        self.batch.conflicts
    }

    fn source(&self) -> Option<&'a str> {
        self.batch.author.source.as_deref()
    }
}
