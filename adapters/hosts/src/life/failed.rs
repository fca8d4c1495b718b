//! FAILED: a step failed, and the host waits for a person. A retry is a new order of the same act, and begins anew.

use super::{Input, Turn, rest};
use crate::host::Order;

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    rest::decide(input, &[Order::Discover, Order::Install, Order::Release, Order::Wipe])
}
