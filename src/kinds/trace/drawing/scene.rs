//! The content of a drawing of a trace: rows of columns of things, with their texts.

use std::sync::Arc;

use underlay_entity::cable::CableStatus;
use underlay_entity::lifecycle::Status;

use crate::kinds::cable::Cable;
use crate::kinds::circuit::Circuit;
use crate::kinds::device::Device;
use crate::kinds::grammar::enum_text;
use crate::kinds::port::Port;
use crate::kinds::rack::Rack;
use crate::kinds::site::Site;
use crate::kinds::trace::hop::Hop;
use crate::kinds::trace::metres;
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::line::{Branch, Direction, Outcome};

/// The content of a whole drawing.
pub struct Scene {
    /// The path of the object where the line begins.
    pub title: String,
    /// The properties of the whole trace, such as `complete` and the revision.
    pub remarks: String,
    /// The rows: one for each branch.
    pub rows: Vec<Row>,
}

/// A branch as one row of the drawing.
pub struct Row {
    /// The outcome and the length of the branch.
    pub caption: String,
    /// Columns of things that stand side by side, from left to right.
    pub columns: Vec<Vec<Thing>>,
    /// The ending behind the last column.
    pub ending: Ending,
}

/// The ending behind the last column of a row.
pub enum Ending {
    /// No mark: the line ends in the last thing.
    Whole,
    /// The line is broken there, for this reason.
    Broken(&'static str),
    /// The line continues outside the inventory.
    Outside,
}

/// One thing in a drawing.
pub enum Thing {
    /// A device or rack with some of its ports, or an object without ports.
    Case {
        /// The place of the object. Neighbours in the same case share it.
        of: Option<ObjectRef>,
        /// The name of the object.
        title: String,
        /// The location of the object, or its kind.
        subtitle: String,
        /// The ports that the line runs over, in order.
        ports: Vec<String>,
    },
    /// A cable of the line.
    Cable {
        /// The text that is printed on the cable, or its name.
        label: String,
        /// The length, medium and status, as far as they are informative.
        detail: String,
        /// The colour of the cable: free text.
        color: Option<String>,
        /// True if the cable is plugged in.
        active: bool,
    },
    /// A circuit or the network of a provider.
    Cloud {
        /// The name of the provider.
        title: String,
        /// The provider's id of the circuit, or the name.
        id: String,
        /// The length and latency, and the status if the circuit is not active.
        detail: String,
        /// True if the circuit is in use.
        active: bool,
    },
    /// The end of a circuit.
    Side(String),
}

/// Returns the row that shows a branch.
pub fn row(snapshot: &Arc<Snapshot>, branch: &Branch) -> Row {
    let mut columns: Vec<Vec<Thing>> = Vec::new();
    for step in branch.steps() {
        let things: Vec<Thing> = step.iter().filter_map(|place| thing(snapshot, *place)).collect();
        match columns.last_mut() {
            Some(last) if same_cases(last, &things) => join(last, things),
            _ => columns.push(things),
        }
    }
    Row { caption: caption(branch), columns, ending: ending(branch) }
}

/// Returns true if two columns are the same cases, so that the line runs through them.
fn same_cases(left: &[Thing], right: &[Thing]) -> bool {
    let same = |(left, right): (&Thing, &Thing)| match (left, right) {
        (Thing::Case { of: Some(left), .. }, Thing::Case { of: Some(right), .. }) => left == right,
        _ => false,
    };
    left.len() == right.len() && left.iter().zip(right).all(same)
}

fn join(left: &mut [Thing], right: Vec<Thing>) {
    for (left, right) in left.iter_mut().zip(right) {
        if let (Thing::Case { ports, .. }, Thing::Case { ports: more, .. }) = (left, right) {
            ports.extend(more);
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
    words.push(match branch.length_m {
        Some(length) => metres(length),
        None if branch.known_length_m > 0.0 => format!("more than {}", metres(branch.known_length_m)),
        None => "length unknown".to_owned(),
    });
    words.extend(branch.latency_ms.map(|latency| format!("{latency} ms")));
    words.push(if branch.joints == 1 { "1 cable".to_owned() } else { format!("{} cables", branch.joints) });
    words.join(" · ")
}

fn ending(branch: &Branch) -> Ending {
    match branch.outcome {
        Outcome::Complete if branch.end.is_none() => Ending::Outside,
        Outcome::Complete => Ending::Whole,
        Outcome::Open => Ending::Broken("nothing leads on"),
        Outcome::Loop => Ending::Broken("it has been here before"),
        Outcome::Unmapped => Ending::Broken("not joined inside"),
    }
}

fn thing(snapshot: &Arc<Snapshot>, place: ObjectRef) -> Option<Thing> {
    Some(match Hop::at(snapshot, place)? {
        Hop::Port(port) => of_port(&port),
        Hop::Cable(cable) => of_cable(&cable),
        Hop::Circuit(circuit) => of_circuit(snapshot, &circuit),
        Hop::CircuitTermination(end) => Thing::Side(end.0.row.name.clone()),
        Hop::Site(site) => Thing::Case {
            of: None,
            title: site.0.row.name.clone(),
            subtitle: "somewhere at this site".to_owned(),
            ports: Vec::new(),
        },
        Hop::ProviderNetwork(network) => Thing::Cloud {
            title: parent_name(snapshot, network.0.row.provider_id),
            id: network.0.row.name.clone(),
            detail: String::new(),
            active: true,
        },
        Hop::PowerFeed(feed) => Thing::Case {
            of: Some(place),
            title: feed.0.row.name.clone(),
            subtitle: "power feed".to_owned(),
            ports: Vec::new(),
        },
    })
}

fn of_port(port: &Port) -> Thing {
    let (device, rack) = (port.0.follow::<Device>(Port::DEVICE), port.0.follow::<Rack>(Port::RACK));
    let name = port.0.row.name.clone();
    let (of, title, place) = match (device, rack) {
        (Some(device), _) => {
            let site = device.follow::<Site>(Device::SITE).map(|site| site.row.name.clone());
            let rack = device.follow::<Rack>(Device::RACK).map(|rack| rack.row.name.clone());
            (Some(device.place()), device.row.name.clone(), [site, rack])
        }
        (None, Some(rack)) => {
            let site = rack.follow::<Site>(Rack::SITE).map(|site| site.row.name.clone());
            (Some(rack.place()), rack.row.name.clone(), [site, None])
        }
        (None, None) => (None, String::new(), [None, None]),
    };
    let subtitle = place.into_iter().flatten().collect::<Vec<_>>().join(" / ");
    Thing::Case { of, title, subtitle, ports: vec![name] }
}

fn of_cable(cable: &Cable) -> Thing {
    let row = &cable.0.row;
    let mut detail = Vec::new();
    detail.extend(row.length_m.map(metres));
    detail.extend(row.media.map(enum_text));
    let active = row.status == CableStatus::Connected;
    detail.extend((!active).then(|| enum_text(row.status)));
    Thing::Cable {
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
