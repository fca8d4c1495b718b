//! What must hold of ports.

use std::collections::{BTreeMap, BTreeSet};

use underlay_entity::port::{Model, PortType};
use underlay_entity::power_feed::PowerSource;
use uuid::Uuid;

use super::node::Port;
use crate::inventory::{Checked, Problems, Refusal};
use crate::kinds::cable;
use crate::kinds::device::Device;
use crate::kinds::power_feed::PowerFeed;
use crate::kinds::rack::Rack;

/// A port is of a device or of a rack, and of one only.
pub fn owner(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, port) in checked.written::<Port>() {
        match (port.device_id, port.rack_id) {
            (Some(_), Some(_)) => problems.invalid(port.id, "rack", "must not be given for a port of a device"),
            (None, None) => {
                problems.add(port.id, Refusal::Required { field: "device or rack".to_owned(), kind: "Port" });
            }
            _ => {}
        }
    }
}

/// A member of a LAG is in the stack of the LAG, and a part of a port is of the same device.
pub fn group(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, port) in checked.written::<Port>() {
        if let Some(lag) = port.lag_id.and_then(|id| checked.after.get::<Port>(id)) {
            if lag.r#type != PortType::Lag {
                problems.incompatible(port.id, "lag", format!("lag must be a port of type LAG; {} is not", lag.name));
            } else if lag.id == port.id || port.r#type == PortType::Lag {
                problems.incompatible(port.id, "lag", "a LAG cannot be a member of a LAG");
            } else if stack(checked, port) != stack(checked, lag) {
                problems.incompatible(port.id, "lag", "lag must be of the same device or of its stack");
            }
        }
        if let Some(parent) = port.parent_id.and_then(|id| checked.after.get::<Port>(id))
            && (parent.device_id, parent.rack_id) != (port.device_id, port.rack_id)
        {
            problems.incompatible(port.id, "parent", "parent must be a port of the same device");
        }
        if checked.leads_back::<Port>(port.id, |port| port.parent_id) {
            problems.invalid(port.id, "parent", "must not be the port itself or a part of it");
        }
        let members = checked.after.referrers::<Port>(port.id, Port::LAG).next();
        if let Some(member) = members.filter(|_| port.r#type != PortType::Lag) {
            problems.incompatible(port.id, "type", format!("type must stay LAG: {} is a member", member.name));
        }
    }
}

/// The device at the top of the stack or chassis that a port is in.
pub fn stack(checked: &Checked<'_>, port: &Model) -> Option<Uuid> {
    let device = checked.after.get::<Device>(port.device_id?)?;
    Some(device.parent_id.unwrap_or(device.id))
}

/// An outlet is fed by inlets of its own device or, on a rack, by power feeds at the rack's site.
pub fn power(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, port) in checked.written::<Port>() {
        if !port.fed_by.0.is_empty() && port.r#type != PortType::PowerOutlet {
            problems.incompatible(port.id, "fedBy", "fedBy is for ports of type POWER_OUTLET");
            continue;
        }
        for (at, source) in port.fed_by.0.iter().enumerate() {
            let field = format!("fedBy[{at}]");
            if port.fed_by.0[..at].contains(source) {
                problems.invalid(port.id, &field, "is in the list already");
            }
            if let Some(message) = unfit_source(checked, port, *source) {
                problems.incompatible(port.id, &field, format!("{field} {message}"));
            }
        }
        if port.r#type != PortType::PowerInlet
            && let Some(outlet) = checked.after.referrers::<Port>(port.id, Port::FED_BY).next()
        {
            problems.incompatible(port.id, "type", format!("type must stay POWER_INLET: it feeds {}", outlet.name));
        }
        if port.r#type != PortType::PowerOutlet
            && let Some(feed) = checked.after.referrers::<PowerFeed>(port.id, PowerFeed::UPSTREAM).next()
        {
            problems.incompatible(port.id, "type", format!("type must stay POWER_OUTLET: it supplies {}", feed.name));
        }
    }
}

