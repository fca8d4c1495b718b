//! The cost of a path, by which paths are compared.
//!
//! Costs are compared part by part: first the number of shared nodes and lines, then logical connections, then parts of
//! unknown measure, then the measure, then hops. So an unknown part never counts as zero: a path with fewer unknown
//! parts comes first, however short the known rest of the other path is. Costs are integers, so that they can be added
//! and subtracted without loss.

use std::ops::{Add, Neg, Sub};

/// The measure by which paths are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weight {
    /// The number of hops from machine to machine.
    #[default]
    Hops,
    /// The length in metres. A line of unknown length counts as an unknown part.
    Length,
    /// The latency of the circuits. A line without a circuit adds none. A line over a circuit of unknown latency counts
    /// as an unknown part.
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

    /// Returns the cost of a hop with a measure in metres or milliseconds; `None` if it is unknown.
    pub fn measured(measure: Option<f64>) -> Self {
        match measure {
            // The unit is split into a million parts. The clamp and the saturating cast keep large values within
            // bounds.
            Some(measure) => Self { measure: ((measure * 1e6).round() as i64).clamp(0, 1 << 50), ..Self::HOP },
            None => Self { unknown: 1, ..Self::HOP },
        }
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
        let (near, far, unknown) = (Cost::measured(Some(1.5)), Cost::measured(Some(1e9)), Cost::measured(None));
        assert!(Cost::HOP < near && near < far && far < unknown);
        assert!(far + far + far < unknown);
        assert!(unknown < near.logical());
        assert_eq!(near + unknown - near, unknown);
        assert!(Cost::measured(Some(f64::INFINITY)) < unknown);
    }
}
