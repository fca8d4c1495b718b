//! What a kind is to paths: a small description of its own, collected in a table.

use crate::inventory::{KindId, ReferenceId, Registry};
use crate::store::Row;

/// What a kind is to paths.
#[derive(Clone, Copy, Debug)]
pub struct Role {
    /// What it is on a path.
    pub part: Part,
    /// What it stands for where a path begins or ends.
    pub ends: Ends,
    /// The names that a row has in common with what fails together with it.
    pub fails_with: fn(&dyn Row) -> &[String],
    /// Whether its failure is named as a risk; that of what is but a part of something else is not.
    pub is_risk: bool,
}

impl Role {
    /// It has no part in paths, but its failure is a risk.
    pub const PLAIN: Self = Self { part: Part::Plain, ends: Ends::Nothing, fails_with: |_| &[], is_risk: true };
}

/// What a kind is on a path.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// Nothing, or a hop of a line.
    Plain,
    /// Paths run from machine to machine.
    Machine(Machine),
    /// Where lines begin and end.
    Plug(Plug),
    /// Lines end in it, and it passes on to all others that do.
    Network(Network),
    /// Some lines run over it, at a bandwidth of its own.
    Crossing(Crossing),
    /// It holds machines, and logical joints may lead to it.
    Group(Group),
    /// It says that two are joined.
    Association(Association),
}

/// What paths run over.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// What a row says of itself.
    pub state: fn(&dyn Row) -> MachineState,
    /// The machine that it is a part of.
    pub whole: ReferenceId,
    /// The groups that it is in.
    pub groups: &'static [ReferenceId],
}

/// What a machine says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineState {
    /// Whether traffic passes through it.
    pub forwards: bool,
    /// Which network it is of.
    pub plane: Plane,
    /// Whether it stands between its group and others.
    pub outward: bool,
    /// Whether it is there and runs.
    pub runs: bool,
}

/// One of the networks that lie side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Plane {
    /// That of users.
    #[default]
    Data,
    /// That over which machines are managed.
    Management,
}

impl Plane {
    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Data => "DATA",
            Self::Management => "MANAGEMENT",
        }
    }
}

/// Where lines begin and end.
#[derive(Clone, Copy, Debug)]
pub struct Plug {
    /// What a row says of itself; `None`: it carries no traffic.
    pub state: fn(&dyn Row) -> Option<PlugState>,
    /// The machine that has it.
    pub machine: ReferenceId,
}

/// What a plug says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlugState {
    /// Which network it is for.
    pub plane: Plane,
    /// Its bandwidth in bits per second.
    pub bandwidth_bps: Option<i64>,
}

/// A network of others.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// The reference from the ends that stand in it.
    pub ends: ReferenceId,
}

/// What is bought.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Its bandwidth in bits per second.
    pub bandwidth_bps: fn(&dyn Row) -> Option<i64>,
}

/// What holds machines.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The reference from the machines in it.
    pub members: ReferenceId,
    /// The reference from ends that stand in it, which lines may lead to and not beyond.
    pub ends: Option<ReferenceId>,
}

/// What says that two are joined.
#[derive(Clone, Copy, Debug)]
pub struct Association {
    /// The references to the two: machines or groups.
    pub ends: [ReferenceId; 2],
    /// The reference to what realises it; where there is something, that is the joint.
    pub carriers: ReferenceId,
    /// The latency in milliseconds.
    pub latency_ms: fn(&dyn Row) -> Option<f64>,
    /// The bandwidth in bits per second.
    pub bandwidth_bps: fn(&dyn Row) -> Option<i64>,
}

/// What a kind stands for where a path begins or ends.
#[derive(Clone, Copy, Debug)]
pub enum Ends {
    /// No path begins or ends there.
    Nothing,
    /// Itself.
    Itself,
    /// What stands behind the first of these that leads anywhere.
    FirstOf(&'static [Toward]),
    /// What is at the ends of the line that runs over it.
    OfItsLine,
}

/// To what is related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// What it refers to.
    To(ReferenceId),
    /// What refers to it.
    From(ReferenceId),
}

/// What every kind is to paths.
#[derive(Clone, Debug)]
pub struct Roles {
    roles: Vec<Role>,
    /// The references from plugs to machines.
    pub(super) machines: Vec<ReferenceId>,
    /// The references from machines to their wholes.
    pub(super) wholes: Vec<ReferenceId>,
    /// The kinds of associations, each with both references, from here to there.
    pub(super) associations: Vec<[ReferenceId; 2]>,
}

impl Roles {
    /// The table of these roles, in the order of the kinds.
    ///
    /// # Panics
    /// When there is not one role for every kind: a mistake in the list of kinds.
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

    /// What a kind is.
    pub fn of(&self, kind: KindId) -> &Role {
        &self.roles[usize::from(kind.0)]
    }

    /// The names of the kinds that paths can begin and end at.
    pub fn ends(&self, registry: &Registry) -> Vec<&'static str> {
        let is_end = |kind: KindId| !matches!(self.of(kind).ends, Ends::Nothing);
        registry.kinds().filter(|kind| is_end(kind.id)).map(|kind| kind.name).collect()
    }
}
