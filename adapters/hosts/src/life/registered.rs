//! REGISTERED: the host came from elsewhere, and may be in use. It can be powered and discovered by order; the server
//! refuses to discover one that runs.

use super::{Input, Turn, rest};
use crate::host::Order;

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    rest::decide(input, &[Order::Discover])
}
