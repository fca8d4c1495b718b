//! The write path: resolve, plan, check, commit. All writes take this path, in batches, through one sequencer.

use std::collections::BTreeMap;
use std::fmt;

use chrono::{DateTime, Utc};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::store::{Fence, RunChanges};
use underlay_inventory::{KindId, Refusal, Snapshot};

mod batch;
pub mod batch_metrics;
mod change_capture;
mod commit;
mod digest;
mod fields;
mod group;
mod job;
mod managers;
mod outcome;
mod plan;
mod planner;
mod sequencer;

pub use batch::{
    Author, Batch, Cascade, Conflicts, Intent, Item, MAX_BATCH_ITEMS, Mode, Origin, Release, SMALL_BATCH_ITEMS, Sets,
    check_name,
};
pub use digest::digest;
pub use fields::Fields;
pub use job::WriteAnswer;
pub use outcome::{Outcome, Recognised, SkipReason, Skipped, Status};
pub use plan::{Planned, plan};
pub use sequencer::Writer;

/// The fields that a batch must leave as they are, by object. An entry of a map has the name of the map, a dot and its key.
pub type Leave = BTreeMap<Uuid, Vec<String>>;

/// Takes part in the plan and the commit of a batch. A batch with an attendant shares its commit with no other batch.
pub trait Attendant: fmt::Debug + Send + Sync {
    /// Returns the items to plan instead of those of a batch; `None` if they are planned as they are.
    fn prepare(&self, base: &Snapshot, items: &[Item]) -> Option<Vec<Item>>;

    /// Judges the plan of a batch. If fields are returned, the batch is planned again without changing them, and that
    /// plan is judged too, until nothing more is returned.
    fn judge(&self, base: &Snapshot, batch: &Batch, planned: &Planned) -> Leave;

    /// Returns true if the labels of an item are all labels that the source gives its object, so that others of the source
    /// are removed.
    fn gives_all_labels(&self) -> bool {
        false
    }

    /// Returns true if new objects of a kind get the state that the items of the batch report.
    fn decides_arrival(&self, _kind: KindId) -> bool {
        false
    }

    /// Returns what is stored in the transaction of the batch, even if the batch itself changes nothing.
    fn record(&self, base: &Snapshot, batch: &Batch, planned: &Planned) -> RunChanges;
}

/// Decides the items of a batch of the server on the very snapshot that the batch is planned on. So a batch can depend
/// on the state of objects, even if others write at the same time.
pub trait Decision: fmt::Debug + Send + Sync {
    /// Returns the request as its client sent it, by which a repeat is recognised.
    fn request(&self) -> &Json;

    /// Returns the number of items that are expected.
    fn size(&self) -> usize;

    /// Returns the items to plan on a snapshot, at a time of the database.
    ///
    /// # Errors
    /// Returns the reason for which nothing is written on this snapshot.
    fn items(&self, base: &Snapshot, now: DateTime<Utc>) -> Result<Vec<Item>, Refusal>;

    /// Returns the leases that must still be held when the batch is stored.
    fn fences(&self) -> &[Fence] {
        &[]
    }
}
