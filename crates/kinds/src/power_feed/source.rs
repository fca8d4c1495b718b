//! The sources of power: power feeds and ports.

use async_graphql::Union;

use super::kind::PowerFeed;
use crate::port::Port;
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
