//! The enrolment of agents: a machine says what it is, and gets the token with which its agent reports.
//!
//! Guarantees: a machine gets the token of a host only if it is this host and no other one by what it says of itself. A host
//! that has or had a token gets another one by an enrolment only after it was released. An agent that did not get the answer
//! asks again and gets the same one.

mod api;
mod identify;
mod register;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use thiserror::Error;
use underlay_engine::facts::{EnrolmentRefusal, EnrolmentToken, Facts, OwnToken};
use underlay_engine::runtime::run_in_background;
use underlay_engine::sources::Sources;
use underlay_engine::store::{EnrolmentTerms, StoreError, Strangers};
use underlay_entity::facts::FactsOrigin;
use underlay_entity::host::{HostAct, HostOrderOutcome, HostState, Model};
use underlay_error::{Code, Refusal};
use underlay_facts::Report;
use underlay_inventory::Snapshot;
use uuid::Uuid;

use self::identify::{Candidates, Member, said_of_board};
use crate::host::{Host, host_site};
use crate::hosts::machine_settings;

pub use self::api::{EnrolmentMutation, EnrolmentRoots};
pub use self::identify::{Identified, MachineIdentity, judge};

/// The greatest number of hosts that a refusal names.
const MAX_NAMED: usize = 5;
/// The greatest number of hosts whose last facts are compared with a machine. As many share a serial number only where it
/// means nothing.
const MAX_COMPARED: usize = 20;

/// The agent of a host that was enrolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnrolledHost {
    /// The id of the host.
    pub id: Uuid,
    /// The name of the host.
    pub name: String,
}

