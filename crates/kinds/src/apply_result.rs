//! The result of an item in an answer: the GraphQL form of an outcome of the write path.

use async_graphql::{Enum, ID, SimpleObject};

use underlay_engine::write::{self, Outcome, Recognised, SkipReason, Status};
use underlay_inventory::Refusal;

/// The result of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum ApplyStatus {
    /// The object was created.
    Created,
    /// Some fields of the object changed.
    Updated,
    /// The object already had the values of the item.
    Unchanged,
    /// The object was deleted.
    Deleted,
    /// The item was refused.
    Failed,
    /// The item was not refused, but another one of the batch was, and so nothing of the batch was written: it was sent in
    /// the mode ATOMIC. An object that would have been created has no id.
    NotWritten,
}

impl From<Status> for ApplyStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Created => Self::Created,
            Status::Updated => Self::Updated,
            Status::Unchanged => Self::Unchanged,
            Status::Deleted => Self::Deleted,
            Status::Failed => Self::Failed,
            Status::NotWritten => Self::NotWritten,
        }
    }
}

/// The way in which the object of an item was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "Recognised")]
pub enum RecognisedBy {
    /// By the id that the item gives.
    Id,
    /// By the external id that the item gives, of the source of the batch.
    ExternalId,
    /// By its key: the name within its parent. A cable without a name is recognised by its first A end.
    Key,
    /// No object was recognised: the item creates one.
    Created,
}

/// A field that was left as it is.
#[derive(Clone, Debug, SimpleObject)]
pub struct SkippedField {
    /// The name of the field. An entry of labels, attributes or external references is named like `labels.env`.
    pub field: String,
    /// The manager that owns the field: `source:NAME` or `user:NAME`.
    pub manager: String,
    /// The reason why the field was left as it is.
    pub reason: SkippedReason,
}

/// The reason why a field was left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "SkipReason")]
pub enum SkippedReason {
    /// Another manager owns the field.
    Managed,
    /// The field would be emptied, or get a value that others get too and that replaces several different ones. The
    /// source has emptied or removed as much as its limits allow within 24 hours. An operator must approve the run.
    Held,
}

/// The reason why an item was refused.
#[derive(Clone, Debug, SimpleObject)]
pub struct ApplyError {
    /// The error code, as in the extensions of GraphQL errors.
    pub code: String,
    /// The field that the error is about. Null if it is about the whole item.
    pub field: Option<String>,
    /// A sentence that says what is wrong and what is allowed.
    pub message: String,
}

impl From<&Refusal> for ApplyError {
    fn from(refusal: &Refusal) -> Self {
        Self {
            code: refusal.code().as_str().to_owned(),
            field: refusal.field().map(str::to_owned),
            message: refusal.to_string(),
        }
    }
}

/// The result of one item.
#[derive(Clone, Debug, SimpleObject)]
pub struct ApplyResult {
    /// The result. If the payload has no revision, nothing was written, and this is the result that the item would have
    /// had.
    pub status: ApplyStatus,
    /// The kind of the object.
    pub kind: Option<&'static str>,
    /// The id of the object.
    pub id: Option<ID>,
    /// The name of the object.
    pub name: Option<String>,
    /// The way in which the object was recognised. Null if the item was refused before that.
    pub by: Option<RecognisedBy>,
    /// The external id that the item gives. Null if it gives none.
    pub external_id: Option<String>,
    /// The fields that were not changed.
    pub skipped: Vec<SkippedField>,
    /// The reason why the item was refused. Null if it was not refused.
    pub error: Option<ApplyError>,
}

impl From<&Outcome> for ApplyResult {
    fn from(outcome: &Outcome) -> Self {
        let skipped = |it: &write::Skipped| SkippedField {
            field: it.field.clone(),
            manager: it.manager.clone(),
            reason: it.reason.into(),
        };
        Self {
            status: outcome.status.into(),
            kind: outcome.kind,
            id: outcome.id.map(ID::from),
            name: outcome.name.clone(),
            by: outcome.by.map(Into::into),
            external_id: outcome.external_id.clone(),
            skipped: outcome.skipped.iter().map(skipped).collect(),
            error: outcome.error.as_ref().map(ApplyError::from),
        }
    }
}
