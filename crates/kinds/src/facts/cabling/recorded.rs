//! The far ends that are recorded for a port: those of its line, through panels and over circuits.

use underlay_inventory::{Kind, ObjectRef, Snapshot};
use underlay_topology::line::{Outcome, Tracer};

use crate::port::Port;
use crate::topology;

/// The far ends that are recorded for a port.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The far ends that are ports, each once.
    pub ports: Vec<ObjectRef>,
    /// True if the line also leads to where the inventory ends, or to more ends than a trace has.
    pub leaves: bool,
}

impl Recorded {
    /// Returns the far ends of a port; if nothing is plugged into it, those of the port that it is a part of.
    pub fn of(snapshot: &Snapshot, port: ObjectRef) -> Self {
        let own = Self::traced(snapshot, port);
        let is_none = own.ports.is_empty() && !own.leaves;
        match snapshot.outgoing(port).first_by(Port::PARENT).filter(|_| is_none) {
            Some(whole) => Self::traced(snapshot, whole),
            None => own,
        }
    }

    fn traced(snapshot: &Snapshot, port: ObjectRef) -> Self {
        // A port is an end of lines, so the tracer has nothing to reject.
        let far = Tracer::new(snapshot, topology()).far_ends(port).unwrap_or_default();
        let mut recorded = Self { ports: Vec::new(), leaves: far.truncated };
        for end in far.ends.iter().filter(|it| it.outcome == Outcome::Complete) {
            match end.end.filter(|object| object.kind == Port::ID) {
                Some(port) if recorded.ports.contains(&port) => {}
                Some(port) => recorded.ports.push(port),
                // A network of a provider is where the inventory ends. At a site a line ends open.
                None => recorded.leaves = true,
            }
        }
        recorded
    }
}
