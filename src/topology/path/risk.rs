//! Shared risks: what breaks two paths at once when it fails alone, by the physical rules of failures.
//!
//! Only what both paths depend on can do so: what is on them, what that stands in, what it is fed by. Each such object,
//! and each name that some of them fail together by, is tried.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::View;
use super::error::PathError;
use super::way::{Joint, Path};
use crate::inventory::Place;
use crate::topology::impact::Failures;
use crate::topology::steps::Steps;

/// What breaks both paths when it fails alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedRisk {
    /// What fails.
    pub what: Risk,
    /// What it breaks of each path: hops and nodes that go down, in the order of the path.
    pub breaks: [Vec<Place>; 2],
    /// Whether an end goes down as well, so that no other path would help.
    pub takes_end: bool,
}

/// What fails.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// An object.
    Object(Place),
    /// All that have a name in common which means that they fail together.
    Group(String),
}

/// What two paths share, but for their ends: first what is nearest to the first path's beginning.
pub(super) async fn shared(view: View<'_>, pair: [&Path; 2], steps: &mut Steps) -> Result<Vec<SharedRisk>, PathError> {
    let mut failures = Failures::new(view.snapshot, view.failures);
    let parts = pair.map(parts);
    let behind = [failures.behind(&parts[0], steps).await?, failures.behind(&parts[1], steps).await?];
    let second: HashSet<Place> = behind[1].iter().copied().collect();
    let ends: BTreeSet<Place> =
        pair.iter().flat_map(|path| [path.nodes.first(), path.nodes.last()]).flatten().copied().collect();
    let is_risk = |place: &&Place| view.roles.of(place.kind).is_risk && !ends.contains(place);
    let common = behind[0].iter().filter(|place| second.contains(place)).filter(is_risk);
    let mut tried: Vec<(Risk, Vec<Place>)> = common.map(|place| (Risk::Object(*place), vec![*place])).collect();
    tried.extend(named(view, &behind).into_iter().map(|(name, members)| (Risk::Group(name), members)));
    let mut risks = Vec::new();
    for (what, places) in tried {
        // What was down before can be on a path where what is planned may be; it breaks it all the same.
        let mut down: HashSet<Place> = places.iter().copied().collect();
        down.extend(failures.of(&places, steps).await?);
        let breaks = [0, 1].map(|path| broken(&parts[path], &down));
        if breaks.iter().all(|broken| !broken.is_empty()) {
            let takes_end = ends.iter().any(|end| down.contains(end));
            risks.push(SharedRisk { what, breaks, takes_end });
        }
    }
    let place_on = |risk: &SharedRisk| parts[0].iter().position(|part| risk.breaks[0].first() == Some(part));
    risks.sort_by_key(|risk| (risk.takes_end, place_on(risk), risk.breaks.iter().map(Vec::len).sum::<usize>()));
    Ok(risks)
}

/// What a path runs over: its nodes and hops, each once.
fn parts(path: &Path) -> Vec<Place> {
    let mut seen = HashSet::new();
    let nodes = path.nodes.iter().map(|node| vec![*node]);
    let mut hops = path.segments.iter().map(|segment| {
        let association = match segment.joint {
            Joint::Association(place) => Some(place),
            _ => None,
        };
        segment.steps.iter().flatten().copied().chain(association).collect::<Vec<_>>()
    });
    nodes.flat_map(|node| [node, hops.next().unwrap_or_default()]).flatten().filter(|it| seen.insert(*it)).collect()
}

fn broken(parts: &[Place], down: &HashSet<Place>) -> Vec<Place> {
    parts.iter().copied().filter(|part| down.contains(part)).collect()
}

/// The names that members of both have in common, each with all of its members that matter.
fn named(view: View<'_>, behind: &[Vec<Place>; 2]) -> BTreeMap<String, Vec<Place>> {
    let mut members: BTreeMap<String, [BTreeSet<Place>; 2]> = BTreeMap::new();
    for (path, places) in behind.iter().enumerate() {
        for place in places {
            let Some(row) = view.snapshot.row(*place) else { continue };
            for name in (view.roles.of(place.kind).fails_with)(row.as_ref()) {
                members.entry(name.clone()).or_default()[path].insert(*place);
            }
        }
    }
    let both = members.into_iter().filter(|(_, members)| members.iter().all(|members| !members.is_empty()));
    both.map(|(name, [one, other])| (name, one.union(&other).copied().collect())).collect()
}
