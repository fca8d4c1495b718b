//! The interfaces of a report: the port that each is in the inventory, and the neighbours that are heard at it.

use std::collections::HashSet;

use underlay_entity::port::{Model as PortRow, PortType};
use underlay_facts::{Interface, Neighbour, Sections};
use underlay_inventory::{ObjectRef, Snapshot};

use super::lookup::{data_ports, is_same, port_row, ports_with_mac};

/// The maximum number of interfaces of a machine that are judged.
const MAX_INTERFACES: usize = 256;
/// The maximum number of neighbours at an interface that are judged.
const MAX_NEIGHBOURS: usize = 16;

/// An interface of a machine that reports.
#[derive(Clone, Debug)]
pub struct ReportedInterface<'a> {
    /// The name that the system gives it.
    pub name: &'a str,
    permanent_mac: Option<&'a str>,
    /// True if it is switched on and has no carrier.
    pub is_down: bool,
    /// The port of the machine in the inventory.
    pub port: Option<ObjectRef>,
    /// The neighbours that are heard at it, without the machine itself.
    pub heard: Vec<&'a Neighbour>,
}

impl<'a> ReportedInterface<'a> {
    fn new(name: &'a str, permanent_mac: Option<&'a String>) -> Self {
        let permanent_mac = permanent_mac.map(String::as_str);
        Self { name, permanent_mac, is_down: false, port: None, heard: Vec::new() }
    }

    /// Returns true if a neighbour is heard at the interface. A name may have gone to another interface since.
    fn hears(&self, neighbour: &Neighbour) -> bool {
        match (self.permanent_mac, &neighbour.permanent_mac) {
            (Some(own), Some(other)) => is_same(own, other),
            _ => self.name == neighbour.interface,
        }
    }
}

/// Returns the interfaces of a report, and those that are named with a neighbour only.
pub fn interfaces<'a>(snapshot: &Snapshot, machine: ObjectRef, sections: &'a Sections) -> Vec<ReportedInterface<'a>> {
    let reported = sections.interfaces.iter().flat_map(|section| &section.found);
    let interface = |it: &'a Interface| ReportedInterface {
        is_down: it.carrier == Some(false),
        ..ReportedInterface::new(&it.name, it.permanent_mac.as_ref())
    };
    let mut all: Vec<ReportedInterface<'a>> = reported.map(interface).take(MAX_INTERFACES).collect();
    let own = own_macs(snapshot, machine, sections);
    for neighbour in sections.neighbours.iter().flat_map(|section| &section.found) {
        let at = match all.iter().position(|interface| interface.hears(neighbour)) {
            Some(at) => at,
            None if all.len() < MAX_INTERFACES => {
                all.push(ReportedInterface::new(&neighbour.interface, neighbour.permanent_mac.as_ref()));
                all.len() - 1
            }
            None => continue,
        };
        if all[at].heard.len() < MAX_NEIGHBOURS && !is_inside(snapshot, &own, neighbour) {
            all[at].heard.push(neighbour);
        }
    }
    find_ports(snapshot, machine, &mut all);
    all
}

/// Returns the MAC addresses of the machine, as it says and as they are recorded, in lower case.
fn own_macs(snapshot: &Snapshot, machine: ObjectRef, sections: &Sections) -> HashSet<String> {
    let interfaces = sections.interfaces.iter().flat_map(|section| &section.found);
    let said = interfaces.flat_map(|it| [it.permanent_mac.as_deref(), it.mac.as_deref()]);
    let heard_at = sections.neighbours.iter().flat_map(|section| &section.found).map(|it| it.permanent_mac.as_deref());
    let recorded = data_ports(snapshot, machine).map(|(_, row)| row.mac.as_deref());
    said.chain(heard_at).chain(recorded).flatten().map(|mac| mac.trim().to_lowercase()).collect()
}

/// Returns true if a neighbour is the machine itself, as the members of a bond hear each other, or a virtual machine, which
/// no cable leads to.
fn is_inside(snapshot: &Snapshot, own: &HashSet<String>, neighbour: &Neighbour) -> bool {
    [&neighbour.chassis_id, &neighbour.port_id].into_iter().any(|id| {
        let is_guest = |port: &ObjectRef| port_row(snapshot, *port).is_some_and(|row| row.virtual_machine_id.is_some());
        own.contains(&id.trim().to_lowercase()) || ports_with_mac(snapshot, id).iter().any(is_guest)
    })
}

/// Finds the port of each interface: by its MAC address, else by its name among the ports that no other one has.
fn find_ports(snapshot: &Snapshot, machine: ObjectRef, interfaces: &mut [ReportedInterface<'_>]) {
    let ports: Vec<(ObjectRef, &PortRow)> = data_ports(snapshot, machine).collect();
    for interface in &mut *interfaces {
        let Some(mac) = interface.permanent_mac else { continue };
        let has = |row: &PortRow| row.mac.as_deref().is_some_and(|own| is_same(own, mac));
        // A LAG or a part of a port may have the same address.
        let rank = |row: &PortRow| (!is_same(&row.name, interface.name), is_logical(row));
        let found = ports.iter().filter(|(_, row)| has(row)).min_by_key(|(_, row)| rank(row));
        interface.port = found.map(|(port, _)| *port);
    }
    let taken: HashSet<ObjectRef> = interfaces.iter().filter_map(|interface| interface.port).collect();
    for interface in interfaces.iter_mut().filter(|interface| interface.port.is_none()) {
        let free = ports.iter().filter(|(port, _)| !taken.contains(port));
        let named = free.filter(|(_, row)| is_same(&row.name, interface.name));
        interface.port = named.min_by_key(|(_, row)| is_logical(row)).map(|(port, _)| *port);
    }
}

fn is_logical(port: &PortRow) -> bool {
    matches!(port.r#type, PortType::Lag | PortType::Virtual)
}
