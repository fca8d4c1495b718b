//! Devices: their places in racks, in the bays of other devices and in virtual chassis.

use serde_json::{Map, Value, json};
use underlay_kit::sync::AdapterError;

use crate::context::Context;
use crate::draft::{Draft, reference};
use crate::object::Object;
use crate::types::{CLUSTER, DEVICE, LOCATION, RACK, SITE};
use crate::words::{List, Word};

/// The device that a device is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// The device is in a bay of another one.
    Bay(u64),
    /// The device is a member of a virtual chassis, and this is the master.
    Chassis(u64),
    /// The device is in none.
    Nothing,
}

/// Returns the device that a device is in.
///
/// # Errors
/// Returns an error if the device breaks the contract of the API.
pub fn within(object: &Object) -> Result<Within, AdapterError> {
    if let Some(parent) = object.part("parent_device")? {
        return Ok(Within::Bay(parent.id()?));
    }
    let master = object.part("virtual_chassis")?.map(|chassis| chassis.part("master")).transpose()?.flatten();
    Ok(match master.map(|master| master.id()).transpose()? {
        Some(master) if master != object.id()? => Within::Chassis(master),
        _ => Within::Nothing,
    })
}

/// Returns true if a device is the master of a virtual chassis.
///
/// # Errors
/// Returns an error if the device breaks the contract of the API.
pub fn is_master(object: &Object) -> Result<bool, AdapterError> {
    let master = object.part("virtual_chassis")?.map(|chassis| chassis.part("master")).transpose()?.flatten();
    Ok(master.map(|master| master.id()).transpose()? == Some(object.id()?))
}

/// Maps a device. The master of its virtual chassis must have been read before.
pub fn device(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, DEVICE, object)?;
    let name = object.text("name")?.map_or_else(|| object.required_text("display"), Ok)?;
    draft.set("name", name);
    let site = object.required_reference("site")?;
    draft.refer("site", Some((SITE, site)));
    draft.refer("location", object.reference("location")?.map(|id| (LOCATION, id)));
    draft.refer("cluster", object.reference("cluster")?.map(|id| (CLUSTER, id)));
    role(cx, object, &mut draft)?;
    let kind = object.part("device_type")?.ok_or_else(|| object.wrong("device_type", "an object", &Value::Null))?;
    let maker = kind.part("manufacturer")?.map(|maker| maker.required_text("name")).transpose()?;
    draft.set("manufacturer", maker);
    draft.set("model", kind.text("model")?);
    draft.set("serial", object.text("serial")?);
    draft.set("assetTag", object.text("asset_tag")?);
    draft.set("platform", object.part("platform")?.map(|platform| platform.required_text("name")).transpose()?);
    draft.word(cx, "status", List::DeviceStatus, object.choice("status")?);
    draft.set("addresses", addresses(object)?);
    draft.tenant(cx, object)?;
    let placement = placement(cx, object, kind.id()?, &mut draft)?;
    position(cx, object, site, placement, &mut draft)?;
    draft.keep(object, &["airflow", "latitude", "longitude", "local_context_data", "vc_position", "vc_priority"]);
    draft.keep(object, &["virtual_chassis"]);
    Ok(draft)
}

/// Returns the word for the role of a device: for its slug, or for that of a role above it.
///
/// # Errors
/// Returns an error if the device breaks the contract of the API.
pub fn role_word<'a>(cx: &'a Context, object: &Object) -> Result<Word<'a>, AdapterError> {
    let role = object.part("role")?.ok_or_else(|| object.wrong("role", "an object", &Value::Null))?;
    let slug = role.required_text("slug")?;
    let above = cx.roles(role.id()?).skip(1);
    let mut words = std::iter::once(slug).chain(above).map(|slug| cx.words.get(List::DeviceRole, Some(slug)));
    let known = words.find(|word| matches!(word, Word::Known(_)));
    Ok(known.unwrap_or_else(|| cx.words.get(List::DeviceRole, Some(slug))))
}

