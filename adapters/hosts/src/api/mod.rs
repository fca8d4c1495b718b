//! The server, as the host controller sees it.

#[cfg(test)]
pub mod model;
mod remote;
mod secret;
mod wire;

use std::future::Future;

use serde::Deserialize;
use thiserror::Error;
use underlay_kit::control::{LeaseServer, Position};
use uuid::Uuid;

pub use remote::Remote;
pub use secret::Recipient;

use crate::host::{Condition, Ended, Facts, Host, HostFailure, Observed, Power, SeenIdentity, State, Step, Time};
use crate::machine::Secret;
use crate::provisioner::Registered;

/// The maximum number of reports in a call.
pub const MAX_REPORTS: usize = 1_000;

/// The maximum number of strays that are listed for a provisioner.
pub const MAX_STRAYS: usize = 1_000;

/// The maximum number of acts in a report.
pub const MAX_ACTS: usize = 100;

/// The calls that the controller makes. All of them may be made again when they fail in passing.
pub trait Api: LeaseServer<Error = ApiError> {
    /// Returns the state of the server as a whole. `known` is the newest position that the caller knows, with which the
    /// server compares its log.
    fn hosts_status(&self, known: Option<&Position>) -> impl Future<Output = Result<HostsStatus, ApiError>> + Send;

    /// Returns true if a host is ACQUIRED or later in its life. It costs a look at all hosts.
    fn has_taken_hosts(&self) -> impl Future<Output = Result<bool, ApiError>> + Send;

    /// Returns the id of a site, or `None` if there is none with this name.
    fn site(&self, name: &str) -> impl Future<Output = Result<Option<Uuid>, ApiError>> + Send;

    /// Returns a page of all hosts, and the position of the next page.
    fn hosts(&self, after: Option<String>) -> impl Future<Output = Result<HostPage, ApiError>> + Send;

    /// Reads a host, or `None` if there is none, with the state of the server.
    fn host(&self, id: Uuid, known: Option<&Position>) -> impl Future<Output = Result<Read, ApiError>> + Send;

    /// Returns the MAC addresses of the ports of a host's machine, as far as they are known.
    fn macs(&self, host: Uuid) -> impl Future<Output = Result<Vec<String>, ApiError>> + Send;

    /// Waits for changes of hosts after a position, for half a minute at most.
    ///
    /// # Errors
    /// [`ApiError::NoSuchPosition`] means that the server cannot go on at the position.
    fn changes(&self, after: &Position) -> impl Future<Output = Result<Changes, ApiError>> + Send;

    /// Writes reports, at most [`MAX_REPORTS`], each on its own. Returns the outcomes in their order, with the state of the
    /// server afterwards.
    fn report(
        &self,
        reports: &[Report],
        known: Option<&Position>,
    ) -> impl Future<Output = Result<Reported, ApiError>> + Send;

    /// Sets observe only, for a reason that operators read. Only an operator clears it.
    fn observe_only(&self, reason: &str) -> impl Future<Output = Result<(), ApiError>> + Send;

    /// Deletes a host that is marked so, after everything outside was cleared up.
    fn delete(&self, host: Uuid, fence: &Fence) -> impl Future<Output = Result<(), ApiError>> + Send;

    /// Returns the orders to list the machines of appliances that nobody has done yet.
    fn enlistments(&self) -> impl Future<Output = Result<Vec<Enlistment>, ApiError>> + Send;

    /// Writes the machines that an appliance lists, at most [`MAX_REPORTS`] in a call.
    fn enlist(&self, listing: &Listing) -> impl Future<Output = Result<(), ApiError>> + Send;

    /// Writes what exists at a provisioner and the graph does not know, in the place of what was written before.
    fn report_strays(&self, strays: &Strays) -> impl Future<Output = Result<(), ApiError>> + Send;

    /// Returns the time at which the hardware of a host, as its BMC tells it, was last reported, by the clock of the server.
    fn hardware_reported_at(&self, host: Uuid) -> impl Future<Output = Result<Option<Time>, ApiError>> + Send;

    /// Writes the hardware of a host as its BMC tells it, in the place of what was written before.
    fn report_hardware(&self, hardware: &Hardware) -> impl Future<Output = Result<(), ApiError>> + Send;

    /// Reads a secret for a connection. The server refuses it if the object has another connection by now.
    fn secret(&self, credential: Uuid, recipient: &Recipient) -> impl Future<Output = Result<Secret, ApiError>> + Send;
}

/// The state of the server that every act depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostsStatus {
    /// The history of the database and the newest position that the answer is about.
    pub position: Position,
    /// What the server has of the position that the caller knows.
    pub standing: Standing,
    /// True while controllers may only observe.
    pub is_observe_only: bool,
    /// The time of the server.
    pub now: Time,
}

/// The way in which a position that a controller knows stands to a server and to the log of its database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Standing {
    /// The server has its revision, and the same batch made it.
    Held,
    /// The server does not have its revision, or not yet.
    Missing,
    /// Another batch made its revision.
    Replaced,
    /// The retention has dropped its revision, so nobody can compare the batch. That shows no rollback: what a server drops
    /// is older than what it has.
    Pruned,
}

/// A page of hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPage {
    pub hosts: Vec<Host>,
    /// The position of the next page; `None` after the last one.
    pub next: Option<String>,
}

