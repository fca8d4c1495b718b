//! Packs the state of a row that the physical rules read most often into 16 bits. These say whether the object exists
//! and runs, and contain the state of a port or a machine.

use super::role::{MachineState, Part, PlugState, Purpose, Role, Standing, Tier};
use crate::packed_state::flag;
use underlay_entity::row::Row;

const RUNS: u16 = 1;

const PURPOSE_AT: u32 = 1;
const PURPOSE: u16 = 7;
const OUTSIDE: u16 = 1 << 4;

const INLETS_AT: u32 = 1;
/// The largest number of required inlets that fits. It means "this many or more": the exact number is in the row.
const MANY_INLETS: u16 = 15;
const BATTERY: u16 = 1 << 5;
const COUNTS: u16 = 1 << 6;
const NETWORK: u16 = 1 << 7;
const FORWARDS: u16 = 1 << 8;
const EXEMPT: u16 = 1 << 9;
const TIER_AT: u32 = 10;
const TIER: u16 = 3;

/// The bit that is set for every object that exists.
const THERE: u16 = 1 << 15;

/// Returns the packed state of a row of a kind with this role.
pub fn packed_state(role: &Role, row: &dyn Row) -> u16 {
    let part = match &role.part {
        Part::Plug(plug) => of_plug((plug.state)(row)),
        Part::Machine(machine) => of_machine((machine.state)(row)),
        _ => 0,
    };
    THERE | flag((role.runs)(row), RUNS) | part
}

fn of_plug(state: PlugState) -> u16 {
    let purpose = match state.purpose {
        Purpose::Other => 0,
        Purpose::Inlet => 1,
        Purpose::Outlet => 2,
        Purpose::Data => 3,
        Purpose::Bundle => 4,
    };
    purpose << PURPOSE_AT | flag(state.outside, OUTSIDE)
}

fn of_machine(state: MachineState) -> u16 {
    let inlets = u16::try_from(state.inlets_required).unwrap_or(MANY_INLETS).min(MANY_INLETS);
    let network = state.network.map_or(0, |standing| {
        let tier = match standing.tier {
            Tier::Other => 0,
            Tier::Border => 1,
            Tier::Core => 2,
        };
        NETWORK | flag(standing.forwards, FORWARDS) | flag(standing.exempt, EXEMPT) | tier << TIER_AT
    });
    inlets << INLETS_AT | flag(state.has_battery, BATTERY) | flag(state.counts, COUNTS) | network
}

/// Returns true if the object exists.
pub(super) fn is_there(packed_state: u16) -> bool {
    packed_state & THERE != 0
}

/// Returns true if the object exists and runs.
pub(super) fn runs(packed_state: u16) -> bool {
    packed_state & RUNS != 0
}

/// Returns the state of a port.
pub(super) fn plug(packed_state: u16) -> PlugState {
    let purpose = match packed_state >> PURPOSE_AT & PURPOSE {
        1 => Purpose::Inlet,
        2 => Purpose::Outlet,
        3 => Purpose::Data,
        4 => Purpose::Bundle,
        _ => Purpose::Other,
    };
    PlugState { purpose, outside: packed_state & OUTSIDE != 0 }
}

/// Returns the state of a machine; `None` if it does not fit into the word and must be read from the row.
pub(super) fn machine(packed_state: u16) -> Option<MachineState> {
    let inlets = packed_state >> INLETS_AT & MANY_INLETS;
    let standing = || {
        let tier = match packed_state >> TIER_AT & TIER {
            1 => Tier::Border,
            2 => Tier::Core,
            _ => Tier::Other,
        };
        Standing { forwards: packed_state & FORWARDS != 0, exempt: packed_state & EXEMPT != 0, tier }
    };
    (inlets < MANY_INLETS).then(|| MachineState {
        inlets_required: u32::from(inlets),
        has_battery: packed_state & BATTERY != 0,
        network: (packed_state & NETWORK != 0).then(standing),
        counts: packed_state & COUNTS != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plug_is_what_it_was() {
        for purpose in [Purpose::Inlet, Purpose::Outlet, Purpose::Data, Purpose::Bundle, Purpose::Other] {
            for outside in [false, true] {
                let state = PlugState { purpose, outside };
                assert_eq!(plug(THERE | RUNS | of_plug(state)), state);
                assert!(runs(THERE | RUNS | of_plug(state)) && !runs(THERE | of_plug(state)));
            }
        }
    }

    #[test]
    fn a_machine_is_what_it_was_or_has_to_be_asked() {
        let tiers = [Tier::Border, Tier::Core, Tier::Other];
        let standings = tiers.into_iter().flat_map(|tier| {
            [(false, false), (true, false), (false, true)]
                .map(|(forwards, exempt)| Some(Standing { forwards, exempt, tier }))
        });
        for network in standings.chain([None]) {
            for inlets_required in [0, 1, 2, 14, 15, 16, u32::MAX] {
                for (has_battery, counts) in [(false, false), (true, false), (false, true)] {
                    let state = MachineState { inlets_required, has_battery, network, counts };
                    assert_eq!(machine(THERE | of_machine(state)), (inlets_required < 15).then_some(state));
                }
            }
        }
    }
}
