//! INSTALLED: the host is in use. Nothing touches it but the order to release it, or to power it.

use super::{Input, Turn, Way, rest};
use crate::host::Order;

/// Decides what to do next.
pub fn decide(input: &Input<'_>) -> Turn {
    let is_lost = input.way == Way::ProvisionerAlone && input.evidence.is_unknown_to_provisioner;
    if is_lost && input.host.order().is_none() {
        return Turn::Adopt;
    }
    rest::decide(input, &[Order::Release, Order::Wipe])
}
