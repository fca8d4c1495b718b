//! A cable in the API.

use underlay_entity::cable::{CableStatus, Lane, Media, Model};

use super::ends::CableEnd;
use crate::kinds::link::Link;
use crate::object;

object! {
    /// A cable: what joins ends on its A side with ends on its B side.
    Cable: Model;

    own {
        /// What is printed on it.
        label: Option<&str> = |cable| cable.label.as_deref();
        /// What it is made of.
        media: Option<Media> = |cable| cable.media;
        /// Where it stands in its life.
        status: CableStatus = |cable| cable.status;
        /// The length in metres.
        length_m: Option<f64> = |cable| cable.length_m;
        /// The colour: free text.
        color: Option<&str> = |cable| cable.color.as_deref();
        /// Names of conduits, ducts or trenches: what fails together with it.
        risk_groups: &[String] = |cable| &cable.risk_groups.0;
        /// Which position of which A end is joined to which position of which B end; none: every A end reaches every B
        /// end.
        lanes: &[Lane] = |cable| &cable.lanes.0;
    }

    requires {}

    refers {}

    lists {
        /// The links that it realises.
        links: Link by Link::CABLES;
    }

    more {
        /// The ends on the A side.
        async fn a_ends(&self) -> Vec<CableEnd> {
            CableEnd::followed(&self.0.snapshot, self.0.place(), Cable::A_ENDS)
        }

        /// The ends on the B side.
        async fn b_ends(&self) -> Vec<CableEnd> {
            CableEnd::followed(&self.0.snapshot, self.0.place(), Cable::B_ENDS)
        }
    }
}
