//! The root field that reports to callers who they are to this server, and what they may do.
//!
//! Guarantee: the answer agrees with what the server does. A test compares both for every role and every field
//! (`tests/it/laws/roles.rs`).

use std::sync::LazyLock;

use async_graphql::{Context, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::measure;
use underlay_engine::access::{READING_SECRETS, READING_STRAYS, Role, WriteKind};
use underlay_kinds::request::Request;

/// The caller of this request, as the server authenticated it.
#[derive(Clone, Copy, Debug)]
pub struct Viewer;

/// A root field that not every caller who may read may use, and the caller's permission.
#[derive(Clone, Debug, SimpleObject)]
pub struct Permission {
    /// The root field with its type, such as `Mutation.deleteRack`.
    pub field: String,
    /// True if the caller may use the field. The server can still refuse a part of it: the fields of objects that the
    /// roles may not set, or another source than the caller's own.
    pub allowed: bool,
    /// The roles of which a caller needs one to use the field. A caller that belongs to a tenant may not use it with any
    /// role.
    pub needs: Vec<&'static str>,
}

/// A right that a root field requires.
#[derive(Clone, Copy, Debug)]
enum Right {
    Write(WriteKind<'static>),
    ReadSecrets,
    ReadStrays,
}

/// The queries that require more than a role that may read.
const QUERIES: [(&str, Right); 3] = [
    ("enrolmentTokens", Right::Write(WriteKind::RevokeAgentTokens)),
    ("secret", Right::ReadSecrets),
    ("strays", Right::ReadStrays),
];

/// The way in which each mutation writes, but for those that create, update or delete an object.
const MUTATIONS: [(&str, WriteKind<'static>); 46] = {
    use WriteKind::{
        AcceptClock, Apply, Boot, Decide, IssueAgentTokens, Lease, Order, Override, Release, Report, Resume,
        RevokeAgentTokens, RotateSecrets, Run, SetSecrets, Single,
    };
    [
        ("acceptClock", AcceptClock),
        ("acceptMachines", Order),
        ("acknowledgeHardware", Order),
        ("acquireHosts", Order),
        ("adoptHosts", Order),
        ("answerBoot", Boot),
        ("apply", Apply { source: None }),
        ("approveRun", Decide),
        ("cancelHosts", Order),
        ("cancelRun", Run { source: None }),
        ("closeBootAttempt", Report),
        ("discoverHosts", Order),
        ("enlistAppliance", Single),
        ("enlistHosts", Report),
        ("finishRun", Run { source: None }),
        ("installHosts", Order),
        ("issueAgentToken", IssueAgentTokens),
        ("issueEnrolmentToken", IssueAgentTokens),
        ("observeHosts", Report),
        ("openBootAttempt", Report),
        ("overrideHost", Override),
        ("readHardware", Order),
        ("registerAppliance", Single),
        ("rejectRun", Decide),
        ("releaseFields", Release),
        ("releaseHosts", Order),
        ("releaseLeases", Lease),
        ("releaseSource", Release),
        ("renewLeases", Lease),
        ("replaceDevice", Order),
        ("reportBoot", Boot),
        ("reportHardware", Report),
        ("reportHosts", Report),
        ("reportRun", Run { source: None }),
        ("reportStrays", Report),
        ("resumeHosts", Resume),
        ("retryHosts", Order),
        ("revokeAgentToken", RevokeAgentTokens),
        ("revokeEnrolmentToken", RevokeAgentTokens),
        ("rotateSecrets", RotateSecrets),
        ("setHostBoot", Order),
        ("setHostPower", Order),
        ("setSecrets", SetSecrets),
        ("settleRun", Run { source: None }),
        ("startRun", Run { source: None }),
        ("takeLeases", Lease),
    ]
};

/// The root fields that require a right, with their types.
static RIGHTS: LazyLock<Vec<(String, Right)>> = LazyLock::new(|| {
    let mutations =
        measure::mutations().filter_map(|name| Some((format!("Mutation.{name}"), Right::Write(kind(name)?))));
    let queries = QUERIES.into_iter().map(|(name, right)| (format!("Query.{name}"), right));
    mutations.chain(queries).collect()
});

/// Returns the way in which a mutation writes.
fn kind(mutation: &str) -> Option<WriteKind<'static>> {
    if let Some((_, kind)) = MUTATIONS.iter().find(|(name, _)| *name == mutation) {
        return Some(*kind);
    }
    match mutation {
        name if name.starts_with("create") || name.starts_with("delete") => Some(WriteKind::Single),
        name if name.starts_with("update") => Some(WriteKind::Update),
        _ => None,
    }
}

impl Right {
    fn is_of(self, request: &Request) -> bool {
        match self {
            Self::Write(kind) => request.permits(kind).is_ok(),
            Self::ReadSecrets => request.secrets_to_read().is_ok(),
            Self::ReadStrays => request.strays_to_read().is_ok(),
        }
    }

    fn needs(self) -> &'static [Role] {
        match self {
            Self::Write(kind) => kind.needs(),
            Self::ReadSecrets => &READING_SECRETS,
            Self::ReadStrays => &READING_STRAYS,
        }
    }
}

/// The caller of this request, as the server authenticated it.
#[Object]
impl Viewer {
    /// The name of the caller, which the change log records.
    async fn actor<'a>(&self, context: &'a Context<'_>) -> &'a str {
        Request::of(context).caller().actor()
    }

    /// The roles of the caller that this server knows, by their names in tokens.
    async fn roles(&self, context: &Context<'_>) -> Vec<&'static str> {
        Request::of(context).caller().roles().iter().map(Role::name).collect()
    }

    /// The tenant to which the caller belongs, and whose view of the inventory it gets. Null if it sees everything.
    async fn tenant<'a>(&self, context: &'a Context<'_>) -> Option<&'a str> {
        Request::of(context).caller().tenant()
    }

    /// The source in whose name the caller writes batches. Null if its token names none.
    async fn source<'a>(&self, context: &'a Context<'_>) -> Option<&'a str> {
        Request::of(context).caller().source()
    }

    /// The time until which the server accepts the token of the caller, in UTC. Null if it never expires.
    async fn expires(&self, context: &Context<'_>) -> Option<DateTime<Utc>> {
        Request::of(context).caller().until().map(DateTime::from)
    }

    /// The root fields that require more than a role that may read: all mutations, and some queries.
    async fn may(&self, context: &Context<'_>) -> Vec<Permission> {
        let request = Request::of(context);
        let permission = |(field, right): &(String, Right)| Permission {
            field: field.clone(),
            allowed: right.is_of(request),
            needs: right.needs().iter().map(|role| role.name()).collect(),
        };
        RIGHTS.iter().map(permission).collect()
    }
}

/// The root field about the caller.
#[derive(Debug, Default)]
pub struct ViewerRoots;

/// The root field about the caller.
#[Object]
impl ViewerRoots {
    /// The caller of this request: its name, its roles and what it may do.
    async fn viewer(&self) -> Viewer {
        Viewer
    }
}
