//! Packs the state of a row that the impact rules and the line rules read most often into one 32-bit word. A snapshot
//! keeps this word beside each row, so that a query over many objects does not have to read all of their rows.

use super::{impact, line};
use underlay_entity::row::Row;

/// The number of bits of each of the two halves.
const BITS: u32 = 16;

/// Returns the packed state of a row of a kind with these roles.
pub fn packed_state(row: &dyn Row, failure: &impact::Role, line: Option<&line::Role>) -> u32 {
    let line = line.map_or(0, |line| line::packed_state(line, row));
    u32::from(impact::packed_state(failure, row)) | u32::from(line) << BITS
}

/// Returns the half for the impact rules.
pub(super) fn of_failure(packed_state: u32) -> u16 {
    packed_state as u16
}

/// Returns the half for the line rules.
pub(super) fn of_line(packed_state: u32) -> u16 {
    (packed_state >> BITS) as u16
}

/// Returns the bit if `is_set`, else 0.
pub(super) fn flag(is_set: bool, bit: u16) -> u16 {
    if is_set { bit } else { 0 }
}
