//! A port in path search: the lines of a device begin and end at its ports. A path from a port begins at its device or
//! virtual machine.

use underlay_entity::port::{Model, PortType};

use super::node::Port;
use underlay_entity::row::Row;
use underlay_inventory::cast;
use underlay_topology::path::{Ends, Part, Plane, Plug, PlugState, Role, Toward};

/// The role of ports in path search.
pub const PATH: Role = Role {
    part: Part::Plug(Plug { state, machine: Port::DEVICE }),
    ends: Ends::FirstOf(&[Toward::To(Port::DEVICE), Toward::To(Port::VIRTUAL_MACHINE)]),
    is_risk: false,
    ..Role::PLAIN
};

fn state(row: &dyn Row) -> Option<PlugState> {
    let port = cast::<Model>(row);
    let plane = if port.mgmt_only { Plane::Management } else { Plane::Data };
    let carries = matches!(port.r#type, PortType::Ethernet | PortType::Optical);
    carries.then_some(PlugState { plane, bandwidth_bps: port.speed_bps })
}
