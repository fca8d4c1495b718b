//! A node becomes a device, a host, and a credential if BCM has a user of its BMC.
//!
//! Only lite nodes are mapped: their systems are not installed by BCM, so they can be given out by others.

use serde_json::{Value, json};
use underlay_kit::shown;
use underlay_kit::sync::{AdapterError, BadThing};

use super::bmc;
use super::draft::Draft;
use super::rack::RACK_UNITS;
use super::{Context, Mapped, reference};
use crate::notes::{self, Annotations, MAX_DESCRIPTION_CHARACTERS, MAX_TITLE_CHARACTERS};
use crate::object::{Fault, Object, Part};

/// The type of the devices that are mapped.
pub const LITE_NODE: &str = "LiteNode";
const DEVICE: &str = "device";
const HOST: &str = "host";
/// The type and the name of the interface from which a node boots.
const PHYSICAL: &str = "NetworkPhysicalInterface";
const BOOT: &str = "BOOTIF";
/// The value that stands for no address.
const NO_MAC: &str = "00:00:00:00:00:00";
/// The maximum length of a host name in characters (RFC 1123).
const MAX_HOSTNAME_CHARACTERS: usize = 63;

/// Returns the type of a device.
///
/// # Errors
/// Returns an error if there is none, because then nobody knows if a node is gone.
pub fn type_of(object: &Object) -> Result<&str, AdapterError> {
    object.part().text("childType").ok().flatten().ok_or_else(|| object.wrong("childType", "the type of the device"))
}

/// Maps a lite node.
///
/// # Errors
/// Returns an error if the object has no id.
pub fn node(cx: &Context, object: &Object) -> Result<Mapped, AdapterError> {
    let (uuid, part, mut mapped) = (object.uuid()?, object.part(), Mapped::default());
    let hostname = match part.text("hostname").and_then(hostname) {
        Ok(hostname) => hostname,
        Err(fault) => {
            // The objects of the node in the inventory stay as they are.
            let kinds = [DEVICE, HOST, bmc::CREDENTIAL];
            mapped.bad.extend(kinds.map(|kind| BadThing::new(Some(kind), uuid, fault.clone())));
            return Ok(mapped);
        }
    };
    let annotations = notes::read(&part);
    let bmc = bmc::read(&part);
    if let Ok(Some(user)) = &bmc.user {
        let mut credential = bmc::credential(cx, uuid, hostname, user);
        match &bmc.password {
            Ok(password) => mapped.secret = password.map(|it| bmc::secret(uuid, it)),
            Err(fault) => credential.fault(fault.clone()),
        }
        credential.finish(&mut mapped);
    }
    device(cx, uuid, hostname, &part, &annotations).finish(&mut mapped);
    mapped.left_out.extend(annotations.left_out);
    host(cx, uuid, hostname, &part, annotations, bmc).finish(&mut mapped);
    Ok(mapped)
}

/// Checks a host name.
fn hostname(text: Option<&str>) -> Result<&str, Fault> {
    let text = text.ok_or_else(|| "hostname is empty".to_owned())?;
    let is_edge = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let fits = text.len() <= MAX_HOSTNAME_CHARACTERS
        && text.starts_with(is_edge)
        && text.ends_with(is_edge)
        && text.chars().all(|letter| is_edge(letter) || letter == '-');
    let wrong = || {
        format!(
            "hostname must be 1 to {MAX_HOSTNAME_CHARACTERS} lower-case letters, digits and hyphens, with no hyphen at \
             either end, not {}",
            shown(text)
        )
    };
    fits.then_some(text).ok_or_else(wrong)
}

fn device(cx: &Context, uuid: &str, hostname: &str, part: &Part<'_>, annotations: &Annotations) -> Draft {
    let mut draft = Draft::new(DEVICE, uuid);
    draft.set("name", hostname);
    draft.set("role", "SERVER");
    draft.set("site", json!({ "site": cx.site }));
    draft.try_set("placement", placement(cx, part));
    draft.set_text("serial", annotations.serial.as_deref(), MAX_TITLE_CHARACTERS);
    draft.set("externalRefs", cx.external_ref(uuid, Some("device")));
    draft
}

