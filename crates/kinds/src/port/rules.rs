//! The validation rules of ports.

use std::collections::{BTreeMap, BTreeSet};

use underlay_entity::port::{Model, PortType};
use underlay_entity::power_feed::PowerSource;
use uuid::Uuid;

use super::kind::Port;
use crate::cable;
use crate::circuit_termination::{self, CircuitTermination};
use crate::device::Device;
use crate::power_feed::PowerFeed;
use crate::rack::Rack;
use underlay_inventory::{Checked, Problems, Refusal};

/// Checks that a port belongs to exactly one device, rack or virtual machine.
pub fn owner(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, port) in checked.written::<Port>() {
        let owners = [("device", port.device_id), ("rack", port.rack_id), ("virtualMachine", port.virtual_machine_id)];
        let mut set = owners.iter().filter(|(_, owner)| owner.is_some()).map(|(field, _)| *field);
        match (set.next(), set.next()) {
            (Some(first), Some(second)) => {
                let owner = if first == "device" { "device" } else { "rack" };
                problems.invalid(port.id, second, format!("must not be given for a port of a {owner}"));
            }
            (Some(_), None) => {}
            (None, _) => {
                let (field, all) = ("device".to_owned(), "device, rack or virtualMachine");
                problems.add(port.id, Refusal::RequiredOneOf { field, all, kind: "Port" });
            }
        }
    }
}

/// Checks that a port of a virtual machine is a logical interface: nothing can be plugged into it.
pub fn of_virtual_machine(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, port) in checked.written::<Port>().filter(|(_, port)| port.virtual_machine_id.is_some()) {
        if port.r#type != PortType::Virtual {
            let message = format!("type must be VIRTUAL for a port of a virtual machine, not {}", name(port.r#type));
            problems.incompatible(port.id, "type", message);
        }
        let plugged = [
            ("connector", port.connector.is_some()),
            ("lag", port.lag_id.is_some()),
            ("markConnected", port.mark_connected),
            ("positions", port.positions != 1),
        ];
        for (field, _) in plugged.into_iter().filter(|(_, set)| *set) {
            let message =
                format!("{field} must not be given for a port of a virtual machine: nothing is plugged into it");
            problems.incompatible(port.id, field, message);
        }
    }
}

/// Returns the name of a type in the API.
fn name(r#type: PortType) -> String {
    serde_json::to_value(r#type).ok().and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default()
}

/// Returns the ids of the device, rack or virtual machine that has a port. Exactly one is `Some` in a valid port.
fn owner_of(port: &Model) -> [Option<Uuid>; 3] {
    [port.device_id, port.rack_id, port.virtual_machine_id]
}

/// Checks that a member of a LAG is in the stack of the LAG, and that a port has the same owner as its parent.
pub fn group(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, port) in checked.written::<Port>() {
        if let Some(lag) = port.lag_id.and_then(|id| checked.after.get::<Port>(id)) {
            if lag.r#type != PortType::Lag {
                problems.incompatible(port.id, "lag", format!("lag must be a port of type LAG; {} is not", lag.name));
            } else if lag.id == port.id || port.r#type == PortType::Lag {
                problems.incompatible(port.id, "lag", "a LAG cannot be a member of a LAG");
            } else if !same_stack(checked, port, lag) {
                problems.incompatible(port.id, "lag", "lag must be of the same device or of its stack");
            }
        }
        if let Some(parent) = port.parent_id.and_then(|id| checked.after.get::<Port>(id))
            && owner_of(parent) != owner_of(port)
        {
            let owner = match (port.device_id, port.rack_id) {
                (Some(_), _) => "device",
                (None, Some(_)) => "rack",
                (None, None) => "virtual machine",
            };
            problems.incompatible(port.id, "parent", format!("parent must be a port of the same {owner}"));
        }
        let members = checked.after.referrers::<Port>(port.id, Port::LAG).next();
        if let Some(member) = members.filter(|_| port.r#type != PortType::Lag) {
            problems.incompatible(port.id, "type", format!("type must stay LAG: {} is a member", member.name));
        }
    }
    for port in checked.cycles::<Port>(Port::PARENT) {
        problems.invalid(port, "parent", "must not be the port itself or a part of it");
    }
}

