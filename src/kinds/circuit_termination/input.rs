//! The inputs and filters of circuit ends. An end is written through its circuit, or by an item of its own, which needs
//! no name.

use underlay_entity::circuit_termination::{CircuitSide, Model};

use super::node::CircuitTermination;
use crate::kinds::circuit::{Circuit, CircuitFilter, CircuitRef};
use crate::kinds::port::{Port, PortFilter, PortRef};
use crate::kinds::provider_network::{ProviderNetwork, ProviderNetworkFilter, ProviderNetworkRef};
use crate::kinds::site::{Site, SiteFilter, SiteRef};
use crate::{enum_filter, filter, inputs, order};

enum_filter!(CircuitSideFilter, CircuitSide);

inputs! {
    CircuitTermination as circuit_termination;
    input CircuitTerminationInput;
    patch CircuitTerminationPatch;
    payload CircuitTerminationPayload;

    reference CircuitTerminationRef {
        /// The name of the provider of its circuit.
        provider: String;
        /// The name of its circuit.
        circuit: String;
        /// Which end of the circuit it is.
        side: CircuitSide;
    }

    fixed {
        /// The circuit that it is an end of. Required to create it.
        circuit: CircuitRef;
        /// Which end of the circuit it is. Required to create it. The name is the same; it need not be given.
        side: CircuitSide;
    }

    fields {
        /// The site where it is.
        site: SiteRef;
        /// The provider network where it is, instead of a site.
        provider_network: ProviderNetworkRef;
        /// The port that it is plugged straight into.
        port: PortRef;
    }
}

filter! {
    CircuitTermination: Model;
    filter CircuitTerminationFilter, CircuitTerminationListFilter;

    values {
        side: CircuitSideFilter = |end| Some(end.side);
    }

    references {
        circuit: CircuitFilter => Circuit, CircuitTermination::CIRCUIT;
        site: SiteFilter => Site, CircuitTermination::SITE;
        provider_network: ProviderNetworkFilter => ProviderNetwork, CircuitTermination::PROVIDER_NETWORK;
        port: PortFilter => Port, CircuitTermination::PORT;
    }

    lists {}

    more {}
}

order! {
    CircuitTermination: Model;
    order CircuitTerminationOrder, CircuitTerminationOrderBy;

    values {}
}
