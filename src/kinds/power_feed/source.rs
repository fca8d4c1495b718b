//! The sources of power: power feeds and ports.

use async_graphql::{InputObject, OneofObject, Union};
use serde::Serialize;

use super::input::{PowerFeedFilter, PowerFeedRef};
use super::node::PowerFeed;
use crate::kinds::port::{Port, PortFilter, PortRef};
use crate::read::{At, any_reference_fits};
use underlay_inventory::{Held, Kind, ReferenceId};

/// A source of power: a power feed or a port.
#[derive(Clone, Debug, Union)]
pub enum PowerSource {
    /// A power feed that is the source.
    PowerFeed(PowerFeed),
    /// A port: an outlet, or an inlet that feeds an outlet.
    Port(Port),
}

impl PowerSource {
    /// Returns the power sources that an object refers to by a reference, in order.
    pub fn followed<K: Kind>(held: &Held<K>, reference: ReferenceId) -> Vec<Self> {
        let objects = held.snapshot.outgoing(held.object_ref()).by(reference);
        objects
            .filter_map(|object| {
                let feed = held.snapshot.hold(object).map(PowerFeed).map(Self::PowerFeed);
                feed.or_else(|| held.snapshot.hold(object).map(Port).map(Self::Port))
            })
            .collect()
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

impl PowerSourceFilter {
    /// Returns true if one of the sources that an object refers to matches each given member.
    pub fn fits(&self, reference: ReferenceId, at: At<'_>) -> bool {
        let feed = |filter: &PowerFeedFilter| any_reference_fits::<PowerFeed, _>(filter, reference, at);
        let port = |filter: &PortFilter| any_reference_fits::<Port, _>(filter, reference, at);
        self.power_feed.as_deref().is_none_or(feed) && self.port.as_deref().is_none_or(port)
    }
}
