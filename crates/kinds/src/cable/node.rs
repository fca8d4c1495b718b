//! The GraphQL object of a cable.

use underlay_entity::cable::{CableStatus, Lane, Media, Model};

use super::ends::CableEnd;
use crate::link::Link;
use crate::object;

object! {
    /// A cable: it joins ends on its A side to ends on its B side.
    Cable: Model;

    own {
        /// The text that is printed on the cable.
        label: Option<&str> = |cable| cable.label.as_deref();
        /// The medium of the cable, such as the type of fibre.
        media: Option<Media> = |cable| cable.media;
        /// The lifecycle status of the cable.
        status: CableStatus = |cable| cable.status;
        /// The length of the cable in metres.
        length_m: Option<f64> = |cable| cable.length_m;
        /// The colour of the cable: free text.
        color: Option<&str> = |cable| cable.color.as_deref();
        /// The names of conduits, ducts or trenches. Objects that name the same risk group fail together.
        risk_groups: &[String] = |cable| &cable.risk_groups.0;
        /// The lanes of the cable: pairs of a position of an A end and a position of a B end. Without lanes, every A
        /// end reaches every B end.
        lanes: &[Lane] = |cable| &cable.lanes.0;
    }

    requires {}

    refers {}

    lists {
        /// The links that the cable realises.
        links: Link by Link::CABLES;
    }

    more {
        /// The ends of the cable on the A side.
        async fn a_ends(&self) -> Vec<CableEnd> {
            CableEnd::followed(&self.0.snapshot, self.0.object_ref(), Cable::A_ENDS)
        }

        /// The ends of the cable on the B side.
        async fn b_ends(&self) -> Vec<CableEnd> {
            CableEnd::followed(&self.0.snapshot, self.0.object_ref(), Cable::B_ENDS)
        }
    }
}