/// Returns the place of a node in a rack. A node at no unit is in the rack and takes no unit.
fn placement(cx: &Context, part: &Part<'_>) -> Result<Value, Fault> {
    let Some(place) = part.object("rackPosition")? else { return Ok(Value::Null) };
    let Some(rack) = place.id("rack")? else { return Ok(Value::Null) };
    if !cx.racks.contains(rack) {
        return Err(format!("{} is {}, and BCM has no such rack", place.at("rack"), shown(rack)));
    }
    let position = place.count("position")?.filter(|position| *position > 0);
    let height = place.count("height")?.filter(|height| *height > 0).unwrap_or(1);
    let Some(position) = position else { return Ok(json!({ "rack": reference(rack) })) };
    if position.saturating_add(height) > RACK_UNITS + 1 {
        return Err(format!(
            "{} {position} with {} {height} is above the {RACK_UNITS} units of a rack",
            place.at("position"),
            place.at("height")
        ));
    }
    Ok(json!({ "rack": reference(rack), "startUnit": position, "unitHeight": height }))
}

fn host(
    cx: &Context,
    uuid: &str,
    hostname: &str,
    part: &Part<'_>,
    annotations: Annotations,
    bmc: bmc::Bmc<'_>,
) -> Draft {
    let mut draft = Draft::new(HOST, uuid);
    draft.set("name", hostname);
    draft.set("machine", json!({ DEVICE: reference(uuid) }));
    draft.try_set("class", class(cx, part, annotations.class.as_deref()));
    draft.set_text("uid", annotations.uid.as_deref(), MAX_TITLE_CHARACTERS);
    draft.set_text("title", annotations.title.as_deref(), MAX_TITLE_CHARACTERS);
    draft.set_text("description", annotations.description.as_deref(), MAX_DESCRIPTION_CHARACTERS);
    draft.set("labels", annotations.labels);
    draft.try_set("bmcUrl", bmc.url);
    draft.try_set("bmcCredential", bmc.user.map(|user| user.map_or(Value::Null, |_| reference(uuid))));
    draft.try_set("bootMac", boot_mac(part));
    draft.try_set("bootIp", boot_ip(part));
    draft.set("externalRefs", cx.external_ref(uuid, Some("device")));
    annotations.faults.into_iter().for_each(|fault| draft.fault(fault));
    draft
}

/// Returns the class of a node: the one that the notes or values name, else that of the category.
fn class(cx: &Context, part: &Part<'_>, named: Option<&str>) -> Result<Value, Fault> {
    if let Some(name) = named {
        return Ok(json!({ "hostClass": name }));
    }
    match part.id("category")? {
        None => Ok(Value::Null),
        Some(category) if cx.categories.contains(category) => Ok(reference(category)),
        Some(category) => Err(format!("category is {}, and BCM has no such category", shown(category))),
    }
}

/// Returns the MAC address from which a node boots.
fn boot_mac(part: &Part<'_>) -> Result<Option<String>, Fault> {
    let Some(mac) = part.text("mac")?.filter(|mac| *mac != NO_MAC) else { return Ok(None) };
    let is_byte = |byte: &str| byte.len() == 2 && byte.bytes().all(|digit| digit.is_ascii_hexdigit());
    let fits = mac.split(':').count() == 6 && mac.split(':').all(is_byte);
    let wrong = || format!("mac must be six bytes such as 52:54:00:ab:10:17, not {}", shown(mac));
    fits.then(|| Some(mac.to_ascii_lowercase())).ok_or_else(wrong)
}

/// Returns the IP address that a node has while it boots.
fn boot_ip(part: &Part<'_>) -> Result<Option<String>, Fault> {
    for interface in part.objects("interfaces")? {
        if interface.text("childType")? == Some(PHYSICAL) && interface.text("name")? == Some(BOOT) {
            return Ok(interface.address("ip")?.map(|address| address.to_string()));
        }
    }
    Ok(None)
}
