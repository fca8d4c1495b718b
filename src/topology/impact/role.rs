//! What a kind is to failure: a small description of its own, collected in a table.

use crate::inventory::{KindId, ReferenceId, Registry};
use crate::store::Row;

/// By which rule an object is affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// What contains it fails.
    Containment,
    /// A line is as good as what is on it.
    Line,
    /// It has less power than it needs, or less than it had.
    Power,
    /// It has fewer ways out over the network than it had.
    Network,
    /// Members of a bundle fail.
    Group,
    /// What it runs on fails.
    Hosting,
    /// What it stands for fails: its ends, or what realises it.
    Association,
}

/// What a kind is to failure.
#[derive(Clone, Copy, Debug)]
pub struct Role {
    /// Whether a row says that the object is there and runs.
    pub runs: fn(&dyn Row) -> bool,
    /// What it goes down with.
    pub with: &'static [Dependency],
    /// What else it is.
    pub part: Part,
    /// Whether it is missed when it fails; what is but a part of something else is not.
    pub missed: bool,
}

/// An object goes down with another one that it refers to.
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    /// The reference that leads there: of the object itself, or of its parts.
    pub by: ReferenceId,
    /// Where parts refer, not the object: the reference from a part to the object.
    pub part_of: Option<ReferenceId>,
    /// By which rule.
    pub rule: Rule,
    /// A reference of the object itself; where it is set, the object does not go down with the other one.
    pub unless: Option<ReferenceId>,
}

impl Dependency {
    /// The object goes down with what contains it.
    pub const fn inside(by: ReferenceId) -> Self {
        Self { by, part_of: None, rule: Rule::Containment, unless: None }
    }

    /// The object goes down with what contains it, unless it refers to something by another reference.
    pub const fn inside_unless(by: ReferenceId, unless: ReferenceId) -> Self {
        Self { unless: Some(unless), ..Self::inside(by) }
    }

    /// The object goes down with what supplies it.
    pub const fn supplied(by: ReferenceId) -> Self {
        Self { by, part_of: None, rule: Rule::Power, unless: None }
    }

    /// The object goes down with what its parts refer to.
    pub const fn of_parts(part_of: ReferenceId, by: ReferenceId, rule: Rule) -> Self {
        Self { by, part_of: Some(part_of), rule, unless: None }
    }
}

/// What a kind is, where it is more than something that goes down with another.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// Nothing more.
    Plain,
    /// It joins plugs by hand.
    Joint(Joint),
    /// Something is plugged into it.
    Plug(Plug),
    /// It draws power, works in a network, hosts.
    Machine(Machine),
    /// It is a way that goes out of sight between two ends.
    Crossing(Crossing),
    /// It is a network of others, out of sight: a way out.
    Outside,
    /// It runs on something else.
    Guest(Guest),
    /// It is made of machines.
    Pool,
    /// It stands for what joins two others.
    Association(Association),
}

/// What joins plugs: down with all plugs of one side.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// The references to the plugs of its two sides.
    pub sides: [ReferenceId; 2],
}

/// Where something is plugged in.
#[derive(Clone, Copy, Debug)]
pub struct Plug {
    /// What a row says of itself.
    pub state: fn(&dyn Row) -> PlugState,
    /// The machine that has it.
    pub machine: ReferenceId,
    /// What feeds it, when it gives power.
    pub fed_by: ReferenceId,
    /// The bundle that it is a member of.
    pub bundle: ReferenceId,
}

/// What a plug says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlugState {
    /// What it is for.
    pub purpose: Purpose,
    /// Whether it is joined to something outside the inventory.
    pub outside: bool,
}

/// What a plug is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Its machine takes power by it.
    Inlet,
    /// It gives power.
    Outlet,
    /// It carries the traffic of users.
    Data,
    /// Its members carry that.
    Bundle,
    /// Anything else.
    Other,
}

/// What draws power, works in a network, hosts.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// What a row says of itself.
    pub state: fn(&dyn Row) -> MachineState,
    /// The machine that it is a part of. Those that pass traffic on are joined with others of the same whole.
    pub whole: ReferenceId,
    /// The pool that it works for.
    pub pool: ReferenceId,
}

/// What a machine says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineState {
    /// How many live inlets it needs to run.
    pub inlets_required: u32,
    /// Whether it goes on, and goes on giving power, without any input.
    pub has_battery: bool,
    /// What it is to the network; `None`: it takes no part in that of users.
    pub network: Option<Standing>,
    /// Whether its pool counts it.
    pub counts: bool,
}

