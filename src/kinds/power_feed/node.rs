//! A power feed in the API.

use async_graphql::Context;
use underlay_entity::lifecycle::Status;
use underlay_entity::power_feed::{Model, Phase};

use super::source::PowerSource;
use crate::kinds::cable::{Cable, CableEnd};
use crate::kinds::rack::Rack;
use crate::kinds::site::Site;
use crate::kinds::trace::{Hop, Trace, far_ends, far_ends_truncated, trace_of};
use crate::object;

object! {
    /// A power feed: a supply of power to a site or a rack. It can end a cable.
    PowerFeed: Model;

    own {
        /// The number of phases.
        phase: Option<Phase> = |feed| feed.phase;
        /// The voltage in volts.
        voltage: Option<i32> = |feed| feed.voltage;
        /// The rated current in amperes.
        amps_rated: Option<i32> = |feed| feed.amps_rated;
        /// Names of what fails together with it.
        risk_groups: &[String] = |feed| &feed.risk_groups.0;
        /// Where it stands in its life.
        status: Status = |feed| feed.status;
    }

    requires {
        /// The site that it is at.
        site: Site by PowerFeed::SITE;
    }

    refers {
        /// The rack that it supplies; null: the site.
        rack: Rack by PowerFeed::RACK;
    }

    lists {
        /// The feeds that it supplies.
        downstream: PowerFeed by PowerFeed::UPSTREAM;
    }

    more {
        /// What supplies it.
        async fn upstream(&self) -> Option<PowerSource> {
            PowerSource::followed(&self.0, PowerFeed::UPSTREAM).into_iter().next()
        }

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
