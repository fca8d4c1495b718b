//! A power feed in the API.

use underlay_entity::lifecycle::Status;
use underlay_entity::power_feed::{Model, Phase};

use super::source::PowerSource;
use crate::kinds::cable::{Cable, CableEnd};
use crate::kinds::rack::Rack;
use crate::kinds::site::Site;
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

    traced {}

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
    }
}
