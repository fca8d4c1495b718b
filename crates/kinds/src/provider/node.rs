//! The GraphQL object of a provider.

use underlay_entity::provider::{Contract, Model, ProviderType, ServiceIdentifier};

use crate::circuit::Circuit;
use crate::object;
use crate::provider_network::ProviderNetwork;
use crate::site::Site;
use crate::virtual_machine::VirtualMachine;

object! {
    /// A provider: a company that hosts, sells circuits or runs an exchange.
    Provider: Model;

    own {
        /// A readable name for people. It need not be unique.
        display_name: Option<&str> = |provider| provider.display_name.as_deref();
        /// The type of the provider.
        r#type: ProviderType = |provider| provider.r#type;
        /// The contract with the provider.
        contract: Option<&Contract> = |provider| provider.contract.as_ref();
        /// The identifiers that the provider uses for the services that it sells.
        service_identifiers: &[ServiceIdentifier] = |provider| &provider.service_identifiers.0;
    }

    requires {}

    refers {}

    lists {
        /// The sites whose facility the provider runs.
        sites: Site by Site::PROVIDER;
        /// The networks of the provider.
        networks: ProviderNetwork by ProviderNetwork::PROVIDER;
        /// The circuits that the provider runs.
        circuits: Circuit by Circuit::PROVIDER;
        /// The virtual machines that the provider runs.
        virtual_machines: VirtualMachine by VirtualMachine::PROVIDER;
    }

    more {}
}
