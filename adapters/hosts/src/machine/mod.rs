//! The interface to a machine through its management controller (BMC), and the drivers that implement it.
//!
//! # Implementing a driver
//! A driver speaks one protocol. It keeps no state but connections, decides nothing and repeats nothing: the controller
//! decides, and a driver makes one call. It must hold these rules:
//! - **Say honestly what is known.** [`CallError::NotMade`] means that the machine certainly did not get the call, such
//!   as a connection that was refused; the controller may make the call again. [`CallError::Unanswered`] means that
//!   nobody knows; the controller then waits for evidence and does not repeat the call. When in doubt, answer
//!   `Unanswered`.
//! - **Be droppable.** The controller drops a call at its time-out, and a call must do nothing after it was dropped. A
//!   program that was started is killed.
//! - **Take what comes.** BMCs leave out much of what their standards demand. A value that is missing is `None` or
//!   [`Power::Unknown`], not an error.
//! - **Act on the machine of the host alone.** Cables, boards and addresses get mixed up. Where a protocol tells the serial
//!   number or UUID of the machine, compare it with [`Target::uid`] before each act ([`compare`]), and refuse with
//!   [`WRONG_MACHINE`] if it differs. The controller compares more, by a look right before each act ([`recognise`]).
//! - **Show no secret.** Sentences go to the inventory, where many people read them.

mod drivers;
mod identity;
mod manual;
mod resolve;

use std::fmt;
use std::time::Duration;

use futures_util::future::{BoxFuture, ready};
use thiserror::Error;
use underlay_address::AllowedHost;
use underlay_facts::Report;

pub use drivers::Drivers;
pub use identity::{Same, compare, recognise, recognise_by_macs};
pub use manual::Manual;
pub use resolve::{NameError, resolve};

use crate::host::{BootMode, Power};
use crate::life::PowerAct;

/// The reason of a refusal because the machine is another one than that of the host.
pub const WRONG_MACHINE: &str = "WrongMachine";

/// A machine, or a system that lists machines, as a driver reaches it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The address, such as `redfish://10.0.0.7`.
    pub url: String,
    /// The UUID or serial number of the machine.
    pub uid: Option<String>,
    /// The MAC address that the machine boots from.
    pub boot_mac: Option<String>,
    /// The firmware that the machine boots with, if it is known.
    pub boot_mode: Option<BootMode>,
    /// The credential.
    pub secret: Option<Secret>,
    /// True if certificates are not checked.
    pub insecure: bool,
    /// The certificates, in PEM, that are trusted besides the usual ones.
    pub trusted_cas: Option<String>,
}

/// A user name, and a password or a key. They are never printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret {
    /// The user name; empty if there is none.
    pub username: String,
    /// The password; empty if there is a key.
    pub password: String,
    /// The key of a credential of the type TLS or SSH_KEY. Only drivers that take keys get one ([`Driver::takes_keys`]).
    pub key: Option<Key>,
    /// The hosts to which it may be sent; empty if it may be sent to all. Connections go to no address of a name that is none
    /// of them ([`resolve`]).
    pub allowed_hosts: Vec<AllowedHost>,
}

impl Target {
    /// Returns the hosts to which the credential may be sent; empty if it may be sent to all, or if there is none.
    pub fn allowed_hosts(&self) -> &[AllowedHost] {
        self.secret.as_ref().map_or(&[], |secret| &secret.allowed_hosts)
    }
}

/// A private key.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    /// The private key, in PEM or in the form of OpenSSH.
    pub private: String,
    /// The certificate of the key, in PEM, for TLS.
    pub certificate: Option<String>,
    /// The passphrase of the key, for SSH.
    pub passphrase: Option<String>,
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Key")
    }
}

/// The names by which a machine identifies itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The serial number.
    pub serial: Option<String>,
    pub uuid: Option<String>,
    /// Other numbers that people may have for its serial number, such as a service tag, and other spellings of the UUID.
    pub aliases: Vec<String>,
}

