//! The seven types of ports of devices.

use serde_json::{Value, json};
use underlay_kit::sync::AdapterError;

use crate::context::Context;
use crate::draft::{Draft, reference};
use crate::object::{Object, Part};
use crate::types::{
    CONSOLE_PORT, CONSOLE_SERVER_PORT, DEVICE, FRONT_PORT, INTERFACE, POWER_OUTLET, POWER_PORT, REAR_PORT, Type,
};
use crate::words::List;

/// The maximum frame that a port can have in bytes.
const MAX_MTU_BYTES: i64 = 65_536;

/// Maps a port of a device.
pub fn port(cx: &Context, of: Type, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, of, object)?;
    draft.set("name", object.required_text("name")?);
    draft.refer("device", Some((DEVICE, object.required_reference("device")?)));
    let connector = object.choice("type")?;
    draft.set("connector", connector);
    draft.set("markConnected", object.flag("mark_connected")?.unwrap_or_default());
    draft.keep(object, &["label", "color"]);
    if let Some(module) = object.part("module")? {
        let bay = module.part("module_bay")?.map(|bay| bay.text("name")).transpose()?.flatten();
        draft.attribute("module", bay.map_or_else(|| json!(module.id().ok()), Value::from));
    }
    // A front or rear port says itself how many positions it has; any other has those of its cable.
    let own = object.whole_number("positions")?;
    draft
        .set("positions", own.unwrap_or_else(|| i64::from(cx.profiles.positions(of, object.id().unwrap_or_default()))));
    match of {
        INTERFACE => interface(cx, object, &mut draft)?,
        FRONT_PORT => front(object, &mut draft)?,
        REAR_PORT => draft.set("type", "PATCH_REAR"),
        POWER_PORT => {
            draft.set("type", "POWER_INLET");
            draft.keep(object, &["maximum_draw", "allocated_draw"]);
        }
        POWER_OUTLET => outlet(object, &mut draft)?,
        CONSOLE_PORT | CONSOLE_SERVER_PORT => {
            draft.set("type", "SERIAL");
            draft.set("speedBps", object.whole_number("speed")?);
        }
        other => draft.impossible(format!("{} is no type of ports", other.name)),
    }
    Ok(draft)
}

fn interface(cx: &Context, object: &Object, draft: &mut Draft) -> Result<(), AdapterError> {
    let of = object.choice("type")?;
    draft.word(cx, "type", List::InterfaceType, of);
    let is_logical = matches!(cx.words.get(List::InterfaceType, of).get(), Some("LAG" | "VIRTUAL"));
    if is_logical {
        draft.set("connector", Value::Null);
        draft.attribute("type", of.filter(|of| !matches!(*of, "lag" | "virtual")));
    }
    draft.set("enabled", object.flag("enabled")?.unwrap_or(true));
    // NetBox counts in Kbit/s.
    draft.set("speedBps", object.whole_number("speed")?.map(|kbps| kbps.saturating_mul(1_000)));
    common(cx, INTERFACE, object, draft)?;
    draft.set("mgmtOnly", object.flag("mgmt_only")?.unwrap_or_default());
    let device = object.required_reference("device")?;
    let (lag, lag_device) = other(object.part("lag")?, device)?;
    match lag {
        Some(id) if cx.top(lag_device) == cx.top(device) => draft.refer("lag", Some((INTERFACE, id))),
        Some(_) => {
            draft.set("lag", Value::Null);
            draft.fault("lag", "is of a device that is not in the same stack, so the port has no LAG");
        }
        None => draft.set("lag", Value::Null),
    }
    let (parent, parent_device) = other(object.part("parent")?, device)?;
    match parent {
        Some(id) if parent_device == device => draft.refer("parent", Some((INTERFACE, id))),
        Some(_) => {
            draft.set("parent", Value::Null);
            draft.fault("parent", "is of another device, so the port has no parent");
        }
        None => draft.set("parent", Value::Null),
    }
    draft.keep(object, &["duplex", "poe_mode", "poe_type", "rf_channel", "rf_role", "tx_power", "wwn"]);
    draft.keep(object, &["channels", "channel_id"]);
    if object.value("wireless_link").is_some() {
        draft.leave_out("wireless links have no kind");
    }
    Ok(())
}

/// Sets what interfaces of devices and of virtual machines have in common.
///
/// # Errors
/// Returns an error if the interface breaks the contract of the API.
pub fn common(cx: &Context, of: Type, object: &Object, draft: &mut Draft) -> Result<(), AdapterError> {
    let mtu = object.whole_number("mtu")?;
    draft.set("mtu", mtu.filter(|mtu| *mtu <= MAX_MTU_BYTES));
    if mtu.is_some_and(|mtu| mtu > MAX_MTU_BYTES) {
        draft.fault("mtu", &format!("is above {MAX_MTU_BYTES}, so the port has none"));
        draft.keep(object, &["mtu"]);
    }
    let primary = object.part("primary_mac_address")?.map(|mac| mac.text("mac_address")).transpose()?.flatten();
    draft.set("mac", primary.map_or_else(|| object.text("mac_address"), |mac| Ok(Some(mac)))?);
    draft.set("addresses", cx.addresses.of(of, object.id()?));
    draft.keep(object, &["bridge", "mode", "vrf"]);
    let has_vlans = ["untagged_vlan", "tagged_vlans", "qinq_svlan"];
    let is_there =
        |name: &&str| object.value(name).is_some_and(|value| value.as_array().is_none_or(|it| !it.is_empty()));
    if has_vlans.iter().any(is_there) {
        draft.leave_out("VLANs have no kind");
    }
    Ok(())
}

/// Returns the id of another interface, and that of its device. A version that does not say the device means the same.
fn other(part: Option<Part<'_>>, own: u64) -> Result<(Option<u64>, u64), AdapterError> {
    let Some(part) = part else { return Ok((None, own)) };
    let device = part.part("device")?.map(|device| device.id()).transpose()?;
    Ok((Some(part.id()?), device.unwrap_or(own)))
}

fn front(object: &Object, draft: &mut Draft) -> Result<(), AdapterError> {
    draft.set("type", "PATCH_FRONT");
    let mut mappings = Vec::new();
    if object.value("rear_ports").is_some() {
        for mapping in object.list("rear_ports")? {
            mappings.push(json!({
                "position": mapping.number("position")?,
                "rear": reference(REAR_PORT, mapping.number("rear_port")?),
                "rearPosition": mapping.number("rear_port_position")?,
            }));
        }
    } else if let Some(rear) = object.reference("rear_port")? {
        // Until 4.4 a front port has one position.
        let position = object.whole_number("rear_port_position")?.unwrap_or(1);
        mappings.push(json!({ "position": 1, "rear": reference(REAR_PORT, rear), "rearPosition": position }));
    }
    draft.set("passThrough", mappings);
    Ok(())
}

fn outlet(object: &Object, draft: &mut Draft) -> Result<(), AdapterError> {
    draft.set("type", "POWER_OUTLET");
    let inlet = object.reference("power_port")?;
    let sources: Vec<Value> = inlet.map(|id| json!({ "port": reference(POWER_PORT, id) })).into_iter().collect();
    draft.set("fedBy", sources);
    draft.keep(object, &["feed_leg"]);
    // Since 4.3 an outlet has a status: enabled, disabled or faulty.
    if let Some(status) = object.choice("status")? {
        draft.set("enabled", status == "enabled");
        draft.attribute("status", Some(status).filter(|status| !matches!(*status, "enabled" | "disabled")));
    }
    Ok(())
}
