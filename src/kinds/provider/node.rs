//! A provider in the API.

use underlay_entity::provider::{Contract, Model, ProviderType, ServiceIdentifier};

use crate::kinds::circuit::Circuit;
use crate::kinds::provider_network::ProviderNetwork;
use crate::kinds::site::Site;
use crate::kinds::virtual_machine::VirtualMachine;
use crate::object;

object! {
    /// A provider: who hosts, sells circuits or runs an exchange.
    Provider: Model;

    own {
        /// The name for people.
        display_name: Option<&str> = |provider| provider.display_name.as_deref();
        /// What it does.
        r#type: ProviderType = |provider| provider.r#type;
        /// The contract with it.
        contract: Option<&Contract> = |provider| provider.contract.as_ref();
        /// What it calls the services that it sells.
        service_identifiers: &[ServiceIdentifier] = |provider| &provider.service_identifiers.0;
    }

    requires {}

    refers {}

    lists {
        /// The sites whose facility it runs.
        sites: Site by Site::PROVIDER;
        /// Its networks.
        networks: ProviderNetwork by ProviderNetwork::PROVIDER;
        /// The circuits that it runs.
        circuits: Circuit by Circuit::PROVIDER;
        /// The virtual machines that it runs.
        virtual_machines: VirtualMachine by VirtualMachine::PROVIDER;
    }

    more {}
}
