//! What must hold of cables.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use underlay_entity::cable::{CableEnd, Lane, Model};
use underlay_entity::port::PortType;
use uuid::Uuid;

use super::node::Cable;
use crate::inventory::{Checked, Loss, Place, Problems, Refusal, Snapshot, cast};
use crate::kinds::circuit_termination::CircuitTermination;
use crate::kinds::port::Port;
use crate::store::Row;

/// What an end is, as far as joining goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joint {
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

impl Joint {
    fn of(value: &Snapshot, end: CableEnd) -> Option<Self> {
        let port = match end {
            CableEnd::PowerFeed(_) => return Some(Self::Feed),
            CableEnd::CircuitTermination(_) => return Some(Self::Circuit),
            CableEnd::Port(port) => value.get::<Port>(port)?,
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

    /// Whether a cable may join the two.
    fn joins(self, other: Self) -> bool {
        use Joint::{Circuit, Data, Feed, Inlet, Outlet, Patch, Serial};
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
}

/// The highest position of an end that a lane of a cable leads to.
pub fn highest_position(value: &Snapshot, cable: Place, end: Uuid) -> Option<i32> {
    let cable: &Model = value.row(cable)?.as_any().downcast_ref()?;
    let is_end = |ends: &[CableEnd], at: i32| {
        let end_at = usize::try_from(at - 1).ok().and_then(|at| ends.get(at));
        end_at.is_some_and(|there| there.id() == end)
    };
    let a = |lane: &Lane| is_end(&cable.a_ends.0, lane.a_end).then_some(lane.a_position);
    let b = |lane: &Lane| is_end(&cable.b_ends.0, lane.b_end).then_some(lane.b_position);
    cable.lanes.0.iter().filter_map(|lane| a(lane).max(b(lane))).max()
}

/// Why the ends of a cable cannot be joined, if they cannot, and on which side that is seen.
pub fn unfit_ends(value: &Snapshot, cable: Place) -> Option<(&'static str, String)> {
    unfit(value, value.row(cable)?.as_any().downcast_ref()?)
}

fn unfit(value: &Snapshot, cable: &Model) -> Option<(&'static str, String)> {
    let joint = |end: &CableEnd| Some((*end, Joint::of(value, *end)?));
    for (side, ends) in [("aEnds", &cable.a_ends.0), ("bEnds", &cable.b_ends.0)] {
        if let Some((end, _)) = ends.iter().filter_map(joint).find(|(_, it)| *it == Joint::Logical) {
            let message = format!("{} takes no cable: LAG and VIRTUAL ports are not plugged", name(value, end));
            return Some((side, message));
        }
    }
    for (a, a_joint) in cable.a_ends.0.iter().filter_map(joint) {
        for (b, b_joint) in cable.b_ends.0.iter().filter_map(joint) {
            if !a_joint.joins(b_joint) {
                return Some(("bEnds", format!("{} cannot be joined with {}", name(value, a), name(value, b))));
            }
        }
    }
    None
}

/// An end as messages name it: its path and what it is.
fn name(value: &Snapshot, end: CableEnd) -> String {
    let path = value.find(end.id()).map_or_else(|| end.id().to_string(), |place| value.path(place));
    let port = match end {
        CableEnd::Port(port) => value.get::<Port>(port),
        _ => None,
    };
    match port.and_then(|port| serde_json::to_value(port.r#type).ok()) {
        Some(kind) => format!("{path} ({})", kind.as_str().unwrap_or_default()),
        None => path,
    }
}

/// There is an end on each side, none of them twice, and all can be joined.
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

/// An end has one cable at the most, and none where a circuit or something outside is plugged in.
pub fn one_cable(checked: &Checked<'_>, problems: &mut Problems) {
    let value = checked.after;
    for (_, cable) in checked.written::<Cable>() {
        for (field, ends) in [("aEnds", &cable.a_ends.0), ("bEnds", &cable.b_ends.0)] {
            for (at, end) in ends.iter().enumerate() {
                let field = format!("{field}[{at}]");
                let Some(place) = value.find(end.id()) else { continue };
                let incoming = value.incoming(place);
                let cables = incoming.by(Cable::A_ENDS).chain(incoming.by(Cable::B_ENDS));
                let own = value.find(cable.id);
                if let Some(other) = cables.into_iter().find(|other| Some(*other) != own) {
                    let (what, holder) = (name(value, *end), value.path(other));
                    problems.add(cable.id, Refusal::Duplicate { field: field.clone(), what, holder });
                }
                if let Some(message) = occupied(value, place, *end) {
                    problems.incompatible(cable.id, &field, format!("{} {message}", name(value, *end)));
                }
            }
        }
    }
}

/// Why no cable can be on an end, if something else takes it.
fn occupied(value: &Snapshot, place: Place, end: CableEnd) -> Option<String> {
    if let Some(circuit) = value.incoming(place).first_by(CircuitTermination::PORT) {
        return Some(format!("has {} plugged into it", value.path(circuit)));
    }
    match end {
        CableEnd::Port(port) => {
            value.get::<Port>(port)?.mark_connected.then(|| "is marked as connected to something outside".to_owned())
        }
        CableEnd::CircuitTermination(id) => {
            let termination = value.get::<CircuitTermination>(id)?;
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

/// Lanes lead from positions that the A ends have to positions that the B ends have, each once.
pub fn lanes(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, cable) in checked.written::<Cable>() {
        let mut taken: [BTreeMap<(i32, i32), usize>; 2] = Default::default();
        for (at, lane) in cable.lanes.0.iter().enumerate() {
            let sides = [
                ("a", &cable.a_ends.0, lane.a_end, lane.a_position),
                ("b", &cable.b_ends.0, lane.b_end, lane.b_position),
            ];
            for ((side, ends, end, position), taken) in sides.into_iter().zip(&mut taken) {
                let count = ends.len();
                let Some(at_end) = usize::try_from(end).ok().and_then(|end| ends.get(end.wrapping_sub(1))) else {
                    let reason = format!("must be from 1 to {count}, a place in {side}Ends");
                    problems.invalid(cable.id, &format!("lanes[{at}].{side}End"), reason);
                    continue;
                };
                if let Some(most) = positions(checked.after, *at_end).filter(|most| position > *most) {
                    let reason = format!("must be at most {most}, the positions of {}", name(checked.after, *at_end));
                    problems.invalid(cable.id, &format!("lanes[{at}].{side}Position"), reason);
                }
                if let Some(other) = taken.insert((end, position), at) {
                    let reason = format!("is taken by lanes[{other}]");
                    problems.invalid(cable.id, &format!("lanes[{at}].{side}Position"), reason);
                }
            }
        }
    }
}

/// How many positions an end has; circuits have as many as lanes name.
fn positions(value: &Snapshot, end: CableEnd) -> Option<i32> {
    match end {
        CableEnd::Port(port) => value.get::<Port>(port).map(|port| port.positions),
        CableEnd::PowerFeed(_) => Some(1),
        CableEnd::CircuitTermination(_) => None,
    }
}

/// A cable that is left without an end on a side goes; another one stays with the ends that are left.
pub fn on_loss(row: &dyn Row, lost: &dyn Fn(Uuid) -> bool) -> Loss {
    let mut cable = cast::<Model>(row).clone();
    let kept = |ends: &[CableEnd]| -> Vec<usize> {
        ends.iter().enumerate().filter(|(_, end)| !lost(end.id())).map(|(at, _)| at).collect()
    };
    let (a_kept, b_kept) = (kept(&cable.a_ends.0), kept(&cable.b_ends.0));
    if a_kept.is_empty() || b_kept.is_empty() {
        return Loss::Goes;
    }
    let place = |kept: &[usize], end: i32| kept.iter().position(|at| *at as i32 + 1 == end).map(|at| at as i32 + 1);
    let lanes = cable.lanes.0.iter().filter_map(|lane| {
        Some(Lane { a_end: place(&a_kept, lane.a_end)?, b_end: place(&b_kept, lane.b_end)?, ..*lane })
    });
    cable.lanes.0 = lanes.collect();
    cable.a_ends.0 = a_kept.iter().map(|at| cable.a_ends.0[*at]).collect();
    cable.b_ends.0 = b_kept.iter().map(|at| cable.b_ends.0[*at]).collect();
    Loss::Stays(Arc::new(cable))
}
