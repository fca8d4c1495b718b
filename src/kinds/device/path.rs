//! A device, to paths: what they run over. It is passed when it forwards: as its role does, or as it says itself.

use underlay_entity::device::{DeviceRole, Model};

use super::node::Device;
use crate::inventory::cast;
use crate::kinds::common::{plane, runs};
use crate::store::Row;
use crate::topology::path::{Ends, Machine, MachineState, Part, Role};

/// What it is to paths.
pub const PATH: Role = Role {
    part: Part::Machine(Machine { state, whole: Device::PARENT, groups: &[Device::SITE, Device::CLUSTER] }),
    ends: Ends::Itself,
    ..Role::PLAIN
};

fn state(row: &dyn Row) -> MachineState {
    let device = cast::<Model>(row);
    let outward = matches!(device.role, DeviceRole::BorderRouter | DeviceRole::Router | DeviceRole::Firewall);
    MachineState { forwards: forwards(device), plane: plane(device.plane), outward, runs: runs(device.status) }
}

/// Whether traffic passes through it.
fn forwards(device: &Model) -> bool {
    use DeviceRole::{BorderRouter, Firewall, Leaf, LoadBalancer, Router, Spine, Switch};
    let usual = matches!(device.role, Spine | Leaf | BorderRouter | Router | Switch | Firewall | LoadBalancer);
    device.forwards.unwrap_or(usual)
}
