//! The cost of a path, by which paths are compared.
//!
//! Costs are compared part by part: first the number of shared nodes and lines, then logical connections, then parts of
//! unknown measure, then the known measure, then hops. So an unknown part never counts as zero: a path with fewer
//! unknown parts comes first, however short the known rest of the other path is. Of two paths with as many unknown
//! parts, the one with the smaller known rest comes first. Costs are integers, so that they can be added and subtracted
//! without loss.

use std::ops::{Add, Neg, Sub};

/// The measure by which paths are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weight {
    /// The number of hops from machine to machine.
    #[default]
    Hops,
    /// The length in metres. A line of unknown length counts as an unknown part; what is known of it counts too.
    Length,
    /// The latency of circuits, and of cables by their length. Each circuit of unknown latency counts as an unknown
    /// part, a cable of unknown length does not.
    Latency,
}

/// The cost of a path or of a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Cost {
    /// The number of nodes and lines that are used a second time.
    pub shared: i64,
    /// The number of logical connections.
    pub logical: i64,
    /// The number of parts of unknown measure.
    pub unknown: i64,
    /// The known measure in micrometres or nanoseconds.
    pub measure: i64,
    /// The number of hops from machine to machine.
    pub hops: i64,
}

impl Cost {
    /// The cost of an empty path.
    pub const NONE: Self = Self { shared: 0, logical: 0, unknown: 0, measure: 0, hops: 0 };
    /// The cost of one hop that has no other cost.
    pub const HOP: Self = Self { hops: 1, ..Self::NONE };
    /// The cost of using a node or line that another path uses.
    pub const SHARED: Self = Self { shared: 1, ..Self::NONE };

    /// Returns the cost of a hop with a known measure in metres or milliseconds, and a number of parts of unknown
    /// measure.
    pub fn measured(known: f64, unknown: u32) -> Self {
        // The unit is split into a million parts. The clamp and the saturating cast keep large values within bounds.
        let measure = ((known * 1e6).round() as i64).clamp(0, 1 << 50);
        Self { unknown: i64::from(unknown), measure, ..Self::HOP }
    }

    /// Returns the same cost for a logical connection.
    pub fn logical(self) -> Self {
        Self { logical: 1, ..self }
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            shared: self.shared + other.shared,
            logical: self.logical + other.logical,
            unknown: self.unknown + other.unknown,
            measure: self.measure + other.measure,
            hops: self.hops + other.hops,
        }
    }
}

impl Neg for Cost {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            shared: -self.shared,
            logical: -self.logical,
            unknown: -self.unknown,
            measure: -self.measure,
            hops: -self.hops,
        }
    }
}

impl Sub for Cost {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_costs_come_after_known_ones() {
        let (near, far, unknown) = (Cost::measured(1.5, 0), Cost::measured(1e9, 0), Cost::measured(0.0, 1));
        assert!(Cost::HOP < near && near < far && far < unknown);
        assert!(far + far + far < unknown);
        assert!(unknown < near.logical());
        assert_eq!(near + unknown - near, unknown);
        assert!(Cost::measured(f64::INFINITY, 0) < unknown);
    }

    #[test]
    fn what_is_known_counts_beside_what_is_not() {
        let (near, far) = (Cost::measured(1.0, 1), Cost::measured(2.0, 1));
        assert!(near < far && far < Cost::measured(0.0, 2));
    }
}
