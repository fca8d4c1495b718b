//! The GraphQL object of a link.

use async_graphql::Result;
use underlay_entity::link::{LinkType, Model};
use underlay_entity::long::Long;

use super::ends::LinkEnd;
use crate::cable::Cable;
use crate::object;

object! {
    /// A link: a logical connection between two sites, clusters or devices.
    Link: Model;

    own {
        /// The type of the link.
        r#type: LinkType = |link| link.r#type;
        /// The capacity of the link in Mbit/s.
        capacity_mbps: Option<Long> = |link| link.capacity_mbps.map(Long);
        /// The one-way latency of the link in milliseconds.
        latency_ms: Option<f64> = |link| link.latency_ms;
    }

    requires {}

    refers {}

    lists {}

    more {
        /// The end A of the link.
        async fn a(&self) -> Result<LinkEnd> {
            LinkEnd::followed(&self.0, Link::A)
        }

        /// The end B of the link.
        async fn b(&self) -> Result<LinkEnd> {
            LinkEnd::followed(&self.0, Link::B)
        }

        /// The cables that realise the link.
        async fn cables(&self) -> Vec<Cable> {
            self.0.follow_all(Link::CABLES).into_iter().map(Cable).collect()
        }
    }
}
