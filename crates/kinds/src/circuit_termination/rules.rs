//! The validation rules of circuit terminations.

use underlay_entity::port::PortType;

use super::kind::CircuitTermination;
use crate::cable;
use crate::device::Device;
use crate::port::Port;
use crate::rack::Rack;
use underlay_inventory::{Checked, Problems, Refusal};

/// Checks that a termination has the name of its side, and is at a site or in a provider network, where it has no port.
pub fn place(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, end) in checked.written::<CircuitTermination>() {
        let side = serde_json::to_value(end.side).unwrap_or_default();
        if side != end.name.as_str() {
            let reason = format!("must be {side}, the side of the circuit; a name that is not given is the side");
            problems.invalid(end.id, "name", reason);
        }
        if end.provider_network_id.is_none() {
            continue;
        }
        if end.site_id.is_some() {
            problems.invalid(end.id, "site", "must not be given with a provider network");
        }
        if end.port_id.is_some() {
            problems.invalid(end.id, "port", "must not be given with a provider network");
        }
    }
}

/// Checks that a termination which is plugged into a port is the only one on that port, is at the port's site, and has
/// no cable.
pub fn port(checked: &Checked<'_>, problems: &mut Problems) {
    let snapshot = checked.after;
    for (_, end) in checked.written::<CircuitTermination>() {
        let cabled = snapshot.find(end.id).is_some_and(|object| cable::is_cabled(snapshot, object));
        if cabled && (end.port_id.is_some() || end.provider_network_id.is_some()) {
            let field = if end.port_id.is_some() { "port" } else { "providerNetwork" };
            problems.incompatible(end.id, field, format!("{field} must not be given for an end that has a cable"));
        }
        let Some((port, object)) = end.port_id.and_then(|id| Some((snapshot.get::<Port>(id)?, snapshot.find(id)?)))
        else {
            continue;
        };
        if !takes_circuit(port.r#type) {
            problems.incompatible(end.id, "port", format!("port must be a data or patch port; {} is not", port.name));
        }
        if let Some(cable) = cable::cable_on(snapshot, object) {
            let (what, holder) = (snapshot.path(object), snapshot.path(cable));
            problems.add(end.id, Refusal::Duplicate { field: "port".to_owned(), what, holder });
        }
        let others = snapshot.referrers::<CircuitTermination>(port.id, CircuitTermination::PORT);
        if let Some(other) = others.into_iter().find(|other| other.id != end.id) {
            let holder = snapshot.find(other.id).map(|object| snapshot.path(object)).unwrap_or_default();
            problems.add(end.id, Refusal::Duplicate { field: "port".to_owned(), what: snapshot.path(object), holder });
        }
        let device = port.device_id.and_then(|id| snapshot.get::<Device>(id)).map(|device| device.site_id);
        let rack = port.rack_id.and_then(|id| snapshot.get::<Rack>(id)).map(|rack| rack.site_id);
        if end.site_id.is_some() && device.or(rack) != end.site_id {
            problems.incompatible(end.id, "port", "port must be at the site of the end");
        }
    }
}

/// Returns true if a circuit can be plugged into a port of that type.
pub fn takes_circuit(port: PortType) -> bool {
    use PortType::{Ethernet, Optical, PatchFront, PatchRear, Wireless};
    matches!(port, Ethernet | Optical | Wireless | PatchFront | PatchRear)
}
