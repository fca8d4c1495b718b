//! Everything that one call for a run of a source stores, as plain data.

use chrono::{DateTime, Utc};
use underlay_entity::{
    request, source_emptied, source_failure, source_held, source_item, source_ledger, source_run, source_suspect,
};
use uuid::Uuid;

/// The rows of the source that a write for a run deletes before it adds its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unheld {
    /// No rows beside the listed ones.
    #[default]
    Listed,
    /// The list of objects that are gone.
    Gone,
    /// Everything that is held with the run.
    OfRun,
}

/// Everything that one call for a run stores.
#[derive(Clone, Debug)]
pub struct RunChanges {
    /// The step of the source's turn on which the call was judged.
    pub step: i64,
    /// The run after the call. Its number of seen things does not count `seen` yet, and what failed is not counted and
    /// listed yet.
    pub run: source_run::Model,
    /// The digests of the things that the call saw.
    pub seen: Vec<Uuid>,
    /// The things that the call could not write or remove, each once.
    pub failures: Vec<source_failure::Model>,
    /// The digests of the things that the call wrote or removed, which have not failed any more.
    pub succeeded: Vec<Uuid>,
    /// The rows that are no longer held: objects, each with the field or an empty text.
    pub unheld: Vec<(Uuid, String)>,
    /// Further rows that are no longer held.
    pub unheld_too: Unheld,
    /// The rows that are held from now on.
    pub held: Vec<source_held::Model>,
    pub ledger: Vec<source_ledger::Model>,
    /// The objects that the call emptied, and that count for a day from now on.
    pub emptied: Vec<source_emptied::Model>,
    pub items: Vec<source_item::Model>,
    pub suspects: Vec<source_suspect::Model>,
    /// The things that are suspected no more, each by its kind and external id.
    pub unsuspected: Vec<(String, String)>,
    /// The revision at which the run started, if the call completed its scan. The suspects of the source are forgotten.
    pub settled: Option<i64>,
    /// The time of the success, if the call ended a full run with success.
    pub succeeded_at: Option<DateTime<Utc>>,
    /// The named request that is answered with the call.
    pub request: Option<request::Model>,
}

impl RunChanges {
    /// Creates the changes of a call that stores nothing but the run.
    pub fn of(step: i64, run: source_run::Model) -> Self {
        Self {
            step,
            run,
            seen: Vec::new(),
            failures: Vec::new(),
            succeeded: Vec::new(),
            unheld: Vec::new(),
            unheld_too: Unheld::default(),
            held: Vec::new(),
            ledger: Vec::new(),
            emptied: Vec::new(),
            items: Vec::new(),
            suspects: Vec::new(),
            unsuspected: Vec::new(),
            settled: None,
            succeeded_at: None,
            request: None,
        }
    }
}
