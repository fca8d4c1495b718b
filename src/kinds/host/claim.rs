//! The hosts that can be acquired.

use super::node::Host;
use super::role::ROLE;
use crate::hosts::{SHARES_MACHINE, tells_nothing, unclaimable};
use underlay_inventory::Held;

/// Returns true if a host can be acquired by its class: it is AVAILABLE and in no maintenance, its machine is ACTIVE or
/// STAGED, says which one it is and is that of no other host, it is not about to be deleted, no order is at work, and nothing
/// failed. The machine of a host may be unknown.
pub fn is_claimable(host: &Held<Host>) -> bool {
    let is_shared = host.row.conditions.0.iter().any(|condition| condition.r#type == SHARES_MACHINE);
    !is_shared && !tells_nothing(&host.row) && unclaimable(&ROLE, &host.snapshot, host.object_ref()).is_none()
}
