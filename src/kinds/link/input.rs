//! What clients write and ask of links.

use underlay_entity::link::{LinkType, Model};
use underlay_entity::long::Long;

use super::ends::{LinkEndFilter, LinkEndInput};
use super::node::Link;
use crate::kinds::cable::{Cable, CableFilter, CableRef};
use crate::read::{FloatFilter, LongFilter, any_reference_fits};
use crate::{enum_filter, filter, inputs, order};

enum_filter!(LinkTypeFilter, LinkType);

inputs! {
    Link as link;
    input LinkInput;
    patch LinkPatch;
    payload LinkPayload;

    reference LinkRef {
        /// Its name.
        link: String;
    }

    fixed {}

    fields {
        /// One of its two ends. Required to create it.
        a: LinkEndInput;
        /// The other one of its ends, not the same. Required to create it.
        b: LinkEndInput;
        /// What it is. Required to create it.
        r#type: LinkType;
        /// The capacity in Mbit/s: at least 1.
        capacity_mbps: Long;
        /// The latency of one way in milliseconds: at least 0.
        latency_ms: f64;
        /// The cables that realise it; replaced as a whole.
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
        /// By its end A.
        a: Box<LinkEndFilter> = |filter, _, at| filter.fits(Link::A, at);
        /// By its end B.
        b: Box<LinkEndFilter> = |filter, _, at| filter.fits(Link::B, at);
        /// One of its ends fits.
        end: Box<LinkEndFilter> = |filter, _, at| filter.fits(Link::A, at) || filter.fits(Link::B, at);
        /// One of its cables fits.
        cable: Box<CableFilter> = |filter, _, at| any_reference_fits::<Cable, _>(&**filter, Link::CABLES, at);
    }
}

order! {
    Link: Model;
    order LinkOrder, LinkOrderBy;

    values {
        CapacityMbps as "capacityMbps" = |link| link.capacity_mbps;
        LatencyMs as "latencyMs" = |link| link.latency_ms;
    }
}
