//! A port, to paths: where the lines of its device begin and end. A path from it is one from its device,
//! or from its virtual machine.

use underlay_entity::port::{Model, PortType};

use super::node::Port;
use crate::inventory::cast;
use crate::store::Row;
use crate::topology::path::{Ends, Part, Plane, Plug, PlugState, Role, Toward};

/// What it is to paths.
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
