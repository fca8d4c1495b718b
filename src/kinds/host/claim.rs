//! The hosts that can be acquired.

use underlay_entity::host::HostState;
use underlay_entity::lifecycle::Status;

use super::node::Host;
use crate::kinds::device::Device;
use crate::kinds::virtual_machine::VirtualMachine;
use underlay_inventory::Held;

/// Returns true if a host can be acquired: it is AVAILABLE and in no maintenance, its machine is ACTIVE or STAGED, it is
/// not about to be deleted, and nothing failed. The machine of a host may be unknown.
pub fn is_claimable(host: &Held<Host>) -> bool {
    let row = &host.row;
    let device = host.follow::<Device>(Host::MACHINE).map(|device| device.row.status);
    let status = device.or_else(|| host.follow::<VirtualMachine>(Host::MACHINE).map(|machine| machine.row.status));
    row.state == HostState::Available
        && row.maintenance.0.is_empty()
        && row.failure.is_none()
        && !row.deleting
        && status.is_none_or(|status| matches!(status, Status::Active | Status::Staged))
}
