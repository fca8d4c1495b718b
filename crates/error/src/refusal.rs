//! The reasons for which a write is refused. Each has a code, the field that it is about, and a message that a person
//! can act on.

use std::fmt;

use thiserror::Error;
use uuid::Uuid;

use super::code::Code;
use super::role::Roles;

/// A value that a field cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// The field, with the path into it: `hardware.disks[0].sizeBytes`.
    pub field: String,
    /// The allowed values and the given one, in words that complete a sentence which begins with the field.
    pub reason: String,
}

impl Unfit {
    /// Creates the error for a field, with the reason.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { field: field.into(), reason: reason.into() }
    }

    /// Returns the same error, seen from the field that contains this one.
    pub fn within(self, outer: &str) -> Self {
        let field = match self.field.as_str() {
            "" => outer.to_owned(),
            inner if inner.starts_with('[') => format!("{outer}{inner}"),
            inner => format!("{outer}.{inner}"),
        };
        Self { field, reason: self.reason }
    }
}

/// Objects of one kind that refer to something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Users {
    /// The kind of the objects.
    pub kind: &'static str,
    /// The number of the objects.
    pub count: usize,
    /// The names of the first five objects.
    pub names: Vec<String>,
}

impl fmt::Display for Users {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({}", self.count, self.kind, self.names.join(", "))?;
        match self.count - self.names.len() {
            0 => f.write_str(")"),
            more => write!(f, " and {more} more)"),
        }
    }
}

/// The reason for which a write is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("{field} {reason}")]
    Invalid { field: String, reason: String },
    #[error("{field} is required to create a {kind}")]
    Required { field: String, kind: &'static str },
    #[error("{all} is required to create a {kind}")]
    RequiredOneOf { field: String, all: &'static str, kind: &'static str },
    #[error("{field} cannot be cleared: every {kind} has it")]
    Cleared { field: String, kind: &'static str },
    #[error("{kind} has no field {field}; its fields are {allowed}")]
    UnknownField { field: String, kind: &'static str, allowed: String },
    #[error("there is no kind {kind}; the kinds are {allowed}")]
    UnknownKind { kind: String, allowed: String },
    #[error("{what} does not exist")]
    NotFound { field: String, what: String },
    #[error("{field} cannot change after the {kind} is created: it is {now}")]
    Immutable { field: String, kind: &'static str, now: String },
    #[error("{what} fits {count} objects: {candidates}; name its parents or use its id")]
    Ambiguous { field: String, what: String, count: usize, candidates: String },
    #[error("{what} is already taken by {holder}")]
    Duplicate { field: String, what: String, holder: String },
    /// Two objects would have the same key, external reference or unique value after the batch.
    #[error("{what} is already taken by {holder}; the item writes another object, {claimant}")]
    KeyConflict { field: String, what: String, holder: String, claimant: String },
    #[error("item {item} of the batch writes {what} too: give each object once")]
    WrittenTwice { field: String, what: String, item: usize },
    #[error("{what} is still in use by {}", join(users))]
    InUse { what: String, users: Vec<Users> },
    /// An object that is in use outside of the inventory would be deleted, or lose its placement.
    #[error("{what} cannot {}; {why}", lose(field.as_deref()))]
    Protected { what: String, field: Option<String>, why: String },
    #[error("{message}")]
    Overlap { field: String, message: String },
    #[error("{message}")]
    Incompatible { field: String, message: String },
    #[error("{what} is at version {actual}, not {expected}: read it again and repeat the change")]
    StaleVersion { what: String, expected: i64, actual: i64 },
    #[error("{}; conflicts: FORCE takes over", held(fields))]
    ManagedElsewhere { fields: Vec<(String, String)> },
    #[error(
        "requestId names another request that you made within the last day: a repeat must ask for the same, and every \
         other request needs a name of its own"
    )]
    RequestReused,
    #[error("the batch has {count} {unit}; at most {most} are allowed in one")]
    BatchTooLarge { count: usize, unit: &'static str, most: usize },
    /// The author has none of the roles that may set a field.
    #[error("{field} of a {kind} can be set only with one of the roles {roles}")]
    NotAssigned { field: String, kind: &'static str, roles: Roles },
    #[error("{0}")]
    Forbidden(String),
    #[error("{0}")]
    Unavailable(String),
    #[error("lease {lease} is no longer held under epoch {epoch}: take it again, and decide again what to write")]
    LeaseLost { lease: String, epoch: i64 },
    /// A lease of the whole work is wanted while others hold parts of it, or the other way round.
    #[error(
        "{holder} holds the lease {lease}, and the same work cannot be divided as a whole and by parts at once: give \
         every controller `--within`, or none"
    )]
    LeaseExcluded { lease: String, holder: String },
    #[error("other processes write for the same source: try again")]
    RunOvertaken,
    #[error("others took the hosts that were chosen: try again")]
    ClaimOvertaken,
    #[error("{0}")]
    Timeout(String),
    #[error("{message}")]
    Recorded { code: Code, field: Option<String>, message: String },
    #[error("internal error: the log has the details under {0}")]
    Internal(Uuid),
}

impl Refusal {
    /// Returns the error code for clients.
    pub const fn code(&self) -> Code {
        match self {
            Self::Invalid { .. }
            | Self::Required { .. }
            | Self::RequiredOneOf { .. }
            | Self::Cleared { .. }
            | Self::UnknownField { .. }
            | Self::UnknownKind { .. } => Code::Invalid,
            Self::NotFound { .. } => Code::NotFound,
            Self::Immutable { .. } => Code::Immutable,
            Self::Ambiguous { .. } => Code::Ambiguous,
            Self::Duplicate { .. } | Self::KeyConflict { .. } | Self::WrittenTwice { .. } => Code::Duplicate,
            Self::InUse { .. } | Self::Protected { .. } | Self::LeaseExcluded { .. } => Code::InUse,
            Self::Overlap { .. } => Code::Overlap,
            Self::Incompatible { .. } => Code::Incompatible,
            Self::StaleVersion { .. } => Code::StaleVersion,
            Self::RequestReused => Code::RequestReused,
            Self::LeaseLost { .. } => Code::LeaseLost,
            Self::ManagedElsewhere { .. } => Code::ManagedElsewhere,
            Self::BatchTooLarge { .. } => Code::BatchTooLarge,
            Self::Forbidden(_) | Self::NotAssigned { .. } => Code::Forbidden,
            Self::RunOvertaken | Self::ClaimOvertaken | Self::Unavailable(_) => Code::Unavailable,
            Self::Timeout(_) => Code::Timeout,
            Self::Recorded { code, .. } => *code,
            Self::Internal(_) => Code::Internal,
        }
    }

    /// Returns the field that the error is about; `None` if it is not about a field.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Invalid { field, .. }
            | Self::Required { field, .. }
            | Self::RequiredOneOf { field, .. }
            | Self::Cleared { field, .. }
            | Self::UnknownField { field, .. }
            | Self::NotFound { field, .. }
            | Self::Immutable { field, .. }
            | Self::Ambiguous { field, .. }
            | Self::Duplicate { field, .. }
            | Self::KeyConflict { field, .. }
            | Self::WrittenTwice { field, .. }
            | Self::Overlap { field, .. }
            | Self::NotAssigned { field, .. }
            | Self::Incompatible { field, .. } => Some(field),
            Self::RequestReused => Some("requestId"),
            Self::Recorded { field, .. } | Self::Protected { field, .. } => field.as_deref(),
            Self::ManagedElsewhere { fields } => fields.first().map(|(field, _)| field.as_str()),
            _ => None,
        }
    }

    /// Returns the same error with another text, where it repeats what a client sent.
    pub fn map_text(mut self, change: impl Fn(String) -> String) -> Self {
        match &mut self {
            Self::Invalid { reason: text, .. }
            | Self::NotFound { what: text, .. }
            | Self::Ambiguous { what: text, .. }
            | Self::UnknownKind { kind: text, .. }
            | Self::Overlap { message: text, .. }
            | Self::Incompatible { message: text, .. } => *text = change(std::mem::take(text)),
            _ => {}
        }
        self
    }

    /// Returns the same error, seen from the item that contains the rejected part.
    pub fn within(mut self, outer: &str) -> Self {
        match &mut self {
            Self::Invalid { field, .. }
            | Self::Required { field, .. }
            | Self::RequiredOneOf { field, .. }
            | Self::Cleared { field, .. }
            | Self::UnknownField { field, .. }
            | Self::NotFound { field, .. }
            | Self::Immutable { field, .. }
            | Self::Ambiguous { field, .. }
            | Self::Duplicate { field, .. }
            | Self::KeyConflict { field, .. }
            | Self::WrittenTwice { field, .. }
            | Self::Overlap { field, .. }
            | Self::NotAssigned { field, .. }
            | Self::Incompatible { field, .. } => *field = format!("{outer}.{field}"),
            Self::Protected { field: Some(field), .. } => *field = format!("{outer}.{field}"),
            Self::ManagedElsewhere { fields } => {
                fields.iter_mut().for_each(|(field, _)| *field = format!("{outer}.{field}"));
            }
            _ => {}
        }
        self
    }
}

