//! REGISTERED: the host came from elsewhere, and may be in use. It can be powered and discovered by order, but one
//! that runs is discovered only with force: the server refuses what was last seen so, and the controller looks before it
//! begins.

use super::{Input, Turn, rest};
use crate::host::Order;

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    rest::decide(input, &[Order::Discover])
}
