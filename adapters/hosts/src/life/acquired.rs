//! ACQUIRED: the host belongs to somebody, who can install it or give it back.

use super::{Duty, Input, Turn, rest};
use crate::host::Order;

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    if rest::is_lost(input) {
        return Turn::TakeOver(Duty::Register);
    }
    rest::decide(input, &[Order::Install, Order::Release, Order::Wipe])
}
