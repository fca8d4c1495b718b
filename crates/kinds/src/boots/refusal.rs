//! The reasons for which a machine gets its disk.

use thiserror::Error;
use underlay_entity::boot_attempt::BootPurpose;

use crate::grammar::enum_name;

/// A reason for which a machine that boots from the network gets its disk.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WhyDisk {
    #[error("no host has a MAC address, the UUID or the serial number of this machine")]
    UnknownMachine,
    #[error("this machine can be any of the hosts {hosts}")]
    SeveralHosts { hosts: String },
    #[error("what this machine says of itself leads to different hosts, {hosts}")]
    Contradiction { hosts: String },
    #[error("this machine has another {member} than the host {host}")]
    AnotherMachine { host: String, member: &'static str },
    #[error("the host {host} is not at the site of this boot server")]
    AnotherSite { host: String },
    #[error("the host {host} does not boot from here: its provisioner is {provisioner}")]
    AnotherProvisioner { host: String, provisioner: String },
    #[error("controllers may only observe")]
    ObserveOnly,
    #[error("the host {host} has no order that boots its machine: it is {state}")]
    NoOrder { host: String, state: String },
    #[error("the order of the host {host} is being stopped")]
    Stopped { host: String },
    #[error("the order of the host {host} has not come to the boot of its machine: its step is {step}")]
    NotYet { host: String, step: String },
    #[error("nothing is prepared for the order of the host {host}")]
    NotPrepared { host: String },
    #[error("the work for the order of the host {host} has ended")]
    Ended { host: String },
    #[error("the time in which the machine of the host {host} could boot for its order is over")]
    Late { host: String },
    #[error(
        "the machine of the host {host} fetched what it works by before, and boots again: its disk may hold a system by now"
    )]
    BootedAgain { host: String },
    #[error("the machine of the host {host} booted {boots} times for its order and fetched nothing to work by")]
    TooManyBoots { host: String, boots: i32 },
    #[error("the token is not that of the last boot of a machine")]
    OldToken,
    #[error("the host {host} cannot be booted to {}: {reason}", enum_name(*purpose).to_lowercase())]
    NothingToBoot { host: String, purpose: BootPurpose, reason: String },
}
