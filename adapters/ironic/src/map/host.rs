//! The host of a node: the machine as something that is powered, booted and installed.

use serde_json::{Map, Value, json};

use super::bmc::Bmc;
use super::draft::{Draft, MAX_DESCRIPTION_CHARACTERS, MAX_TEXT_CHARACTERS};
use super::hardware;
use super::{Context, DEVICE, HOST, Mapped, NodeDetails, mac, reference};
use crate::client::{Inventory, Node, ProvisionState};

/// The maximum length of the reason of a maintenance in characters, as the server has it.
const MAX_REASON_CHARACTERS: usize = 1_000;

/// Returns the host of a node.
pub fn host(cx: &Context, node: &Node, details: &NodeDetails<'_>, bmc: &Bmc, mapped: &mut Mapped) -> Draft {
    let inventory = details.inventory;
    let mut draft = Draft::new(HOST, &node.uuid);
    draft.set("name", node.name.as_deref().unwrap_or(&node.uuid));
    draft.set("machine", json!({ DEVICE: reference(&node.uuid) }));
    draft.set("class", node.resource_class.as_deref().map(reference));
    draft.set_text("description", node.description.as_deref(), MAX_DESCRIPTION_CHARACTERS);
    draft.set_known("arrivesAs", arrives_as(node));
    draft.set_known_text("uid", inventory.and_then(|inventory| inventory.system_uuid.as_deref()));
    draft.set_known("architecture", hardware::architecture(node, inventory).map(|it| json!(it)));
    match &bmc.url {
        Ok(url) => draft.set("bmcUrl", url.as_deref()),
        Err(fault) => draft.fault(fault.clone()),
    }
    if bmc.url.is_ok() {
        draft.set("bmcCredential", bmc.user.as_ref().map(|_| reference(&node.uuid)));
    }
    draft.set_known("bmcInsecure", bmc.insecure);
    if !details.ports_are_incomplete {
        draft.set("bootMac", boot_mac(details));
    }
    draft.set_known("bootMode", boot_mode(node, inventory));
    match hardware::root_device(node) {
        Ok(disk) => draft.set("rootDevice", disk),
        Err(reason) => mapped.left_out.push((reason, 1)),
    }
    draft.set("maintenance", maintenance(node));
    draft.set("attributes", json!({ "ironic": attributes(node) }));
    draft.set("externalRefs", cx.external_ref(&node.uuid, Some("nodes")));
    draft
}

/// Returns the state that Ironic reports of a host that is new here.
fn arrives_as(node: &Node) -> Option<&'static str> {
    match node.states.provision {
        Some(ProvisionState::Available) => Some("AVAILABLE"),
        Some(ProvisionState::Active) => Some("INSTALLED"),
        _ => None,
    }
}

/// Returns the MAC address that a node boots from: that of the port with `pxe_enabled`. Of several, the one from which the
/// inspection was booted counts, else the oldest port.
fn boot_mac(details: &NodeDetails<'_>) -> Option<String> {
    let booted = details.inventory.and_then(|inventory| mac(inventory.boot_mac.as_deref()?));
    let mut able = details.ports.iter().filter(|port| port.pxe_enabled).filter_map(|port| mac(&port.address));
    let first = able.next()?;
    match booted {
        Some(booted) if booted == first || able.any(|other| other == booted) => Some(booted),
        _ => Some(first),
    }
}

/// Returns the firmware that a node boots with: the one that Ironic read, else what its capabilities ask for, else the one
/// that the inspection was booted with.
fn boot_mode(node: &Node, inventory: Option<&Inventory>) -> Option<&'static str> {
    let capabilities = node.properties.get("capabilities").and_then(Value::as_str).unwrap_or_default();
    let capability = |name: &str| {
        let mut pairs = capabilities.split(',').filter_map(|pair| pair.trim().split_once(':'));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value.trim().to_owned())
    };
    let found = inventory.and_then(|inventory| inventory.boot_mode.clone());
    let mode = node.boot_mode.clone().or_else(|| capability("boot_mode")).or(found)?;
    let is_secure = node.secure_boot.unwrap_or_else(|| capability("secure_boot").as_deref() == Some("true"));
    match (mode.to_ascii_lowercase().as_str(), is_secure) {
        ("uefi", true) => Some("UEFI_SECURE"),
        ("uefi", false) => Some("UEFI"),
        ("bios", _) => Some("BIOS"),
        _ => None,
    }
}

/// Returns the reasons why a host must not be given out.
fn maintenance(node: &Node) -> Value {
    let mut reasons = Map::new();
    let mut add = |name: &str, reason: String| {
        reasons.insert(name.to_owned(), reason.chars().take(MAX_REASON_CHARACTERS).collect::<String>().into());
    };
    if node.maintenance {
        let fault = node.fault.as_ref().map(|fault| format!("Ironic found a {fault}"));
        let reason = node.maintenance_reason.clone().or(fault);
        add("ironic", reason.unwrap_or_else(|| "the node is in maintenance in Ironic".to_owned()));
    }
    if node.retired {
        let reason = node.retired_reason.clone();
        add("ironic retired", reason.unwrap_or_else(|| "the node is retired in Ironic".to_owned()));
    }
    Value::Object(reasons)
}

/// Returns what has no field of its own. A text is bounded, so that the attributes stay within their bound.
fn attributes(node: &Node) -> Value {
    let text =
        |text: &Option<String>| text.as_ref().map(|text| text.chars().take(MAX_TEXT_CHARACTERS).collect::<String>());
    let traits: Vec<&String> = node.traits.iter().take(50).collect();
    let some = |list: Vec<&String>| if list.is_empty() { Value::Null } else { json!(list) };
    let members = json!({
        "driver": text(&node.driver),
        "power": text(&node.states.power),
        "provisionState": node.states.provision.as_ref().map(ToString::to_string),
        "instance": text(&node.instance_uuid),
        "owner": text(&node.owner),
        "lessee": text(&node.lessee),
        "conductorGroup": text(&node.conductor_group),
        "protected": node.protected.then_some(true),
        "traits": some(traits),
    });
    let Value::Object(members) = members else { return Value::Null };
    members.into_iter().filter(|(_, value)| !value.is_null()).collect::<Map<_, _>>().into()
}