/// Returns true if two ports are of the same device or of devices in one stack.
pub fn same_stack(checked: &Checked<'_>, left: &Model, right: &Model) -> bool {
    let (left, right) = (left.device_id.map(|id| top(checked, id)), right.device_id.map(|id| top(checked, id)));
    left.is_some() && left == right
}

/// Returns the device at the top of the stack or chassis that a device is in.
fn top(checked: &Checked<'_>, device: Uuid) -> Uuid {
    let mut top = device;
    // Nested devices are few and have no cycle. The bound is for a snapshot that is still being checked.
    for _ in 0..64 {
        match checked.after.get::<Device>(top).and_then(|device| device.parent_id) {
            Some(parent) => top = parent,
            None => break,
        }
    }
    top
}

/// Checks that an outlet is fed by inlets of its own device or, on a rack, by power feeds at the rack's site.
pub fn power(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, port) in checked.written::<Port>() {
        if port.draw_w.is_some() && port.r#type != PortType::PowerInlet {
            problems.incompatible(port.id, "drawW", "drawW is for ports of type POWER_INLET");
        }
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

/// Checks that front ports are connected to rear ports of the same device or rack, and each position to at most one
/// other.
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
        let own = owner_of(rear) == owner_of(port);
        if rear.r#type != PortType::PatchRear || !own {
            let message = format!("{field}.rear must be a port of type PATCH_REAR of the same device or rack");
            problems.incompatible(port.id, &format!("{field}.rear"), message);
        }
    }
}

/// Checks that front ports map only to positions that a rear port has, and to each at most once. `written` are the
/// front ports of the batch.
fn check_rear(checked: &Checked<'_>, rear: Uuid, written: &BTreeSet<Uuid>, problems: &mut Problems) {
    let Some(rear) = checked.after.get::<Port>(rear) else { return };
    let mut taken: BTreeMap<i32, &Model> = BTreeMap::new();
    for front in checked.after.referrers::<Port>(rear.id, Port::PASS_THROUGH) {
        let mappings = front.pass_through.0.iter().enumerate();
        for (at, mapping) in mappings.filter(|(_, mapping)| mapping.rear == rear.id) {
            if rear.r#type != PortType::PatchRear {
                let message = format!("type must stay PATCH_REAR: {} is joined to it", front.name);
                problems.incompatible(rear.id, "type", message);
            }
            if mapping.rear_position > rear.positions {
                let (object, field, rest) = match written.contains(&front.id) {
                    true => (
                        front.id,
                        format!("passThrough[{at}].rearPosition"),
                        format!("must be at most {}, the positions of {}", rear.positions, rear.name),
                    ),
                    false => (
                        rear.id,
                        "positions".to_owned(),
                        format!("must be at least {}: {} is joined to that", mapping.rear_position, front.name),
                    ),
                };
                problems.incompatible(object, &field, format!("{field} {rest}"));
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

/// Checks that the cable or circuit that is plugged into a port still fits it.
pub fn plugged(checked: &Checked<'_>, problems: &mut Problems) {
    let snapshot = checked.after;
    for (before, port) in checked.written::<Port>() {
        let Some(object) = snapshot.find(port.id) else { continue };
        if let Some(circuit) = snapshot.incoming(object).first_by(CircuitTermination::PORT)
            && !circuit_termination::takes_circuit(port.r#type)
        {
            let message =
                format!("type must stay that of a data or patch port: {} is plugged into it", snapshot.path(circuit));
            problems.incompatible(port.id, "type", message);
        }
        let Some(cable) = cable::cable_on(snapshot, object) else { continue };
        if port.mark_connected {
            let message = "markConnected is for ports whose cable is outside the inventory; a cable is on this one";
            problems.incompatible(port.id, "markConnected", message);
        }
        if before.is_some_and(|before| before.r#type != port.r#type)
            && let Some((_, message)) = cable::unfit_ends(snapshot, cable)
        {
            problems.incompatible(port.id, "type", message);
        }
        let highest = cable::highest_position(snapshot, cable, port.id);
        if let Some(highest) = highest.filter(|highest| *highest > port.positions) {
            let path = snapshot.path(cable);
            let message = format!("positions must be at least {highest}: {path} has a lane to that position");
            problems.incompatible(port.id, "positions", message);
        }
    }
}
