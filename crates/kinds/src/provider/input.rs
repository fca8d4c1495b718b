//! The GraphQL inputs, filters and sort orders of providers.

use underlay_entity::provider::{Contract, Model, ProviderType, ServiceIdentifier};

use crate::circuit::{Circuit, CircuitListFilter};
use crate::provider_network::{ProviderNetwork, ProviderNetworkListFilter};
use crate::site::{Site, SiteListFilter};
use crate::virtual_machine::{VirtualMachine, VirtualMachineListFilter};
use crate::{filter, inputs, order};
use underlay_read::TextFilter;
use underlay_read::enum_filter;

enum_filter!(ProviderTypeFilter, ProviderType);

inputs! {
    Provider as provider;
    input ProviderInput;
    patch ProviderPatch;
    payload ProviderPayload;

    reference ProviderRef {
        /// The name of the provider.
        provider: String;
    }

    fixed {}

    fields {
        /// A readable name for people. It need not be unique.
        display_name: String;
        /// The type of the provider. Required to create a provider.
        r#type: ProviderType;
        /// The contract with the provider. A write replaces the whole object.
        contract: Contract;
        /// The identifiers that the provider uses for the services that it sells, with unique names. A write replaces
        /// the whole list.
        service_identifiers: Vec<ServiceIdentifier>;
    }
}

filter! {
    Provider: Model;
    filter ProviderFilter, ProviderListFilter;

    values {
        display_name: TextFilter = |provider| provider.display_name.as_deref();
        r#type: ProviderTypeFilter = |provider| Some(provider.r#type);
    }

    references {}

    lists {
        sites: SiteListFilter => Site, Site::PROVIDER;
        networks: ProviderNetworkListFilter => ProviderNetwork, ProviderNetwork::PROVIDER;
        circuits: CircuitListFilter => Circuit, Circuit::PROVIDER;
        virtual_machines: VirtualMachineListFilter => VirtualMachine, VirtualMachine::PROVIDER;
    }

    more {}
}

order! {
    Provider: Model;
    order ProviderOrder, ProviderOrderBy;

    values {
        DisplayName as "displayName": "the display name" = |provider| provider.display_name.as_deref();
    }
}
