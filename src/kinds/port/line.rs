//! A port on lines: a line can begin and end at a port. Front and rear ports lead inside to their mapped ports, and an
//! outlet leads to its sources.

use underlay_entity::port::{Model, PortType};

use super::node::Port;
use underlay_entity::row::Row;
use underlay_inventory::cast;
use underlay_topology::line::{End, Inside, Mapping, Onward, Role, State};

/// The role of ports on lines.
pub const ROLE: Role = Role::End(End {
    state,
    inside: Some(Inside { by: Port::PASS_THROUGH, each: mappings }),
    plug: None,
    crossing: None,
    stands_in: &[],
    fed_by: Some(Port::FED_BY),
});

fn state(row: &dyn Row) -> State {
    let port = cast::<Model>(row);
    let onward = match port.r#type {
        PortType::PatchFront | PortType::PatchRear => Onward::Inside,
        PortType::PowerOutlet => Onward::Fed,
        _ => Onward::Stays,
    };
    let positions = Some(port.positions.unsigned_abs());
    State { positions, active: port.enabled, outside: port.mark_connected, onward }
}

fn mappings(row: &dyn Row, visit: &mut dyn FnMut(Mapping)) {
    for mapping in &cast::<Model>(row).pass_through.0 {
        visit(Mapping { own: mapping.position.unsigned_abs(), mirror: mapping.rear_position.unsigned_abs() });
    }
}
