//! A device in impact analysis: it is down without the power that it needs, or if an object that contains it is down.
//! It is isolated if it reaches no anchor.

use underlay_entity::device::{DeviceRole, Model, Plane};

use super::node::Device;
use crate::kinds::common::runs;
use underlay_entity::row::Row;
use underlay_inventory::cast;
use underlay_topology::impact::{Dependency, Machine, MachineState, Part, Role, Standing, Tier};

/// The role of devices in impact analysis.
pub const FAILURE: Role = Role {
    runs: |row| runs(cast::<Model>(row).status),
    with: &[
        // A member of a stack with its own placement stays up without the other members.
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

/// Returns the role of the device in the data network, or `None` if it is not on the data plane.
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
