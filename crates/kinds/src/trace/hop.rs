//! A hop of a trace: an object of the snapshot.

use std::sync::Arc;

use async_graphql::{Context, Union};

use crate::cable::Cable;
use crate::circuit::Circuit;
use crate::circuit_termination::CircuitTermination;
use crate::port::Port;
use crate::power_feed::PowerFeed;
use crate::provider_network::ProviderNetwork;
use crate::request::Request;
use crate::site::Site;
use crate::topology;
use underlay_inventory::{Held, Kind, ObjectRef, Snapshot};
use underlay_topology::line::{FarEnds, Outcome, Tracer};

/// An object that a line runs over or ends at.
#[derive(Clone, Debug, Union)]
pub enum Hop {
    /// A port: the beginning or end of a line, or a port of a panel that the line passes.
    Port(Port),
    /// A cable that the line runs over.
    Cable(Cable),
    /// The end of a circuit that the line crosses or ends at.
    CircuitTermination(CircuitTermination),
    /// A circuit that the line crosses.
    Circuit(Circuit),
    /// The site where a line ends if it leads nowhere else.
    Site(Site),
    /// The provider network where a line ends.
    ProviderNetwork(ProviderNetwork),
    /// A power feed that the line begins or ends at.
    PowerFeed(PowerFeed),
}

impl Hop {
    /// Returns the object as a hop; `None` for a kind that no line runs over.
    pub fn at(snapshot: &Arc<Snapshot>, object: ObjectRef) -> Option<Self> {
        match object.kind {
            Port::ID => snapshot.hold(object).map(Port).map(Self::Port),
            Cable::ID => snapshot.hold(object).map(Cable).map(Self::Cable),
            CircuitTermination::ID => snapshot.hold(object).map(CircuitTermination).map(Self::CircuitTermination),
            Circuit::ID => snapshot.hold(object).map(Circuit).map(Self::Circuit),
            Site::ID => snapshot.hold(object).map(Site).map(Self::Site),
            ProviderNetwork::ID => snapshot.hold(object).map(ProviderNetwork).map(Self::ProviderNetwork),
            PowerFeed::ID => snapshot.hold(object).map(PowerFeed).map(Self::PowerFeed),
            _ => None,
        }
    }
}

/// Returns the ends of the complete branches of an end's line, each once, without those outside the inventory. The
/// function yields before each line, so that a long list does not block other requests.
pub async fn far_ends<K: Kind>(context: &Context<'_>, end: &Held<K>) -> Vec<Hop> {
    let far = followed(context, end).await;
    let mut objects: Vec<ObjectRef> = Vec::new();
    for object in far.ends.iter().filter(|it| it.outcome == Outcome::Complete).filter_map(|it| it.end) {
        if !objects.contains(&object) {
            objects.push(object);
        }
    }
    objects.into_iter().filter_map(|object| Hop::at(&end.snapshot, object)).collect()
}

/// Returns true if the line leads to more ends than `far_ends` can return.
pub async fn far_ends_truncated<K: Kind>(context: &Context<'_>, end: &Held<K>) -> bool {
    followed(context, end).await.truncated
}

async fn followed<K: Kind>(context: &Context<'_>, end: &Held<K>) -> FarEnds {
    Request::of(context).yield_now().await;
    // Only kinds where lines begin have these fields, so the tracer has nothing to reject.
    Tracer::new(&end.snapshot, topology()).far_ends(end.object_ref()).unwrap_or_default()
}