/// Sets the role.
fn role(cx: &Context, object: &Object, draft: &mut Draft) -> Result<(), AdapterError> {
    let word = role_word(cx, object)?;
    draft.set("role", word.get());
    let slug = object.part("role")?.map(|role| role.required_text("slug")).transpose()?;
    draft.label("role", slug);
    if let (Word::Default { .. }, Some(slug)) = (word, slug) {
        draft.unknown(List::DeviceRole, slug);
    }
    Ok(())
}

/// Sets what the device is in, and its placement.
fn position(cx: &Context, object: &Object, site: u64, placement: Value, draft: &mut Draft) -> Result<(), AdapterError> {
    let (mut parent, mut slot, mut placement) = (None, None, placement);
    match within(object)? {
        Within::Bay(device) => {
            parent = Some(device);
            let bay = object.part("parent_device")?.map(|device| device.part("device_bay")).transpose()?.flatten();
            slot = bay.map(|bay| bay.required_text("name")).transpose()?;
            // The chassis stands in the rack.
            placement = Value::Null;
        }
        Within::Chassis(master) => match why_no_parent(cx, master, site, object) {
            Some(reason) => draft.fault("virtual_chassis", reason),
            None => parent = Some(master),
        },
        Within::Nothing => {}
    }
    draft.refer("parent", parent.map(|id| (DEVICE, id)));
    draft.set("slot", slot);
    draft.set("placement", placement);
    Ok(())
}

/// Returns the reason why the master of a virtual chassis is not the parent of a member at a site, `None` if it is.
pub fn why_no_parent(cx: &Context, master: u64, site: u64, member: &Object) -> Option<&'static str> {
    match cx.masters.get(&master) {
        Some(it) if it.site != site => Some("has its master at another site, so the device has no parent"),
        Some(it) if it.is_chassis && member.value("rack").is_some() => {
            Some("has a master with the role of a chassis, so a device with a place in a rack has no parent")
        }
        Some(_) => None,
        None => Some("has a master that NetBox did not list, so the device has no parent"),
    }
}

/// Returns the placement of a device in a rack, null if it is in none.
fn placement(cx: &Context, object: &Object, kind: u64, draft: &mut Draft) -> Result<Value, AdapterError> {
    let Some(rack) = object.reference("rack")? else { return Ok(Value::Null) };
    let mut placement = Map::new();
    placement.insert("rack".to_owned(), reference(RACK, rack));
    let face = match object.choice("face")? {
        None => None,
        Some("front") => Some("FRONT"),
        Some("rear") => Some("REAR"),
        Some(_) => return Err(object.wrong("face", "front or rear", object.value("face").unwrap_or(&Value::Null))),
    };
    // A device that takes no unit, such as a PDU at the side, has a face too.
    placement.extend(face.map(|face| ("face".to_owned(), json!(face))));
    let Some(position) = object.number("position")? else { return Ok(Value::Object(placement)) };
    let Some(kind) = cx.device_types.get(&kind) else {
        draft.fault("device_type", "was made while NetBox was read, so the device has no unit until the next scan");
        return Ok(Value::Object(placement));
    };
    // A device without a height takes no unit.
    if kind.height < 0.5 {
        return Ok(Value::Object(placement));
    }
    let start = cx.units.get(&rack).map_or(position, |units| units.lowest(position, kind.height));
    placement.insert("startUnit".to_owned(), json!(start));
    placement.insert("unitHeight".to_owned(), json!(kind.height));
    placement.insert("fullDepth".to_owned(), json!(kind.is_full_depth));
    placement.insert("face".to_owned(), json!(face.unwrap_or("FRONT")));
    Ok(Value::Object(placement))
}

/// Returns the addresses of a device or a virtual machine: the primary ones, and the one of its controller.
///
/// # Errors
/// Returns an error if the object breaks the contract of the API.
pub fn addresses(object: &Object) -> Result<Vec<Value>, AdapterError> {
    let mut addresses: Vec<Value> = Vec::new();
    for (member, purpose) in [("primary_ip4", "INTERNAL"), ("primary_ip6", "INTERNAL"), ("oob_ip", "MANAGEMENT")] {
        let Some(ip) = object.part(member)? else { continue };
        let text = ip.required_text("address")?;
        let address = json!({ "type": purpose, "address": text.split('/').next() });
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    Ok(addresses)
}
