//! The GraphQL object of a power feed.

use underlay_entity::lifecycle::Status;
use underlay_entity::power_feed::{Model, Phase};

use super::source::PowerSource;
use crate::cable::{Cable, CableEnd};
use crate::object;
use crate::rack::Rack;
use crate::site::Site;

object! {
    /// A power feed: a supply of power to a site or a rack. A cable can end at it.
    PowerFeed: Model;

    own {
        /// The number of phases.
        phase: Option<Phase> = |feed| feed.phase;
        /// The voltage in volts.
        voltage: Option<i32> = |feed| feed.voltage;
        /// The rated current in amperes.
        amps_rated: Option<i32> = |feed| feed.amps_rated;
        /// The names of risk groups. Objects that name the same risk group fail together.
        risk_groups: &[String] = |feed| &feed.risk_groups.0;
        /// The lifecycle status of the power feed.
        status: Status = |feed| feed.status;
    }

    requires {
        /// The site that the power feed is at.
        site: Site by PowerFeed::SITE;
    }

    refers {
        /// The rack that the power feed supplies. Null if it supplies the site.
        rack: Rack by PowerFeed::RACK;
    }

    lists {
        /// The power feeds that this one supplies.
        downstream: PowerFeed by PowerFeed::UPSTREAM;
    }

    traced {}

    more {
        /// The power feed or outlet that supplies this one. Null if it is not recorded.
        async fn upstream(&self) -> Option<PowerSource> {
            PowerSource::followed(&self.0, PowerFeed::UPSTREAM).into_iter().next()
        }

        /// The cable that is plugged into the power feed. Null if there is none.
        async fn cable(&self) -> Option<Cable> {
            Cable::on(&self.0)
        }

        /// The ends on the other side of the cable. If the cable has lanes, only those that a lane joins to the power
        /// feed.
        async fn peers(&self) -> Vec<CableEnd> {
            Cable::peers(&self.0)
        }
    }
}
