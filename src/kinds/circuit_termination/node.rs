//! The end of a circuit in the API.

use async_graphql::Context;
use underlay_entity::circuit_termination::{CircuitSide, Model};

use crate::kinds::cable::{Cable, CableEnd};
use crate::kinds::circuit::Circuit;
use crate::kinds::port::Port;
use crate::kinds::provider_network::ProviderNetwork;
use crate::kinds::site::Site;
use crate::kinds::trace::{Hop, Trace, far_ends, far_ends_truncated, trace_of};
use crate::object;

object! {
    /// The end A or Z of a circuit. It is written through its circuit.
    CircuitTermination: Model;

    own {
        /// Which end of the circuit it is.
        side: CircuitSide = |end| end.side;
    }

    requires {
        /// The circuit that it is an end of.
        circuit: Circuit by CircuitTermination::CIRCUIT;
    }

    refers {
        /// The site where it is.
        site: Site by CircuitTermination::SITE;
        /// The provider network where it is.
        provider_network: ProviderNetwork by CircuitTermination::PROVIDER_NETWORK;
        /// The port that it is plugged straight into.
        port: Port by CircuitTermination::PORT;
    }

    lists {}

    more {
        /// The cable on it.
        async fn cable(&self) -> Option<Cable> {
            Cable::on(&self.0)
        }

        /// The ends on the other side of the cable on it. Where the cable has lanes: those that a lane joins it with.
        async fn peers(&self) -> Vec<CableEnd> {
            Cable::peers(&self.0)
        }

        /// What its line leads to, through panels and across circuits: the ends of its branches that are COMPLETE, each
        /// once. `trace` tells the way, and what is broken.
        async fn far_ends(&self, context: &Context<'_>) -> Vec<Hop> {
            far_ends(context, &self.0).await
        }

        /// Whether `farEnds` is incomplete: the line has more than 1,000 branches or 10,000 hops, or a strand of more
        /// than 1,000 hops. False for almost every line.
        async fn far_ends_truncated(&self, context: &Context<'_>) -> bool {
            far_ends_truncated(context, &self.0).await
        }

        /// Its line, followed hop by hop: what the root field `trace` gives.
        async fn trace(
            &self,
            context: &Context<'_>,
            #[graphql(desc = "Which position of it: from 1. Default: each that it has.")] position: Option<i32>,
            #[graphql(desc = "Go on through power devices, from outlets to what feeds them. Default: false.")]
            through_devices: Option<bool>,
        ) -> async_graphql::Result<Option<Trace>> {
            trace_of(context, &self.0, position, through_devices).await
        }
    }
}
