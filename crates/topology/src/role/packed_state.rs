//! Packs the state of a row that topology reads most often into one 32-bit word. A snapshot keeps this word beside each
//! row, so that a query over many objects does not have to read all of their rows.
//!
//! The lower half has the state that the impact rules read, the upper half the state that lines read. Some bits have
//! one meaning for each part, because an object plays one part only.

use underlay_entity::row::Row;
use underlay_inventory::{ObjectRef, Snapshot};

use super::{EndState, Machine, MachineState, Onward, Part, Plane, Purpose, Role, Tier};

/// Set for every object that runs.
const RUNS: u32 = 1;

/// The purpose of a connector.
const PURPOSE_AT: u32 = 1;
const PURPOSE: u32 = 7;

/// The number of required inlets of a machine.
const INLETS_AT: u32 = 1;
/// The largest number of required inlets that fits. It means "this many or more": the exact number is in the row.
const MANY_INLETS: u32 = 15;
const BATTERY: u32 = 1 << 5;
const COUNTS: u32 = 1 << 6;
/// Set for a machine in the network for user traffic.
const DATA: u32 = 1 << 7;
const FORWARDS: u32 = 1 << 8;
const EXEMPT: u32 = 1 << 9;
const TIER_AT: u32 = 10;
const TIER: u32 = 3;
const OUTWARD: u32 = 1 << 12;

/// Set for every object that exists.
const EXISTS: u32 = 1 << 15;

/// Set for every object that is in regular use.
const ACTIVE: u32 = 1 << 16;
/// Set for an end that is connected to an object outside the inventory.
const OUTSIDE: u32 = 1 << 17;
/// Set for a span that has lanes.
const LANES: u32 = 1 << 17;
const ONWARD_AT: u32 = 18;
const ONWARD: u32 = 3;
/// The number of positions of an end: that of its lanes, one, or several, in which case the row has the number.
const POSITIONS_AT: u32 = 20;
const POSITIONS: u32 = 3;
const OF_LANES: u32 = 0;
const ONE: u32 = 1;
const SEVERAL: u32 = 2;

/// The packed state of an object that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedState(u32);

/// The state of a connector that the impact rules read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConnectorState {
    /// The purpose of the connector.
    pub purpose: Purpose,
    /// True if the connector is connected to an object outside the inventory.
    pub outside: bool,
}

impl Role {
    /// Returns the packed state of a row of a kind with this role.
    pub fn packed_state(&self, row: &dyn Row) -> u32 {
        let status = (self.status)(row);
        let end = self.end().map_or(0, |end| of_end((end.state)(row)));
        let part = match &self.part {
            Part::Connector(connector) => of_purpose((connector.purpose)(row)),
            Part::Machine(machine) => of_machine((machine.state)(row)),
            Part::Span(span) => {
                let mut lanes = 0;
                (span.each_lane)(row, &mut |_| lanes = LANES);
                lanes
            }
            _ => 0,
        };
        EXISTS | flag(status.runs(), RUNS) | flag(status.is_active(), ACTIVE) | end | part
    }
}

/// Returns the bit if `is_set`, else 0.
const fn flag(is_set: bool, bit: u32) -> u32 {
    if is_set { bit } else { 0 }
}

fn of_end(state: EndState) -> u32 {
    let positions = match state.positions {
        None => OF_LANES,
        Some(1) => ONE,
        Some(_) => SEVERAL,
    };
    let onward = match state.onward {
        Onward::Ends => 0,
        Onward::Inside => 1,
        Onward::Across => 2,
        Onward::Fed => 3,
    };
    flag(state.outside, OUTSIDE) | onward << ONWARD_AT | positions << POSITIONS_AT
}

fn of_purpose(purpose: Purpose) -> u32 {
    let purpose = match purpose {
        Purpose::Other => 0,
        Purpose::Inlet => 1,
        Purpose::Outlet => 2,
        Purpose::Data => 3,
        Purpose::Bundle => 4,
        Purpose::Management => 5,
    };
    purpose << PURPOSE_AT
}

fn of_machine(state: MachineState) -> u32 {
    let tier = match state.tier {
        Tier::Other => 0,
        Tier::Border => 1,
        Tier::Core => 2,
    };
    let inlets = state.inlets_required.min(MANY_INLETS) << INLETS_AT;
    let power = inlets | flag(state.has_battery, BATTERY) | flag(state.counts, COUNTS);
    let network = flag(state.plane == Plane::Data, DATA) | flag(state.forwards, FORWARDS) | tier << TIER_AT;
    power | network | flag(state.exempt, EXEMPT) | flag(state.outward, OUTWARD)
}

impl Machine {
    /// Returns the state of a machine; `None` if the machine does not exist.
    #[inline]
    pub(crate) fn state_at(&self, snapshot: &Snapshot, object: ObjectRef) -> Option<MachineState> {
        // Only few rows have more inlets than the packed state can hold.
        PackedState::at(snapshot, object)?.machine().or_else(|| Some((self.state)(snapshot.row(object)?.as_ref())))
    }
}

impl PackedState {
    /// Returns the packed state of an object; `None` if the object does not exist.
    #[inline]
    pub fn at(snapshot: &Snapshot, object: ObjectRef) -> Option<Self> {
        let word = snapshot.packed_state(object);
        (word != 0).then_some(Self(word))
    }

