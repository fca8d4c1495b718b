//! The interfaces and neighbours of a report, without what the cabling is not judged by.

use crate::parts::{Interface, Neighbour};
use crate::report::Sections;
use crate::section::Section;

/// The greatest number of interfaces and of neighbours.
const MAX_KEPT: usize = 256;

/// Returns the interfaces and neighbours; `None` if no neighbour is heard.
pub(super) fn of(sections: &Sections) -> Option<Sections> {
    let neighbours = sections.neighbours.as_ref().filter(|section| !section.found.is_empty())?;
    let interfaces = sections.interfaces.iter().flat_map(|section| &section.found).take(MAX_KEPT).map(interface);
    Some(Sections {
        interfaces: Some(kept(interfaces.collect())),
        neighbours: Some(kept(neighbours.found.iter().take(MAX_KEPT).map(neighbour).collect())),
        ..Sections::default()
    })
}

fn kept<T>(found: Vec<T>) -> Section<Vec<T>> {
    Section::complete(found)
}

fn interface(it: &Interface) -> Interface {
    let Interface { name, permanent_mac, mac, .. } = it;
    // Most interfaces use their permanent address.
    let mac = mac.clone().filter(|mac| Some(mac) != permanent_mac.as_ref());
    Interface { name: name.clone(), permanent_mac: permanent_mac.clone(), mac, ..Interface::default() }
}

fn neighbour(it: &Neighbour) -> Neighbour {
    Neighbour {
        interface: it.interface.clone(),
        permanent_mac: it.permanent_mac.clone(),
        chassis_id: it.chassis_id.clone(),
        chassis_id_subtype: it.chassis_id_subtype,
        port_id: it.port_id.clone(),
        port_id_subtype: it.port_id_subtype,
        port_description: it.port_description.clone(),
        system_name: it.system_name.clone(),
        ..Neighbour::default()
    }
}
