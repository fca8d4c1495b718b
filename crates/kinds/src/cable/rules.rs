//! The validation rules of cables.

use std::collections::HashSet;

use underlay_entity::cable::{CableEnd, Model};
use underlay_entity::port::PortType;

use super::kind::Cable;
use super::names::name;
use crate::circuit_termination::CircuitTermination;
use crate::port::Port;
use underlay_inventory::{Checked, ObjectRef, Problems, Refusal, Snapshot};

/// The type of an end, as far as it decides which ends a cable can join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndType {
    Inlet,
    Outlet,
    Feed,
    Serial,
    Data,
    Patch,
    Circuit,
    /// A port that takes no cable.
    Logical,
}

impl EndType {
    fn of(snapshot: &Snapshot, end: CableEnd) -> Option<Self> {
        let port = match end {
            CableEnd::PowerFeed(_) => return Some(Self::Feed),
            CableEnd::CircuitTermination(_) => return Some(Self::Circuit),
            CableEnd::Port(port) => snapshot.get::<Port>(port)?,
        };
        Some(match port.r#type {
            PortType::PowerInlet => Self::Inlet,
            PortType::PowerOutlet => Self::Outlet,
            PortType::Serial => Self::Serial,
            PortType::Ethernet | PortType::Optical | PortType::Wireless => Self::Data,
            PortType::PatchFront | PortType::PatchRear => Self::Patch,
            PortType::Lag | PortType::Virtual => Self::Logical,
        })
    }

    /// Returns true if a cable may join the two ends.
    fn joins(self, other: Self) -> bool {
        use EndType::{Circuit, Data, Feed, Inlet, Outlet, Patch, Serial};
        matches!(
            (self, other),
            (Inlet, Outlet | Feed)
                | (Outlet | Feed, Inlet)
                | (Serial, Serial | Patch)
                | (Data, Data | Patch | Circuit)
                | (Patch, Data | Patch | Serial | Circuit)
                | (Circuit, Data | Patch | Circuit)
        )
    }

    /// Returns true if the two ends may be on the same side of a cable. A patch port takes the type of whatever is
    /// plugged into it, so it fits beside data ports, circuits or serial ports.
    fn belongs_with(self, other: Self) -> bool {
        use EndType::{Circuit, Data, Feed, Outlet, Patch, Serial};
        self == other
            || matches!(
                (self, other),
                (Outlet, Feed)
                    | (Feed, Outlet)
                    | (Data | Circuit | Patch, Data | Circuit | Patch)
                    | (Serial, Patch)
                    | (Patch, Serial)
            )
    }
}

/// Returns the side and the reason if the ends of a cable cannot be joined.
pub fn unfit_ends(snapshot: &Snapshot, cable: ObjectRef) -> Option<(&'static str, String)> {
    unfit(snapshot, snapshot.row(cable)?.as_any().downcast_ref()?)
}

fn unfit(snapshot: &Snapshot, cable: &Model) -> Option<(&'static str, String)> {
    let end_type = |end: &CableEnd| Some((*end, EndType::of(snapshot, *end)?));
    for (side, ends) in [("aEnds", &cable.a_ends.0), ("bEnds", &cable.b_ends.0)] {
        if let Some((end, _)) = ends.iter().filter_map(end_type).find(|(_, it)| *it == EndType::Logical) {
            let message = format!("{} takes no cable: LAG and VIRTUAL ports are not plugged", name(snapshot, end));
            return Some((side, message));
        }
    }
    if let Some(message) = unfit_side(snapshot, &cable.a_ends.0) {
        return Some(("aEnds", message));
    }
    for (a, a_type) in cable.a_ends.0.iter().filter_map(end_type) {
        for (b, b_type) in cable.b_ends.0.iter().filter_map(end_type) {
            if !a_type.joins(b_type) {
                return Some(("bEnds", format!("{} cannot be joined with {}", name(snapshot, a), name(snapshot, b))));
            }
        }
    }
    unfit_side(snapshot, &cable.b_ends.0).map(|message| ("bEnds", message))
}