/// The reason why a machine is not enrolled.
#[derive(Debug, Error)]
pub enum EnrolError {
    /// Several hosts fit as well.
    #[error(
        "this machine can be any of the hosts {hosts}: give one of them what tells them apart, such as its bootMac"
    )]
    Tie { hosts: String },
    /// Members of the machine lead to different hosts.
    #[error("what this machine says of itself leads to different hosts, {hosts}: correct what one of them has")]
    Contradiction { hosts: String },
    /// No host fits.
    #[error(
        "no host has a MAC address, the UUID or the serial number of this machine: give a host one of them, or use a token \
         that registers machines"
    )]
    Nobody,
    /// A machine is to be registered that says too little of itself.
    #[error(
        "this machine has neither a UUID nor a serial number nor a single interface by which it can be found again: make a host for it"
    )]
    Nameless,
    /// The host is not one that the token is for.
    #[error("this machine is the host {host}, which is not of the {what} that the token of the enrolment is for")]
    OutOfScope { host: String, what: &'static str },
    /// The token, or that of the agent, is not accepted.
    #[error("{0}")]
    Refused(#[from] EnrolmentRefusal),
    /// The machine cannot be registered.
    #[error("this machine cannot be registered as a host: {0}")]
    NotRegistered(Refusal),
    /// The database does not answer.
    #[error("the agent could not be enrolled: {0}")]
    Store(#[from] StoreError),
}

impl EnrolError {
    /// Returns the code of the error for clients.
    pub fn code(&self) -> Code {
        match self {
            Self::Tie { .. } | Self::Contradiction { .. } => Code::Ambiguous,
            Self::Nobody | Self::Nameless => Code::NotFound,
            Self::OutOfScope { .. } => Code::Forbidden,
            Self::NotRegistered(refusal) => refusal.code(),
            Self::Store(_) | Self::Refused(EnrolmentRefusal::Store(_)) => Code::Unavailable,
            Self::Refused(refusal) => match refusal {
                EnrolmentRefusal::BadAgentToken => Code::Invalid,
                EnrolmentRefusal::HasToken { .. } => Code::Forbidden,
                _ => Code::Unauthenticated,
            },
        }
    }
}

/// Enrols the agent of the machine that a report is about, with the token that the agent made.
///
/// # Errors
/// Returns an error if the machine is no host for which the token of the enrolment is, or if the database does not answer.
pub async fn enrol(
    facts: &Facts,
    sources: &Sources,
    by: &EnrolmentToken,
    own: OwnToken,
    report: &Report,
) -> Result<EnrolledHost, EnrolError> {
    let mut snapshot = sources.current();
    let identity = MachineIdentity::of(&report.sections, &machine_settings(&snapshot).ignored_identities);
    let host = match identified(facts, &snapshot, &identity).await? {
        Identified::Host(host) => host,
        Identified::Tie(hosts) => return Err(EnrolError::Tie { hosts: names(&snapshot, &hosts) }),
        Identified::Contradiction(hosts) => return Err(EnrolError::Contradiction { hosts: names(&snapshot, &hosts) }),
        Identified::Nobody => match by.terms.strangers {
            Strangers::Refused => return Err(EnrolError::Nobody),
            Strangers::Registered if !identity.is_lasting() => return Err(EnrolError::Nameless),
            Strangers::Registered => {
                let host;
                (host, snapshot) =
                    register::register(sources, by, &identity, report).await.map_err(EnrolError::NotRegistered)?;
                host
            }
        },
    };
    let Some(row) = snapshot.get::<Host>(host) else { return Err(EnrolError::Nobody) };
    in_scope(&snapshot, row, &by.terms)?;
    facts.enrol(host, own, by, released_at(row)).await?;
    Ok(EnrolledHost { id: host, name: row.name.to_string() })
}

async fn identified(
    facts: &Facts,
    snapshot: &Arc<Snapshot>,
    identity: &MachineIdentity,
) -> Result<Identified, StoreError> {
    let mut candidates = run_in_background(|| identity.candidates(snapshot));
    if let Some(board) = identity.board_serial().filter(|_| (2..=MAX_COMPARED).contains(&candidates.len())) {
        add_boards(facts, snapshot, board, &mut candidates).await?;
    }
    Ok(judge(&candidates))
}

/// Gives a point to the hosts whose agents reported this mainboard last. The word of others does not count.
async fn add_boards(
    facts: &Facts,
    snapshot: &Snapshot,
    board: &str,
    candidates: &mut Candidates,
) -> Result<(), StoreError> {
    let ignored = &machine_settings(snapshot).ignored_identities;
    let hosts: Vec<Uuid> = candidates.keys().copied().collect();
    for (host, origin, _, report) in facts.reports(&hosts).await? {
        if origin == FactsOrigin::Agent && said_of_board(&report.sections, ignored).as_deref() == Some(board) {
            candidates.entry(host).or_default().insert(Member::BoardSerial);
        }
    }
    Ok(())
}

fn in_scope(snapshot: &Snapshot, host: &Model, terms: &EnrolmentTerms) -> Result<(), EnrolError> {
    let is_out = |wanted: Option<Uuid>, own: Option<Uuid>| wanted.is_some() && wanted != own;
    let out_of = |what| Err(EnrolError::OutOfScope { host: host.name.to_string(), what });
    if is_out(terms.class, host.class_id) {
        return out_of("class");
    }
    if is_out(terms.place, host_site(snapshot, host)) {
        return out_of("site");
    }
    Ok(())
}

/// Returns the time when a host was released, if that is the last thing that was done with it: what ran there before is
/// gone, and with it the token.
fn released_at(host: &Model) -> Option<DateTime<Utc>> {
    let last = host.last_order.as_ref()?;
    let is_released = last.act == HostAct::Release && last.outcome == HostOrderOutcome::Done;
    (is_released && matches!(host.state, HostState::Available | HostState::Registered)).then_some(last.at)
}

fn names(snapshot: &Snapshot, hosts: &[Uuid]) -> String {
    let names = hosts.iter().filter_map(|host| Some(snapshot.get::<Host>(*host)?.name.to_string()));
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    let count = names.len();
    names.truncate(MAX_NAMED);
    let more = if count > MAX_NAMED { format!(" and {} more", count - MAX_NAMED) } else { String::new() };
    names.join(", ") + &more
}
