//! The inputs of the mutations of hosts, and the words in them.

use async_graphql::{Enum, ID, InputObject};
use serde::Serialize;
use underlay_entity::host::{HostAct, HostBoot, HostState};
use underlay_entity::text_map::TextMap;

use crate::host::arrival::HostAdoption;
use crate::host_class::HostClassRef;
use crate::hosts::Spread;
use crate::profile::ProfileRef;

/// A change of power that can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum HostPowerChange {
    /// Switch the host on.
    On,
    /// Switch the host off.
    Off,
    /// Switch the host off and on.
    Cycle,
}

impl From<HostPowerChange> for HostAct {
    fn from(change: HostPowerChange) -> Self {
        match change {
            HostPowerChange::On => Self::PowerOn,
            HostPowerChange::Off => Self::PowerOff,
            HostPowerChange::Cycle => Self::PowerCycle,
        }
    }
}

/// The single failures over which hosts are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum HostSpread {
    /// The racks that the machines stand in.
    Rack,
    /// Power feeds, PDUs and UPSs, by the rules of `impact`.
    Power,
    /// Devices that forward traffic, by the rules of `impact`.
    Switch,
    /// All of these, and racks, patch panels and circuits, by the rules of `impact`.
    Failure,
}

impl From<HostSpread> for Spread {
    fn from(spread: HostSpread) -> Self {
        match spread {
            HostSpread::Rack => Self::Enclosure,
            HostSpread::Power => Self::Power,
            HostSpread::Switch => Self::Switch,
            HostSpread::Failure => Self::Failure,
        }
    }
}

/// A state in which a host rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum HostRest {
    /// The host is known, and nothing is done with it.
    Registered,
    /// The host is free and can be acquired.
    Available,
    /// The host is acquired, and nothing is installed.
    Acquired,
    /// The host runs a system that somebody uses.
    Installed,
    /// The host waits for a person.
    Failed,
}

impl From<HostRest> for HostState {
    fn from(rest: HostRest) -> Self {
        match rest {
            HostRest::Registered => Self::Registered,
            HostRest::Available => Self::Available,
            HostRest::Acquired => Self::Acquired,
            HostRest::Installed => Self::Installed,
            HostRest::Failed => Self::Failed,
        }
    }
}

/// Hosts to be adopted.
#[derive(Clone, Debug, InputObject, Serialize)]
pub struct AdoptHostsInput {
    /// The hosts: 1 to 1,000, each REGISTERED.
    pub ids: Vec<ID>,
    /// The state that they get.
    pub r#as: HostAdoption,
    /// True also adopts as AVAILABLE what was last seen running. Defaults to false.
    #[graphql(default)]
    pub force: bool,
}

/// Hosts to be discovered.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DiscoverHostsInput {
    /// The hosts: 1 to 1,000.
    pub ids: Vec<ID>,
    /// True also reboots a machine that runs, if it is the only one of the order. Defaults to false.
    #[graphql(default)]
    pub force: bool,
    /// True makes REGISTERED hosts AVAILABLE when they are discovered. Defaults to false: they stay REGISTERED.
    #[graphql(default)]
    pub adopt: bool,
    /// The time after which the order is not begun any more, in seconds: 1 to 604,800. Defaults to an hour.
    pub valid_for: Option<i32>,
}

/// Hosts to be acquired: at least one of `class`, `labels` and `ids` is given, and all that is given must hold.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AcquireHostsInput {
    /// The class of the hosts.
    pub class: Option<HostClassRef>,
    /// Labels that the hosts have.
    pub labels: Option<TextMap>,
    /// The hosts to choose from: 1 to 1,000.
    pub ids: Option<Vec<ID>>,
    /// The number of hosts: 1 to 1,000. Defaults to the number of `ids`.
    pub count: Option<i32>,
    /// The purpose, in free text of 1 to 253 characters.
    pub r#for: String,
    /// An object that the hosts stand in, such as a site, by its id or path.
    pub within: Option<ID>,
    /// The single failures over which the hosts are spread.
    pub spread: Option<HostSpread>,
    /// The greatest number of hosts that one failure may take. Without it the hosts are spread as well as possible.
    pub most: Option<i32>,
}