fn unfit_source(checked: &Checked<'_>, outlet: &Model, source: PowerSource) -> Option<&'static str> {
    match (source, outlet.device_id, outlet.rack_id) {
        (PowerSource::Port(inlet), Some(device), _) => {
            let inlet = checked.after.get::<Port>(inlet)?;
            let fits = inlet.device_id == Some(device) && inlet.r#type == PortType::PowerInlet;
            (!fits).then_some("must be a port of type POWER_INLET of the same device")
        }
        (PowerSource::PowerFeed(feed), None, Some(rack)) => {
            let (feed, rack) = (checked.after.get::<PowerFeed>(feed)?, checked.after.get::<Rack>(rack)?);
            (feed.site_id != rack.site_id).then_some("must be a power feed at the site of the rack")
        }
        (_, Some(_), _) => Some("must be a port of type POWER_INLET of the same device"),
        _ => Some("must be a power feed, as the outlet is of a rack"),
    }
}

/// Front ports are joined to rear ports of the same device, one position to one.
pub fn pass_through(checked: &Checked<'_>, problems: &mut Problems) {
    let mut rears = BTreeSet::new();
    let mut written = BTreeSet::new();
    for (_, port) in checked.written::<Port>() {
        if !port.pass_through.0.is_empty() && port.r#type != PortType::PatchFront {
            problems.incompatible(port.id, "passThrough", "passThrough is for ports of type PATCH_FRONT");
            continue;
        }
        check_mappings(checked, port, problems);
        if !port.pass_through.0.is_empty() {
            rears.extend(port.pass_through.0.iter().map(|mapping| mapping.rear));
            written.insert(port.id);
        }
        if checked.after.referrers::<Port>(port.id, Port::PASS_THROUGH).next().is_some() {
            rears.insert(port.id);
        }
    }
    for rear in rears {
        check_rear(checked, rear, &written, problems);
    }
}

fn check_mappings(checked: &Checked<'_>, port: &Model, problems: &mut Problems) {
    let mut taken = BTreeSet::new();
    for (at, mapping) in port.pass_through.0.iter().enumerate() {
        let field = format!("passThrough[{at}]");
        if mapping.position > port.positions {
            let reason = format!("must be at most {}, the positions of the port", port.positions);
            problems.invalid(port.id, &format!("{field}.position"), reason);
        }
        if !taken.insert(mapping.position) {
            problems.invalid(port.id, &format!("{field}.position"), "is joined already: one position to one");
        }
        let Some(rear) = checked.after.get::<Port>(mapping.rear) else { continue };
        let own = (rear.device_id, rear.rack_id) == (port.device_id, port.rack_id);
        if rear.r#type != PortType::PatchRear || !own {
            let message = format!("{field}.rear must be a port of type PATCH_REAR of the same device or rack");
            problems.incompatible(port.id, &format!("{field}.rear"), message);
        }
    }
}

/// What leads to a rear port leads to positions that it has, each once. `written` are the front ports of the batch.
fn check_rear(checked: &Checked<'_>, rear: Uuid, written: &BTreeSet<Uuid>, problems: &mut Problems) {
    let Some(rear) = checked.after.get::<Port>(rear) else { return };
    let mut taken: BTreeMap<i32, &Model> = BTreeMap::new();
    for front in checked.after.referrers::<Port>(rear.id, Port::PASS_THROUGH) {
        for mapping in front.pass_through.0.iter().filter(|mapping| mapping.rear == rear.id) {
            if rear.r#type != PortType::PatchRear {
                let message = format!("type must stay PATCH_REAR: {} is joined to it", front.name);
                problems.incompatible(rear.id, "type", message);
            }
            if mapping.rear_position > rear.positions {
                let (object, field, reason) = match written.contains(&front.id) {
                    true => (
                        front.id,
                        "passThrough.rearPosition",
                        format!("must be at most {}, the positions of {}", rear.positions, rear.name),
                    ),
                    false => (
                        rear.id,
                        "positions",
                        format!("must be at least {}: {} is joined to that", mapping.rear_position, front.name),
                    ),
                };
                problems.invalid(object, field, reason);
            }
            if let Some(other) = taken.insert(mapping.rear_position, front) {
                let (own, other) = if written.contains(&front.id) { (front, other) } else { (other, front) };
                let what = format!("position {} of {}", mapping.rear_position, rear.name);
                let holder = format!("port {}", other.name);
                problems.add(own.id, Refusal::Duplicate { field: "passThrough".to_owned(), what, holder });
            }
        }
    }
}

/// What is plugged into a port still fits it.
pub fn cabled(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, port) in checked.written::<Port>() {
        let Some(place) = checked.after.find(port.id) else { continue };
        let Some(cable) = cable::cable_on(checked.after, place) else { continue };
        if port.mark_connected {
            let message = "markConnected is for ports whose cable is outside the inventory; a cable is on this one";
            problems.incompatible(port.id, "markConnected", message);
        }
        let changed = before.is_some_and(|before| (before.r#type, before.positions) != (port.r#type, port.positions));
        if changed && let Some(message) = cable::unfit_ends(checked.after, cable) {
            problems.incompatible(port.id, "type", message);
        }
    }
}
