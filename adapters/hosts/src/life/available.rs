//! AVAILABLE: the host is free. It can be discovered again. Installing it takes an acquisition first, which the server
//! writes.

use super::{Duty, Input, Turn, rest};
use crate::host::Order;

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    if rest::is_lost(input) {
        return Turn::TakeOver(Duty::Register);
    }
    rest::decide(input, &[Order::Discover])
}
