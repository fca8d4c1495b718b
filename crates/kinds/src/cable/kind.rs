//! Declares a cable.

use underlay_entity::cable::{CableStatus, Lane, Media, Model};
use underlay_inventory::{Form, MadeName, Shape, Unnamed};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::enum_filter;

use super::ends::{CableEnd, CableEndFilter, CableEndInput};
use super::topology::TOPOLOGY;
use super::{lanes, rules};
use crate::common::{MEASURE, TEXTS, names};
use crate::link::{Link, LinkListFilter};
use crate::power_feed::check_cables_supply;

enum_filter!(MediaFilter, Media);
enum_filter!(CableStatusFilter, CableStatus);

const LANES: Shape = Shape::Structure("a list of objects with aEnd, aPosition, bEnd and bPosition");

/// A cable: it joins ends on its A side to ends on its B side.
#[kind(
    id = CABLE,
    row = Model,
    reference(cable = "The name of the cable."),
    rules = &[rules::ends, rules::one_cable, lanes::lanes, check_cables_supply],
    on_loss = Some(lanes::on_loss),
    on_write = Some(lanes::on_write),
    unnamed = Some(Unnamed::Referring { by: "aEnds", name: MadeName::Unique(|id| format!("cable-{}", id.simple())) }),
    searched(label),
)]
pub struct Cable {
    /// The text that is printed on the cable.
    #[field(6, filter, order("the label"))]
    label: Option<String>,

    /// The medium of the cable, such as the type of fibre.
    #[field(7, filter)]
    media: Option<Media>,

    /// The lifecycle status of the cable.
    #[written = "Defaults to CONNECTED."]
    #[field(8, filter)]
    status: CableStatus,

    /// The length of the cable in metres.
    #[input = "The length of the cable in metres: at least 0."]
    #[field(9, shape = MEASURE, filter, order("the length"))]
    length_m: Option<f64>,

    /// The colour of the cable: free text.
    #[field(10, filter)]
    color: Option<String>,

    /// The names of conduits, ducts or trenches. Objects that name the same risk group fail together.
    #[written = "A write replaces the whole list."]
    #[field(11, shape = TEXTS, normalised(names))]
    risk_groups: Vec<String>,

    /// The ends of the cable on the A side.
    #[input = "The ends on the A side, at least one. Required to create a cable. A write replaces the whole list. \
        Lanes stay with their ends: a write that removes an end of a lane must give `lanes` too."]
    #[reference(
        12,
        form = Form::ManyOf,
        kinds("Port", "PowerFeed", "CircuitTermination"),
        input = Vec<CableEndInput>,
        unread,
        required,
        ending,
    )]
    a_ends: Vec<CableEnd>,

    /// The ends of the cable on the B side.
    #[input = "The ends on the B side, at least one. Required to create a cable. A write replaces the whole list. \
        Lanes stay with their ends: a write that removes an end of a lane must give `lanes` too."]
    #[reference(
        13,
        form = Form::ManyOf,
        kinds("Port", "PowerFeed", "CircuitTermination"),
        input = Vec<CableEndInput>,
        unread,
        required,
        ending,
    )]
    b_ends: Vec<CableEnd>,

    /// The lanes of the cable: pairs of a position of an A end and a position of a B end. Without lanes, every A end
    /// reaches every B end.
    #[written = "A lane names its ends by their positions in the lists after the write. A write replaces the whole \
        list."]
    #[field(14, shape = LANES, normalised(lanes::normal))]
    lanes: Vec<Lane>,

    /// The links that the cable realises.
    #[list(Link::CABLES, filter)]
    links: Vec<Link>,

    /// Matches if one end of the cable, on either side, matches.
    #[filter(|filter, _, at| filter.fits(Cable::A_ENDS, at) || filter.fits(Cable::B_ENDS, at))]
    end: Box<CableEndFilter>,

    /// Matches if the cable names this risk group.
    #[filter(|group, cable, _| cable.risk_groups.0.contains(group))]
    risk_group: String,
}

#[resolvers]
impl Cable {
    /// The ends of the cable on the A side.
    async fn a_ends(&self) -> Vec<CableEnd> {
        CableEnd::followed(&self.0.snapshot, self.0.object_ref(), Cable::A_ENDS)
    }

    /// The ends of the cable on the B side.
    async fn b_ends(&self) -> Vec<CableEnd> {
        CableEnd::followed(&self.0.snapshot, self.0.object_ref(), Cable::B_ENDS)
    }
}
