//! The inputs of the mutations that controllers call.

use async_graphql::{Enum, ID, InputObject};
use chrono::{DateTime, Utc};
use serde::Serialize;
use underlay_entity::host::{ConditionStatus, HostOrderOutcome, HostPower, HostState};
use underlay_entity::long::Long;
use underlay_entity::machine::{CpuArchitecture, Disk};

use crate::scalars::{FreeJson, Revision};

/// Reports of a controller.
#[derive(Clone, Debug, InputObject)]
pub struct ReportHostsInput {
    /// The controller, by the name with which it took its leases.
    pub holder: String,
    /// The reports: at most 1,000, each about another host.
    pub reports: Vec<HostReportInput>,
}

/// A report about a host.
#[derive(Clone, Debug, InputObject)]
pub struct HostReportInput {
    /// The id of the host.
    pub host: ID,
    /// The lease of the host: `hosts/NN` of a controller without a site, or `hosts/SITE/NN` of one that serves the site of
    /// the host. NN is the last byte of the host's id modulo 64, in two digits, and SITE is the id of the site.
    pub lease: String,
    /// The epoch under which the controller holds the lease.
    pub epoch: Long,
    /// The reported fields after a change. Absent: they stay as they are.
    pub change: Option<HostChangeInput>,
    /// The last observation. It makes no revision. Absent: there is no new one.
    pub observed: Option<HostObservedInput>,
    /// The acts since the last report, in their order: at most 100.
    pub acts: Option<Vec<HostHistoryInput>>,
    /// True deletes a host that is marked for it, after everything outside was cleared up. Defaults to false.
    pub cleared: Option<bool>,
}

/// The reported fields of a host after a change. All of them are replaced.
#[derive(Clone, Debug, InputObject)]
pub struct HostChangeInput {
    /// The `observedVersion` of the host on which the change is based. The report is refused if there is a newer one.
    pub based_on: Revision,
    /// The `generation` of the host on which the change is based. The report is refused if there is a newer order.
    pub generation: Long,
    /// The id of the order on which the change is based, `Host.wanted.id`. The report is refused if the order with this
    /// number has another one, as after a restore. Absent: only the number is compared.
    pub order: Option<ID>,
    /// The state. It changes only for an order that is open.
    pub state: HostState,
    /// The power that was last seen.
    pub power: HostPower,
    /// The step at which the controller works. Absent: it works at none.
    pub step: Option<HostStepInput>,
    /// The number of the last order that is done or has failed.
    pub generation_done: Long,
    /// The conditions: at most 32, each type once.
    pub conditions: Vec<HostConditionInput>,
    /// The failure. Absent: there is none.
    pub failure: Option<HostFailureInput>,
    /// The end of the order, if this change ends one that was not done: `generationDone` becomes `generation`. Absent: an
    /// order that ends is done, or it failed if the host becomes FAILED.
    pub ended: Option<HostOrderEndInput>,
    /// What the machine said of itself at a look. It is kept if nothing is known yet. Absent: nobody looked.
    pub seen_identity: Option<HostSeenIdentityInput>,
    /// Facts that were found. The server sets the machine, and the class of a host that is discovered without one.
    pub facts: Option<HostFactsInput>,
}

/// A step of an order. The server sets the time when it began.
#[derive(Clone, Debug, InputObject)]
pub struct HostStepInput {
    /// The attempt that the step belongs to, counted from 1.
    pub attempt: i32,
    /// The name of the step, such as `power-cycle`.
    pub name: String,
    /// The number of the order that the step belongs to.
    pub of: Long,
}

/// A condition of a host.
#[derive(Clone, Debug, InputObject)]
pub struct HostConditionInput {
    /// The type of the condition.
    pub r#type: String,
    /// The truth of the condition.
    pub status: ConditionStatus,
    /// The reason for the status, as one word.
    pub reason: String,
    /// A sentence for operators.
    pub message: Option<String>,
    /// A sentence that tenants see too.
    pub message_for_tenants: Option<String>,
}

/// The failure of a step.
#[derive(Clone, Debug, InputObject)]
pub struct HostFailureInput {
    /// The state in which the host failed.
    pub during: HostState,
    /// The reason, as one word.
    pub reason: String,
    /// A sentence that says what went wrong, and what to do.
    pub message: String,
    /// The step that failed, such as `install`.
    pub step: Option<String>,
    /// The state of the host before the order that failed.
    pub before: Option<HostState>,
    /// True if an installer or a wipe began on the machine, so that its disks hold nothing. Defaults to false.
    #[graphql(default)]
    pub erased: bool,
    /// True if the machine may boot from the network the next time, though the order ended. Defaults to false.
    #[graphql(default)]
    pub armed: bool,
}

/// The end of an order that was not done.
#[derive(Clone, Debug, InputObject)]
pub struct HostOrderEndInput {
    /// The outcome.
    pub outcome: HostOrderOutcome,
    /// The reason, as one word.
    pub reason: String,
    /// A sentence that says what went wrong, and what to do.
    pub message: String,
}

/// The names that a machine had at a look. All are absent for a machine that tells nothing.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HostSeenIdentityInput {
    /// The UUID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The serial number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// The MAC addresses of its network interfaces: at most 64.
    #[graphql(default)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub macs: Vec<String>,
    /// The time of the look.
    pub at: DateTime<Utc>,
}

/// Facts that a discovery found.
#[derive(Clone, Debug, Default, InputObject)]
pub struct HostFactsInput {
    /// The serial numbers and UUIDs by which the machine identifies itself: at most 8.
    #[graphql(default)]
    pub identities: Vec<String>,
    /// The MAC address of the port that the machine boots from.
    pub boot_mac: Option<String>,
    /// The number of processor cores.
    pub cpu_cores: Option<i32>,
    /// The instruction set of the processors.
    pub cpu_architecture: Option<CpuArchitecture>,
    /// The size of the memory in bytes.
    pub memory_bytes: Option<Long>,
    /// The disks: at most 256. Absent: they are not known.
    pub disks: Option<Vec<Disk>>,
}

/// The last observation of a host.
#[derive(Clone, Debug, InputObject)]
pub struct HostObservedInput {
    /// The time at which something of the host answered last.
    pub seen_at: DateTime<Utc>,
    /// The last time at which the power was seen.
    pub power_at: Option<DateTime<Utc>>,
    /// Further data about the observation, for controllers: at most 4,096 bytes of JSON.
    pub detail: Option<FreeJson>,
}

/// The part of an act that an entry is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum)]
pub enum HostHistoryPart {
    /// The act, which has ended.
    #[default]
    Whole,
    /// Its beginning: it is made when the change of the same report is written, and the entry is kept only then.
    Begin,
    /// Its end. The entry takes the place of the last one, if that is the beginning.
    End,
}

/// An act of a driver or a provisioner.
#[derive(Clone, Debug, InputObject)]
pub struct HostHistoryInput {
    /// The time of the act.
    pub at: DateTime<Utc>,
    /// The act, as one word: 1 to 253 characters.
    pub act: String,
    /// A sentence about the act, and how it ended: at most 2,000 characters.
    pub message: String,
    /// The part of the act that the entry is about. Defaults to WHOLE.
    #[graphql(default)]
    pub part: HostHistoryPart,
}

/// The reason for which controllers may only observe.
#[derive(Clone, Debug, InputObject)]
pub struct ObserveHostsInput {
    /// The reason, as a sentence for operators: 1 to 2,000 characters.
    pub reason: String,
}
