//! Shared risks: single failures that break two paths at once, by the physical rules of failures.
//!
//! Only objects that both paths depend on can do so: the objects on the paths, their containers and their power
//! supplies. Each such object is tried, and each shared name of objects that fail together.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::View;
use super::error::PathError;
use super::segments::{Connection, Path};
use crate::impact::Failures;
use crate::steps::Steps;
use underlay_inventory::ObjectRef;

/// A single failure that breaks both paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedRisk {
    /// The object or group that fails.
    pub what: Risk,
    /// The hops and nodes of each path that go down, in the order of the path.
    pub breaks: [Vec<ObjectRef>; 2],
    /// True if an end of the paths goes down too, so that no other path would help.
    pub takes_end: bool,
}

/// The object or objects that fail.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// A single object that fails alone.
    Object(ObjectRef),
    /// All objects with a common name which says that they fail together.
    Group(String),
}

/// Returns the risks that two paths share, except their ends. Risks nearest to the beginning of the first path come
/// first.
pub(super) fn shared(view: View<'_>, pair: [&Path; 2], steps: &mut Steps) -> Result<Vec<SharedRisk>, PathError> {
    let mut failures = Failures::new(view.snapshot, view.roles);
    let parts = pair.map(parts);
    let behind = [failures.behind(&parts[0], steps)?, failures.behind(&parts[1], steps)?];
    let second: HashSet<ObjectRef> = behind[1].iter().copied().collect();
    let ends: BTreeSet<ObjectRef> =
        pair.iter().flat_map(|path| [path.nodes.first(), path.nodes.last()]).flatten().copied().collect();
    let is_risk = |object: &&ObjectRef| view.roles.of(object.kind).reported.is_risk() && !ends.contains(object);
    let common = behind[0].iter().filter(|object| second.contains(object)).filter(is_risk);
    let mut tried: Vec<(Risk, Vec<ObjectRef>)> = common.map(|object| (Risk::Object(*object), vec![*object])).collect();
    tried.extend(named(view, &behind).into_iter().map(|(name, members)| (Risk::Group(name), members)));
    let mut risks = Vec::new();
    for (what, objects) in tried {
        // An object that was down before can be on a path that includes planned objects. It breaks the path all the
        // same.
        let mut down: HashSet<ObjectRef> = objects.iter().copied().collect();
        down.extend(failures.of(&objects, steps)?);
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

/// Returns the nodes and hops of a path, each once.
fn parts(path: &Path) -> Vec<ObjectRef> {
    let mut seen = HashSet::new();
    let nodes = path.nodes.iter().map(|node| vec![*node]);
    let mut hops = path.segments.iter().map(|segment| {
        let association = match segment.connection {
            Connection::Association(object) => Some(object),
            _ => None,
        };
        segment.steps.iter().flatten().copied().chain(association).collect::<Vec<_>>()
    });
    nodes.flat_map(|node| [node, hops.next().unwrap_or_default()]).flatten().filter(|it| seen.insert(*it)).collect()
}

fn broken(parts: &[ObjectRef], down: &HashSet<ObjectRef>) -> Vec<ObjectRef> {
    parts.iter().copied().filter(|part| down.contains(part)).collect()
}

/// Returns the names found behind both paths, each with all objects behind either path that have the name.
fn named(view: View<'_>, behind: &[Vec<ObjectRef>; 2]) -> BTreeMap<String, Vec<ObjectRef>> {
    let mut members: BTreeMap<String, [BTreeSet<ObjectRef>; 2]> = BTreeMap::new();
    for (path, objects) in behind.iter().enumerate() {
        for object in objects {
            let Some(row) = view.snapshot.row(*object) else { continue };
            for name in (view.roles.of(object.kind).risk_groups)(row.as_ref()) {
                members.entry(name.clone()).or_default()[path].insert(*object);
            }
        }
    }
    let both = members.into_iter().filter(|(_, members)| members.iter().all(|members| !members.is_empty()));
    both.map(|(name, [one, other])| (name, one.union(&other).copied().collect())).collect()
}
