//! The mapping from objects of NetBox to items, one file for each area.
//!
//! A mapping is a pure function of an object and of the facts about others ([`crate::context::Context`]). It never
//! makes anything up: what Underlay has no field for is put aside or reported.

pub mod cables;
pub mod circuits;
pub mod devices;
pub mod places;
pub mod ports;
pub mod power;
mod profile;
pub mod virtualization;

use underlay_kit::sync::AdapterError;

use crate::context::Context;
use crate::draft::Draft;
use crate::object::Object;
use crate::types::{self, Type};

/// Maps an object of a type.
///
/// # Errors
/// Returns an error if the object breaks the contract of the API.
pub fn map(cx: &Context, of: Type, object: &Object) -> Result<Draft, AdapterError> {
    match of {
        types::REGION => places::region(cx, object),
        types::SITE => places::site(cx, object),
        types::LOCATION => places::location(cx, object),
        types::RACK => places::rack(cx, object),
        types::PROVIDER => circuits::provider(cx, object),
        types::PROVIDER_NETWORK => circuits::network(cx, object),
        types::CIRCUIT => circuits::circuit(cx, object),
        types::CIRCUIT_TERMINATION => circuits::termination(cx, object),
        types::POWER_PANEL => power::panel(cx, object),
        types::POWER_FEED => power::feed(cx, object),
        types::CLUSTER => virtualization::cluster(cx, object),
        types::VIRTUAL_MACHINE => virtualization::machine(cx, object),
        types::VM_INTERFACE => virtualization::interface(cx, object),
        types::DEVICE => devices::device(cx, object),
        types::CABLE => cables::cable(cx, object),
        // All other types are ports of devices.
        port => ports::port(cx, port, object),
    }
}
