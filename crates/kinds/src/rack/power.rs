//! The power that is available in a rack, and the power that is drawn in it.

use std::borrow::Borrow;

use async_graphql::SimpleObject;
use underlay_entity::long::Long;
use underlay_entity::port::PortType;
use underlay_entity::power_feed::{Model, Phase};

use crate::device::Device;
use crate::port::Port;
use crate::request::Request;
use underlay_inventory::Held;

/// The power that the inlets of the devices in a rack draw together. Inlets that feed outlets, as those of a PDU do, do not
/// count, because what they pass on is drawn by others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SimpleObject)]
pub struct RackPowerDraw {
    /// The sum of the recorded maximums in watts. Null if none is recorded.
    maximum: Option<Long>,
    /// The sum of the recorded allocations in watts. Null if none is recorded.
    allocated: Option<Long>,
    /// The number of inlets for which neither is recorded, and which the sums therefore leave out.
    unknown: usize,
}

/// Returns the power that the devices of a rack draw; None if nothing is recorded about it.
pub async fn drawn_w(devices: impl Iterator<Item = Held<Device>>, request: &Request) -> Option<RackPowerDraw> {
    let (mut maximum, mut allocated, mut unknown) = (None, None, 0);
    for device in devices {
        // A device can have many ports.
        request.yield_now().await;
        let inlets = device.referrers::<Port>(Port::DEVICE).filter(|port| port.row.r#type == PortType::PowerInlet);
        for inlet in inlets.filter(|inlet| inlet.referrers::<Port>(Port::FED_BY).next().is_none()) {
            let Some(draw) = inlet.row.draw_w else {
                unknown += 1;
                continue;
            };
            add(&mut maximum, draw.maximum);
            add(&mut allocated, draw.allocated);
        }
    }
    if maximum.is_none() && allocated.is_none() {
        return None;
    }
    Some(RackPowerDraw { maximum: maximum.map(Long), allocated: allocated.map(Long), unknown })
}

fn add(sum: &mut Option<i64>, watts: Option<i32>) {
    if let Some(watts) = watts {
        *sum = Some(sum.unwrap_or_default() + i64::from(watts));
    }
}

/// Returns the power in watts that feeds are rated for together. None if there are none, or if it is not known of one of
/// them.
pub fn rated_w<F: Borrow<Model>>(feeds: impl Iterator<Item = F>) -> Option<i64> {
    let mut total = None;
    for feed in feeds {
        let feed: &Model = feed.borrow();
        let factor = match feed.phase? {
            Phase::SinglePhase => 1.0,
            // The voltage is that between two phases.
            Phase::ThreePhase => f64::sqrt(3.0),
        };
        let watts = f64::from(feed.voltage?) * f64::from(feed.amps_rated?) * factor;
        total = Some(total.unwrap_or_default() + watts);
    }
    total.map(|watts: f64| watts as i64)
}
