//! What machines have to reach: what is given, else the ways out of their connected part, else its borders, else its
//! core.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::super::error::ImpactError;
use super::super::picture::{Moment, Picture};
use super::super::role::{Part, Tier};
use super::flow::{Between, Field, Flow, Search, Thorough};
use super::graph::{Graph, NodeId, ends_of};
use crate::inventory::Place;

/// Anchors of a connected part.
type Set = Arc<HashSet<NodeId>>;

/// The anchors of all parts that were looked at.
#[derive(Debug)]
pub(in super::super) struct Anchors {
    given: Option<Vec<Place>>,
    /// What is given, else all ways out.
    first: Option<Set>,
    of: HashMap<NodeId, Option<Set>>,
    unanchored: BTreeSet<NodeId>,
}

/// Checks that what is given can be reached.
///
/// # Errors
/// When something given takes no part in the network of users.
pub(in super::super) fn check(picture: &Picture<'_>, given: &[Place]) -> Result<(), ImpactError> {
    for place in given {
        let fits = match &picture.role(*place).part {
            Part::Machine(_) => picture.machine(*place).is_some_and(|(_, state)| state.network.is_some()),
            part => matches!(part, Part::Outside),
        };
        if !fits {
            let registry = picture.snapshot.registry();
            let kinds = registry
                .kinds()
                .filter(|kind| matches!(picture.roles.of(kind.id).part, Part::Machine(_) | Part::Outside));
            let allowed: Vec<&str> = kinds.map(|kind| kind.name).collect();
            let what = picture.snapshot.path(*place);
            return Err(ImpactError::Anchor { what, allowed: allowed.join(" or ") });
        }
    }
    Ok(())
}

impl Anchors {
    /// Nothing is looked at yet.
    pub fn new(given: Option<&[Place]>) -> Self {
        let given = given.map(<[Place]>::to_vec);
        Self { given, first: None, of: HashMap::default(), unanchored: BTreeSet::new() }
    }

    /// The machines in parts that were looked at and have no anchor.
    pub fn unanchored(&self, graph: &Graph<'_>) -> Vec<Place> {
        self.unanchored.iter().map(|node| graph.node(*node).place).collect()
    }

    /// The anchors of the part that a node was in; `None` where there are none.
    pub async fn of(&mut self, field: &mut Field<'_, '_>, node: NodeId) -> Result<Option<Set>, ImpactError> {
        if let Some(known) = self.of.get(&node) {
            return Ok(known.clone());
        }
        let first = self.first(field).await?;
        let between = Between { source: node, anchors: &first, at: Moment::Before, around: None };
        let reaches = first.contains(&node)
            || self.has_neighbour_with(field, node, &first).await?
            || matches!(Flow::default().augment(field, between, Thorough::No).await?, Search::Found);
        if reaches {
            self.of.insert(node, Some(Arc::clone(&first)));
            return Ok(Some(first));
        }
        let members = part(field, node, Moment::Before).await?;
        let set = if self.given.is_some() { None } else { nearest(field, &members) };
        if set.is_none() {
            self.unanchored.extend(members.iter().filter(|node| !field.graph.node(**node).exempt));
        }
        // What passes no traffic on may be in several parts, which it does not join: those of others are theirs.
        let joins = field.graph.node(node).forwards;
        let of_part =
            members.into_iter().filter(|member| *member == node || joins && field.graph.node(*member).forwards);
        self.of.extend(of_part.map(|member| (member, set.clone())));
        Ok(set)
    }

