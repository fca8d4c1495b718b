//! INSTALLED: the host is in use. Nothing touches it but the order to release it, or to power it.

use super::{Duty, Input, Turn, rest};
use crate::host::Order;

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    if rest::is_lost(input) {
        return Turn::TakeOver(Duty::Adopt);
    }
    rest::decide(input, &[Order::Release, Order::Wipe])
}
