//! Declares a provider.

use serde_json::Value as Json;
use underlay_entity::provider::{Contract, Model, ProviderType, ServiceIdentifier};
use underlay_inventory::{Shape, Unfit};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::enum_filter;

use super::topology::TOPOLOGY;
use crate::circuit::{Circuit, CircuitListFilter};
use crate::common::{member, named_list, url};
use crate::provider_network::{ProviderNetwork, ProviderNetworkListFilter};
use crate::site::{Site, SiteListFilter};
use crate::virtual_machine::{VirtualMachine, VirtualMachineListFilter};

enum_filter!(ProviderTypeFilter, ProviderType);

const CONTRACT: Shape = Shape::Structure("an object with contractId, accountId, portalUrl and notes");

const IDENTIFIERS: Shape = Shape::Structure("a list of objects with name and identifier");

/// A provider: a company that hosts, sells circuits or runs an exchange.
#[kind(
    id = PROVIDER,
    row = Model,
    reference(provider = "The name of the provider."),
    searched(display_name),
)]
pub struct Provider {
    /// A readable name for people. It need not be unique.
    #[field(6, filter, order("the display name"))]
    display_name: Option<String>,

    /// The type of the provider.
    #[written = "Required to create a provider."]
    #[field(7, default = ProviderType::Hosting, filter, required)]
    r#type: ProviderType,

    /// The contract with the provider.
    #[written = "A write replaces the whole object."]
    #[field(8, shape = CONTRACT, borrowed, normalised(contract))]
    contract: Option<Contract>,

    /// The identifiers that the provider uses for the services that it sells.
    #[input = "The identifiers that the provider uses for the services that it sells, with unique names. A write \
        replaces the whole list."]
    #[field(9, shape = IDENTIFIERS, normalised(named_list))]
    service_identifiers: Vec<ServiceIdentifier>,

    /// The sites whose facility the provider runs.
    #[list(Site::PROVIDER, filter)]
    sites: Vec<Site>,

    /// The networks of the provider.
    #[list(ProviderNetwork::PROVIDER, filter)]
    networks: Vec<ProviderNetwork>,

    /// The circuits that the provider runs.
    #[list(Circuit::PROVIDER, filter)]
    circuits: Vec<Circuit>,

    /// The virtual machines that the provider runs.
    #[list(VirtualMachine::PROVIDER, filter)]
    virtual_machines: Vec<VirtualMachine>,
}

#[resolvers]
impl Provider {}

/// Checks that the portal of a contract is an http or https URL.
fn contract(value: Json) -> Result<Json, Unfit> {
    member(value, "portalUrl", url)
}
