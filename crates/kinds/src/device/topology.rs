//! A device in topology: a machine. It is down without the power that it needs, or if an object that contains it is
//! down. It is isolated if it reaches no anchor. Paths run from device to device, and pass only devices that forward:
//! the field `forwards` of a device decides, otherwise its role.

use underlay_entity::device::{DeviceRole, Model};

use super::kind::Device;
use crate::common::{plane, status};
use underlay_entity::row::Row;
use underlay_inventory::cast;
use underlay_topology::role::{Dependency, Machine, MachineState, Part, Role, Tier};

/// The role of devices in topology.
pub const TOPOLOGY: Role = Role {
    status: |row| status(cast::<Model>(row).status),
    part: Part::Machine(Machine { state, whole: Device::PARENT }),
    depends_on: &[
        // A member of a stack with its own placement stays up without the other members.
        Dependency::inside_unless(Device::PARENT, Device::RACK),
        Dependency::inside(Device::RACK),
        Dependency::inside(Device::LOCATION),
        Dependency::inside(Device::SITE),
    ],
    ..Role::PLAIN
};

fn state(row: &dyn Row) -> MachineState {
    use DeviceRole::{
        BorderRouter, ConsoleServer, Firewall, Leaf, LoadBalancer, PatchPanel, Pdu, Router, Server, Spine, Storage,
        Switch, Ups,
    };
    let device = cast::<Model>(row);
    let usually_forwards =
        matches!(device.role, Spine | Leaf | BorderRouter | Router | Switch | Firewall | LoadBalancer);
    MachineState {
        inlets_required: u32::try_from(device.inlets_required).unwrap_or(1),
        has_battery: device.role == Ups,
        counts: matches!(device.role, Server | Storage),
        plane: plane(device.plane),
        forwards: device.forwards.unwrap_or(usually_forwards),
        outward: matches!(device.role, BorderRouter | Router | Firewall),
        exempt: matches!(device.role, Pdu | Ups | PatchPanel | ConsoleServer),
        tier: match device.role {
            BorderRouter => Tier::Border,
            Spine => Tier::Core,
            _ => Tier::Other,
        },
    }
}
