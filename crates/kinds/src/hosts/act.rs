//! The acts that people order for hosts.

use chrono::TimeDelta;
use underlay_entity::host::{HostAct, HostBoot, HostState};
use underlay_entity::text_map::TextMap;
use uuid::Uuid;

/// The permission to do what may harm somebody who uses a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayForce {
    /// The order does nothing of that kind.
    No,
    /// The person who gave the order demands it.
    Yes,
}

impl MayForce {
    /// Returns true if the person demands it.
    pub const fn is_yes(self) -> bool {
        matches!(self, Self::Yes)
    }
}

impl From<bool> for MayForce {
    fn from(force: bool) -> Self {
        if force { Self::Yes } else { Self::No }
    }
}

/// The state of a REGISTERED host after its discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Afterwards {
    /// It stays REGISTERED.
    Registered,
    /// It is AVAILABLE.
    Available,
}

/// An act that people order for hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Move REGISTERED hosts on to a state, without touching their machines.
    Adopt {
        /// AVAILABLE or INSTALLED.
        state: HostState,
        /// The permission to adopt as AVAILABLE what was last seen running.
        force: MayForce,
    },
    /// Find out the hardware.
    Discover {
        /// The permission to reboot a machine that runs.
        force: MayForce,
        /// The state that a REGISTERED host has afterwards.
        afterwards: Afterwards,
        /// The time after which the order is not begun any more.
        valid_for: Option<TimeDelta>,
    },
    /// Install the system of a profile.
    Install {
        /// The id of the profile.
        profile: Uuid,
        /// The variables that the profile reads.
        variables: TextMap,
        /// The permission to reboot a machine that runs.
        force: MayForce,
        /// The time after which the order is not begun any more.
        valid_for: Option<TimeDelta>,
    },
    /// Give the hosts back.
    Release {
        /// True if the disks are erased.
        wipe: bool,
        /// The permission to switch off a machine that does not shut down, or on which nothing was installed.
        force: MayForce,
        /// The time after which the order is not begun any more.
        valid_for: Option<TimeDelta>,
    },
    /// Change the power.
    Power {
        /// The act on the power.
        act: HostAct,
        /// The permission to do so for several hosts that may be in use.
        force: MayForce,
        /// The time after which the order is not begun any more.
        valid_for: Option<TimeDelta>,
    },
    /// Set the device that the machines boot from the next time.
    Boot {
        /// The device.
        boot: HostBoot,
        /// The permission to have a machine in use boot from the network.
        force: MayForce,
        /// The time after which the order is not begun any more.
        valid_for: Option<TimeDelta>,
    },
    /// Order again what failed.
    Retry,
    /// End the order that is open, unless it touched the machine.
    Cancel,
    /// Forget what the machines said of themselves, so that the next look learns it anew.
    AcceptMachine,
    /// Forget who the machine of a host was, because another one is in its place.
    ReplaceMachine {
        /// The serial number of the machine that is there now.
        serial: String,
        /// The permission to do so for a host that belongs to somebody.
        force: MayForce,
    },
    /// Take what agents last reported for what the hosts should have.
    AcknowledgeHardware {
        /// The person who gives the order.
        actor: String,
    },
    /// Read the hardware from the BMC soon.
    ReadHardware {
        /// The person who gives the order.
        actor: String,
    },
    /// Set the state, whatever it was.
    Override {
        /// The state in which hosts rest.
        state: HostState,
        /// The reason that the person gives.
        reason: String,
        /// The person who gives the order.
        actor: String,
    },
    /// Mark hosts so that a controller deletes them when it has cleared up.
    Delete {
        /// The version that the hosts must have.
        if_version: Option<i64>,
    },
}

impl Act {
    /// Returns true if a host gets the order though it is the machine of another host too: it frees the host, or touches
    /// nothing.
    pub const fn is_for_shared_machine(&self) -> bool {
        matches!(
            self,
            Self::Release { wipe: false, .. }
                | Self::Cancel
                | Self::AcceptMachine
                | Self::ReplaceMachine { .. }
                | Self::AcknowledgeHardware { .. }
                | Self::ReadHardware { .. }
                | Self::Override { .. }
                | Self::Delete { .. }
        )
    }

    /// Returns true if a controller does something with the machine for the order.
    pub const fn is_for_machine(&self) -> bool {
        matches!(
            self,
            Self::Discover { .. }
                | Self::Install { .. }
                | Self::Release { .. }
                | Self::Power { .. }
                | Self::Boot { .. }
                | Self::Retry
        )
    }
}
