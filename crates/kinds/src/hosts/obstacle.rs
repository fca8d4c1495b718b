//! The reasons for which a host does not get an order.

use thiserror::Error;
use underlay_entity::host::{HostAct, HostState};
use underlay_entity::profile::ProfileMethod;

use super::facts::word;

/// The provisioners that this version knows.
const PROVISIONERS: &str = "simulated, direct, ironic";

/// The provisioner whose machines boot what the server itself prepared. It can only discover yet.
pub const DIRECT: &str = "direct";

/// The reason for which a host does not get an order, as the rest of a sentence that begins with the host.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Obstacle {
    #[error("is {}: {remedy}", word(*state))]
    State { state: HostState, remedy: &'static str },
    #[error("is in maintenance ({0}): end it first, by removing the entry of `maintenance`")]
    Maintenance(String),
    #[error("has an order at work{}: wait until it ends", of(*act))]
    AtWork { act: Option<HostAct> },
    #[error("is about to be deleted, and accepts no orders")]
    Deleting,
    #[error(
        "is {}, and the machine is running; this would reboot it: switch it off, or order with force for this host alone",
        word(*state)
    )]
    Running { state: HostState },
    #[error("runs, so it may be in use: adopt it as INSTALLED, switch it off, or adopt it with force")]
    AdoptsRunning,
    #[error(
        "is the machine of host {other} too, so an order for one would touch what the other one runs: correct the BMC \
         address, uid, serial or boot MAC of one, or delete it"
    )]
    SharesMachine { other: String },
    #[error("has a machine that carries virtual machines or an appliance, and is one of several: order {} for it alone", word(*act))]
    Carries { act: HostAct },
    #[error(
        "has a device with another serial number or UUID than its machine said, and is one of several: order {} for it \
         alone",
        word(*act)
    )]
    SeenAsAnother { act: HostAct },
    #[error("has a machine that tells nothing of itself, and is one of several: order for it alone")]
    TellsNothing,
    #[error(
        "has no report of an agent whose hardware could be acknowledged: the agent on its machine has to report first"
    )]
    NothingReported,
    #[error("has no BMC whose hardware could be read: set its `bmcUrl`")]
    NoBmc,
    #[error(
        "is {}, so somebody may count on the machine that is gone: replace it with force; what was INSTALLED is ACQUIRED \
         afterwards",
        word(*state)
    )]
    ReplacesTaken { state: HostState },
    #[error("has no order that could be cancelled")]
    NothingToCancel,
    #[error(
        "has an order that touched the machine already (step {step}), so it cannot be cancelled: wait until it ends"
    )]
    Touched { step: String },
    #[error("is {} and may be in use, and is one of several; {} needs force, or an order for it alone", word(*state), word(*act))]
    MayBeInUse { state: HostState, act: HostAct },
    #[error("may be in use: boot from NETWORK needs force, and an order for it alone")]
    BootsFromNetwork,
    #[error(
        "may boot from the network the next time, because its last order had set that: have it boot LOCAL first, with setHostBoot"
    )]
    Armed,
    #[error(
        "has no provisioner, so it can be powered only: set its `provisioner` to one of those that exist ({PROVISIONERS})"
    )]
    NoProvisioner,
    #[error(
        "cannot be installed: its provisioner {provisioner} has no method {}; take a profile with DISK_IMAGE",
        word(*method)
    )]
    Method { provisioner: String, method: ProfileMethod },
    #[error("belongs to a cluster: it is released only through the cluster")]
    OfCluster,
    #[error(
        "can only be discovered and powered by its provisioner {DIRECT}: set its `provisioner` to one that installs and wipes, \
         such as ironic"
    )]
    OnlyDiscovers,
    #[error("has no power control: set its `bmcUrl`, `appliance` or `provisioner`")]
    NoPower,
    #[error("lost its order when it failed: give the order again, with {0}")]
    NothingToRetry(&'static str),
}

impl Obstacle {
    /// Returns true if the obstacle is a use of the host, which can end by itself.
    pub const fn is_in_use(&self) -> bool {
        matches!(
            self,
            Self::AtWork { .. }
                | Self::Running { .. }
                | Self::AdoptsRunning
                | Self::Touched { .. }
                | Self::MayBeInUse { .. }
                | Self::BootsFromNetwork
                | Self::ReplacesTaken { .. }
        )
    }
}

fn of(act: Option<HostAct>) -> String {
    act.map_or_else(String::new, |act| format!(" ({})", word(act)))
}
