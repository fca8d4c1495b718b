//! The state of planning some items together, and the order of its steps.

use std::collections::BTreeSet;

use foldhash::{HashMap, HashSet};
use uuid::Uuid;

use super::entries::Entries;
use super::entry::Input;
use super::family::Families;
use super::order;
use super::reference_cache::ReferenceCache;
use crate::write::Leave;
use crate::write::batch::{Batch, Conflicts, Item, Mode};
use crate::write::outcome::Outcome;
use underlay_inventory::{Draft, Head, KindId, ObjectRef, Refusal, Snapshot};

/// The number of items from which on prefetching is worth its cost.
const PREFETCHED_ITEMS: usize = 1_000;

/// The snapshots that a batch is planned on.
#[derive(Clone, Copy)]
pub(super) struct Bases<'a> {
    /// The snapshot before the first batch of the same commit.
    pub(super) committed: &'a Snapshot,
    /// The snapshot before the batch.
    pub(super) base: &'a Snapshot,
    /// The fields that the batch leaves as they are.
    pub(super) leave: &'a Leave,
}

/// The item of the batch that writes an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenBy {
    pub(super) item: usize,
    /// True if the item contains the object's id.
    pub(super) gives_id: bool,
}

impl WrittenBy {
    pub(super) fn of(input: &Input<'_>) -> Self {
        Self { item: input.item, gives_id: input.gives_id() }
    }
}

/// The result of planning some items.
pub(super) struct Ran {
    pub(super) draft: Draft,
    pub(super) results: Results,
    /// The objects that were written so far.
    pub(super) written: HashMap<Uuid, WrittenBy>,
}

/// The state of planning some items together.
pub(super) struct Work<'a> {
    /// The snapshot before the first batch of the same commit.
    pub(super) committed: &'a Snapshot,
    /// The snapshot that the batch is compared with.
    pub(super) base: &'a Snapshot,
    /// The fields that the batch leaves as they are.
    pub(super) leave: &'a Leave,
    /// The next snapshot, while it is being made.
    pub(super) draft: Draft,
    pub(super) batch: &'a Batch,
    pub(super) head: Head,
    /// The manager that will own the fields that are set, and its interned id.
    pub(super) manager: String,
    pub(super) manager_id: i32,
    pub(super) entries: Entries<'a>,
    /// The entry whose references are resolved: its site, for example, decides which rack of a name it means.
    pub(super) referring: Option<usize>,
    /// The meanings of references: many items of a batch refer to the same objects.
    pub(super) reference_cache: ReferenceCache,
    /// The families of the values that occurred so far.
    pub(super) families: Families,
    /// The objects that are recognised by id or external id, or created by entries with external ids, each with its
    /// last entry.
    pub(super) claimed: HashMap<Uuid, usize>,
    /// The objects that earlier items of the batch wrote.
    pub(super) written: HashMap<Uuid, WrittenBy>,
    /// The objects that these items delete. Other objects may take their keys.
    pub(super) to_delete: HashSet<Uuid>,
    /// The item that is the origin of each object's change.
    pub(super) origin: HashMap<Uuid, Origin>,
    /// The removed objects, each with its id and name.
    pub(super) removed: Vec<(ObjectRef, Uuid, String)>,
    pub(super) refusals: Vec<(usize, Refusal)>,
    /// The mark of the draft before these items.
    pub(super) mark: usize,
}

/// The item that writes an object, and the part of the item that does so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) item: usize,
    pub(super) part: Option<&'static str>,
}

pub(super) type Results = Vec<(usize, Outcome)>;

impl<'a> Work<'a> {
    pub(super) fn of(draft: Draft, Bases { committed, base, leave }: Bases<'a>, batch: &'a Batch, head: Head) -> Self {
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
            referring: None,
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
    pub(super) fn run(mut self, items: &[(usize, &'a Item)]) -> Result<Ran, Refusal> {
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
    pub(super) fn parents_first(&self, items: &[(usize, &'a Item)], keys_meet: bool) -> Vec<usize> {
        match keys_meet {
            false => items.iter().map(|(at, _)| *at).collect(),
            true => order::of(self.base, &self.batch.items, self.source(), order::By::Keys),
        }
    }

    /// Returns true if the key of one item may contain an object that another item writes, judged by their kinds.
    pub(super) fn keys_meet(&self, items: &[(usize, &'a Item)]) -> bool {
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

    pub(super) fn refuse(&mut self, item: usize, refusal: Refusal) {
        self.refusals.push((item, refusal));
    }

    /// Records the item that writes an object. The first one counts, because later ones build on it.
    pub(super) fn origin(&mut self, object: Uuid, item: usize, part: Option<&'static str>) {
        self.origin.entry(object).or_insert(Origin { item, part });
    }

    /// Returns true if the batch leaves a field or an entry of an object as it is.
    pub(super) fn is_left(&self, object: Uuid, field: &str) -> bool {
        self.leave.get(&object).is_some_and(|fields| fields.iter().any(|left| left == field))
    }

    pub(super) fn conflicts(&self) -> Conflicts {
        self.batch.conflicts
    }

    pub(super) fn source(&self) -> Option<&'a str> {
        self.batch.author.source.as_deref()
    }
}
