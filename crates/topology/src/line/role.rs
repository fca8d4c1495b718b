//! The role of a kind in lines: a small description by each kind, collected in a table.

use underlay_entity::row::Row;
use underlay_inventory::{KindId, ReferenceId, Registry};

/// The role of a kind in lines.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// An end, which a cable is plugged into.
    End(End),
    /// A cable that connects the ends of two sides.
    Joint(Joint),
    /// A circuit: a connection between two ends whose path the inventory does not show.
    Crossing(Crossing),
    /// An endpoint in which ends may stand. A line that leads nowhere else ends there.
    Terminus(Terminus),
}

/// An end, which a cable is plugged into.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// Reads the state of an end from its row.
    pub state: fn(&dyn Row) -> State,
    /// The connection inside the device to its mirror ends.
    pub inside: Option<Inside>,
    /// The reference to the end that it is plugged into directly, without a cable.
    pub plug: Option<ReferenceId>,
    /// The reference to the circuit of which it is one of the two ends.
    pub crossing: Option<ReferenceId>,
    /// The references to the endpoint in which it stands; the first that is set counts.
    pub stands_in: &'static [ReferenceId],
    /// The reference to the ends that feed it.
    pub fed_by: Option<ReferenceId>,
}

/// The state of an end, as its row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The number of lanes or fibres; `None` for as many as the lanes of its cable name.
    pub positions: Option<u32>,
    /// True if the end is in use and switched on.
    pub active: bool,
    /// True if the end is connected to an object outside the inventory.
    pub outside: bool,
    /// The way in which a line continues that arrives at the end.
    pub onward: Onward,
}

/// The way in which a line continues that arrives at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// The line ends there.
    Stays,
    /// The line continues inside the device to the mirror ends, position by position.
    Inside,
    /// The line continues over the circuit to its other end.
    Across,
    /// The line continues to the ends that feed this one, if the walk follows sources; else it ends there.
    Fed,
}

/// The connection of an end to its mirror ends inside a device. One of the two has the reference; a walk follows it
/// both ways.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    /// The reference to the mirror ends.
    pub by: ReferenceId,
    /// Calls back with the positions for each reference, in the order of the references.
    pub each: fn(&dyn Row, &mut dyn FnMut(Mapping)),
}

/// A position of an end that is connected inside the device to a position of a mirror end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The position of the end that has the reference.
    pub own: u32,
    /// The position of the end that is referred to.
    pub mirror: u32,
}

/// A cable that connects the ends of two sides.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// The references to the ends of its two sides.
    pub sides: [ReferenceId; 2],
    /// Returns true if the cable is plugged in.
    pub active: fn(&dyn Row) -> bool,
    /// Returns the length in metres, if it is known.
    pub length_m: fn(&dyn Row) -> Option<f64>,
    /// Calls back with each lane. If there are no lanes, every end of a side is connected to every end of the other
    /// side.
    pub each_lane: fn(&dyn Row, &mut dyn FnMut(Lane)),
}

/// A lane of a cable: a position of an end on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The index of the end on each side, from 0.
    pub ends: [u32; 2],
    /// The position of each of these ends, from 1.
    pub positions: [u32; 2],
}

/// A circuit: a connection between two ends whose path the inventory does not show.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Returns true if the circuit is in use.
    pub active: fn(&dyn Row) -> bool,
    /// Returns the length in metres, if it is known.
    pub length_m: fn(&dyn Row) -> Option<f64>,
    /// Returns the one-way latency in milliseconds, if it is known.
    pub latency_ms: fn(&dyn Row) -> Option<f64>,
}

/// An endpoint of lines in which ends can stand.
#[derive(Clone, Copy, Debug)]
pub struct Terminus {
    /// True if a line that ends there is complete.
    pub completes: bool,
    /// Returns true if the endpoint is in use.
    pub active: fn(&dyn Row) -> bool,
}

/// The roles of all kinds in lines.
#[derive(Clone, Debug)]
pub struct Lines {
    roles: Vec<Option<Role>>,
    /// The references from cables to their ends, each with the reference to the ends of the other side.
    pub(super) sides: Vec<Side>,
    /// The references from ends to the ends that they are plugged into directly.
    pub(super) plugs: Vec<ReferenceId>,
}

/// One side of a kind of cable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// The index of the side, 0 or 1.
    pub place: usize,
    /// The reference to the ends of this side.
    pub own: ReferenceId,
    /// The reference to the ends of the other side.
    pub other: ReferenceId,
}

impl Lines {
    /// Creates the table of these roles. All other kinds have no part in lines.
    pub fn new(roles: &[(KindId, Role)]) -> Self {
        let mut lines = Self { roles: Vec::new(), sides: Vec::new(), plugs: Vec::new() };
        for (kind, role) in roles {
            let place = usize::from(kind.0);
            lines.roles.resize(lines.roles.len().max(place + 1), None);
            lines.roles[place] = Some(*role);
            match role {
                Role::End(end) => lines.plugs.extend(end.plug),
                Role::Joint(joint) => {
                    let [a, b] = joint.sides;
                    lines.sides.push(Side { place: 0, own: a, other: b });
                    lines.sides.push(Side { place: 1, own: b, other: a });
                }
                Role::Crossing(_) | Role::Terminus(_) => {}
            }
        }
        lines
    }

    /// Returns the role of a kind.
    #[inline]
    pub fn role(&self, kind: KindId) -> Option<&Role> {
        self.roles.get(usize::from(kind.0))?.as_ref()
    }

    /// Returns the role of a kind of ends; `None` if objects of the kind are not ends.
    #[inline]
    pub fn end(&self, kind: KindId) -> Option<&End> {
        match self.role(kind) {
            Some(Role::End(end)) => Some(end),
            _ => None,
        }
    }

    /// Returns the names of the kinds that are ends. A line can be traced from these.
    pub fn ends(&self, registry: &Registry) -> Vec<&'static str> {
        registry.kinds().filter(|kind| self.end(kind.id).is_some()).map(|kind| kind.name).collect()
    }
}
