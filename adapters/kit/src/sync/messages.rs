//! The messages between a synchronizer and the server.

use std::collections::BTreeMap;

use serde::Deserialize;
use uuid::Uuid;

use super::item::ExternalId;

/// The properties that a source gets when the server does not have it yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSource {
    /// The type, such as `files`.
    pub kind: &'static str,
    /// The address of the outside system, if it has one.
    pub url: Option<String>,
    /// The time between two full scans in seconds.
    pub interval_seconds: u64,
    /// The treatment of objects that the source does not have any more.
    pub prune: Prune,
}

/// The treatment of objects that the source does not have any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prune {
    /// They get the status RETIRED.
    Retire,
    /// They are deleted.
    Delete,
    /// They stay.
    Keep,
}

impl Prune {
    /// The name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retire => "RETIRE",
            Self::Delete => "DELETE",
            Self::Keep => "KEEP",
        }
    }
}

/// The extent of a run: everything, or only what hints named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMode {
    /// Everything: what the source does not have any more is judged at the end.
    Full,
    /// Some things.
    Partial,
}

impl RunMode {
    /// The name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "FULL",
            Self::Partial => "PARTIAL",
        }
    }

    /// Returns the mode with a name in the API.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Full, Self::Partial].into_iter().find(|mode| mode.name() == name)
    }
}

/// The request to begin a run. Repeated, it gets the run that it began the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunRequest {
    /// The mode of the run.
    pub mode: RunMode,
    /// The name of the request, which no other request has.
    pub id: Uuid,
}

impl RunRequest {
    /// Returns a new request.
    pub fn new(mode: RunMode) -> Self {
        Self { mode, id: Uuid::new_v4() }
    }
}

/// A run that the server began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// The id of the run.
    pub run: String,
    /// The id of the server's database.
    pub history: String,
    /// The time between two full scans in seconds, as the server has it.
    pub interval_seconds: Option<u64>,
}

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RunState {
    Running,
    Succeeded,
    Failed,
    Held,
    Abandoned,
    Cancelled,
}

/// The state of a run, as the server reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunOutcome {
    /// The state of the run.
    pub state: RunState,
    /// The number of objects that were retired, deleted and released because the source does not have them any more.
    #[serde(default)]
    pub retired: u64,
    #[serde(default)]
    pub deleted: u64,
    #[serde(default)]
    pub released: u64,
    /// The number of objects and fields that wait for an operator.
    #[serde(default)]
    pub held_count: u64,
}

/// The outcome of an item.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ItemOutcome {
    /// The outcome.
    pub status: ItemStatus,
    /// The fields that were left as they are.
    #[serde(default)]
    pub skipped: Vec<Skipped>,
    /// The reason of a refusal.
    pub error: Option<ItemError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ItemStatus {
    Created,
    Updated,
    Unchanged,
    Deleted,
    Failed,
    /// Another item of the batch was refused.
    NotWritten,
}

/// A field that was left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Skipped {
    /// `HELD` if the guard holds it, `MANAGED` if somebody else manages it.
    #[serde(default)]
    pub reason: Option<String>,
}

/// The reason of a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ItemError {
    pub code: String,
    pub field: Option<String>,
    pub message: String,
}

/// The way in which the items of a batch are written: together or each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchMode {
    /// Each by itself.
    PerItem,
    /// All or none.
    Atomic,
}

/// The report of a synchronizer about its run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunReport {
    /// Objects that the source still has, unchanged.
    pub seen: BTreeMap<String, Vec<String>>,
    /// Objects that a look found gone.
    pub gone: Vec<ExternalId>,
    /// The numbers of things that were read, put aside and left out.
    pub counts: Option<(u64, u64, u64)>,
    /// Things that cannot be mapped, as external id, code and sentence.
    pub errors: Vec<(String, String, String)>,
}
