//! The GraphQL inputs, filters and sort orders of links.

use underlay_entity::link::{LinkType, Model};
use underlay_entity::long::Long;

use super::ends::{LinkEndFilter, LinkEndInput};
use super::node::Link;
use crate::cable::{Cable, CableFilter, CableRef};
use crate::{filter, inputs, order};
use underlay_read::enum_filter;
use underlay_read::{FloatFilter, LongFilter, any_reference_fits};

enum_filter!(LinkTypeFilter, LinkType);

inputs! {
    Link as link;
    input LinkInput;
    patch LinkPatch;
    payload LinkPayload;

    reference LinkRef {
        /// The name of the link.
        link: String;
    }

    fixed {}

    fields {
        /// The end A of the link. Required to create a link.
        a: LinkEndInput;
        /// The end B of the link, which must differ from end A. Required to create a link.
        b: LinkEndInput;
        /// The type of the link. Required to create a link.
        r#type: LinkType;
        /// The capacity of the link in Mbit/s: at least 1.
        capacity_mbps: Long;
        /// The one-way latency in milliseconds: at least 0.
        latency_ms: f64;
        /// The cables that realise the link. A write replaces the whole list.
        cables: Vec<CableRef>;
    }
}

filter! {
    Link: Model;
    filter LinkFilter, LinkListFilter;

    values {
        r#type: LinkTypeFilter = |link| Some(link.r#type);
        capacity_mbps: LongFilter = |link| link.capacity_mbps.map(Long);
        latency_ms: FloatFilter = |link| link.latency_ms;
    }

    references {}

    lists {}

    more {
        /// A condition on the end A of the link.
        a: Box<LinkEndFilter> = |filter, _, at| filter.fits(Link::A, at);
        /// A condition on the end B of the link.
        b: Box<LinkEndFilter> = |filter, _, at| filter.fits(Link::B, at);
        /// Matches if one of the two ends of the link matches.
        end: Box<LinkEndFilter> = |filter, _, at| filter.fits(Link::A, at) || filter.fits(Link::B, at);
        /// Matches if one of the cables of the link matches.
        cable: Box<CableFilter> = |filter, _, at| any_reference_fits::<Cable, _>(&**filter, Link::CABLES, at);
    }
}

order! {
    Link: Model;
    order LinkOrder, LinkOrderBy;

    values {
        CapacityMbps as "capacityMbps": "the capacity" = |link| link.capacity_mbps;
        LatencyMs as "latencyMs": "the latency" = |link| link.latency_ms;
    }
}
