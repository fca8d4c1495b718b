//! A port of a node becomes a port of its device; a port group becomes a LAG.

use serde_json::json;
use underlay_kit::shown;
use underlay_kit::sync::BadThing;

use super::draft::Draft;
use super::{Context, Mapped, PORT, mac, reference};
use crate::client::{Interface, Inventory, Link, Port, Portgroup};

/// Maps a port. Its name is the one of the interface in the system that inspected the node, such as `eno1`; else the name
/// in Ironic, else the MAC address.
pub fn port(cx: &Context, port: &Port, inventory: Option<&Inventory>) -> Mapped {
    let mut mapped = Mapped::default();
    let Some(address) = mac(&port.address) else {
        let message = format!("address must be six bytes such as 52:54:00:ab:10:17, not {}", shown(&port.address));
        mapped.bad.push(BadThing::new(Some(PORT), &port.uuid, message));
        return mapped;
    };
    let interface = interface(inventory, &address);
    let mut draft = Draft::new(PORT, &port.uuid);
    let name = interface.and_then(|(name, _)| name).or(port.name.as_deref());
    draft.set("name", name.unwrap_or(&address));
    draft.set("device", reference(&port.node));
    draft.set("type", "ETHERNET");
    draft.set("mac", address.as_str());
    draft.set("lag", port.portgroup.as_deref().map(reference));
    let speed = interface.and_then(|(_, interface)| interface.speed).filter(|speed| (1..=10_000_000).contains(speed));
    draft.set_known("speedBps", speed.map(|speed| speed * 1_000_000));
    draft.set("externalRefs", cx.external_ref(&port.uuid, Some("ports")));
    draft.finish(&mut mapped);
    mapped
}

/// Maps a port group. Its name is the one in Ironic, else its id.
pub fn portgroup(cx: &Context, group: &Portgroup) -> Mapped {
    let (mut draft, mut mapped) = (Draft::new(PORT, &group.uuid), Mapped::default());
    draft.set("name", group.name.as_deref().unwrap_or(&group.uuid));
    draft.set("device", reference(&group.node));
    draft.set("type", "LAG");
    draft.set("mac", group.address.as_deref().and_then(mac));
    draft.set("attributes", json!({ "ironic": { "mode": group.mode } }));
    draft.set("externalRefs", cx.external_ref(&group.uuid, Some("portgroups")));
    draft.finish(&mut mapped);
    mapped
}

/// Returns the other end of the cable of a port: what Ironic keeps with the port, else what LLDP reported to the
/// inspection.
pub fn link(port: &Port, inventory: Option<&Inventory>) -> Link {
    if port.link.switch_id.is_some() && port.link.port_id.is_some() {
        return port.link.clone();
    }
    let interface = mac(&port.address).and_then(|address| interface(inventory, &address));
    let Some(neighbor) = interface.and_then(|(_, interface)| interface.neighbor.as_ref()) else {
        return Link::default();
    };
    Link { switch_id: neighbor.chassis.clone(), port_id: neighbor.port.clone(), switch_info: neighbor.system.clone() }
}

/// Returns the interface with an address, and its name if that is one: only this interface of the machine has it, and it is
/// not the address itself, as over Redfish.
fn interface<'a>(inventory: Option<&'a Inventory>, address: &str) -> Option<(Option<&'a str>, &'a Interface)> {
    let interfaces = inventory?.interfaces.as_ref()?;
    let of = |interface: &Interface| interface.mac.as_deref().and_then(mac);
    let mut found = interfaces.iter().filter(|interface| of(interface).as_deref() == Some(address));
    let (Some(one), None) = (found.next(), found.next()) else { return None };
    let name = one.name.as_deref().filter(|name| mac(name).is_none());
    let is_only = interfaces.iter().filter(|other| other.name.as_deref() == name).count() == 1;
    Some((name.filter(|_| is_only), one))
}
