//! Follows power to where it comes from, step by step: from an inlet by its cable to an outlet or a feed, from an outlet to
//! the inlets and feeds that feed it, from a feed to what is upstream of it. Guarantee: no power runs in a circle.

use std::collections::{HashMap, HashSet};

use underlay_entity::cable::CableEnd;
use underlay_entity::port::PortType;
use underlay_entity::power_feed::{Model, PowerSource};
use uuid::Uuid;

use super::kind::PowerFeed;
use crate::cable::Cable;
use crate::port::Port;
use underlay_inventory::{Checked, Kind, Problems, Snapshot};

/// The number of ports and feeds of a circle that a message names.
const MAX_NAMED: usize = 8;

/// Checks that no cable closes a circle of power.
pub fn cables(checked: &Checked<'_>, problems: &mut Problems) {
    circles::<Cable>(checked, "aEnds", problems);
}

/// Checks that no outlet is fed by what it supplies, even indirectly.
pub fn outlets(checked: &Checked<'_>, problems: &mut Problems) {
    circles::<Port>(checked, "fedBy", problems);
}

/// Checks that no feed is supplied by what it supplies, even indirectly.
pub fn feeds(checked: &Checked<'_>, problems: &mut Problems) {
    circles::<PowerFeed>(checked, "upstream", problems);
}

/// Refuses the touched objects of a kind that lie on a circle.
fn circles<K: Kind>(checked: &Checked<'_>, field: &str, problems: &mut Problems) {
    let mut walk = Walk { snapshot: checked.after, states: HashMap::new() };
    let touched = checked.touched.iter().filter(|touched| touched.kind == K::ID && touched.after.is_some());
    // Otherwise each feed of a long chain that is written one by one would walk to the beginning of the chain.
    for touched in touched.filter(|touched| can_pass_power_on(checked.after, touched.id)) {
        let Some(circle) = walk.circle_above(touched.id) else { continue };
        if circle.iter().all(|id| checked.after.get::<PowerFeed>(*id).is_some()) {
            // The rule about what is upstream of a feed refuses it.
            continue;
        }
        for id in circle.iter().filter(|id| checked.touched.iter().any(|it| it.kind == K::ID && it.id == **id)) {
            let named = circle.iter().filter_map(|id| checked.after.find(*id)).filter(|it| it.kind != Cable::ID);
            let mut named: Vec<String> = named.map(|object| checked.after.path(object)).collect();
            if named.len() > MAX_NAMED {
                named.truncate(MAX_NAMED);
                named.push("…".to_owned());
            }
            let message = format!("closes a circle of power: {} feeds itself in the end", named.join(" from "));
            problems.invalid(*id, field, message);
        }
    }
}

/// A walk towards the sources of power that visits each object once.
struct Walk<'a> {
    snapshot: &'a Snapshot,
    states: HashMap<Uuid, State>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The object is on the way from the beginning to where the walk is.
    OnTheWay,
    /// No circle is above the object, or it was found.
    Done,
}

impl Walk<'_> {
    /// Returns the objects of a circle that the walk from an object meets, each fed by the next; `None` if there is none
    /// that no walk met before.
    fn circle_above(&mut self, start: Uuid) -> Option<Vec<Uuid>> {
        let mut way: Vec<(Uuid, Vec<Uuid>)> = Vec::new();
        let mut found = None;
        self.enter(start, &mut way);
        while let Some((_, above)) = way.last_mut() {
            let Some(next) = above.pop() else {
                way.pop().map(|(done, _)| self.states.insert(done, State::Done));
                continue;
            };
            match self.states.get(&next) {
                Some(State::OnTheWay) => {
                    let circle = way.iter().map(|(id, _)| *id).skip_while(|id| *id != next);
                    found = found.or_else(|| Some(circle.collect()));
                }
                Some(State::Done) => {}
                None => self.enter(next, &mut way),
            }
        }
        found
    }

    fn enter(&mut self, object: Uuid, way: &mut Vec<(Uuid, Vec<Uuid>)>) {
        if self.states.insert(object, State::OnTheWay).is_none() {
            way.push((object, above(self.snapshot, object)));
        }
    }
}

/// Returns true if a feed takes its power, directly or not, from another feed for which `is_wanted` returns true.
pub fn is_supplied_by(snapshot: &Snapshot, feed: Uuid, is_wanted: impl Fn(&Model) -> bool) -> bool {
    let mut seen = HashSet::from([feed]);
    let mut next = above(snapshot, feed);
    while let Some(object) = next.pop() {
        if !seen.insert(object) {
            continue;
        }
        if snapshot.get::<PowerFeed>(object).is_some_and(&is_wanted) {
            return true;
        }
        next.extend(above(snapshot, object));
    }
    false
}

/// Returns the objects from which an object takes its power directly. A cable is a step of its own.
fn above(snapshot: &Snapshot, object: Uuid) -> Vec<Uuid> {
    if let Some(feed) = snapshot.get::<PowerFeed>(object) {
        return feed.upstream.map(PowerSource::id).into_iter().collect();
    }
    if let Some(port) = snapshot.get::<Port>(object) {
        return match port.r#type {
            PortType::PowerOutlet => port.fed_by.0.iter().map(|source| source.id()).collect(),
            PortType::PowerInlet => cables_of(snapshot, object),
            _ => Vec::new(),
        };
    }
    let Some(cable) = snapshot.get::<Cable>(object) else { return Vec::new() };
    let ends = cable.a_ends.0.iter().chain(cable.b_ends.0.iter());
    ends.filter_map(|end| source(snapshot, *end)).collect()
}

/// Returns false if nothing takes power from an object, so that no circle leads through it. What takes power from a feed
/// or from a port refers to it; a cable refers to both of its ends.
fn can_pass_power_on(snapshot: &Snapshot, object: Uuid) -> bool {
    let Some(object) = snapshot.find(object) else { return false };
    object.kind == Cable::ID || !snapshot.incoming(object).is_empty()
}

fn cables_of(snapshot: &Snapshot, port: Uuid) -> Vec<Uuid> {
    let by = |reference| snapshot.referrers::<Cable>(port, reference).map(|cable| cable.id);
    by(Cable::A_ENDS).chain(by(Cable::B_ENDS)).collect()
}

/// Returns what an end of a cable is, if it supplies power.
fn source(snapshot: &Snapshot, end: CableEnd) -> Option<Uuid> {
    match end {
        CableEnd::PowerFeed(feed) => Some(feed),
        CableEnd::Port(port) => {
            snapshot.get::<Port>(port).filter(|port| port.r#type == PortType::PowerOutlet).map(|port| port.id)
        }
        CableEnd::CircuitTermination(_) => None,
    }
}
