//! A device, to failure: down without the power that it needs, or with what it is in; cut off without a way out.

use underlay_entity::device::{DeviceRole, Model, Plane};

use super::node::Device;
use crate::inventory::cast;
use crate::kinds::common::runs;
use crate::store::Row;
use crate::topology::impact::{Dependency, Machine, MachineState, Part, Role, Standing, Tier};

/// What it is to failure.
pub const FAILURE: Role = Role {
    runs: |row| runs(cast::<Model>(row).status),
    with: &[
        // A member of a stack that has a place of its own stays up without the others.
        Dependency::inside_unless(Device::PARENT, Device::RACK),
        Dependency::inside(Device::RACK),
        Dependency::inside(Device::LOCATION),
        Dependency::inside(Device::SITE),
    ],
    part: Part::Machine(Machine { state, whole: Device::PARENT, pool: Device::CLUSTER }),
    missed: true,
};

fn state(row: &dyn Row) -> MachineState {
    let device = cast::<Model>(row);
    MachineState {
        inlets_required: u32::try_from(device.inlets_required).unwrap_or(1),
        has_battery: device.role == DeviceRole::Ups,
        network: standing(device),
        counts: matches!(device.role, DeviceRole::Server | DeviceRole::Storage),
    }
}

/// What it is to the network of users.
fn standing(device: &Model) -> Option<Standing> {
    use DeviceRole::{
        BorderRouter, ConsoleServer, Firewall, Leaf, LoadBalancer, PatchPanel, Pdu, Router, Spine, Switch, Ups,
    };
    if device.plane != Plane::Data {
        return None;
    }
    let exempt = matches!(device.role, Pdu | Ups | PatchPanel | ConsoleServer);
    let usual = matches!(device.role, Spine | Leaf | BorderRouter | Router | Switch | Firewall | LoadBalancer);
    let tier = match device.role {
        BorderRouter => Tier::Border,
        Spine => Tier::Core,
        _ => Tier::Other,
    };
    Some(Standing { forwards: device.forwards.unwrap_or(usual), exempt, tier })
}
