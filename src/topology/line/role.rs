//! What a kind is to lines: a small description of its own, collected in a table.

use crate::inventory::{KindId, ReferenceId, Registry};
use crate::store::Row;

/// What a kind is to lines.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// A plug goes into it.
    End(End),
    /// It joins ends by hand.
    Joint(Joint),
    /// It is a way between two ends that goes out of sight.
    Crossing(Crossing),
    /// Ends may stand in it, and a line that leads nowhere else ends there.
    Terminus(Terminus),
}

/// Where a plug goes into.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// What a row says of itself.
    pub state: fn(&dyn Row) -> State,
    /// How it is joined inside to its mirror ends.
    pub inside: Option<Inside>,
    /// The end that it is plugged straight into.
    pub plug: Option<ReferenceId>,
    /// The crossing that it is one of the two ends of.
    pub crossing: Option<ReferenceId>,
    /// The terminus that it stands in; the first that is set counts.
    pub stands_in: &'static [ReferenceId],
    /// The ends that feed it.
    pub fed_by: Option<ReferenceId>,
}

/// What an end says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// How many lanes or fibres it carries; `None`: as many as the lanes of its joint name.
    pub positions: Option<u32>,
    /// Whether it is in use and switched on.
    pub active: bool,
    /// Whether it is joined to something outside the inventory.
    pub outside: bool,
    /// How a line goes on that arrives at it.
    pub onward: Onward,
}

/// How a line goes on that arrives at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// It ends there.
    Stays,
    /// Inside to its mirror ends, position by position.
    Inside,
    /// Over the crossing to the other end of it.
    Across,
    /// To what feeds it, where the walk goes through what stands between; else it ends there.
    Fed,
}

/// How an end is joined inside to its mirror ends. One of the two says so; the walk goes both ways.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    /// The reference to the mirror ends.
    pub by: ReferenceId,
    /// Calls back with the positions of each reference, in the order of the references.
    pub each: fn(&dyn Row, &mut dyn FnMut(Mapping)),
}

/// A position of an end that is joined inside to a position of a mirror end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The position of the end that has the reference.
    pub own: u32,
    /// The position of the end that is referred to.
    pub mirror: u32,
}

/// What joins ends by hand.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// The references to the ends of its two sides.
    pub sides: [ReferenceId; 2],
    /// Whether it is plugged in.
    pub active: fn(&dyn Row) -> bool,
    /// Its length in metres.
    pub length_m: fn(&dyn Row) -> Option<f64>,
    /// Calls back with each lane. None: every end of a side reaches every end of the other.
    pub each_lane: fn(&dyn Row, &mut dyn FnMut(Lane)),
}

/// A position of an end of one side of a joint, and what it is joined to on the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The place of the end on each side, from 0.
    pub ends: [u32; 2],
    /// The position of each of these ends, from 1.
    pub positions: [u32; 2],
}

/// A way between two ends that goes out of sight.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Whether it is in use.
    pub active: fn(&dyn Row) -> bool,
    /// Its length in metres.
    pub length_m: fn(&dyn Row) -> Option<f64>,
    /// Its latency one way in milliseconds.
    pub latency_ms: fn(&dyn Row) -> Option<f64>,
}

/// What a line may end in.
#[derive(Clone, Copy, Debug)]
pub struct Terminus {
    /// Whether a line that ends there is complete.
    pub completes: bool,
    /// Whether it is in use.
    pub active: fn(&dyn Row) -> bool,
}

/// What every kind is to lines.
#[derive(Clone, Debug)]
pub struct Lines {
    roles: Vec<Option<Role>>,
    /// The references from joints to their ends, each with that to the ends of the other side.
    pub(super) sides: Vec<Side>,
    /// The references from ends to those that they are plugged straight into.
    pub(super) plugs: Vec<ReferenceId>,
}

/// One side of a kind of joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// Which of the two it is.
    pub place: usize,
    /// The reference to the ends of this side.
    pub own: ReferenceId,
    /// The reference to the ends of the other side.
    pub other: ReferenceId,
}

impl Lines {
    /// The table of these roles; all other kinds are on no line.
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

    /// What a kind is.
    #[inline]
    pub fn role(&self, kind: KindId) -> Option<&Role> {
        self.roles.get(usize::from(kind.0))?.as_ref()
    }

    /// What an end of a kind is; `None`: objects of the kind are no ends.
    #[inline]
    pub fn end(&self, kind: KindId) -> Option<&End> {
        match self.role(kind) {
            Some(Role::End(end)) => Some(end),
            _ => None,
        }
    }

    /// The names of the kinds that are ends: from these a line can be followed.
    pub fn ends(&self, registry: &Registry) -> Vec<&'static str> {
        registry.kinds().filter(|kind| self.end(kind.id).is_some()).map(|kind| kind.name).collect()
    }
}
