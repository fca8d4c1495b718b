//! Declares a link.

use async_graphql::Result;
use underlay_entity::link::{LinkType, Model};
use underlay_entity::long::Long;
use underlay_inventory::Form;
use underlay_kind_derive::{kind, resolvers};
use underlay_read::{any_reference_fits, enum_filter};
use uuid::Uuid;

use super::ends::{LinkEnd, LinkEndFilter, LinkEndInput};
use super::rules;
use super::topology::TOPOLOGY;
use crate::cable::{Cable, CableFilter, CableRef};
use crate::common::{LARGE_COUNT, MEASURE};

enum_filter!(LinkTypeFilter, LinkType);

/// A link: a logical connection between two sites, clusters or devices.
#[kind(
    id = LINK,
    row = Model,
    reference(link = "The name of the link."),
    rules = &[rules::ends, rules::cables],
)]
pub struct Link {
    /// The end A of the link.
    #[written = "Required to create a link."]
    #[reference(
        6,
        form = Form::OneOf,
        kinds("Site", "Cluster", "Device"),
        default = underlay_entity::link::LinkEnd::Site(Uuid::nil()),
        input = LinkEndInput,
        unread,
        filter(Box<LinkEndFilter>, |filter, _, at| filter.fits(Link::A, at)),
        filter_text = "A condition on the end A of the link.",
        required,
        ending,
    )]
    a: LinkEnd,

    /// The end B of the link.
    #[input = "The end B of the link, which must differ from end A. Required to create a link."]
    #[reference(
        7,
        form = Form::OneOf,
        kinds("Site", "Cluster", "Device"),
        default = underlay_entity::link::LinkEnd::Site(Uuid::nil()),
        input = LinkEndInput,
        unread,
        filter(Box<LinkEndFilter>, |filter, _, at| filter.fits(Link::B, at)),
        filter_text = "A condition on the end B of the link.",
        required,
        ending,
    )]
    b: LinkEnd,

    /// The type of the link.
    #[written = "Required to create a link."]
    #[field(8, default = LinkType::Logical, filter, required)]
    r#type: LinkType,

    /// The capacity of the link in Mbit/s.
    #[input = "The capacity of the link in Mbit/s: at least 1."]
    #[field(9, shape = LARGE_COUNT, filter, order("the capacity"))]
    capacity_mbps: Option<Long>,

    /// The one-way latency of the link in milliseconds.
    #[input = "The one-way latency in milliseconds: at least 0."]
    #[field(10, shape = MEASURE, filter, order("the latency"))]
    latency_ms: Option<f64>,

    /// The cables that realise the link.
    #[written = "A write replaces the whole list."]
    #[reference(11, form = Form::Many, input = Vec<CableRef>, unread)]
    cables: Vec<Cable>,

    /// Matches if one of the two ends of the link matches.
    #[filter(|filter, _, at| filter.fits(Link::A, at) || filter.fits(Link::B, at))]
    end: Box<LinkEndFilter>,

    /// Matches if one of the cables of the link matches.
    #[filter(|filter, _, at| any_reference_fits::<Cable, _>(&**filter, Link::CABLES, at))]
    cable: Box<CableFilter>,
}

#[resolvers]
impl Link {
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
