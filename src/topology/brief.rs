//! What the rules ask of most objects, in one word that the value keeps beside each row: a question that goes over many
//! objects need not wait for the rows of all of them.

use super::{impact, line};
use crate::store::Row;

/// How many bits each of the two parts has.
const BITS: u32 = 16;

/// What failure and lines ask of a row of a kind with these roles.
pub fn brief(row: &dyn Row, failure: &impact::Role, line: Option<&line::Role>) -> u32 {
    let line = line.map_or(0, |line| line::brief(line, row));
    u32::from(impact::brief(failure, row)) | u32::from(line) << BITS
}

/// The part for failure.
pub(super) fn of_failure(brief: u32) -> u16 {
    brief as u16
}

/// The part for lines.
pub(super) fn of_line(brief: u32) -> u16 {
    (brief >> BITS) as u16
}

/// A bit, where it is set.
pub(super) fn flag(is_set: bool, bit: u16) -> u16 {
    if is_set { bit } else { 0 }
}
