//! A rack.

use serde_json::json;
use underlay_kit::sync::{AdapterError, BadThing};

use super::draft::Draft;
use super::{Context, Mapped};
use crate::object::Object;

/// The kind that a rack becomes.
const RACK: &str = "rack";
/// The height of every rack in units. The API of BCM gives positions in racks, and no heights of racks.
pub const RACK_UNITS: u64 = 48;

/// Maps a rack.
///
/// # Errors
/// Returns an error if the object has no id.
pub fn rack(cx: &Context, object: &Object) -> Result<Mapped, AdapterError> {
    let (uuid, mut mapped) = (object.uuid()?, Mapped::default());
    let name = object.part().text("name").and_then(|name| name.ok_or_else(|| "name is empty".to_owned()));
    let name = match name {
        Ok(name) => name,
        Err(fault) => {
            mapped.bad.push(BadThing::new(Some(RACK), uuid, fault));
            return Ok(mapped);
        }
    };
    let mut draft = Draft::new(RACK, uuid);
    draft.set("name", name);
    draft.set("site", json!({ "site": cx.site }));
    draft.set("heightU", RACK_UNITS);
    draft.set("externalRefs", cx.external_ref(uuid, None));
    draft.finish(&mut mapped);
    Ok(mapped)
}
