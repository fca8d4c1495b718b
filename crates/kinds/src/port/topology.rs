//! A port in topology: a connector of a device or a virtual machine, at which lines begin and end. Front and rear ports
//! lead inside to their mapped ports, and an outlet leads to its sources.
//!
//! A port is down with its device, rack or virtual machine. An inlet is dead without its cord, an outlet without its
//! source.

use underlay_entity::port::{Model, PortType};

use super::kind::Port;
use underlay_entity::row::Row;
use underlay_inventory::cast;
use underlay_topology::role::{
    Connector, Dependency, End, EndState, Inside, Mapping, Onward, Part, Purpose, Reported, Role, Status,
};

/// The role of ports in topology.
pub const TOPOLOGY: Role = Role {
    status: |row| if cast::<Model>(row).enabled { Status::Active } else { Status::Off },
    part: Part::Connector(Connector {
        end: End {
            state,
            inside: Some(Inside { by: Port::PASS_THROUGH, each: mappings }),
            plugged_into: None,
            opaque_span: None,
            stands_in: &[],
            fed_by: Some(Port::FED_BY),
        },
        machine: Port::DEVICE,
        guest: Some(Port::VIRTUAL_MACHINE),
        bundle: Port::LAG,
        purpose,
        bandwidth_bps: |row| cast::<Model>(row).speed_bps,
    }),
    depends_on: &[Dependency::inside(Port::RACK)],
    reported: Reported::Never,
    ..Role::PLAIN
};

fn state(row: &dyn Row) -> EndState {
    let port = cast::<Model>(row);
    let onward = match port.r#type {
        PortType::PatchFront | PortType::PatchRear => Onward::Inside,
        PortType::PowerOutlet => Onward::Fed,
        _ => Onward::Ends,
    };
    EndState { positions: Some(port.positions.unsigned_abs()), outside: port.mark_connected, onward }
}

fn purpose(row: &dyn Row) -> Purpose {
    let port = cast::<Model>(row);
    match port.r#type {
        PortType::PowerInlet => Purpose::Inlet,
        PortType::PowerOutlet => Purpose::Outlet,
        PortType::Lag => Purpose::Bundle,
        PortType::Ethernet | PortType::Optical | PortType::Wireless if port.mgmt_only => Purpose::Management,
        PortType::Ethernet | PortType::Optical | PortType::Wireless => Purpose::Data,
        PortType::Virtual | PortType::Serial | PortType::PatchFront | PortType::PatchRear => Purpose::Other,
    }
}

fn mappings(row: &dyn Row, visit: &mut dyn FnMut(Mapping)) {
    for mapping in &cast::<Model>(row).pass_through.0 {
        visit(Mapping { own: mapping.position.unsigned_abs(), mirror: mapping.rear_position.unsigned_abs() });
    }
}
