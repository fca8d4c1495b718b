//! Defines how many ports patch panels have, and how they are wired inside.

/// The wiring of a panel: a number of rear ports with a number of positions each, and a front port for every position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wiring {
    pub(super) rears: usize,
    pub(super) positions: usize,
}

/// Wiring with one MPO of four pairs to each network rack.
pub(super) const RACK: Wiring = Wiring { rears: 2, positions: 4 };
/// Wiring with one MPO of four pairs from each rack of a row.
pub(super) const ROW: Wiring = Wiring { rears: 4, positions: 4 };
/// Wiring with two MPO of four pairs to each network rack.
pub(super) const FLEET_RACK: Wiring = Wiring { rears: 4, positions: 4 };
/// Wiring with two MPO of four pairs from each rack of a row.
pub(super) const FLEET_ROW: Wiring = Wiring { rears: 8, positions: 4 };
/// Wiring with one MPO of twelve pairs to each meet-me room.
pub(super) const WAN: Wiring = Wiring { rears: 2, positions: 12 };
/// Wiring with one MPO of twelve pairs.
pub(super) const SINGLE: Wiring = Wiring { rears: 1, positions: 12 };