/// Returns the reason if the ends on one side do not belong together.
fn unfit_side(snapshot: &Snapshot, ends: &[CableEnd]) -> Option<String> {
    let mut sorts: Vec<(CableEnd, EndType)> = Vec::new();
    for end in ends {
        let Some(end_type) = EndType::of(snapshot, *end) else { continue };
        if sorts.iter().any(|(_, other)| *other == end_type) {
            continue;
        }
        if let Some((other, _)) = sorts.iter().find(|(_, other)| !end_type.belongs_with(*other)) {
            let (one, other) = (name(snapshot, *other), name(snapshot, *end));
            return Some(format!(
                "{one} and {other} cannot be on the same side of a cable: the ends of a side must be joinable with the \
                 same things"
            ));
        }
        sorts.push((*end, end_type));
    }
    None
}

/// Checks that each side has an end, that no end appears twice, and that all ends can be joined.
pub fn ends(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, cable) in checked.written::<Cable>() {
        let mut seen = HashSet::new();
        for (field, ends) in [("aEnds", &cable.a_ends.0), ("bEnds", &cable.b_ends.0)] {
            if ends.is_empty() {
                problems.invalid(cable.id, field, "must have at least one end");
            }
            for (at, end) in ends.iter().enumerate() {
                if !seen.insert(end.id()) {
                    let message = format!("is {}, which the cable ends at already", name(checked.after, *end));
                    problems.invalid(cable.id, &format!("{field}[{at}]"), message);
                }
            }
        }
        if let Some((side, message)) = unfit(checked.after, cable) {
            problems.incompatible(cable.id, side, message);
        }
    }
}

/// Checks that an end has at most one cable, and none if a circuit or something outside the inventory is plugged in.
pub fn one_cable(checked: &Checked<'_>, problems: &mut Problems) {
    let snapshot = checked.after;
    for (_, cable) in checked.written::<Cable>() {
        for (field, ends) in [("aEnds", &cable.a_ends.0), ("bEnds", &cable.b_ends.0)] {
            for (at, end) in ends.iter().enumerate() {
                let field = format!("{field}[{at}]");
                let Some(object) = snapshot.find(end.id()) else { continue };
                let incoming = snapshot.incoming(object);
                let cables = incoming.by(Cable::A_ENDS).chain(incoming.by(Cable::B_ENDS));
                let own = snapshot.find(cable.id);
                if let Some(other) = cables.into_iter().find(|other| Some(*other) != own) {
                    let (what, holder) = (name(snapshot, *end), snapshot.path(other));
                    problems.add(cable.id, Refusal::Duplicate { field: field.clone(), what, holder });
                }
                if let Some(message) = occupied(snapshot, object, *end) {
                    problems.incompatible(cable.id, &field, format!("{} {message}", name(snapshot, *end)));
                }
            }
        }
    }
}

/// Returns the reason why an end takes no cable, if something else occupies it.
fn occupied(snapshot: &Snapshot, object: ObjectRef, end: CableEnd) -> Option<String> {
    if let Some(circuit) = snapshot.incoming(object).first_by(CircuitTermination::PORT) {
        return Some(format!("has {} plugged into it", snapshot.path(circuit)));
    }
    match end {
        CableEnd::Port(port) => {
            snapshot.get::<Port>(port)?.mark_connected.then(|| "is marked as connected to something outside".to_owned())
        }
        CableEnd::CircuitTermination(id) => {
            let termination = snapshot.get::<CircuitTermination>(id)?;
            let reason = match (termination.provider_network_id, termination.port_id) {
                (Some(_), _) => "ends at a provider network and takes no cable",
                (None, Some(_)) => "is plugged straight into a port and takes no cable",
                (None, None) => return None,
            };
            Some(reason.to_owned())
        }
        CableEnd::PowerFeed(_) => None,
    }
}
