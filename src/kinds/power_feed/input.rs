//! The GraphQL inputs, filters and sort orders of power feeds.

use underlay_entity::lifecycle::Status;
use underlay_entity::power_feed::{Model, Phase};

use super::node::PowerFeed;
use super::source::{PowerSourceFilter, PowerSourceInput};
use crate::kinds::filters::StatusFilter;
use crate::kinds::rack::{Rack, RackFilter, RackRef};
use crate::kinds::site::{Site, SiteFilter, SiteRef};
use crate::read::IntFilter;
use crate::{enum_filter, filter, inputs, order};

enum_filter!(PhaseFilter, Phase);

inputs! {
    PowerFeed as power_feed;
    input PowerFeedInput;
    patch PowerFeedPatch;
    payload PowerFeedPayload;

    reference PowerFeedRef {
        /// The name of the power feed's site.
        site: String;
        /// The name of the power feed's rack.
        rack: String;
        /// The name of the power feed.
        power_feed: String;
    }

    fixed {}

    fields {
        /// The site that the power feed is at. Required to create a power feed.
        site: SiteRef;
        /// The rack that the power feed supplies, at the same site.
        rack: RackRef;
        /// The number of phases.
        phase: Phase;
        /// The voltage in volts: at least 1.
        voltage: i32;
        /// The rated current in amperes: at least 1.
        amps_rated: i32;
        /// The power feed or outlet that supplies this one. It must not be the feed itself or one that it supplies.
        upstream: PowerSourceInput;
        /// The names of risk groups. Objects that name the same risk group fail together. A write replaces the whole
        /// list.
        risk_groups: Vec<String>;
        /// The lifecycle status of the power feed. Defaults to ACTIVE.
        status: Status;
    }
}

filter! {
    PowerFeed: Model;
    filter PowerFeedFilter, PowerFeedListFilter;

    values {
        phase: PhaseFilter = |feed| feed.phase;
        voltage: IntFilter = |feed| feed.voltage.map(i64::from);
        amps_rated: IntFilter = |feed| feed.amps_rated.map(i64::from);
        status: StatusFilter = |feed| Some(feed.status);
    }

    references {
        site: SiteFilter => Site, PowerFeed::SITE;
        rack: RackFilter => Rack, PowerFeed::RACK;
    }

    lists {
        downstream: PowerFeedListFilter => PowerFeed, PowerFeed::UPSTREAM;
    }

    more {
        /// A condition on the source that supplies the power feed.
        upstream: Box<PowerSourceFilter> = |filter, _, at| filter.fits(PowerFeed::UPSTREAM, at);
        /// Matches if the power feed names this risk group.
        risk_group: String = |group, feed, _| feed.risk_groups.0.contains(group);
    }
}

order! {
    PowerFeed: Model;
    order PowerFeedOrder, PowerFeedOrderBy;

    values {
        Voltage as "voltage": "the voltage" = |feed| feed.voltage;
        AmpsRated as "ampsRated": "the rated current" = |feed| feed.amps_rated;
    }
}
