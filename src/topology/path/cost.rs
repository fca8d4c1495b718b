//! What a way costs: which of two ways comes first.
//!
//! Costs are compared part by part: first what is shared that need not be, then logical parts, then parts whose measure
//! is unknown, then the measure, then hops. So what is unknown never counts as nothing: a way with fewer unknown parts
//! comes before one with more, however short the known rest of that is. Costs are whole numbers, so that they can be
//! added and taken away without loss.

use std::ops::{Add, Neg, Sub};

/// What ways are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weight {
    /// The number of hops from machine to machine.
    #[default]
    Hops,
    /// The length in metres. A line of unknown length is an unknown part.
    Length,
    /// The latency of the crossings. A line without a crossing adds none; one over a crossing of unknown latency is an
    /// unknown part.
    Latency,
}

/// What a way, or a part of it, costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Cost {
    /// How many nodes and lines are used a second time.
    pub shared: i64,
    /// How many logical joints.
    pub logical: i64,
    /// How many parts of unknown measure.
    pub unknown: i64,
    /// The measure as far as it is known: micrometres, or nanoseconds.
    pub measure: i64,
    /// How many hops.
    pub hops: i64,
}

impl Cost {
    /// Nothing.
    pub const NONE: Self = Self { shared: 0, logical: 0, unknown: 0, measure: 0, hops: 0 };
    /// One hop of which nothing else counts.
    pub const HOP: Self = Self { hops: 1, ..Self::NONE };
    /// The use of something that is in use.
    pub const SHARED: Self = Self { shared: 1, ..Self::NONE };

    /// A hop with a measure in metres or milliseconds; `None`: it is unknown.
    pub fn measured(measure: Option<f64>) -> Self {
        match measure {
            // A million of the smallest parts to the unit; the cast keeps what is too large within bounds.
            Some(measure) => Self { measure: ((measure * 1e6).round() as i64).clamp(0, 1 << 50), ..Self::HOP },
            None => Self { unknown: 1, ..Self::HOP },
        }
    }

    /// The same over a logical joint.
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
    fn what_is_unknown_comes_after_all_that_is_known() {
        let (near, far, unknown) = (Cost::measured(Some(1.5)), Cost::measured(Some(1e9)), Cost::measured(None));
        assert!(Cost::HOP < near && near < far && far < unknown);
        assert!(far + far + far < unknown);
        assert!(unknown < near.logical());
        assert_eq!(near + unknown - near, unknown);
        assert!(Cost::measured(Some(f64::INFINITY)) < unknown);
    }
}