    /// Whether a neighbour that passes traffic on is known to have reached these anchors.
    async fn has_neighbour_with(
        &self,
        field: &mut Field<'_, '_>,
        node: NodeId,
        anchors: &Set,
    ) -> Result<bool, ImpactError> {
        for way in field.graph.ways_onward(field.fall, node, field.steps).await?.iter() {
            let known = self.of.get(&way.to).and_then(Option::as_ref);
            let reached = field.graph.node(way.to).forwards && known.is_some_and(|known| Arc::ptr_eq(known, anchors));
            if reached && field.graph.was_up(field.fall, way, field.steps).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is given, else all ways out of the inventory.
    async fn first(&mut self, field: &mut Field<'_, '_>) -> Result<Set, ImpactError> {
        if let Some(first) = &self.first {
            return Ok(Arc::clone(first));
        }
        let places = match &self.given {
            Some(given) => given.clone(),
            None => ways_out(field).await?,
        };
        let nodes = places.into_iter().filter_map(|place| field.graph.find(field.fall, place));
        let first: Set = Arc::new(nodes.collect());
        self.first = Some(Arc::clone(&first));
        Ok(first)
    }
}

/// All networks out of sight, and all crossings that lead out of the inventory.
async fn ways_out(field: &mut Field<'_, '_>) -> Result<Vec<Place>, ImpactError> {
    let Field { fall, steps, .. } = field;
    let mut found = Vec::new();
    for kind in fall.picture.snapshot.registry().kinds() {
        let part = fall.picture.roles.of(kind.id).part;
        if !matches!(part, Part::Outside | Part::Crossing(_)) {
            continue;
        }
        for (slot, row) in fall.picture.snapshot.table(kind.id).rows(0) {
            steps.take().await?;
            let place = Place { kind: kind.id, slot };
            let leads_out = match part {
                Part::Crossing(crossing) if (crossing.leads_out)(row.as_ref()) => {
                    let ends = ends_of(fall, place);
                    let is_nowhere =
                        |end: &Place| crossing.whereabouts.iter().all(|by| fall.picture.follow(*end, *by).is_none());
                    ends.len() < 2 || ends.iter().any(is_nowhere)
                }
                part => matches!(part, Part::Outside),
            };
            if leads_out {
                found.push(place);
            }
        }
    }
    Ok(found)
}

/// The members of a part that are nearest to a way out, where it has none.
fn nearest(field: &Field<'_, '_>, members: &[NodeId]) -> Option<Set> {
    [Tier::Border, Tier::Core].into_iter().find_map(|tier| {
        let of_tier = members.iter().copied().filter(|node| field.graph.node(*node).tier == tier);
        let found: HashSet<NodeId> = of_tier.collect();
        (!found.is_empty()).then(|| Arc::new(found))
    })
}

/// All nodes that are connected with one at a moment, itself included: over nodes that pass traffic on.
pub(super) async fn part(field: &mut Field<'_, '_>, node: NodeId, at: Moment) -> Result<Vec<NodeId>, ImpactError> {
    let mut seen = HashSet::from_iter([node]);
    let mut queue = VecDeque::from([node]);
    let mut found = Vec::new();
    while let Some(member) = queue.pop_front() {
        found.push(member);
        if member != node && !field.graph.node(member).forwards {
            continue;
        }
        for way in field.graph.ways(field.fall, member, field.steps).await?.iter() {
            field.steps.take().await?;
            if !seen.contains(&way.to) && field.is_up(way, at).await? {
                seen.insert(way.to);
                queue.push_back(way.to);
            }
        }
    }
    Ok(found)
}

/// All nodes that are still connected with one, itself included, over nodes that pass traffic on and are none of these;
/// `None` where they are more than so many.
pub(super) async fn part_around(
    field: &mut Field<'_, '_>,
    node: NodeId,
    around: &HashSet<NodeId>,
    most: usize,
) -> Result<Option<Vec<NodeId>>, ImpactError> {
    let mut seen = HashSet::from_iter([node]);
    let mut found = vec![node];
    let mut at = 0;
    while let Some(member) = found.get(at).copied() {
        at += 1;
        if member != node && !field.graph.node(member).forwards {
            continue;
        }
        for way in field.graph.ways(field.fall, member, field.steps).await?.iter() {
            field.steps.take().await?;
            let is_new = !around.contains(&way.to) && !seen.contains(&way.to);
            if is_new && field.is_up(way, Moment::After).await? {
                seen.insert(way.to);
                found.push(way.to);
            }
        }
        if found.len() > most {
            return Ok(None);
        }
    }
    Ok(Some(found))
}
