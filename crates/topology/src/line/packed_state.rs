//! Packs the state of a row that the walk reads most often into 16 bits. These contain the state of an end, or whether
//! a cable is plugged in and has lanes.

use super::role::{Onward, Role, State};
use crate::packed_state::flag;
use underlay_entity::row::Row;

const ACTIVE: u16 = 1;
const OUTSIDE: u16 = 1 << 1;
const LANES: u16 = 1 << 1;
const ONWARD_AT: u32 = 2;
const POSITIONS_AT: u32 = 4;
const TWO_BITS: u16 = 3;

/// The number of positions of an end: those of its lanes, one, or several, in which case the row has the number.
const OF_LANES: u16 = 0;
const ONE: u16 = 1;
const SEVERAL: u16 = 2;

/// Returns the packed state of a row of a kind with this role.
pub fn packed_state(role: &Role, row: &dyn Row) -> u16 {
    match role {
        Role::End(end) => of_state((end.state)(row)),
        Role::Joint(joint) => {
            let mut lanes = 0;
            (joint.each_lane)(row, &mut |_| lanes = LANES);
            lanes | flag((joint.active)(row), ACTIVE)
        }
        Role::Crossing(_) | Role::Terminus(_) => 0,
    }
}

fn of_state(state: State) -> u16 {
    let positions = match state.positions {
        None => OF_LANES,
        Some(1) => ONE,
        Some(_) => SEVERAL,
    };
    let onward = match state.onward {
        Onward::Stays => 0,
        Onward::Inside => 1,
        Onward::Across => 2,
        Onward::Fed => 3,
    };
    flag(state.active, ACTIVE) | flag(state.outside, OUTSIDE) | onward << ONWARD_AT | positions << POSITIONS_AT
}

/// Returns the state of an end; `None` if it does not fit into the word and must be read from the row.
pub(super) fn state(packed_state: u16) -> Option<State> {
    let positions = match packed_state >> POSITIONS_AT & TWO_BITS {
        OF_LANES => None,
        ONE => Some(1),
        _ => return None,
    };
    let onward = match packed_state >> ONWARD_AT & TWO_BITS {
        0 => Onward::Stays,
        1 => Onward::Inside,
        2 => Onward::Across,
        _ => Onward::Fed,
    };
    Some(State { positions, active: packed_state & ACTIVE != 0, outside: packed_state & OUTSIDE != 0, onward })
}

/// Returns true if a cable is plugged in.
pub(super) fn is_active(packed_state: u16) -> bool {
    packed_state & ACTIVE != 0
}

/// Returns true if a cable has lanes.
pub(super) fn has_lanes(packed_state: u16) -> bool {
    packed_state & LANES != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_what_it_was_or_has_to_be_asked() {
        for onward in [Onward::Stays, Onward::Inside, Onward::Across, Onward::Fed] {
            for (active, outside) in [(false, false), (false, true), (true, false), (true, true)] {
                for positions in [None, Some(1), Some(0), Some(2), Some(u32::MAX)] {
                    let asked = State { positions, active, outside, onward };
                    let told = state(of_state(asked));
                    assert_eq!(told, positions.is_none_or(|it| it == 1).then_some(asked));
                }
            }
        }
    }
}