/// Hosts to be installed.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InstallHostsInput {
    /// The hosts: 1 to 1,000, each ACQUIRED, or FAILED while it was being installed.
    pub ids: Vec<ID>,
    /// The profile, which has the purpose INSTALL.
    pub profile: ProfileRef,
    /// The variables that the profile reads: at most 64, with keys of at most 63 and values of at most 4,096 characters.
    pub variables: Option<TextMap>,
    /// True also reboots a machine that runs, if it is the only one of the order. Defaults to false.
    #[graphql(default)]
    pub force: bool,
    /// The time after which the order is not begun any more, in seconds: 1 to 604,800. Defaults to an hour.
    pub valid_for: Option<i32>,
}

/// Hosts to be released.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseHostsInput {
    /// The hosts: 1 to 1,000.
    pub ids: Vec<ID>,
    /// True erases the disks. Defaults to false.
    #[graphql(default)]
    pub wipe: bool,
    /// True switches a machine off that does not shut down in five minutes, also one on which nothing was installed since
    /// its host was acquired. A wipe covers the latter only if it is for one host alone. Defaults to false.
    #[graphql(default)]
    pub force: bool,
    /// The time after which the order is not begun any more, in seconds: 1 to 604,800. Defaults to an hour.
    pub valid_for: Option<i32>,
}

/// Hosts to be switched on or off.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetHostPowerInput {
    /// The hosts: 1 to 1,000.
    pub ids: Vec<ID>,
    /// The change of power.
    pub power: HostPowerChange,
    /// True also switches several hosts that may be in use, and switches a machine off that does not shut down. Defaults
    /// to false.
    #[graphql(default)]
    pub force: bool,
    /// The time after which the order is not begun any more, in seconds: 1 to 604,800. Defaults to ten minutes.
    pub valid_for: Option<i32>,
}

/// Hosts and the device that they boot from.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetHostBootInput {
    /// The hosts: 1 to 1,000.
    pub ids: Vec<ID>,
    /// The device that they boot from the next time, and when no order says otherwise.
    pub boot: HostBoot,
    /// True lets a host that may be in use boot from the network, if it is the only one of the order. Defaults to false.
    #[graphql(default)]
    pub force: bool,
    /// The time after which the order is not begun any more, in seconds: 1 to 604,800. Defaults to ten minutes.
    pub valid_for: Option<i32>,
}

/// Hosts to be retried.
#[derive(Clone, Debug, InputObject, Serialize)]
pub struct RetryHostsInput {
    /// The hosts: 1 to 1,000, each FAILED.
    pub ids: Vec<ID>,
}

/// Hosts whose orders are cancelled.
#[derive(Clone, Debug, InputObject, Serialize)]
pub struct CancelHostsInput {
    /// The hosts: 1 to 1,000, each with an open order.
    pub ids: Vec<ID>,
}

/// Hosts whose machines are accepted as they are.
#[derive(Clone, Debug, InputObject, Serialize)]
pub struct AcceptMachinesInput {
    /// The hosts: 1 to 1,000, none with an order at work.
    pub ids: Vec<ID>,
}

/// Hosts whose hardware is acknowledged.
#[derive(Clone, Debug, InputObject, Serialize)]
pub struct AcknowledgeHardwareInput {
    /// The hosts: 1 to 1,000, of each of which an agent has reported.
    pub ids: Vec<ID>,
}

/// Hosts whose hardware is read from their BMCs.
#[derive(Clone, Debug, InputObject, Serialize)]
pub struct ReadHardwareInput {
    /// The hosts: 1 to 1,000, each with a `bmcUrl`.
    pub ids: Vec<ID>,
}

/// A host whose state is overridden.
#[derive(Clone, Debug, InputObject, Serialize)]
pub struct OverrideHostInput {
    /// The host.
    pub id: ID,
    /// The state that it gets.
    pub state: HostRest,
    /// The reason: 1 to 1,000 characters.
    pub reason: String,
}
