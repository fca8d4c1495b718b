//! The ends of circuits, as they are written: through the circuit.

use async_graphql::InputObject;
use serde::Serialize;

use crate::kinds::port::PortRef;
use crate::kinds::provider_network::ProviderNetworkRef;
use crate::kinds::site::SiteRef;

/// Where a circuit ends. Replaced as a whole; `null` in its place removes the end.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CircuitEndInput {
    /// The site; there the end may also be cabled, or plugged straight into a port.
    pub site: Option<SiteRef>,
    /// The provider network, instead of a site.
    pub provider_network: Option<ProviderNetworkRef>,
    /// The port that the end is plugged straight into; that port then takes no cable.
    pub port: Option<PortRef>,
}
