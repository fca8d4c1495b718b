//! Machines: objects that draw power, forward traffic and host others.

use underlay_entity::row::Row;
use underlay_inventory::ReferenceId;

/// An object that draws power, forwards traffic and hosts others.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Reads the state of a machine from its row.
    pub state: fn(&dyn Row) -> MachineState,
    /// The reference to the machine that it is a part of. Parts of the same machine that forward traffic are connected.
    pub whole: ReferenceId,
}

/// The state of a machine, as its row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineState {
    /// The number of live inlets that the machine needs to run.
    pub inlets_required: u32,
    /// True if the machine keeps running, and keeps supplying power, without any input.
    pub has_battery: bool,
    /// True if its pool counts the machine.
    pub counts: bool,
    /// The network that the machine belongs to.
    pub plane: Plane,
    /// True if the machine forwards traffic.
    pub forwards: bool,
    /// True if the machine connects its group with others.
    pub outward: bool,
    /// True if the machine is not reported when it is cut off.
    pub exempt: bool,
    /// The distance class to an exit. It is used where a connected part has no exit.
    pub tier: Tier,
}

impl MachineState {
    /// Returns the state if the machine belongs to a network; `None` if it belongs to another one.
    #[inline]
    pub fn on(self, plane: Plane) -> Option<Self> {
        (self.plane == plane).then_some(self)
    }
}

/// One of the networks that exist side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Plane {
    /// The network for user traffic.
    #[default]
    Data,
    /// The network over which machines are managed.
    Management,
}

impl Plane {
    /// Returns the name of the network in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Data => "DATA",
            Self::Management => "MANAGEMENT",
        }
    }
}

/// The distance class of a machine to an exit of the network, nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// The machine connects the network with other networks.
    Border,
    /// The machine is in the core of the network.
    Core,
    /// The machine is anywhere else.
    Other,
}
