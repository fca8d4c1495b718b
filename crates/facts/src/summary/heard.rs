//! The interfaces and neighbours of a report, without what the cabling and the links are not judged by.

use crate::parts::{Interface, Neighbour};
use crate::report::Sections;
use crate::section::Section;

/// The greatest number of interfaces and of neighbours.
const MAX_KEPT: usize = 256;

/// Returns the interfaces and neighbours; `None` if no neighbour is heard, and no interface lacks its carrier.
pub(super) fn of(sections: &Sections) -> Option<Sections> {
    let interfaces = || sections.interfaces.iter().flat_map(|section| &section.found).take(MAX_KEPT);
    let neighbours = || sections.neighbours.iter().flat_map(|section| &section.found).take(MAX_KEPT);
    if neighbours().next().is_none() && !interfaces().any(is_down) {
        return None;
    }
    Some(Sections {
        interfaces: Some(kept(interfaces().map(interface).collect())),
        neighbours: Some(kept(neighbours().map(neighbour).collect())),
        ..Sections::default()
    })
}

/// Returns true if an interface is switched on and has no carrier.
fn is_down(it: &Interface) -> bool {
    it.carrier == Some(false)
}

fn kept<T>(found: Vec<T>) -> Section<Vec<T>> {
    Section::complete(found)
}

fn interface(it: &Interface) -> Interface {
    let Interface { name, permanent_mac, mac, .. } = it;
    // Most interfaces use their permanent address.
    let mac = mac.clone().filter(|mac| Some(mac) != permanent_mac.as_ref());
    let carrier = it.carrier.filter(|_| is_down(it));
    Interface { name: name.clone(), permanent_mac: permanent_mac.clone(), mac, carrier, ..Interface::default() }
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_the_cabling_is_judged_by_is_kept() {
        let part = |found: Value| json!({"complete": true, "found": found});
        let up = json!({"name": "e0", "permanentMac": "02:00:5e:00:00:01", "mac": "02:00:5e:00:00:01", "carrier": true, "speedMbps": 100});
        let down = json!({"name": "e1", "mac": "02:00:5e:00:00:02", "carrier": false});
        let off = json!({"name": "e2"});
        let heard = json!({"interface": "e0", "chassisId": "c", "portId": "p", "capabilities": []});
        let kept_up = json!({"name": "e0", "permanentMac": "02:00:5e:00:00:01"});
        for (interfaces, neighbours, expected) in [
            (json!([up, off]), json!([]), None),
            (json!([up, down]), json!([]), Some((json!([kept_up, down]), 0))),
            (json!([up]), json!([heard]), Some((json!([kept_up]), 1))),
        ] {
            let sections = json!({"interfaces": part(interfaces), "neighbours": part(neighbours)});
            let sections: Sections = serde_json::from_value(sections).expect("sections");
            let found = of(&sections).map(|kept| {
                let count = kept.neighbours.expect("neighbours").found.len();
                (json!(kept.interfaces.expect("interfaces").found), count)
            });
            assert_eq!(found, expected);
        }
    }
}
