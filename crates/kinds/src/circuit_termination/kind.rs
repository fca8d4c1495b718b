//! Declares a circuit termination. It is written through its circuit, or by an item of its own, which needs no name.

use underlay_entity::circuit_termination::{CircuitSide, Model};
use underlay_inventory::Unnamed;
use underlay_kind_derive::{kind, resolvers};
use underlay_read::enum_filter;

use super::rules;
use super::topology::TOPOLOGY;
use super::write;
use crate::cable::{Cable, CableEnd};
use crate::circuit::{Circuit, CircuitFilter, CircuitRef};
use crate::port::{Port, PortFilter, PortRef};
use crate::provider_network::{ProviderNetwork, ProviderNetworkFilter, ProviderNetworkRef};
use crate::site::{Site, SiteFilter, SiteRef};

enum_filter!(CircuitSideFilter, CircuitSide);

/// The end A or Z of a circuit. It is usually written through its circuit.
#[kind(
    id = CIRCUIT_TERMINATION,
    row = Model,
    key(circuit),
    reference(
        provider = "The name of the provider of the termination's circuit.",
        circuit = "The name of the termination's circuit.",
        side: CircuitSide = "The side of the circuit: A or Z.",
    ),
    rules = &[rules::place, rules::port],
    on_write = Some(write::name_of_side),
    unnamed = Some(Unnamed::Field("side")),
    traced,
)]
pub struct CircuitTermination {
    /// The circuit that the termination is an end of.
    #[written = "Required to create a termination."]
    #[reference(6, filter, required, contained, placing_target)]
    circuit: Circuit,

    /// The side of the circuit: A or Z.
    #[written = "Required to create a termination. The name is always the side, and need not be given."]
    #[field(7, default = CircuitSide::A, filter, required, in_reduced_form)]
    side: CircuitSide,

    /// The site where the termination is. Null if it is not at a site.
    #[input = "The site where the termination is."]
    #[reference(8, filter, within, in_reduced_form)]
    site: Option<Site>,

    /// The provider network where the termination is. Null if it is in none.
    #[input = "The provider network where the termination is, instead of a site."]
    #[reference(9, filter)]
    provider_network: Option<ProviderNetwork>,

    /// The port that the termination is plugged directly into. Null if it is plugged into none.
    #[input = "The port that the termination is plugged directly into."]
    #[reference(10, filter, placing)]
    port: Option<Port>,
}

#[resolvers]
impl CircuitTermination {
    /// The cable that is plugged into the circuit termination. Null if there is none.
    async fn cable(&self) -> Option<Cable> {
        Cable::on(&self.0)
    }

    /// The ends on the other side of the cable. If the cable has lanes, only those that a lane joins to the circuit
    /// termination.
    async fn peers(&self) -> Vec<CableEnd> {
        Cable::peers(&self.0)
    }
}