impl From<Unfit> for Refusal {
    fn from(unfit: Unfit) -> Self {
        Self::Invalid { field: unfit.field, reason: unfit.reason }
    }
}

fn join(users: &[Users]) -> String {
    users.iter().map(Users::to_string).collect::<Vec<_>>().join("; ")
}

fn lose(field: Option<&str>) -> String {
    match field {
        Some(field) => format!("lose its {field}"),
        None => "be removed".to_owned(),
    }
}

fn held(fields: &[(String, String)]) -> String {
    fields.iter().map(|(field, manager)| format!("{field} is held by {manager}")).collect::<Vec<_>>().join(", ")
}

/// The problems that the checks of a batch found: errors, each with the object that it is about.
#[derive(Debug, Default)]
pub struct Problems {
    found: Vec<(Uuid, Refusal)>,
}

impl Problems {
    /// Adds an error about an object.
    pub fn add(&mut self, object: Uuid, refusal: Refusal) {
        self.found.push((object, refusal));
    }

    /// Adds an `INVALID` about a field of an object.
    pub fn invalid(&mut self, object: Uuid, field: &str, reason: impl Into<String>) {
        self.add(object, Refusal::Invalid { field: field.to_owned(), reason: reason.into() });
    }

    /// Adds an `INCOMPATIBLE` about a field of an object.
    pub fn incompatible(&mut self, object: Uuid, field: &str, message: impl Into<String>) {
        self.add(object, Refusal::Incompatible { field: field.to_owned(), message: message.into() });
    }

    /// Adds an `OVERLAP` about a field of an object.
    pub fn overlap(&mut self, object: Uuid, field: &str, message: impl Into<String>) {
        self.add(object, Refusal::Overlap { field: field.to_owned(), message: message.into() });
    }

    /// Returns true if the checks found no problem.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns all problems, in the order in which they were found.
    pub fn into_vec(self) -> Vec<(Uuid, Refusal)> {
        self.found
    }
}
