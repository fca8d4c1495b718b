//! The scene that shows a trace: one row for each branch, with its hops from left to right.
//!
//! `underlay_drawing` draws the scene. Guarantee: the number of things in a scene is bounded.

use std::sync::Arc;

use underlay_drawing::{Ending, Row, Scene, Thing};
use underlay_entity::cable::CableStatus;
use underlay_entity::lifecycle::Status;
use uuid::Uuid;

use super::follow;
use crate::cable::Cable;
use crate::circuit::Circuit;
use crate::device::Device;
use crate::grammar::enum_text;
use crate::port::Port;
use crate::rack::Rack;
use crate::site::Site;
use crate::trace::hop::Hop;
use crate::trace::metres;
use underlay_inventory::{ObjectRef, Refusal, Snapshot, parse_id};
use underlay_topology::line::{Branch, Direction, Outcome, Through, Trace};

/// The maximum number of hops in a scene, in whole branches. The scene says how many more branches there are. Nobody
/// looks at more, and no worker is blocked for longer than a few milliseconds.
const MAX_DRAWN_HOPS: usize = 1_500;

/// A thing of the scene, with the object in whose case it stands. Neighbours in the same case are drawn as one.
struct Placed {
    case: Option<ObjectRef>,
    thing: Thing,
}

/// Returns the scene of the line that begins at an object.
///
/// # Errors
/// Returns an error if the id is not valid, if no object has it, or if no line begins at the object.
pub fn scene_from(snapshot: &Arc<Snapshot>, id: &str) -> Result<Scene, Refusal> {
    let id: Uuid = parse_id("the id", id)?;
    let trace = follow(snapshot, "the object", id, None, Through::Stop)?;
    Ok(scene_of(snapshot, &trace))
}

/// Returns the scene of a trace.
pub fn scene_of(snapshot: &Arc<Snapshot>, trace: &Trace) -> Scene {
    let mut hops = 0;
    let fits = |branch: &&Branch| {
        hops += branch.hops().len();
        hops <= MAX_DRAWN_HOPS
    };
    let rows: Vec<_> = trace.branches.iter().take_while(fits).map(|branch| row(snapshot, branch)).collect();
    let more = trace.branches.len() - rows.len();
    let mut remarks = vec![if trace.complete() { "complete" } else { "not complete" }.to_owned()];
    remarks.push(if trace.active() { "active" } else { "not active" }.to_owned());
    remarks.extend(trace.split().then(|| "split: a position had to be guessed".to_owned()));
    remarks.extend(trace.truncated.then(|| "truncated: there is more".to_owned()));
    remarks.extend((more > 0).then(|| format!("not drawn: {more} more")));
    remarks.push(format!("revision {}", snapshot.revision()));
    Scene { title: snapshot.path(trace.origin), remarks: remarks.join(" · "), rows }
}

/// Returns the row that shows a branch.
fn row(snapshot: &Arc<Snapshot>, branch: &Branch) -> Row {
    let mut columns: Vec<Vec<Placed>> = Vec::new();
    for step in branch.steps() {
        let things: Vec<Placed> = step.iter().filter_map(|object| thing(snapshot, *object)).collect();
        match columns.last_mut() {
            Some(last) if same_cases(last, &things) => join(last, things),
            _ => columns.push(things),
        }
    }
    let columns = columns.into_iter().map(|column| column.into_iter().map(|placed| placed.thing).collect()).collect();
    Row { caption: caption(branch), columns, ending: ending(branch) }
}

/// Returns true if two columns are the same cases, so that the line runs through them.
fn same_cases(left: &[Placed], right: &[Placed]) -> bool {
    let same = |(left, right): (&Placed, &Placed)| left.case.is_some() && left.case == right.case;
    left.len() == right.len() && left.iter().zip(right).all(same)
}

fn join(left: &mut [Placed], right: Vec<Placed>) {
    for (left, right) in left.iter_mut().zip(right) {
        if let (Thing::Case { sockets, .. }, Thing::Case { sockets: more, .. }) = (&mut left.thing, right.thing) {
            sockets.extend(more);
        }
    }
}

