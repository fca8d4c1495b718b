//! The GraphQL inputs, filters and sort orders of circuit terminations. A termination is written through its circuit,
//! or by an item of its own, which needs no name.

use underlay_entity::circuit_termination::{CircuitSide, Model};

use super::node::CircuitTermination;
use crate::circuit::{Circuit, CircuitFilter, CircuitRef};
use crate::port::{Port, PortFilter, PortRef};
use crate::provider_network::{ProviderNetwork, ProviderNetworkFilter, ProviderNetworkRef};
use crate::site::{Site, SiteFilter, SiteRef};
use crate::{filter, inputs, order};
use underlay_read::enum_filter;

enum_filter!(CircuitSideFilter, CircuitSide);

inputs! {
    CircuitTermination as circuit_termination;
    input CircuitTerminationInput;
    patch CircuitTerminationPatch;
    payload CircuitTerminationPayload;

    reference CircuitTerminationRef {
        /// The name of the provider of the termination's circuit.
        provider: String;
        /// The name of the termination's circuit.
        circuit: String;
        /// The side of the circuit: A or Z.
        side: CircuitSide;
    }

    fixed {}

    fields {
        /// The circuit that the termination is an end of. Required to create a termination.
        circuit: CircuitRef;
        /// The side of the circuit: A or Z. Required to create a termination. The name is always the side, and need not
        /// be given.
        side: CircuitSide;
        /// The site where the termination is.
        site: SiteRef;
        /// The provider network where the termination is, instead of a site.
        provider_network: ProviderNetworkRef;
        /// The port that the termination is plugged directly into.
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
