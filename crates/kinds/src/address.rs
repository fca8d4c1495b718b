//! The addresses of BMCs and appliances, as fields of kinds. The crate `underlay-address` reads and judges them.
//!
//! Guarantee: after a write, an address that the write set has a known scheme and known parameters, and is not
//! reserved, unless the server's configuration allows it.

use serde_json::Value as Json;
use underlay_address::Address;
use uuid::Uuid;

use crate::hosts::machine_settings;
use underlay_inventory::{Checked, Problems, Shape, Unfit};

/// The shape of an address.
pub const ADDRESS: Shape = Shape::Text { longest: underlay_address::MAX_CHARACTERS };

/// Checks that a text is an address with a known scheme and known parameters.
pub fn address(value: Json) -> Result<Json, Unfit> {
    match Address::parse(value.as_str().unwrap_or_default()) {
        Ok(_) => Ok(value),
        Err(error) => Err(Unfit::new("", error.to_string())),
    }
}

/// Refuses an address that a write set, if it is reserved. The exceptions are those of the server's configuration, which
/// the registry holds.
pub fn refuse_reserved(
    checked: &Checked<'_>,
    (id, field): (Uuid, &str),
    (before, after): (Option<&str>, Option<&str>),
    problems: &mut Problems,
) {
    let Some(address) = after.filter(|_| before != after).and_then(|text| Address::parse(text).ok()) else { return };
    if !address.scheme.connects() {
        return;
    }
    let exceptions = &machine_settings(checked.after).allowed_addresses;
    if let Err(reserved) = exceptions.refuse_host(&address.host) {
        let reason = format!("has the host {}, which {reserved}; it must be that of a machine", address.host);
        problems.invalid(id, field, reason);
    }
}
