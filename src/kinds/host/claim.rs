//! The hosts that can be acquired.

use super::node::Host;
use super::role::ROLE;
use crate::hosts::unclaimable;
use underlay_inventory::Held;

/// Returns true if a host can be acquired: it is AVAILABLE and in no maintenance, its machine is ACTIVE or STAGED, it is
/// not about to be deleted, no order is at work, and nothing failed. The machine of a host may be unknown.
pub fn is_claimable(host: &Held<Host>) -> bool {
    unclaimable(&ROLE, &host.snapshot, host.object_ref()).is_none()
}
