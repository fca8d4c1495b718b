//! What clients write and ask of cables.

use underlay_entity::cable::{CableStatus, Lane, Media, Model};

use super::ends::{CableEndFilter, CableEndInput};
use super::node::Cable;
use crate::kinds::link::{Link, LinkListFilter};
use crate::read::{FloatFilter, TextFilter};
use crate::{enum_filter, filter, inputs, order};

enum_filter!(MediaFilter, Media);
enum_filter!(CableStatusFilter, CableStatus);

inputs! {
    Cable as cable;
    input CableInput;
    patch CablePatch;
    payload CablePayload;

    reference CableRef {
        /// Its name.
        cable: String;
    }

    fixed {}

    fields {
        /// What is printed on it.
        label: String;
        /// What it is made of.
        media: Media;
        /// Where it stands in its life. Default: CONNECTED.
        status: CableStatus;
        /// The length in metres: at least 0.
        length_m: f64;
        /// The colour: free text.
        color: String;
        /// Names of conduits, ducts or trenches: what fails together with it; replaced as a whole.
        risk_groups: Vec<String>;
        /// The ends on the A side, at least one; replaced as a whole. Required to create it. Lanes stay with their ends:
        /// a write that takes an end from a lane must give `lanes` too.
        a_ends: Vec<CableEndInput>;
        /// The ends on the B side, at least one; replaced as a whole. Required to create it. Lanes stay with their ends:
        /// a write that takes an end from a lane must give `lanes` too.
        b_ends: Vec<CableEndInput>;
        /// Which position of which A end is joined to which position of which B end; replaced as a whole. None: every A
        /// end reaches every B end. Ends are named by their places in the lists that the write leaves.
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
        /// One of its ends fits, on either side.
        end: Box<CableEndFilter> = |filter, _, at| filter.fits(Cable::A_ENDS, at) || filter.fits(Cable::B_ENDS, at);
        /// One of its risk groups is this.
        risk_group: String = |group, cable, _| cable.risk_groups.0.contains(group);
    }
}

order! {
    Cable: Model;
    order CableOrder, CableOrderBy;

    values {
        Label as "label" = |cable| cable.label.as_deref();
        LengthM as "lengthM" = |cable| cable.length_m;
    }
}
