//! The lines that a program reads and prints.

use serde::{Deserialize, Serialize};

use crate::host::{BootMode, Power};
use crate::life::PowerAct;
use crate::machine::{BootDevice, Target};

/// The line that a program reads.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Request<'a> {
    #[serde(flatten)]
    pub call: Call,
    /// The machine, as `#MACHINE` in the address has it. Null in a call that lists machines, and if the address has none.
    pub machine: Option<&'a str>,
    /// The `uid` of the host.
    pub uid: Option<&'a str>,
    /// The `bootMac` of the host.
    pub boot_mac: Option<&'a str>,
    /// The `bootMode` of the host.
    pub boot_mode: Option<BootMode>,
    /// The user name of the credential.
    pub username: Option<&'a str>,
    /// The password of the credential.
    pub password: Option<&'a str>,
    /// True if certificates are not to be checked.
    pub insecure: bool,
    /// Certificates in PEM that are trusted besides the usual ones.
    pub trusted_cas: Option<&'a str>,
}

/// A call of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "call", rename_all = "camelCase")]
pub enum Call {
    /// Print the names by which the machine identifies itself: `serial`, `uuid`.
    Identify,
    /// Print all `machines`.
    Enumerate,
    /// Print the `power` of the machine.
    Power,
    /// Change the power. Print `{}` when that was accepted.
    SetPower {
        /// The change.
        act: Act,
    },
    /// Set the device of the next boot. Print `{}` when that was accepted.
    SetBoot { device: Device },
}

/// A change of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Act {
    /// Switch on.
    On,
    /// Ask the system to shut down.
    Off,
    /// Switch off at once.
    ForceOff,
    /// Switch off and on at once.
    Cycle,
}

/// The device that a machine boots from, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Device {
    /// A disk.
    Local,
    Network,
}

impl From<PowerAct> for Act {
    fn from(act: PowerAct) -> Self {
        match act {
            PowerAct::On => Self::On,
            PowerAct::Off => Self::Off,
            PowerAct::ForceOff => Self::ForceOff,
            PowerAct::Cycle => Self::Cycle,
        }
    }
}

impl From<BootDevice> for Device {
    fn from(device: BootDevice) -> Self {
        match device {
            BootDevice::Local => Self::Local,
            BootDevice::Network => Self::Network,
        }
    }
}

impl Call {
    /// Returns the name of the call.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identify => "identify",
            Self::Enumerate => "enumerate",
            Self::Power => "power",
            Self::SetPower { .. } => "setPower",
            Self::SetBoot { .. } => "setBoot",
        }
    }

    /// Returns true if the call changes nothing.
    pub const fn reads(self) -> bool {
        matches!(self, Self::Identify | Self::Enumerate | Self::Power)
    }
}

impl<'a> Request<'a> {
    /// Returns the line of a call.
    pub fn new(call: Call, target: &'a Target, machine: Option<&'a str>) -> Self {
        Self {
            call,
            machine,
            uid: target.uid.as_deref(),
            boot_mac: target.boot_mac.as_deref(),
            boot_mode: target.boot_mode,
            username: target.secret.as_ref().map(|secret| secret.username.as_str()),
            password: target.secret.as_ref().map(|secret| secret.password.as_str()),
            insecure: target.insecure,
            trusted_cas: target.trusted_cas.as_deref(),
        }
    }
}

/// The line that a program prints. It has the members of its call, or an error.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExecAnswer {
    /// The serial number of the machine.
    pub serial: Option<String>,
    /// The UUID of the machine.
    pub uuid: Option<String>,
    /// The power of the machine.
    pub power: Option<Power>,
    /// The machines of the appliance.
    pub machines: Option<Vec<Machine>>,
    /// The reason why the call failed.
    pub error: Option<Failed>,
}

/// A machine of an appliance.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Machine {
    /// The name of the machine there.
    pub name: String,
    /// The machine, as it is given to later calls: letters, digits and `.`, `_`, `:`, `-`.
    pub machine: String,
    /// The serial number of the machine.
    pub serial: Option<String>,
    /// The UUID of the machine.
    pub uuid: Option<String>,
    /// The MAC address that the machine boots from.
    pub boot_mac: Option<String>,
}

/// The reason why a call failed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Failed {
    /// The kind of the failure.
    pub kind: FailedKind,
    /// A sentence that says what went wrong, and what to do.
    pub message: String,
}

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailedKind {
    /// The call was certainly not made, and can succeed later.
    NotMade,
    /// Nobody knows if the call was made.
    Unanswered,
    /// The call was refused, and will be refused again.
    Refused,
}