/// A look at a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// The names by which it identifies itself.
    pub identity: Identity,
    pub power: Power,
}

/// A machine that an appliance lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The name of the machine there.
    pub name: String,
    /// The address of the machine.
    pub url: String,
    /// The names by which it identifies itself.
    pub identity: Identity,
    /// The MAC address that it boots from.
    pub boot_mac: Option<String>,
}

/// The device that a machine boots from, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BootDevice {
    /// A disk.
    Local,
    Network,
}

/// The reason why a call did not succeed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CallError {
    /// The call was certainly not made. The same call can succeed later.
    #[error("{reason}")]
    NotMade {
        /// The reason, as a sentence.
        reason: String,
    },
    /// There was no answer, so nobody knows if the call had an effect.
    #[error("{reason}")]
    Unanswered {
        /// The reason, as a sentence.
        reason: String,
    },
    /// The call was refused, and will be refused again.
    #[error("{message}")]
    Refused {
        /// The reason, as one word.
        reason: String,
        /// A sentence that says what went wrong.
        message: String,
    },
}

/// Reads the hardware of machines.
pub trait HardwareReader: Send + Sync {
    /// Returns the hardware of a machine. This changes nothing. The reads take at most the time `within`; what cannot be read
    /// in it, or not at all, is named in the report, so that nothing is taken to be gone.
    fn read<'a>(&'a self, target: &'a Target, within: Duration) -> BoxFuture<'a, Result<Report, CallError>>;
}

/// Reaches machines by one protocol. The documentation of this module has the rules.
pub trait Driver: Send + Sync {
    /// Returns the names by which a machine identifies itself.
    fn identify<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Identity, CallError>>;

    /// Lists the machines of an appliance. Each call lists all of them.
    fn enumerate<'a>(&'a self, appliance: &'a Target) -> BoxFuture<'a, Result<Vec<Found>, CallError>>;

    /// Returns the power of a machine as it is now. This changes nothing.
    fn power<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Power, CallError>>;

    /// Returns the names and the power of a machine as they are now. This changes nothing. A driver that can read both at
    /// once does so.
    fn look<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Sight, CallError>> {
        Box::pin(async move {
            let identity = self.identify(target).await?;
            Ok(Sight { identity, power: self.power(target).await? })
        })
    }

    /// Returns the MAC addresses of the network interfaces of a machine; nothing if they cannot be read. This changes
    /// nothing. It is asked for only where the machine cannot be recognised by its names.
    fn macs<'a>(&'a self, _target: &'a Target) -> BoxFuture<'a, Result<Vec<String>, CallError>> {
        Box::pin(ready(Ok(Vec::new())))
    }

    /// Returns what an address says of the machine by itself. Most addresses are those of BMCs, and say nothing.
    fn named(&self, _target: &Target) -> Identity {
        Identity::default()
    }

    /// Changes the power of a machine, and returns when the machine accepted it. The effect can come later. Switching on
    /// a machine that is on does nothing; a cycle of a machine that is off switches it on.
    fn set_power<'a>(&'a self, target: &'a Target, act: PowerAct) -> BoxFuture<'a, Result<(), CallError>>;

    /// Sets the device that a machine boots from the next time, and only then.
    fn set_boot<'a>(&'a self, target: &'a Target, device: BootDevice) -> BoxFuture<'a, Result<(), CallError>>;

    /// Returns the part of the driver that reads the hardware of machines, if it can.
    fn hardware(&self) -> Option<&dyn HardwareReader> {
        None
    }

    /// Returns true if the driver can use a credential with a private key. The others need a password.
    fn takes_keys(&self) -> bool {
        false
    }

    /// Returns true if a person has to do what the driver cannot. The host then has the condition `ByHand`.
    fn is_by_hand(&self) -> bool {
        false
    }
}
