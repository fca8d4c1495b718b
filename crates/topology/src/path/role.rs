//! The role of a kind in paths: a small description by each kind, collected in a table.

use underlay_entity::row::Row;
use underlay_inventory::{KindId, ReferenceId, Registry};

/// The role of a kind in paths.
#[derive(Clone, Copy, Debug)]
pub struct Role {
    /// The part of the kind on a path.
    pub part: Part,
    /// The objects that it stands for at the ends of a path.
    pub ends: Ends,
    /// Returns the names that a row shares with the objects that fail together with it.
    pub fails_with: fn(&dyn Row) -> &[String],
    /// True if a failure of the object is reported as a risk. False for an object that is only a part of another one.
    pub is_risk: bool,
}

impl Role {
    /// The role of a kind that has no part in paths, but whose failure is a risk.
    pub const PLAIN: Self = Self { part: Part::Plain, ends: Ends::Nothing, fails_with: |_| &[], is_risk: true };
}

/// The part of a kind on a path.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// No part, or a hop of a line.
    Plain,
    /// A machine. Paths run from machine to machine.
    Machine(Machine),
    /// A port, at which lines begin and end.
    Plug(Plug),
    /// A network in which lines end and which forwards traffic between them.
    Network(Network),
    /// A circuit, over which lines run with its bandwidth.
    Crossing(Crossing),
    /// A group, which contains machines and can have logical connections.
    Group(Group),
    /// An object which says that two others are connected.
    Association(Association),
}

/// A machine, from which and to which paths run.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Reads the state of a machine from its row.
    pub state: fn(&dyn Row) -> MachineState,
    /// The reference to the machine that it is a part of.
    pub whole: ReferenceId,
    /// The references to the groups that it is in.
    pub groups: &'static [ReferenceId],
}

/// The state of a machine, as its row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineState {
    /// True if the machine forwards traffic.
    pub forwards: bool,
    /// The network that the machine belongs to.
    pub plane: Plane,
    /// True if the machine connects its group with others.
    pub outward: bool,
    /// True if the machine exists and runs.
    pub runs: bool,
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

/// A port, at which lines begin and end.
#[derive(Clone, Copy, Debug)]
pub struct Plug {
    /// Reads the state of a port from its row; `None` if the port carries no traffic.
    pub state: fn(&dyn Row) -> Option<PlugState>,
    /// The reference to the machine that has the port.
    pub machine: ReferenceId,
}

/// The state of a port, as its row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlugState {
    /// The network that the port is for.
    pub plane: Plane,
    /// The bandwidth in bits per second, if it is known.
    pub bandwidth_bps: Option<i64>,
}

/// A network of another operator, such as a provider network.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// The reference from the ends that stand in it.
    pub ends: ReferenceId,
}

/// A circuit over which lines run.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Returns the bandwidth in bits per second, if it is known.
    pub bandwidth_bps: fn(&dyn Row) -> Option<i64>,
}

/// A group of machines, such as a site or a cluster.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The reference from the machines in the group.
    pub members: ReferenceId,
    /// The reference from ends that stand in the group. Lines may lead to these ends and not beyond.
    pub ends: Option<ReferenceId>,
}

/// An object which says that two others are connected.
#[derive(Clone, Copy, Debug)]
pub struct Association {
    /// The references to the two objects: machines or groups.
    pub ends: [ReferenceId; 2],
    /// The reference to the objects that realise it. If there are any, paths run over these instead.
    pub carriers: ReferenceId,
    /// Returns the latency in milliseconds, if it is known.
    pub latency_ms: fn(&dyn Row) -> Option<f64>,
    /// Returns the bandwidth in bits per second, if it is known.
    pub bandwidth_bps: fn(&dyn Row) -> Option<i64>,
}

/// The objects that a kind stands for at the ends of a path.
#[derive(Clone, Copy, Debug)]
pub enum Ends {
    /// No path begins or ends at the object.
    Nothing,
    /// The object stands for itself.
    Itself,
    /// The object stands for the objects behind the first of these references that leads to any.
    FirstOf(&'static [Toward]),
    /// The object stands for the objects at the ends of the line over it.
    OfItsLine,
}

/// A step from an object to related objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// To the objects that the object refers to.
    To(ReferenceId),
    /// To the objects that refer to the object.
    From(ReferenceId),
}

/// The roles of all kinds in paths.
#[derive(Clone, Debug)]
pub struct Roles {
    roles: Vec<Role>,
    /// The references from ports to machines.
    pub(super) machines: Vec<ReferenceId>,
    /// The references from machines to the machines that they are parts of.
    pub(super) wholes: Vec<ReferenceId>,
    /// For each kind of association both references, in both orders.
    pub(super) associations: Vec<[ReferenceId; 2]>,
}

impl Roles {
    /// Creates the table from the roles, in the order of the kinds.
    ///
    /// # Panics
    /// Panics if there is not exactly one role for every kind. This would be a mistake in the list of kinds.
    pub fn new(registry: &Registry, roles: Vec<Role>) -> Self {
        assert_eq!(registry.kinds().len(), roles.len(), "every kind has a role");
        let (mut machines, mut wholes, mut associations) = (Vec::new(), Vec::new(), Vec::new());
        for role in &roles {
            match role.part {
                Part::Plug(plug) => machines.push(plug.machine),
                Part::Machine(machine) => wholes.push(machine.whole),
                Part::Association(Association { ends: [a, b], .. }) => associations.extend([[a, b], [b, a]]),
                _ => {}
            }
        }
        Self { roles, machines, wholes, associations }
    }

    /// Returns the role of a kind.
    pub fn of(&self, kind: KindId) -> &Role {
        &self.roles[usize::from(kind.0)]
    }

    /// Returns the names of the kinds at which paths can begin and end.
    pub fn ends(&self, registry: &Registry) -> Vec<&'static str> {
        let is_end = |kind: KindId| !matches!(self.of(kind).ends, Ends::Nothing);
        registry.kinds().filter(|kind| is_end(kind.id)).map(|kind| kind.name).collect()
    }
}
