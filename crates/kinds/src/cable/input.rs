//! The GraphQL inputs, filters and sort orders of cables.

use underlay_entity::cable::{CableStatus, Lane, Media, Model};

use super::ends::{CableEndFilter, CableEndInput};
use super::node::Cable;
use crate::link::{Link, LinkListFilter};
use crate::{filter, inputs, order};
use underlay_read::enum_filter;
use underlay_read::{FloatFilter, TextFilter};

enum_filter!(MediaFilter, Media);
enum_filter!(CableStatusFilter, CableStatus);

inputs! {
    Cable as cable;
    input CableInput;
    patch CablePatch;
    payload CablePayload;

    reference CableRef {
        /// The name of the cable.
        cable: String;
    }

    fixed {}

    fields {
        /// The text that is printed on the cable.
        label: String;
        /// The medium of the cable, such as the type of fibre.
        media: Media;
        /// The lifecycle status of the cable. Defaults to CONNECTED.
        status: CableStatus;
        /// The length of the cable in metres: at least 0.
        length_m: f64;
        /// The colour of the cable: free text.
        color: String;
        /// The names of conduits, ducts or trenches. Objects that name the same risk group fail together. A write
        /// replaces the whole list.
        risk_groups: Vec<String>;
        /// The ends on the A side, at least one. Required to create a cable. A write replaces the whole list. Lanes
        /// stay with their ends: a write that removes an end of a lane must give `lanes` too.
        a_ends: Vec<CableEndInput>;
        /// The ends on the B side, at least one. Required to create a cable. A write replaces the whole list. Lanes
        /// stay with their ends: a write that removes an end of a lane must give `lanes` too.
        b_ends: Vec<CableEndInput>;
        /// The lanes of the cable: pairs of a position of an A end and a position of a B end. Without lanes, every A
        /// end reaches every B end. A lane names its ends by their positions in the lists after the write. A write
        /// replaces the whole list.
        lanes: Vec<Lane>;
    }
}

filter! {
    Cable: Model;
    filter CableFilter, CableListFilter;

    values {
        label: TextFilter = |cable| cable.label.as_deref();
        media: MediaFilter = |cable| cable.media;
        status: CableStatusFilter = |cable| Some(cable.status);
        length_m: FloatFilter = |cable| cable.length_m;
        color: TextFilter = |cable| cable.color.as_deref();
    }

    references {}

    lists {
        links: LinkListFilter => Link, Link::CABLES;
    }

    more {
        /// Matches if one end of the cable, on either side, matches.
        end: Box<CableEndFilter> = |filter, _, at| filter.fits(Cable::A_ENDS, at) || filter.fits(Cable::B_ENDS, at);
        /// Matches if the cable names this risk group.
        risk_group: String = |group, cable, _| cable.risk_groups.0.contains(group);
    }
}

order! {
    Cable: Model;
    order CableOrder, CableOrderBy;

    values {
        Label as "label": "the label" = |cable| cable.label.as_deref();
        LengthM as "lengthM": "the length" = |cable| cable.length_m;
    }
}
