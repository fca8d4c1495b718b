//! What clients write and ask of power feeds.

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
        /// The name of its site.
        site: String;
        /// The name of its rack.
        rack: String;
        /// Its name.
        power_feed: String;
    }

    fixed {}

    fields {
        /// The site that it is at. Required to create it.
        site: SiteRef;
        /// The rack that it supplies, of the same site.
        rack: RackRef;
        /// The number of phases.
        phase: Phase;
        /// The voltage in volts: at least 1.
        voltage: i32;
        /// The rated current in amperes: at least 1.
        amps_rated: i32;
        /// What supplies it: a feed or an outlet; not itself or what it supplies.
        upstream: PowerSourceInput;
        /// Names of what fails together with it; replaced as a whole.
        risk_groups: Vec<String>;
        /// Where it stands in its life. Default: ACTIVE.
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
        /// By what supplies it.
        upstream: Box<PowerSourceFilter> = |filter, _, at| filter.fits(PowerFeed::UPSTREAM, at);
        /// One of its risk groups is this.
        risk_group: String = |group, feed, _| feed.risk_groups.0.contains(group);
    }
}

order! {
    PowerFeed: Model;
    order PowerFeedOrder, PowerFeedOrderBy;

    values {
        Voltage as "voltage" = |feed| feed.voltage;
        AmpsRated as "ampsRated" = |feed| feed.amps_rated;
    }
}
