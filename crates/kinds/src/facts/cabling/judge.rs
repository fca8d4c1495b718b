//! Judges the interfaces of a machine: does the far end that is recorded for a port speak at it?

use async_graphql::Enum;
use underlay_facts::{Neighbour, Sections};
use underlay_inventory::{ObjectRef, Snapshot};

use super::interfaces::{ReportedInterface, interfaces};
use super::lead::Lead;
use super::recorded::Recorded;

/// The verdict about the cabling of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum CablingVerdict {
    /// A neighbour is the far end that is recorded, or the line that is recorded leaves the inventory.
    Agrees,
    /// A neighbour leads to a port or device of the inventory that is not the far end that is recorded.
    Differs,
    /// A neighbour leads to a port or device of the inventory, and no far end is recorded.
    NotRecorded,
    /// No neighbour is in the inventory, and none is the far end that is recorded.
    UnknownNeighbour,
    /// No neighbour is heard. This is no mismatch: some adapters and many switches do not let LLDP through.
    NotHeard,
    /// The machine has no such port in the inventory.
    NoPort,
}

/// A neighbour that is heard, with what it leads to.
#[derive(Clone, Debug)]
pub struct Heard<'a> {
    /// The neighbour, as it says itself.
    pub neighbour: &'a Neighbour,
    /// The only port that it leads to.
    pub port: Option<ObjectRef>,
    /// The only device that it leads to.
    pub device: Option<ObjectRef>,
}

/// The cabling of an interface, as it is heard and as it is recorded.
#[derive(Clone, Debug)]
pub struct InterfaceCabling<'a> {
    /// The name of the interface.
    pub interface: &'a str,
    /// The port of the machine that the interface is.
    pub port: Option<ObjectRef>,
    /// The far ends that are recorded for the port, as far as they are ports.
    pub recorded: Vec<ObjectRef>,
    /// The neighbours that are heard, without the machine itself.
    pub heard: Vec<Heard<'a>>,
    /// The verdict.
    pub verdict: CablingVerdict,
    /// True if the interface is switched on and has no carrier, though a far end is recorded for its port, or its line leaves
    /// the inventory.
    pub is_cut: bool,
}

/// Judges the cabling of a machine by its last report.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    snapshot: &'a Snapshot,
    machine: ObjectRef,
    interfaces: Vec<ReportedInterface<'a>>,
}

impl<'a> Judge<'a> {
    /// Returns the judge of a device and of what the agent on it reported.
    pub fn new(snapshot: &'a Snapshot, machine: ObjectRef, sections: &'a Sections) -> Self {
        Self { snapshot, machine, interfaces: interfaces(snapshot, machine, sections) }
    }

    /// Returns the cabling of each interface. Each is judged when it is asked for.
    pub fn cabling(&self) -> impl Iterator<Item = InterfaceCabling<'a>> + Send + '_ {
        self.interfaces.iter().map(|interface| self.of(interface))
    }

    fn of(&self, interface: &ReportedInterface<'a>) -> InterfaceCabling<'a> {
        let recorded = interface.port.map(|port| Recorded::of(self.snapshot, port));
        let far_ends = recorded.as_ref().map_or(&[][..], |recorded| &recorded.ports);
        let leads: Vec<Lead> = interface.heard.iter().map(|it| Lead::of(self.snapshot, it, far_ends)).collect();
        let verdict = verdict(self.snapshot, recorded.as_ref(), &leads);
        let heard = interface.heard.iter().zip(&leads).map(|(neighbour, lead)| Heard {
            neighbour,
            port: lead.port(self.snapshot, self.machine),
            device: lead.device(self.snapshot, self.machine),
        });
        let is_cabled = recorded.as_ref().is_some_and(|recorded| recorded.leaves || !recorded.ports.is_empty());
        InterfaceCabling {
            interface: interface.name,
            port: interface.port,
            is_cut: interface.is_down && is_cabled,
            heard: heard.collect(),
            recorded: recorded.map(|recorded| recorded.ports).unwrap_or_default(),
            verdict,
        }
    }
}

/// Returns the verdict about a port with what is recorded and what is heard. One neighbour that agrees is enough: several
/// at a port are normal.
fn verdict(snapshot: &Snapshot, recorded: Option<&Recorded>, leads: &[Lead]) -> CablingVerdict {
    let Some(Recorded { ports, leaves }) = recorded else { return CablingVerdict::NoPort };
    if leads.is_empty() {
        return CablingVerdict::NotHeard;
    }
    let agrees = |far_end: &ObjectRef| leads.iter().any(|lead| lead.is(snapshot, *far_end));
    if *leaves || ports.iter().any(agrees) {
        return CablingVerdict::Agrees;
    }
    match (leads.iter().any(Lead::is_known), ports.is_empty()) {
        (true, true) => CablingVerdict::NotRecorded,
        (true, false) => CablingVerdict::Differs,
        (false, _) => CablingVerdict::UnknownNeighbour,
    }
}
