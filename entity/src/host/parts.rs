//! The columns of a host that are structures: its machine, root device, maintenance, order, step, conditions, failure and
//! the end of its last order.

use async_graphql::{Enum, InputObject, SimpleObject};
use chrono::{DateTime, Utc};
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::state::{HostAct, HostOrderOutcome, HostState};
use crate::long::Long;
use crate::targets::Targets;
use crate::text_map::TextMap;

/// The machine that a host is: a reference to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(rename_all = "camelCase")]
pub enum HostMachine {
    /// A device, by its id.
    Device(Uuid),
    /// A virtual machine, by its id.
    VirtualMachine(Uuid),
}

impl HostMachine {
    /// Returns the id of the machine, whatever its kind.
    pub fn id(self) -> Uuid {
        match self {
            Self::Device(id) | Self::VirtualMachine(id) => id,
        }
    }
}

impl Targets for HostMachine {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        visit(self.id());
    }
}

/// The disk that a system is installed on. All members that are given must hold for the disk; at least one is given.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject, InputObject,
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "RootDevice", input_name = "RootDeviceInput")]
pub struct RootDevice {
    /// The World Wide Name of the disk: at most 253 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wwn: Option<String>,
    /// The serial number of the disk: at most 253 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// The name of the disk, such as `/dev/nvme0n1`: at most 253 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The least size of the disk in bytes, at least 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_size_bytes: Option<Long>,
    /// True for a disk with rotating platters, false for flash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotational: Option<bool>,
}

/// The reasons why a host is in maintenance, each by the name of whoever keeps it there. Empty: it is in none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Maintenance(pub TextMap);

/// The order that a host has, or had last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Wanted {
    /// The id of the order, which never comes again. An order from the time before orders had ids has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    pub act: HostAct,
    /// The profile that is booted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Uuid>,
    /// The variables that the profile reads.
    #[serde(default, skip_serializing_if = "TextMap::is_empty")]
    pub variables: TextMap,
    /// True if the machine may be switched off without being asked to shut down.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub force: bool,
    /// The time after which the order is not begun any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<DateTime<Utc>>,
    /// True if the order covers a machine that runs: a person said so, for this host alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub covers_running: bool,
    /// True if the order was given for this host alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
    /// True if the discovery of a REGISTERED host makes it AVAILABLE.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adopt: bool,
    /// The state in which the order was given. A host goes back to it when the order is refused. An order from the time
    /// before this was kept has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_in: Option<HostState>,
    /// The outcome with which the order is to end. Controllers begin no further step for it that touches the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<HostOrderOutcome>,
}

impl Targets for Wanted {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        self.profile.each(visit);
    }
}

/// The names that the machine of a host had at the first look at it. All are absent for a machine that tells nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "HostSeenIdentity")]
pub struct SeenIdentity {
    /// The UUID. Null: the machine says none, or one that means nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// The serial number. Null: the machine says none, or one that means nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// The MAC addresses of its network interfaces. They are read only where neither the UUID nor the serial number could be
    /// compared with what is known of the machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub macs: Vec<String>,
    /// The time of the look.
    pub at: DateTime<Utc>,
}

impl SeenIdentity {
    /// Returns true if the machine says nothing by which it could be recognised.
    pub fn is_silent(&self) -> bool {
        self.uuid.is_none() && self.serial.is_none() && self.macs.is_empty()
    }
}

/// The last time at which somebody asked controllers to look at the machine of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "HostLookAsked")]
pub struct LookAsked {
    /// The time of the claim that asked.
    pub at: DateTime<Utc>,
}

/// The last time at which somebody asked controllers to read the hardware of a host from its BMC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "HostHardwareAsked")]
pub struct HardwareAsked {
    /// The time of the request.
    pub at: DateTime<Utc>,
    /// The person or program that asked.
    pub by: String,
}

/// The hardware that a host had when somebody acknowledged it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "HostAcknowledgedHardware")]
pub struct AcknowledgedHardware {
    /// The amounts that were known, each measure once.
    pub amounts: Vec<HardwareAmount>,
    /// The time of the acknowledgement.
    pub at: DateTime<Utc>,
    /// The caller who acknowledged it.
    pub by: String,
}

/// An amount of hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HardwareAmount {
    /// The measure.
    pub measure: HardwareMeasure,
    /// The amount: a number of parts, or of bytes.
    pub amount: Long,
}

/// A measure of the hardware of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum HardwareMeasure {
    /// The number of processors.
    Processors,
    /// The number of cores of all processors. What a class demands is compared with the number of threads.
    Cores,
    /// The number of threads that all cores run at a time.
    Threads,
    /// The number of memory modules.
    MemoryModules,
    /// The memory in bytes.
    MemoryBytes,
    /// The number of disks; for the demand of a class, of those that fit its conditions.
    Disks,
    /// The size of all disks in bytes.
    DiskBytes,
    /// The number of GPUs.
    Gpus,
    /// The number of network interfaces.
    Interfaces,
    /// The number of other devices.
    Devices,
}

impl HardwareMeasure {
    /// All measures.
    pub const ALL: [Self; 10] = [
        Self::Processors,
        Self::Cores,
        Self::Threads,
        Self::MemoryModules,
        Self::MemoryBytes,
        Self::Disks,
        Self::DiskBytes,
        Self::Gpus,
        Self::Interfaces,
        Self::Devices,
    ];
}

/// The step at which a controller works for a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "HostStep")]
pub struct HostStep {
    /// The attempt that the step belongs to, counted from 1 for each order.
    pub attempt: i32,
    /// The name of the step, such as `power-cycle`.
    pub name: String,
    /// The number of the order that the step belongs to.
    pub of: Long,
    /// The time when the step began.
    pub since: DateTime<Utc>,
}

/// The truth of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "ConditionStatus")]
pub enum ConditionStatus {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// Nobody knows if the condition holds.
    Unknown,
}

/// A condition of a host: something that is worth knowing besides its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "HostCondition")]
pub struct Condition {
    /// The type of the condition, such as `ClassAmbiguous`. A host has at most one condition of a type.
    pub r#type: String,
    /// The truth of the condition.
    pub status: ConditionStatus,
    /// The reason for the status, as one word.
    pub reason: String,
    /// A sentence for operators. Null for a token of a tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// A sentence that tenants see too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_for_tenants: Option<String>,
}

/// The conditions of a host, each type once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Conditions(pub Box<[Condition]>);

/// The failure of a step in the life of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "HostFailure")]
pub struct HostFailure {
    /// The state in which the host failed.
    pub during: HostState,
    /// The reason, as one word.
    pub reason: String,
    /// A sentence that says what went wrong, and what to do.
    pub message: String,
    /// The step that failed, such as `install`. Null: it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The state of the host before the order that failed. Null: it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<HostState>,
    /// True if an installer or a wipe began on the machine, so that its disks hold nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub erased: bool,
    /// True if the machine may boot from the network the next time, because the order had set that and nobody could take it
    /// back. The host is neither released nor overridden before `setHostBoot` has it boot from its disk.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub armed: bool,
}

/// The end of the last order of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LastOrder {
    /// The id of the order. An order from the time before orders had ids has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// The number of the order.
    pub number: Long,
    /// The act that was ordered.
    pub act: HostAct,
    /// The outcome of the order.
    pub outcome: HostOrderOutcome,
    /// The reason for it, as one word; `None` for an order that was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A sentence that says why the order was not done, and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The time when the order ended.
    pub at: DateTime<Utc>,
}
