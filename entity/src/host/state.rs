//! The states of a host, of its power and of its boot, and the acts that can be ordered.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};

crate::choice::choice! {
    /// The state of a host in its life.
    #[derive(Default)]
    pub enum HostState {
        /// The host is known, and nothing is done with it. It may be in use.
        #[default]
        Registered,
        /// The hardware of the host is being found out.
        Discovering,
        /// The host is free and can be acquired.
        Available,
        /// The host belongs to whoever acquired it, and nothing is installed.
        Acquired,
        /// A system is being installed on the host.
        Installing,
        /// The host runs the system that was installed.
        Installed,
        /// The host is being switched off and detached, before it is free again.
        Releasing,
        /// The disks of the host are being erased.
        Wiping,
        /// A step of the life failed. The field `failure` says which one, and why.
        Failed,
    }
}

impl HostState {
    /// Returns true if the host waits for orders in this state.
    pub const fn rests(self) -> bool {
        !matches!(self, Self::Discovering | Self::Installing | Self::Releasing | Self::Wiping)
    }

    /// Returns true if the host belongs to somebody in this state, so that nothing may remove it.
    pub fn is_taken(self) -> bool {
        matches!(self, Self::Acquired | Self::Installing | Self::Installed | Self::Releasing | Self::Wiping)
    }
}

crate::choice::choice! {
    /// The power of a host as it was last seen.
    #[derive(Default)]
    pub enum HostPower {
        /// The host is switched on.
        On,
        /// The host is switched off.
        Off,
        /// Nobody has seen the power of the host.
        #[default]
        Unknown,
    }
}

crate::choice::choice! {
    /// The firmware by which a host boots.
    pub enum HostBootMode {
        /// UEFI, without Secure Boot.
        Uefi,
        /// UEFI with Secure Boot.
        UefiSecure,
        /// The BIOS of older machines.
        Bios,
    }
}

crate::choice::choice! {
    /// The device that a host boots from when no order says otherwise.
    #[derive(Default)]
    pub enum HostBoot {
        /// A disk of the host.
        #[default]
        Local,
        /// The network, from which a boot server answers.
        Network,
    }
}

/// An act that can be ordered for a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "HostAct")]
pub enum HostAct {
    /// Install the system of a profile.
    Install,
    /// Switch the host off and detach it.
    Release,
    /// Erase the disks of the host.
    Wipe,
    /// Find out the hardware of the host.
    Discover,
    /// Switch the host on.
    PowerOn,
    /// Switch the host off.
    PowerOff,
    /// Switch the host off and on.
    PowerCycle,
    /// Boot the host from its disk the next time.
    BootLocal,
    /// Boot the host from the network the next time.
    BootNetwork,
}

/// The outcome of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "HostOrderOutcome")]
pub enum HostOrderOutcome {
    /// The order was done.
    Done,
    /// A step of the order failed after something was begun.
    Failed,
    /// The controller refused the order before it touched the machine. The host is as it was before the order.
    Refused,
    /// The order was not begun in the time for which it was valid. Nothing was done.
    Expired,
    /// A person ended the order before the machine was touched.
    Cancelled,
}
