//! Declares a power feed.

use async_graphql::{InputObject, OneofObject};
use serde::Serialize;
use underlay_entity::lifecycle::Status;
use underlay_entity::power_feed::{Model, Phase};
use underlay_inventory::{Form, ReferenceId};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::{At, Nests, any_reference_fits, enum_filter};

use super::source::PowerSource;
use super::topology::TOPOLOGY;
use super::{rules, supply};
use crate::cable::{Cable, CableEnd};
use crate::common::{COUNT, TEXTS, names};
use crate::filters::StatusFilter;
use crate::port::{Port, PortFilter, PortRef};
use crate::rack::{Rack, RackFilter, RackRef};
use crate::site::{Site, SiteFilter, SiteRef};

enum_filter!(PhaseFilter, Phase);

/// A power feed: a supply of power to a site or a rack. A cable can end at it.
#[kind(
    id = POWER_FEED,
    row = Model,
    key(rack, site),
    reference(
        site = "The name of the power feed's site.",
        rack = "The name of the power feed's rack.",
        power_feed = "The name of the power feed.",
    ),
    rules = &[rules::rack, rules::outlets, rules::upstream, supply::feeds],
    traced,
)]
pub struct PowerFeed {
    /// The site that the power feed is at.
    #[written = "Required to create a power feed."]
    #[reference(6, filter, required, contained)]
    site: Site,

    /// The rack that the power feed supplies. Null if it supplies the site.
    #[input = "The rack that the power feed supplies, at the same site."]
    #[reference(7, filter, contained)]
    rack: Option<Rack>,

    /// The number of phases.
    #[field(8, filter)]
    phase: Option<Phase>,

    /// The voltage in volts.
    #[input = "The voltage in volts: at least 1."]
    #[field(9, shape = COUNT, filter, order("the voltage"))]
    voltage: Option<i32>,

    /// The rated current in amperes.
    #[input = "The rated current in amperes: at least 1."]
    #[field(10, shape = COUNT, filter, order("the rated current"))]
    amps_rated: Option<i32>,

    /// The power feed or outlet that supplies this one. Null if it is not recorded.
    #[input = "The power feed or outlet that supplies this one. It must not be the feed itself or one that it \
        supplies."]
    #[reference(
        11,
        form = Form::OneOf,
        kinds("PowerFeed", "Port"),
        input = PowerSourceInput,
        unread,
        filter(Box<PowerSourceFilter>, |filter, _, at| filter.fits(PowerFeed::UPSTREAM, at)),
        filter_text = "A condition on the source that supplies the power feed.",
    )]
    upstream: Option<PowerSource>,

    /// The names of risk groups. Objects that name the same risk group fail together.
    #[written = "A write replaces the whole list."]
    #[field(12, shape = TEXTS, normalised(names))]
    risk_groups: Vec<String>,

    /// The lifecycle status of the power feed.
    #[written = "Defaults to ACTIVE."]
    #[field(13, filter)]
    status: Status,

    /// The power feeds that this one supplies.
    #[list(PowerFeed::UPSTREAM, filter)]
    downstream: Vec<PowerFeed>,

    /// Matches if the power feed names this risk group.
    #[filter(|group, feed, _| feed.risk_groups.0.contains(group))]
    risk_group: String,
}

#[resolvers]
impl PowerFeed {
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