/// What a machine is to the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whether it passes traffic on.
    pub forwards: bool,
    /// Whether nobody asks whether it can be reached.
    pub exempt: bool,
    /// Where a connected part has no way out: how near to one it is.
    pub tier: Tier,
}

/// How near to the way out of a network a machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// It joins the network with others.
    Border,
    /// It is the middle of the network.
    Core,
    /// Anywhere else.
    Other,
}

/// A way that goes out of sight between two ends.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Whether its far side can be outside.
    pub leads_out: fn(&dyn Row) -> bool,
    /// The reference from its ends to it.
    pub ends: ReferenceId,
    /// The references by which an end says where it is; an end that has none of them is outside.
    pub whereabouts: &'static [ReferenceId],
}

/// What runs on something else.
#[derive(Clone, Copy, Debug)]
pub struct Guest {
    /// What it may run on: the first that is set counts.
    pub hosts: &'static [ReferenceId],
}

/// What stands for that two others are joined.
#[derive(Clone, Copy, Debug)]
pub struct Association {
    /// The references to the two.
    pub ends: [ReferenceId; 2],
    /// The reference to what realises it.
    pub carriers: ReferenceId,
}

/// How a failure goes on against the direction of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Onward {
    /// To nothing.
    Nowhere,
    /// To the object that has the reference.
    Referrer,
    /// To the whole that the object which has the reference is a part of.
    Whole(ReferenceId),
    /// To what the referrer serves, after everything physical is settled.
    Service,
}

/// What every kind is to failure, and how failures go on against the direction of references.
#[derive(Clone, Debug)]
pub struct Roles {
    roles: Vec<Role>,
    onward: Vec<Vec<Onward>>,
    pub(super) sides: Vec<ReferenceId>,
    pub(super) machines: Vec<ReferenceId>,
    pub(super) bundles: Vec<ReferenceId>,
    pub(super) pools: Vec<ReferenceId>,
    pub(super) wholes: Vec<ReferenceId>,
}

impl Roles {
    /// The table of these roles, in the order of the kinds.
    ///
    /// # Panics
    /// When there is not one role for every kind: a mistake in the list of kinds.
    pub fn new(registry: &Registry, roles: Vec<Role>) -> Self {
        assert_eq!(registry.kinds().len(), roles.len(), "every kind has a role");
        let onward = registry.kinds().map(|kind| vec![Onward::Nowhere; kind.fields.len()]).collect();
        let (sides, machines, bundles, pools, wholes) = Default::default();
        let mut table = Self { roles: Vec::new(), onward, sides, machines, bundles, pools, wholes };
        for role in &roles {
            table.add(role);
        }
        table.roles = roles;
        table
    }

    fn add(&mut self, role: &Role) {
        for dependency in role.with {
            self.goes_on(dependency.by, dependency.part_of.map_or(Onward::Referrer, Onward::Whole));
        }
        match role.part {
            Part::Joint(joint) => {
                joint.sides.into_iter().for_each(|side| self.goes_on(side, Onward::Referrer));
                self.sides.extend(joint.sides);
            }
            Part::Plug(plug) => {
                self.goes_on(plug.fed_by, Onward::Referrer);
                self.machines.push(plug.machine);
                self.bundles.push(plug.bundle);
            }
            Part::Machine(machine) => {
                self.pools.push(machine.pool);
                self.wholes.push(machine.whole);
            }
            Part::Guest(guest) => guest.hosts.iter().for_each(|host| self.goes_on(*host, Onward::Service)),
            Part::Association(association) => {
                let references = association.ends.into_iter().chain([association.carriers]);
                references.for_each(|reference| self.goes_on(reference, Onward::Service));
            }
            Part::Plain | Part::Crossing(_) | Part::Outside | Part::Pool => {}
        }
    }

    fn goes_on(&mut self, reference: ReferenceId, onward: Onward) {
        self.onward[usize::from(reference.kind.0)][usize::from(reference.field)] = onward;
    }

    /// What a kind is.
    pub fn of(&self, kind: KindId) -> &Role {
        &self.roles[usize::from(kind.0)]
    }

    /// How a failure goes on against the direction of a reference.
    pub(super) fn onward(&self, reference: ReferenceId) -> Onward {
        self.onward[usize::from(reference.kind.0)][usize::from(reference.field)]
    }
}
