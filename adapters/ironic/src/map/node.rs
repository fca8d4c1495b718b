//! A node becomes a device and a host, and a credential if Ironic has a user of its BMC.

use serde_json::{Map, Value, json};
use underlay_address::is_junk;
use underlay_kit::sync::BadThing;

use super::draft::Draft;
use super::{CLASS, CREDENTIAL, Context, DEVICE, HOST, Mapped, NodeDetails, RACK, bmc, hardware, host, reference};
use crate::client::Node;
use crate::place::{RackPosition, place};

/// The member of `extra` that marks a node which Underlay itself registered.
const OURS: &str = "underlay";

/// Returns true if Underlay itself registered a node, to install a host that it has already.
pub fn is_ours(node: &Node) -> bool {
    node.extra.contains_key(OURS)
}

/// Returns true if Underlay itself registered the node with these members.
pub fn has_our_mark(members: &Map<String, Value>) -> bool {
    members.get("extra").and_then(Value::as_object).is_some_and(|extra| extra.contains_key(OURS))
}

/// Maps a node.
pub fn node(cx: &Context, node: &Node, details: &NodeDetails<'_>) -> Mapped {
    let mut mapped = Mapped::default();
    let mut bmc = bmc::read(node);
    if let Some(user) = &bmc.user {
        bmc::credential(cx, node, user).finish(&mut mapped);
        mapped.secret = bmc.password.take().map(|password| bmc::secret(node, password));
    }
    if bmc.is_masked {
        mapped.left_out.push(("passwords that Ironic does not show", 1));
    }
    let faults = details.inventory.map_or(&[][..], |inventory| &inventory.faults);
    let faults = faults.iter().map(|fault| BadThing::new(Some(DEVICE), &node.uuid, format!("its inventory: {fault}")));
    mapped.bad.extend(faults);
    device(cx, node, details, &mut mapped).finish(&mut mapped);
    host::host(cx, node, details, &bmc, &mut mapped).finish(&mut mapped);
    mapped
}

fn device(cx: &Context, node: &Node, details: &NodeDetails<'_>, mapped: &mut Mapped) -> Draft {
    let mut draft = Draft::new(DEVICE, &node.uuid);
    draft.set("name", node.name.as_deref().unwrap_or(&node.uuid));
    draft.set("role", "SERVER");
    draft.set("site", json!({ "site": cx.site }));
    if !cx.places.is_empty() {
        match placement(cx, place(&cx.places, node)) {
            Ok(Some(placement)) => draft.set("placement", placement),
            Ok(None) => mapped.left_out.push(("places that no rule finds", 1)),
            Err(fault) => draft.fault(fault),
        }
    }
    if let Some(inventory) = details.inventory {
        draft.set_known_text("manufacturer", inventory.manufacturer.as_deref());
        draft.set_known_text("model", inventory.product.as_deref());
        draft.set_known_text("serial", inventory.serial.as_deref().filter(|serial| !is_junk(serial)));
    }
    match hardware::hardware(node, details.inventory) {
        Some(hardware) => draft.set("hardware", hardware),
        None => mapped.left_out.push(("hardware that is not known whole", 1)),
    }
    draft.set("externalRefs", cx.external_ref(&node.uuid, Some("nodes")));
    draft
}

/// Returns a placement. A rack without a unit is one, as the device is in the rack then and takes no unit.
fn placement(cx: &Context, place: RackPosition) -> Result<Option<Value>, String> {
    let Some(rack) = place.rack else { return Ok(None) };
    let rack = reference(&rack);
    let Some(unit) = place.unit else { return Ok(Some(json!({ "rack": rack }))) };
    let height = place.height.unwrap_or(1.0);
    if unit < 1.0 || unit + height > f64::from(cx.rack_units) + 1.0 {
        return Err(format!(
            "its place, unit {unit} with {height} units, is not within the {} units of a rack",
            cx.rack_units
        ));
    }
    Ok(Some(json!({ "rack": rack, "startUnit": unit, "unitHeight": height })))
}

/// Returns the rack of a node, by its name.
pub fn rack(cx: &Context, node: &Node) -> Option<(String, Mapped)> {
    let name = place(&cx.places, node).rack?;
    let (mut draft, mut mapped) = (Draft::new(RACK, &name), Mapped::default());
    draft.set("name", name.as_str());
    draft.set("site", json!({ "site": cx.site }));
    draft.set("heightU", cx.rack_units);
    draft.set("externalRefs", cx.external_ref(&name, None));
    draft.finish(&mut mapped);
    Some((name, mapped))
}

/// Returns the class of a node, by its name.
pub fn class(cx: &Context, node: &Node) -> Option<(String, Mapped)> {
    let name = node.resource_class.clone()?;
    let (mut draft, mut mapped) = (Draft::new(CLASS, &name), Mapped::default());
    draft.set("name", name.as_str());
    draft.set("externalRefs", cx.external_ref(&name, None));
    draft.finish(&mut mapped);
    Some((name, mapped))
}

/// Returns the report of a node that cannot be read. What the inventory has of it stays as it is.
pub fn unreadable(uuid: &str, fault: &str) -> Mapped {
    let bad = [DEVICE, HOST, CREDENTIAL].map(|kind| BadThing::new(Some(kind), uuid, fault));
    Mapped { bad: bad.into(), ..Mapped::default() }
}
