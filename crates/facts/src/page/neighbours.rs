//! The lines of neighbours.

use crate::parts::Neighbour;

pub(super) fn neighbour(neighbour: &Neighbour) -> Vec<String> {
    let name = neighbour.system_name.as_ref();
    let description = neighbour.port_description.as_ref().filter(|text| **text != neighbour.port_id);
    let port = match description {
        Some(text) => format!("port {} ({text})", neighbour.port_id),
        None => format!("port {}", neighbour.port_id),
    };
    vec![
        neighbour.interface.clone(),
        name.unwrap_or(&neighbour.chassis_id).clone(),
        port,
        name.map(|_| neighbour.chassis_id.clone()).unwrap_or_default(),
        neighbour.management_addresses.join(", "),
    ]
}
