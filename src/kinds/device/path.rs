//! A device in path search: paths run from device to device. A path passes a device only if the device forwards: its
//! `forwards` field decides, otherwise its role.

use underlay_entity::device::{DeviceRole, Model};

use super::node::Device;
use crate::kinds::common::{plane, runs};
use underlay_entity::row::Row;
use underlay_inventory::cast;
use underlay_topology::path::{Ends, Machine, MachineState, Part, Role};

/// The role of devices in path search.
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

/// Returns true if the device forwards traffic.
fn forwards(device: &Model) -> bool {
    use DeviceRole::{BorderRouter, Firewall, Leaf, LoadBalancer, Router, Spine, Switch};
    let usual = matches!(device.role, Spine | Leaf | BorderRouter | Router | Switch | Firewall | LoadBalancer);
    device.forwards.unwrap_or(usual)
}
