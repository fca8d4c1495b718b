//! The ends of cables, and the lookup of the cable on an end.

use std::sync::Arc;

use async_graphql::{InputObject, OneofObject, Union};
use serde::Serialize;

use super::kind::Cable;
use super::lanes;
use crate::circuit_termination::{CircuitTermination, CircuitTerminationFilter, CircuitTerminationRef};
use crate::port::{Port, PortFilter, PortRef};
use crate::power_feed::{PowerFeed, PowerFeedFilter, PowerFeedRef};
use underlay_inventory::{Held, Kind, ObjectRef, ReferenceId, Snapshot};
use underlay_read::{At, Nests, any_reference_fits};

/// An object that a cable ends at.
#[derive(Clone, Debug, Union)]
pub enum CableEnd {
    /// A port that the cable is plugged into.
    Port(Port),
    /// A power feed that the cable ends at.
    PowerFeed(PowerFeed),
    /// A circuit termination that the cable ends at.
    CircuitTermination(CircuitTermination),
}

impl CableEnd {
    /// Returns the ends of a cable on one side, in order.
    pub fn followed(snapshot: &Arc<Snapshot>, cable: ObjectRef, side: ReferenceId) -> Vec<Self> {
        let end = |object: ObjectRef| {
            let port = snapshot.hold(object).map(Port).map(Self::Port);
            let feed = || snapshot.hold(object).map(PowerFeed).map(Self::PowerFeed);
            let termination = || snapshot.hold(object).map(CircuitTermination).map(Self::CircuitTermination);
            port.or_else(feed).or_else(termination)
        };
        snapshot.outgoing(cable).by(side).filter_map(end).collect()
    }
}

/// Returns the cable on an end, and the side that the end is on.
fn side_of(snapshot: &Snapshot, end: ObjectRef) -> Option<(ObjectRef, ReferenceId)> {
    let incoming = snapshot.incoming(end);
    [Cable::A_ENDS, Cable::B_ENDS].into_iter().find_map(|side| Some((incoming.first_by(side)?, side)))
}

/// Returns the cable on an end; `None` if there is none.
pub fn cable_on(snapshot: &Snapshot, end: ObjectRef) -> Option<ObjectRef> {
    side_of(snapshot, end).map(|(cable, _)| cable)
}

/// Returns true if there is a cable on an end.
pub fn is_cabled(snapshot: &Snapshot, end: ObjectRef) -> bool {
    cable_on(snapshot, end).is_some()
}

impl Cable {
    /// Returns the cable on an end; `None` if there is none.
    pub fn on<K: Kind>(end: &Held<K>) -> Option<Self> {
        end.snapshot.hold(cable_on(&end.snapshot, end.object_ref())?).map(Self)
    }

    /// Returns the ends on the other side of the cable on an end. If the cable has lanes, only those that a lane joins
    /// to the end.
    pub fn peers<K: Kind>(end: &Held<K>) -> Vec<CableEnd> {
        let snapshot = &end.snapshot;
        let Some((cable, side)) = side_of(snapshot, end.object_ref()) else { return Vec::new() };
        let is_a = side == Self::A_ENDS;
        let others = CableEnd::followed(snapshot, cable, if is_a { Self::B_ENDS } else { Self::A_ENDS });
        // A cable between two ends leaves no choice. Most cables are such, and their rows need not be read.
        if others.len() < 2 && snapshot.outgoing(cable).by(side).nth(1).is_none() {
            return others;
        }
        let row = snapshot.hold::<Self>(cable);
        let Some(row) = row.filter(|cable| !cable.row.lanes.0.is_empty()) else { return others };
        let own = snapshot.outgoing(cable).by(side).position(|other| other == end.object_ref());
        let joined = lanes::joined(&row.row.lanes.0, is_a, own.unwrap_or_default());
        others.into_iter().enumerate().filter(|(at, _)| joined.contains(at)).map(|(_, other)| other).collect()
    }
}

/// Names an object that a cable ends at. Exactly one member must be given.
#[derive(Clone, Debug, OneofObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum CableEndInput {
    /// A port of a device or rack.
    Port(PortRef),
    /// A power feed of a site or rack.
    PowerFeed(PowerFeedRef),
    /// The end A or Z of a circuit.
    CircuitTermination(CircuitTerminationRef),
}

/// A condition on an end of a cable. All given members must match.
#[derive(Clone, Debug, Default, InputObject)]
pub struct CableEndFilter {
    /// The end is a port that matches.
    pub port: Option<Box<PortFilter>>,
    /// The end is a power feed that matches.
    pub power_feed: Option<Box<PowerFeedFilter>>,
    /// The end is a circuit termination that matches.
    pub circuit_termination: Option<Box<CircuitTerminationFilter>>,
}

impl Nests for CableEndFilter {
    fn nesting(&self) -> usize {
        1 + self.port.nesting().max(self.power_feed.nesting()).max(self.circuit_termination.nesting())
    }
}

impl CableEndFilter {
    /// Returns true if an end of the cable on one side matches each given member.
    pub fn fits(&self, side: ReferenceId, at: At<'_>) -> bool {
        let port = |filter: &PortFilter| any_reference_fits::<Port, _>(filter, side, at);
        let feed = |filter: &PowerFeedFilter| any_reference_fits::<PowerFeed, _>(filter, side, at);
        let termination =
            |filter: &CircuitTerminationFilter| any_reference_fits::<CircuitTermination, _>(filter, side, at);
        self.port.as_deref().is_none_or(port)
            && self.power_feed.as_deref().is_none_or(feed)
            && self.circuit_termination.as_deref().is_none_or(termination)
    }
}
