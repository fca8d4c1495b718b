//! The GraphQL inputs, filters and sort orders of power feeds, and those of what supplies them.

use async_graphql::{InputObject, OneofObject};
use serde::Serialize;
use underlay_entity::lifecycle::Status;
use underlay_entity::power_feed::{Model, Phase};

use super::node::PowerFeed;
use crate::filters::StatusFilter;
use crate::port::{Port, PortFilter, PortRef};
use crate::rack::{Rack, RackFilter, RackRef};
use crate::site::{Site, SiteFilter, SiteRef};
use crate::{filter, inputs, order};
use underlay_inventory::ReferenceId;
use underlay_read::enum_filter;
use underlay_read::{At, IntFilter, Nests, any_reference_fits};

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

/// Names a source of power. Exactly one member must be given.
#[derive(Clone, Debug, OneofObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PowerSourceInput {
    /// A power feed of a site or rack.
    PowerFeed(PowerFeedRef),
    /// A port: an outlet, or an inlet that feeds an outlet.
    Port(PortRef),
}

/// A condition on a source of power. All given members must match.
#[derive(Clone, Debug, Default, InputObject)]
pub struct PowerSourceFilter {
    /// The source is a power feed that matches.
    pub power_feed: Option<Box<PowerFeedFilter>>,
    /// The source is a port that matches.
    pub port: Option<Box<PortFilter>>,
}

impl Nests for PowerSourceFilter {
    fn nesting(&self) -> usize {
        1 + self.power_feed.nesting().max(self.port.nesting())
    }
}

impl PowerSourceFilter {
    /// Returns true if one of the sources that an object refers to matches each given member.
    pub fn fits(&self, reference: ReferenceId, at: At<'_>) -> bool {
        let feed = |filter: &PowerFeedFilter| any_reference_fits::<PowerFeed, _>(filter, reference, at);
        let port = |filter: &PortFilter| any_reference_fits::<Port, _>(filter, reference, at);
        self.power_feed.as_deref().is_none_or(feed) && self.port.as_deref().is_none_or(port)
    }
}