fn caption(branch: &Branch) -> String {
    let mut words = Vec::new();
    if branch.direction == Direction::Inward {
        words.push("through".to_owned());
    }
    if !branch.positions.is_empty() {
        let positions: Vec<_> = branch.positions.iter().map(u32::to_string).collect();
        words.push(format!("position {}", positions.join(", ")));
    }
    words.push(
        match branch.outcome {
            Outcome::Complete => "complete",
            Outcome::Open => "open",
            Outcome::Loop => "loop",
            Outcome::Unmapped => "unmapped",
        }
        .to_owned(),
    );
    words.extend((!branch.active).then(|| "not active".to_owned()));
    words.push(match branch.measure.length_m() {
        Some(length) => metres(length),
        None if branch.measure.known_length_m > 0.0 => format!("more than {}", metres(branch.measure.known_length_m)),
        None => "length unknown".to_owned(),
    });
    words.extend(branch.measure.latency_ms().map(|latency| format!("{latency} ms")));
    words.push(if branch.spans == 1 { "1 cable".to_owned() } else { format!("{} cables", branch.spans) });
    words.join(" · ")
}

fn ending(branch: &Branch) -> Ending {
    match branch.outcome {
        Outcome::Complete if branch.end.is_none() => Ending::Outside("outside the inventory".to_owned()),
        Outcome::Complete => Ending::Whole,
        Outcome::Open => Ending::Broken("nothing leads on".to_owned()),
        Outcome::Loop => Ending::Broken("it has been here before".to_owned()),
        Outcome::Unmapped => Ending::Broken("not joined inside".to_owned()),
    }
}

fn thing(snapshot: &Arc<Snapshot>, object: ObjectRef) -> Option<Placed> {
    let alone = |thing: Thing| Placed { case: None, thing };
    Some(match Hop::at(snapshot, object)? {
        Hop::Port(port) => of_port(&port),
        Hop::Cable(cable) => alone(of_cable(&cable)),
        Hop::Circuit(circuit) => alone(of_circuit(snapshot, &circuit)),
        Hop::CircuitTermination(end) => alone(Thing::Side(end.0.row.name.clone())),
        Hop::Site(site) => alone(Thing::Case {
            title: site.0.row.name.clone(),
            subtitle: "somewhere at this site".to_owned(),
            sockets: Vec::new(),
        }),
        Hop::ProviderNetwork(network) => alone(Thing::Cloud {
            title: parent_name(snapshot, network.0.row.provider_id),
            id: network.0.row.name.clone(),
            detail: String::new(),
            active: true,
        }),
        Hop::PowerFeed(feed) => {
            let title = feed.0.row.name.clone();
            let thing = Thing::Case { title, subtitle: "power feed".to_owned(), sockets: Vec::new() };
            Placed { case: Some(object), thing }
        }
    })
}

fn of_port(port: &Port) -> Placed {
    let (device, rack) = (port.0.follow::<Device>(Port::DEVICE), port.0.follow::<Rack>(Port::RACK));
    let name = port.0.row.name.clone();
    let (case, title, place) = match (device, rack) {
        (Some(device), _) => {
            let site = device.follow::<Site>(Device::SITE).map(|site| site.row.name.clone());
            let rack = device.follow::<Rack>(Device::RACK).map(|rack| rack.row.name.clone());
            (Some(device.object_ref()), device.row.name.clone(), [site, rack])
        }
        (None, Some(rack)) => {
            let site = rack.follow::<Site>(Rack::SITE).map(|site| site.row.name.clone());
            (Some(rack.object_ref()), rack.row.name.clone(), [site, None])
        }
        (None, None) => (None, String::new(), [None, None]),
    };
    let subtitle = place.into_iter().flatten().collect::<Vec<_>>().join(" / ");
    Placed { case, thing: Thing::Case { title, subtitle, sockets: vec![name] } }
}

fn of_cable(cable: &Cable) -> Thing {
    let row = &cable.0.row;
    let mut detail = Vec::new();
    detail.extend(row.length_m.map(metres));
    detail.extend(row.media.map(enum_text));
    let active = row.status == CableStatus::Connected;
    detail.extend((!active).then(|| enum_text(row.status)));
    Thing::Wire {
        label: row.label.clone().unwrap_or_else(|| row.name.clone()),
        detail: detail.join(" · "),
        color: row.color.clone(),
        active,
    }
}

fn of_circuit(snapshot: &Arc<Snapshot>, circuit: &Circuit) -> Thing {
    let row = &circuit.0.row;
    let mut detail = Vec::new();
    detail.extend(row.distance_m.map(metres));
    detail.extend(row.latency_ms.map(|latency| format!("{latency} ms")));
    let active = row.status == Status::Active;
    detail.extend((!active).then(|| enum_text(row.status)));
    Thing::Cloud {
        title: parent_name(snapshot, row.provider_id),
        id: row.circuit_id.clone().unwrap_or_else(|| row.name.clone()),
        detail: detail.join(" · "),
        active,
    }
}

fn parent_name(snapshot: &Snapshot, id: uuid::Uuid) -> String {
    snapshot.row_of(id).map(|row| row.common().name.to_owned()).unwrap_or_default()
}
