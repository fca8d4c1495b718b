//! The provision states of Ironic, in the groups that decisions are made on.

use crate::client::Node;

/// A group of provision states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum At {
    /// Created, and the BMC is not verified.
    Enroll,
    /// The BMC is being verified.
    Verifying,
    /// The BMC is verified.
    Manageable,
    /// Free to be deployed.
    Available,
    /// A system is being deployed, or waits for its ramdisk.
    Deploying,
    /// The deployment failed.
    DeployFailed,
    /// Deployed or adopted, also if it is being rescued or serviced.
    InUse,
    /// The system is being removed.
    Deleting,
    /// The removal failed.
    Error,
    /// The disks are being cleaned.
    Cleaning,
    /// The cleaning failed.
    CleanFailed,
    /// The hardware is being inspected.
    Inspecting,
    /// The inspection failed.
    InspectFailed,
    /// The machine is being adopted.
    Adopting,
    /// The adoption failed.
    AdoptFailed,
    /// A state that is not known here.
    Other,
}

/// The states of Ironic 39 (`ironic/common/states.py`), with their groups.
pub const STATES: [(&str, At); 30] = [
    ("enroll", At::Enroll),
    ("verifying", At::Verifying),
    ("manageable", At::Manageable),
    ("available", At::Available),
    ("deploying", At::Deploying),
    ("wait call-back", At::Deploying),
    ("deploy hold", At::Deploying),
    ("deploy failed", At::DeployFailed),
    ("active", At::InUse),
    ("rescue", At::InUse),
    ("rescuing", At::InUse),
    ("rescue wait", At::InUse),
    ("rescue failed", At::InUse),
    ("unrescuing", At::InUse),
    ("unrescue failed", At::InUse),
    ("servicing", At::InUse),
    ("service wait", At::InUse),
    ("service hold", At::InUse),
    ("service failed", At::InUse),
    ("deleting", At::Deleting),
    ("error", At::Error),
    ("cleaning", At::Cleaning),
    ("clean wait", At::Cleaning),
    ("clean hold", At::Cleaning),
    ("clean failed", At::CleanFailed),
    ("inspecting", At::Inspecting),
    ("inspect wait", At::Inspecting),
    ("inspect failed", At::InspectFailed),
    ("adopting", At::Adopting),
    ("adopt failed", At::AdoptFailed),
];

impl At {
    /// Returns the group of a node.
    pub fn of(node: &Node) -> Self {
        Self::parse(&name(node))
    }

    /// Returns the group of a provision state.
    pub fn parse(state: &str) -> Self {
        STATES.iter().find(|(name, _)| *name == state).map_or(Self::Other, |(_, at)| *at)
    }

    /// Returns true while Ironic works, and usually ends within seconds.
    pub const fn is_short(self) -> bool {
        matches!(self, Self::Verifying | Self::Adopting | Self::Deleting)
    }

    /// Returns true while Ironic works on the node, so that nothing of it can be changed.
    pub const fn is_working(self) -> bool {
        self.is_short() || matches!(self, Self::Deploying | Self::Cleaning | Self::Inspecting | Self::Other)
    }
}

/// Returns the provision state of a node as Ironic names it.
pub fn name(node: &Node) -> String {
    node.states.provision.as_ref().map_or_else(|| "unknown".to_owned(), ToString::to_string)
}
