//! The site of a host. Controllers of a site serve the hosts that are there.

use underlay_entity::host::{HostMachine, Model};
use uuid::Uuid;

use crate::appliance::{Appliance, appliance_site};
use crate::device::Device;
use underlay_inventory::Snapshot;

/// Returns the id of the site of a host: that of its device, otherwise that of its appliance.
pub fn host_site(snapshot: &Snapshot, host: &Model) -> Option<Uuid> {
    let device = match host.machine {
        Some(HostMachine::Device(id)) => snapshot.get::<Device>(id),
        Some(HostMachine::VirtualMachine(_)) | None => None,
    };
    let appliance = || host.appliance_id.and_then(|id| snapshot.get::<Appliance>(id));
    device.map(|device| device.site_id).or_else(|| appliance_site(snapshot, appliance()?))
}
