//! The units of a rack that devices take, and the room that is left.
//!
//! Units have steps of one half, so the space is counted in half units. A unit is free if no device takes it on either
//! face.

use crate::device::{Device, half_units};
use underlay_inventory::Held;

/// The half units of a rack, from the bottom; true for those that a device takes.
pub struct Space(Vec<bool>);

impl Space {
    /// Returns the space of a rack with so many units and these devices.
    pub fn of(height_u: i32, devices: impl Iterator<Item = Held<Device>>) -> Self {
        Self::with(height_u, devices.filter_map(|device| half_units(&device.row)))
    }

    fn with(height_u: i32, taken: impl Iterator<Item = std::ops::Range<usize>>) -> Self {
        let mut halves = vec![false; usize::try_from(height_u).unwrap_or_default() * 2];
        for range in taken {
            // Units of a device beyond the rack are no space of the rack.
            let end = range.end.min(halves.len());
            halves[range.start.min(end)..end].fill(true);
        }
        Self(halves)
    }

    /// Returns the number of units that are taken.
    pub fn used(&self) -> f64 {
        units(self.0.iter().filter(|taken| **taken).count())
    }

    /// Returns the number of units that are free.
    pub fn free(&self) -> f64 {
        units(self.0.iter().filter(|taken| !**taken).count())
    }

    /// Returns the number of units in the longest run that is free.
    pub fn largest_free(&self) -> f64 {
        units(self.0.split(|taken| *taken).map(<[bool]>::len).max().unwrap_or_default())
    }
}

fn units(halves: usize) -> f64 {
    halves as f64 / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_and_free_units_make_the_rack() {
        for (height, taken, expected) in [
            (42, vec![], (0.0, 42.0, 42.0)),
            (42, vec![(0, 2), (2, 6)], (3.0, 39.0, 39.0)),
            (10, vec![(8, 10)], (1.0, 9.0, 5.0)),
            // The same units on both faces, and halves.
            (4, vec![(0, 2), (0, 2), (3, 4)], (1.5, 2.5, 2.0)),
            (2, vec![(0, 4)], (2.0, 0.0, 0.0)),
            (2, vec![(3, 9)], (0.5, 1.5, 1.5)),
            (2, vec![(7, 9)], (0.0, 2.0, 2.0)),
        ] {
            let space = Space::with(height, taken.iter().map(|&(from, to)| from..to));
            assert_eq!((space.used(), space.free(), space.largest_free()), expected, "{height} {taken:?}");
        }
    }
}
