//! Ends of lines: objects that a span is plugged into. A connector is an end in a machine.

use underlay_entity::row::Row;
use underlay_inventory::ReferenceId;

/// An end, which a span is plugged into.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// Reads the state of an end from its row.
    pub state: fn(&dyn Row) -> EndState,
    /// The connection inside the machine to its mirror ends.
    pub inside: Option<Inside>,
    /// The reference to the end that it is plugged into directly, without a span.
    pub plugged_into: Option<ReferenceId>,
    /// The reference to the opaque span of which it is one of the two ends.
    pub opaque_span: Option<ReferenceId>,
    /// The references to the group or outside network in which it stands; the first that is set counts.
    pub stands_in: &'static [ReferenceId],
    /// The reference to the ends that feed it.
    pub fed_by: Option<ReferenceId>,
}

/// The state of an end, as its row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndState {
    /// The number of lanes or fibres; `None` for as many as the lanes of its span name.
    pub positions: Option<u32>,
    /// True if the end is connected to an object outside the inventory.
    pub outside: bool,
    /// The way in which a line continues that arrives at the end.
    pub onward: Onward,
}

/// The way in which a line continues that arrives at an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// The line ends there.
    Ends,
    /// The line continues inside the machine to the mirror ends, position by position.
    Inside,
    /// The line continues over the opaque span to its other end.
    Across,
    /// The line continues to the ends that feed this one, if the walk follows sources; else it ends there.
    Fed,
}

/// The connection of an end to its mirror ends inside a machine. One of the two has the reference; a walk follows it
/// both ways.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    /// The reference to the mirror ends.
    pub by: ReferenceId,
    /// Calls back with the positions for each reference, in the order of the references.
    pub each: fn(&dyn Row, &mut dyn FnMut(Mapping)),
}

/// A position of an end that is connected inside the machine to a position of a mirror end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The position of the end that has the reference.
    pub own: u32,
    /// The position of the end that is referred to.
    pub mirror: u32,
}

/// A connector, also a virtual one: an end in a machine or a guest.
#[derive(Clone, Copy, Debug)]
pub struct Connector {
    /// The connector as an end of lines. Its `fed_by` names the inlets that feed it if it is an outlet.
    pub end: End,
    /// The reference to the machine that has the connector.
    pub machine: ReferenceId,
    /// The reference to the guest that has the connector, if it can be in a guest.
    pub guest: Option<ReferenceId>,
    /// The reference to the bundle that the connector is a member of.
    pub bundle: ReferenceId,
    /// Reads the purpose of a connector from its row.
    pub purpose: fn(&dyn Row) -> Purpose,
    /// Reads the bandwidth in bits per second, if it is known.
    pub bandwidth_bps: fn(&dyn Row) -> Option<i64>,
}

/// The purpose of a connector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The connector takes power for its machine.
    Inlet,
    /// The connector supplies power to others.
    Outlet,
    /// The connector carries user traffic.
    Data,
    /// The connector carries traffic to manage machines.
    Management,
    /// The members of the connector carry user traffic.
    Bundle,
    /// The connector has any other purpose.
    Other,
}
