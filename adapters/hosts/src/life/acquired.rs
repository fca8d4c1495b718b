//! ACQUIRED: the host belongs to somebody, who can install it or give it back.

use super::{Input, Turn, rest};
use crate::host::Order;

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    rest::decide(input, &[Order::Install, Order::Release, Order::Wipe])
}
