//! Connections: spans and opaque spans, which lines run over, and associations, which only say that two objects are
//! connected.

use underlay_entity::row::Row;
use underlay_inventory::ReferenceId;

/// The stretch between two terminations: it connects the ends of its two sides. It is down when all ends of one side
/// are down.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The references to the ends of its two sides.
    pub sides: [ReferenceId; 2],
    /// Reads the length in metres, if it is known.
    pub length_m: fn(&dyn Row) -> Option<f64>,
    /// Calls back with each lane. If there are no lanes, every end of a side is connected to every end of the other
    /// side.
    pub each_lane: fn(&dyn Row, &mut dyn FnMut(Lane)),
}

/// A lane of a span: a position of an end on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The index of the end on each side, from 0.
    pub ends: [u32; 2],
    /// The position of each of these ends, from 1.
    pub positions: [u32; 2],
}

/// A span between two ends whose path the inventory does not show.
#[derive(Clone, Copy, Debug)]
pub struct OpaqueSpan {
    /// The reference from its ends.
    pub ends: ReferenceId,
    /// Returns true if the far side can be outside the inventory.
    pub leads_out: fn(&dyn Row) -> bool,
    /// Returns true if it is only a cable of a facility. If its latency is not given, that of its length counts.
    pub passive: fn(&dyn Row) -> bool,
    /// Reads the length in metres, if it is known.
    pub length_m: fn(&dyn Row) -> Option<f64>,
    /// Reads the one-way latency in milliseconds, if it is known.
    pub latency_ms: fn(&dyn Row) -> Option<f64>,
    /// Reads the bandwidth in bits per second, if it is known.
    pub bandwidth_bps: fn(&dyn Row) -> Option<i64>,
}

/// An object which says that two others are connected.
#[derive(Clone, Copy, Debug)]
pub struct Association {
    /// The references to the two objects: machines, groups or pools.
    pub ends: [ReferenceId; 2],
    /// The reference to the objects that realise it. If there are any, paths run over these instead.
    pub carriers: ReferenceId,
    /// Reads the latency in milliseconds, if it is known.
    pub latency_ms: fn(&dyn Row) -> Option<f64>,
    /// Reads the bandwidth in bits per second, if it is known.
    pub bandwidth_bps: fn(&dyn Row) -> Option<i64>,
}