    /// Returns true if the object runs.
    #[inline]
    pub const fn runs(self) -> bool {
        self.0 & RUNS != 0
    }

    /// Returns true if the object is in regular use.
    #[inline]
    pub const fn is_active(self) -> bool {
        self.0 & ACTIVE != 0
    }

    /// Returns true if a span has lanes.
    #[inline]
    pub const fn has_lanes(self) -> bool {
        self.0 & LANES != 0
    }

    /// Returns the state of an end; `None` if its number of positions does not fit into the word and must be read from
    /// the row.
    #[inline]
    pub fn end(self) -> Option<EndState> {
        let positions = match self.0 >> POSITIONS_AT & POSITIONS {
            OF_LANES => None,
            ONE => Some(1),
            _ => return None,
        };
        let onward = match self.0 >> ONWARD_AT & ONWARD {
            0 => Onward::Ends,
            1 => Onward::Inside,
            2 => Onward::Across,
            _ => Onward::Fed,
        };
        Some(EndState { positions, outside: self.0 & OUTSIDE != 0, onward })
    }

    /// Returns the state of a connector.
    #[inline]
    pub const fn connector(self) -> ConnectorState {
        let purpose = match self.0 >> PURPOSE_AT & PURPOSE {
            1 => Purpose::Inlet,
            2 => Purpose::Outlet,
            3 => Purpose::Data,
            4 => Purpose::Bundle,
            5 => Purpose::Management,
            _ => Purpose::Other,
        };
        ConnectorState { purpose, outside: self.0 & OUTSIDE != 0 }
    }

    /// Returns the state of a machine; `None` if its number of required inlets does not fit into the word and must be
    /// read from the row.
    #[inline]
    pub fn machine(self) -> Option<MachineState> {
        let inlets_required = self.0 >> INLETS_AT & MANY_INLETS;
        let tier = match self.0 >> TIER_AT & TIER {
            1 => Tier::Border,
            2 => Tier::Core,
            _ => Tier::Other,
        };
        (inlets_required < MANY_INLETS).then_some(MachineState {
            inlets_required,
            has_battery: self.0 & BATTERY != 0,
            counts: self.0 & COUNTS != 0,
            plane: if self.0 & DATA != 0 { Plane::Data } else { Plane::Management },
            forwards: self.0 & FORWARDS != 0,
            outward: self.0 & OUTWARD != 0,
            exempt: self.0 & EXEMPT != 0,
            tier,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [bool; 2] = [false, true];

    #[test]
    fn reads_every_end_back_or_leaves_it_to_the_row() {
        for onward in [Onward::Ends, Onward::Inside, Onward::Across, Onward::Fed] {
            for outside in BOTH {
                for positions in [None, Some(1), Some(0), Some(2), Some(u32::MAX)] {
                    let state = EndState { positions, outside, onward };
                    let read = PackedState(EXISTS | of_end(state)).end();
                    assert_eq!(read, positions.is_none_or(|it| it == 1).then_some(state));
                }
            }
        }
    }

    #[test]
    fn reads_every_connector_back_beside_its_end() {
        let purposes =
            [Purpose::Inlet, Purpose::Outlet, Purpose::Data, Purpose::Management, Purpose::Bundle, Purpose::Other];
        for purpose in purposes {
            for outside in BOTH {
                let end = EndState { positions: Some(1), outside, onward: Onward::Fed };
                let word = EXISTS | of_purpose(purpose) | of_end(end);
                assert_eq!(PackedState(word).connector(), ConnectorState { purpose, outside });
                assert_eq!(PackedState(word).end(), Some(end));
                assert!(!PackedState(word).runs() && PackedState(word | RUNS).runs());
                assert!(!PackedState(word).is_active() && PackedState(word | ACTIVE).is_active());
            }
        }
    }

    #[test]
    fn reads_every_machine_back_or_leaves_it_to_the_row() {
        for bits in 0..1_u32 << 6 {
            let is_set = |bit: u32| bits >> bit & 1 != 0;
            for tier in [Tier::Border, Tier::Core, Tier::Other] {
                for inlets_required in [0, 1, 2, 14, 15, 16, u32::MAX] {
                    let state = MachineState {
                        inlets_required,
                        has_battery: is_set(0),
                        counts: is_set(1),
                        plane: if is_set(2) { Plane::Data } else { Plane::Management },
                        forwards: is_set(3),
                        outward: is_set(4),
                        exempt: is_set(5),
                        tier,
                    };
                    let read = PackedState(EXISTS | of_machine(state)).machine();
                    assert_eq!(read, (inlets_required < 15).then_some(state));
                }
            }
        }
    }

    #[test]
    fn each_fact_keeps_its_bits() {
        let end = EndState { positions: Some(2), outside: true, onward: Onward::Across };
        assert_eq!(of_end(end), 0x002a_0000);
        assert_eq!(of_purpose(Purpose::Management), 0x0000_000a);
        let machine = MachineState {
            inlets_required: 2,
            has_battery: true,
            counts: true,
            plane: Plane::Data,
            forwards: true,
            outward: true,
            exempt: true,
            tier: Tier::Core,
        };
        assert_eq!(of_machine(machine), 0x0000_1be4);
        assert_eq!([RUNS, EXISTS, ACTIVE, LANES], [0x1, 0x8000, 0x1_0000, 0x2_0000]);
    }
}