/// A host, with the state of the server at the same revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    pub host: Option<Host>,
    pub status: HostsStatus,
}

/// The changes after a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The hosts that changed.
    pub hosts: Vec<Uuid>,
    /// The position after these changes.
    pub position: Position,
}

/// The right to report: the lease of the host. The server refuses one that is not in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    /// The name of the lease.
    pub lease: String,
    pub epoch: u64,
}

/// A report about a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub host: Uuid,
    /// The right to report.
    pub fence: Fence,
    /// The change of the reported fields.
    pub change: Option<Change>,
    /// The observations, which make no revision.
    pub observed: Option<Observed>,
    /// The acts since the last report, in their order: at most [`MAX_ACTS`].
    pub acts: Vec<Line>,
}

/// A line in the history of a host: an act of a driver or a provisioner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The time of the act.
    pub at: Time,
    /// The act, as one word.
    pub act: String,
    /// A sentence about the act, and how it ended.
    pub message: String,
    pub part: Part,
}

/// The part of an act that a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The act, which has ended.
    Whole,
    /// Its beginning, which is kept only if the change in the same report is written.
    Begin,
    /// Its end, which takes the place of its beginning.
    End,
}

/// The reported fields of a host after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The observed version that the change is based on. The server refuses the change if there is a newer one.
    pub based_on: i64,
    /// The number of the order that it is about. The server refuses the change if there is a newer order.
    pub generation: i64,
    /// The id of the order that it is about. The server refuses the change if the order with this number has another one.
    pub order: Option<Uuid>,
    pub state: State,
    pub power: Power,
    /// The step. The server sets the time of a step that was not there before.
    pub step: Option<Step>,
    /// The number of the last order that is done or failed.
    pub generation_done: i64,
    pub conditions: Vec<Condition>,
    /// The reason why the host failed.
    pub failure: Option<HostFailure>,
    /// The end of the order, if this change ends one that was not done.
    pub ended: Option<Ended>,
    /// What its machine says of itself. It is reported only if nothing is known.
    pub seen_identity: Option<SeenIdentity>,
    /// Facts that were found out.
    pub facts: Option<Facts>,
}

impl Change {
    /// Returns the reported fields as they are.
    pub fn of(host: &Host) -> Self {
        Self {
            based_on: host.observed_version,
            generation: host.generation,
            order: host.order_key().id,
            state: host.state,
            power: host.power,
            step: host.step.clone(),
            generation_done: host.generation_done,
            conditions: host.conditions.clone(),
            failure: host.failure.clone(),
            ended: None,
            seen_identity: host.seen_identity.clone(),
            facts: None,
        }
    }
}

/// An order to list the machines of an appliance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enlistment {
    pub appliance: Uuid,
    pub name: String,
    /// Its address.
    pub url: Option<String>,
    /// The credential with which it is opened.
    pub credential: Option<Uuid>,
    /// The id of its site.
    pub site: Option<Uuid>,
    /// The number of the order.
    pub number: i64,
    /// True if the new hosts are discovered, which depends on their power.
    pub discover: bool,
}

/// Machines that an appliance lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    pub appliance: Uuid,
    /// The number of the order.
    pub number: i64,
    /// The right to write them: the lease of the appliance.
    pub fence: Fence,
    pub machines: Vec<Listed>,
    /// True if more come in another call.
    pub more: bool,
    /// The reason why they cannot be listed.
    pub error: Option<String>,
}

/// A machine that an appliance lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name of the machine there.
    pub name: String,
    /// The address of the machine.
    pub url: String,
    /// The UUID or serial number by which it identifies itself.
    pub uid: Option<String>,
    /// Its serial number, if `uid` is a UUID.
    pub serial: Option<String>,
    /// The MAC address that it boots from.
    pub boot_mac: Option<String>,
    /// Its power, if that was looked at.
    pub power: Power,
}

/// The machines at a provisioner that the graph does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strays {
    /// The name of the provisioner.
    pub provisioner: String,
    /// The right to write them: the lease of the provisioner.
    pub fence: Fence,
    /// The first of them by their names, at most [`MAX_STRAYS`].
    pub listed: Vec<Registered>,
    /// The number of all of them.
    pub total: usize,
}

/// The hardware of a host, as its BMC tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hardware {
    pub host: Uuid,
    /// The right to report.
    pub fence: Fence,
    pub report: underlay_facts::Report,
}

/// The answer to reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// The outcomes in the order of the reports: the host as it is now, or the reason why the report was refused.
    pub outcomes: Vec<Result<Host, Refusal>>,
    pub status: HostsStatus,
}

/// The reason why a report was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The lease is held by another controller, or has ended.
    #[error("the lease is not in force any more")]
    OldEpoch,
    /// The host changed meanwhile.
    #[error("the host changed meanwhile")]
    Changed,
    /// The host is not there any more.
    #[error("the host is not there any more")]
    Gone,
    /// The server refuses the report for another reason.
    #[error("{0}")]
    Other(String),
}

/// The reason why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ApiError {
    /// The server cannot be reached. A write may have been committed nevertheless.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The server cannot go on at a position: it is of another history, was rolled back, is a replica that is behind, or has
    /// dropped the revision from its log.
    #[error("the server cannot go on at the position in its change log")]
    NoSuchPosition,
    /// The server refuses the call.
    #[error("the server refuses: {0}")]
    Refused(String),
}
