//! The role of a kind in failures: a small description by each kind, collected in a table.

use underlay_entity::row::Row;
use underlay_inventory::{KindId, ReferenceId, Registry};

/// The rule by which an object is affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// An object that contains it fails.
    Containment,
    /// A line fails with any object on it.
    Line,
    /// The object has less power than it needs, or less than it had.
    Power,
    /// The object has fewer paths to the exits of the network than it had.
    Network,
    /// Members of a bundle fail.
    Group,
    /// The object that it runs on fails.
    Hosting,
    /// The objects that it joins, or those that realise it, fail.
    Association,
}

/// The role of a kind in failures.
#[derive(Clone, Copy, Debug)]
pub struct Role {
    /// Returns true if a row says that the object exists and runs.
    pub runs: fn(&dyn Row) -> bool,
    /// The objects that an object of this kind goes down with.
    pub with: &'static [Dependency],
    /// The further part that the kind plays in the rules.
    pub part: Part,
    /// True if the object counts as a loss when it fails. False for an object that is only a part of another one.
    pub missed: bool,
}

/// A dependency: an object goes down with another one.
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    /// The reference to the other object, from the object itself or from its parts.
    pub by: ReferenceId,
    /// The reference from a part to the object, if the parts refer to the other object.
    pub part_of: Option<ReferenceId>,
    /// The rule by which the object goes down.
    pub rule: Rule,
    /// A reference of the object. If it is set, the object does not go down with the other one.
    pub unless: Option<ReferenceId>,
}

impl Dependency {
    /// Returns a dependency on the container of the object.
    pub const fn inside(by: ReferenceId) -> Self {
        Self { by, part_of: None, rule: Rule::Containment, unless: None }
    }

    /// Returns a dependency on the container of the object that holds unless another reference is set.
    pub const fn inside_unless(by: ReferenceId, unless: ReferenceId) -> Self {
        Self { unless: Some(unless), ..Self::inside(by) }
    }

    /// Returns a dependency on the power supply of the object.
    pub const fn supplied(by: ReferenceId) -> Self {
        Self { by, part_of: None, rule: Rule::Power, unless: None }
    }

    /// Returns a dependency on the objects that the parts of the object refer to.
    pub const fn of_parts(part_of: ReferenceId, by: ReferenceId, rule: Rule) -> Self {
        Self { by, part_of: Some(part_of), rule, unless: None }
    }
}

/// The part that a kind plays in the rules, besides going down with other objects.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// No further part: the object only goes down with others.
    Plain,
    /// A cable or a similar connection between ports.
    Joint(Joint),
    /// A port that cables are plugged into.
    Plug(Plug),
    /// An object that draws power, takes part in a network and hosts others.
    Machine(Machine),
    /// A circuit: a connection between two ends whose path the inventory does not show.
    Crossing(Crossing),
    /// A network of another operator, whose inside the inventory does not show. It is an exit.
    Outside,
    /// An object that runs on another one.
    Guest(Guest),
    /// A set of machines, such as a cluster.
    Pool,
    /// An object that represents the connection of two others.
    Association(Association),
}

/// A cable between ports. It is down when all ports of one side are down.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// The references to the ports of its two sides.
    pub sides: [ReferenceId; 2],
}

/// A port that cables are plugged into.
#[derive(Clone, Copy, Debug)]
pub struct Plug {
    /// Reads the state of a port from its row.
    pub state: fn(&dyn Row) -> PlugState,
    /// The reference to the machine that has the port.
    pub machine: ReferenceId,
    /// The reference to the inlets that feed the port if it is an outlet.
    pub fed_by: ReferenceId,
    /// The reference to the bundle that the port is a member of.
    pub bundle: ReferenceId,
}

/// The state of a port, as its row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlugState {
    /// The purpose of the port in the rules.
    pub purpose: Purpose,
    /// True if the port is connected to an object outside the inventory.
    pub outside: bool,
}

/// The purpose of a port in the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The port takes power for its machine.
    Inlet,
    /// The port supplies power to others.
    Outlet,
    /// The port carries user traffic.
    Data,
    /// The members of the port carry user traffic.
    Bundle,
    /// The port has any other purpose.
    Other,
}

/// A machine draws power, takes part in a network and hosts others.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Reads the state of a machine from its row.
    pub state: fn(&dyn Row) -> MachineState,
    /// The reference to the machine that it is a part of. Parts of the same machine that forward traffic are connected.
    pub whole: ReferenceId,
    /// The reference to the pool that the machine belongs to.
    pub pool: ReferenceId,
}

/// The state of a machine, as its row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineState {
    /// The number of live inlets that the machine needs to run.
    pub inlets_required: u32,
    /// True if the machine keeps running, and keeps supplying power, without any input.
    pub has_battery: bool,
    /// The machine's position in the network; `None` if it takes no part in the network of user traffic.
    pub network: Option<Standing>,
    /// True if its pool counts the machine.
    pub counts: bool,
}

/// The position of a machine in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// True if the machine forwards traffic.
    pub forwards: bool,
    /// True if the machine is not reported when it is cut off.
    pub exempt: bool,
    /// The distance class to an exit. It is used where a connected part has no exit.
    pub tier: Tier,
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

/// A circuit: a connection between two ends whose path the inventory does not show.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Returns true if the far side of the circuit can be outside the inventory.
    pub leads_out: fn(&dyn Row) -> bool,
    /// The reference from its ends to the circuit.
    pub ends: ReferenceId,
    /// The references by which an end says where it is. An end that has none of them is outside the inventory.
    pub whereabouts: &'static [ReferenceId],
}

/// An object that runs on another one.
#[derive(Clone, Copy, Debug)]
pub struct Guest {
    /// The references to the possible hosts. The first one that is set counts.
    pub hosts: &'static [ReferenceId],
}

/// An object that represents the connection of two others.
#[derive(Clone, Copy, Debug)]
pub struct Association {
    /// The references to the two objects.
    pub ends: [ReferenceId; 2],
    /// The reference to the objects that realise the connection.
    pub carriers: ReferenceId,
}

/// The propagation of a failure from the target of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Onward {
    /// The failure does not propagate.
    Nowhere,
    /// The failure propagates to the object that has the reference.
    Referrer,
    /// The failure propagates to the object of which the referrer is a part. Contains the reference from part to
    /// object.
    Whole(ReferenceId),
    /// The failure propagates to the referrer by the service rules, after all physical rules.
    Service,
}

/// The roles of all kinds, and how failures propagate from the target of each reference.
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
    /// Creates the table from the roles, in the order of the kinds.
    ///
    /// # Panics
    /// Panics if there is not exactly one role for every kind. This would be a mistake in the list of kinds.
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

    /// Returns the role of a kind.
    pub fn of(&self, kind: KindId) -> &Role {
        &self.roles[usize::from(kind.0)]
    }

    /// Returns how a failure propagates from the target of a reference.
    pub(super) fn onward(&self, reference: ReferenceId) -> Onward {
        self.onward[usize::from(reference.kind.0)][usize::from(reference.field)]
    }
}
