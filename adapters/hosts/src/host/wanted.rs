//! [`Wanted`] is the order that a host has, with the profile and the variables that the order needs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Outcome, State, Time};

/// The acts that can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Order {
    /// Install the system of a profile.
    Install,
    /// Switch off and detach.
    Release,
    /// Switch off, detach, and erase the disks.
    Wipe,
    /// Find out the hardware.
    Discover,
    /// Switch on.
    PowerOn,
    /// Switch off.
    PowerOff,
    /// Switch off and on.
    PowerCycle,
    /// Boot from the disk the next time.
    BootLocal,
    /// Boot from the network the next time.
    BootNetwork,
}

impl Order {
    /// Returns true if the order changes only the power of a machine, or the device that it boots from the next time. The
    /// state of the host stays as it is.
    pub const fn is_of_power(self) -> bool {
        match self {
            Self::PowerOn | Self::PowerOff | Self::PowerCycle | Self::BootLocal | Self::BootNetwork => true,
            Self::Install | Self::Release | Self::Wipe | Self::Discover => false,
        }
    }
}

/// An order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Wanted {
    /// The id of the order. An order of an older server has none.
    #[serde(default)]
    pub id: Option<Uuid>,
    pub act: Order,
    /// The profile to install.
    #[serde(default)]
    pub profile: Option<Profile>,
    /// The variables that the profile reads.
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
    /// True if a machine that does not shut down is switched off all the same.
    #[serde(default)]
    pub force: bool,
    /// True if the order covers a machine that runs: a person said so, for this host alone.
    #[serde(default)]
    pub covers_running: bool,
    /// True if the order was given for this host alone. An order of an older server was not.
    #[serde(default)]
    pub alone: bool,
    /// True if the discovery of a REGISTERED host makes it AVAILABLE.
    #[serde(default)]
    pub adopt: bool,
    /// The state in which the order was given. An order of an older server has none.
    #[serde(default)]
    pub given_in: Option<State>,
    /// The outcome with which the order is to end. No further step of it that touches the machine is begun.
    #[serde(default)]
    pub stop: Option<Outcome>,
    /// The time after which the order is not begun any more.
    #[serde(default)]
    pub until: Option<Time>,
}

impl Wanted {
    /// Returns an order of an act, without anything else.
    pub const fn of(act: Order) -> Self {
        Self {
            id: None,
            act,
            profile: None,
            variables: BTreeMap::new(),
            force: false,
            covers_running: false,
            alone: false,
            adopt: false,
            given_in: None,
            stop: None,
            until: None,
        }
    }
}

/// The profile of an order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Profile {
    /// The id of the profile.
    pub id: Uuid,
    /// The image that the system is installed from, if it has one.
    #[serde(default)]
    pub image: Option<Image>,
}

/// An image of a disk.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Image {
    /// The http or https URL of the image.
    pub url: String,
    /// The digest: `sha256:` or `sha512:`, then hexadecimal digits.
    pub checksum: String,
    /// The format as the API has it, such as `RAW` or `QCOW2`.
    pub format: String,
}

/// The disk that a system is installed on. All members that are given must hold for the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RootDevice {
    /// The World Wide Name.
    pub wwn: Option<String>,
    /// The serial number.
    pub serial: Option<String>,
    /// The name, such as `/dev/nvme0n1`.
    pub name: Option<String>,
    /// The least size in bytes.
    pub min_size_bytes: Option<u64>,
    /// True for a disk with rotating platters, false for flash.
    pub rotational: Option<bool>,
}

/// The identity of an order among all orders of its host. The number alone is not enough: after a restore from a backup
/// the numbers come again, for other orders. Equal numbers without ids are the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OrderKey {
    /// The number of the order.
    pub number: i64,
    /// The id that the server gave it, which never comes again.
    pub id: Option<Uuid>,
}
