//! A port in impact analysis: it is down with its device, rack or virtual machine. An inlet is dead without its cord,
//! an outlet without its source.

use underlay_entity::port::{Model, PortType};

use super::node::Port;
use underlay_entity::row::Row;
use underlay_inventory::cast;
use underlay_topology::impact::{Dependency, Part, Plug, PlugState, Purpose, Role};

/// The role of ports in impact analysis.
pub const FAILURE: Role = Role {
    runs: |row| cast::<Model>(row).enabled,
    with: &[
        Dependency::inside(Port::DEVICE),
        Dependency::inside(Port::RACK),
        Dependency::inside(Port::VIRTUAL_MACHINE),
    ],
    part: Part::Plug(Plug { state, machine: Port::DEVICE, fed_by: Port::FED_BY, bundle: Port::LAG }),
    missed: false,
};

fn state(row: &dyn Row) -> PlugState {
    let port = cast::<Model>(row);
    let purpose = match port.r#type {
        PortType::PowerInlet => Purpose::Inlet,
        PortType::PowerOutlet => Purpose::Outlet,
        PortType::Lag => Purpose::Bundle,
        PortType::Ethernet | PortType::Optical if !port.mgmt_only => Purpose::Data,
        _ => Purpose::Other,
    };
    PlugState { purpose, outside: port.mark_connected }
}
