//! The input for the ends of circuits, which are written through the circuit.

use async_graphql::InputObject;
use serde::Serialize;

use crate::port::PortRef;
use crate::provider_network::ProviderNetworkRef;
use crate::site::SiteRef;

/// An end of a circuit. A write replaces the whole end; `null` removes it.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CircuitEndInput {
    /// The site of the end. There the end may also have a cable, or be plugged directly into a port.
    pub site: Option<SiteRef>,
    /// The provider network where the circuit ends, instead of a site.
    pub provider_network: Option<ProviderNetworkRef>,
    /// The port that the end is plugged directly into. That port then takes no cable.
    pub port: Option<PortRef>,
}
