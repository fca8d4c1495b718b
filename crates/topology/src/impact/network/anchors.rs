//! Finds the anchors that machines have to reach. These are the given objects; else the exits of their connected part;
//! else its border machines; else its core machines.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::super::error::ImpactError;
use super::super::physical_state::{Moment, PhysicalState};
use super::flow::{Between, Field, Flow, Search, Thorough};
use super::graph::{Graph, NodeId, ends_of};
use crate::role::{Part, Plane, Tier};
use underlay_inventory::ObjectRef;

/// The anchors of a connected part.
type Set = Arc<HashSet<NodeId>>;

/// The anchors of all connected parts that were looked at.
#[derive(Debug)]
pub(in super::super) struct Anchors {
    given: Option<Vec<ObjectRef>>,
    /// The given anchors; all exits if none are given.
    first: Option<Set>,
    of: HashMap<NodeId, Option<Set>>,
    unanchored: BTreeSet<NodeId>,
}

/// Checks that the given objects can be anchors.
///
/// # Errors
/// Returns an error if a given object is not part of the network that carries user traffic.
pub(in super::super) fn check(physical_state: &PhysicalState<'_>, given: &[ObjectRef]) -> Result<(), ImpactError> {
    for place in given {
        let fits = match &physical_state.role(*place).part {
            Part::Machine(_) => physical_state.machine(*place).is_some_and(|(_, state)| state.plane == Plane::Data),
            part => matches!(part, Part::Outside(_)),
        };
        if !fits {
            let registry = physical_state.snapshot.registry();
            let kinds = registry
                .kinds()
                .filter(|kind| matches!(physical_state.roles.of(kind.id).part, Part::Machine(_) | Part::Outside(_)));
            let allowed: Vec<&str> = kinds.map(|kind| kind.name).collect();
            let what = physical_state.snapshot.path(*place);
            return Err(ImpactError::Anchor { what, allowed: allowed.join(" or ") });
        }
    }
    Ok(())
}

impl Anchors {
    /// Returns the state in which no connected part was looked at yet.
    pub fn new(given: Option<&[ObjectRef]>) -> Self {
        let given = given.map(<[ObjectRef]>::to_vec);
        Self { given, first: None, of: HashMap::default(), unanchored: BTreeSet::new() }
    }

    /// Returns the machines in connected parts that were looked at and have no anchor.
    pub fn unanchored(&self, graph: &Graph<'_>) -> Vec<ObjectRef> {
        self.unanchored.iter().map(|node| graph.node(*node).place).collect()
    }

    /// Returns the anchors of the connected part that a node was in before the failure; `None` if it has none.
    pub fn of(&mut self, field: &mut Field<'_, '_>, node: NodeId) -> Result<Option<Set>, ImpactError> {
        if let Some(known) = self.of.get(&node) {
            return Ok(known.clone());
        }
        let first = self.first(field)?;
        let between = Between { source: node, anchors: &first, at: Moment::Before, around: None };
        let reaches = first.contains(&node)
            || self.has_neighbour_with(field, node, &first)?
            || matches!(Flow::default().augment(field, between, Thorough::No)?, Search::Found);
        if reaches {
            self.of.insert(node, Some(Arc::clone(&first)));
            return Ok(Some(first));
        }
        let members = part(field, node, Moment::Before)?;
        let set = if self.given.is_some() { None } else { nearest(field, &members) };
        if set.is_none() {
            self.unanchored.extend(members.iter().filter(|node| !field.graph.node(**node).exempt));
        }
        // A node that forwards no traffic may be in several connected parts without joining them. So the result holds
        // for the node itself and, if it forwards traffic, for the other members that do.
        let joins = field.graph.node(node).forwards;
        let of_part =
            members.into_iter().filter(|member| *member == node || joins && field.graph.node(*member).forwards);
        self.of.extend(of_part.map(|member| (member, set.clone())));
        Ok(set)
    }

    /// Returns true if a neighbour that forwards traffic is known to have reached these anchors.
    fn has_neighbour_with(&self, field: &mut Field<'_, '_>, node: NodeId, anchors: &Set) -> Result<bool, ImpactError> {
        for way in field.graph.ways_onward(field.propagation, node, field.steps)?.iter() {
            let known = self.of.get(&way.to).and_then(Option::as_ref);
            let reached = field.graph.node(way.to).forwards && known.is_some_and(|known| Arc::ptr_eq(known, anchors));
            if reached && field.graph.was_up(field.propagation, way, field.steps)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the given anchors, or all exits from the inventory if none are given.
    fn first(&mut self, field: &mut Field<'_, '_>) -> Result<Set, ImpactError> {
        if let Some(first) = &self.first {
            return Ok(Arc::clone(first));
        }
        let places = match &self.given {
            Some(given) => given.clone(),
            None => ways_out(field)?,
        };
        let nodes = places.into_iter().filter_map(|place| field.graph.find(field.propagation, place));
        let first: Set = Arc::new(nodes.collect());
        self.first = Some(Arc::clone(&first));
        Ok(first)
    }
}

/// Returns all networks of other operators, and all circuits that lead out of the inventory.
fn ways_out(field: &mut Field<'_, '_>) -> Result<Vec<ObjectRef>, ImpactError> {
    let Field { propagation, steps, .. } = field;
    let mut found = Vec::new();
    for kind in propagation.physical_state.snapshot.registry().kinds() {
        let part = propagation.physical_state.roles.of(kind.id).part;
        if !matches!(part, Part::Outside(_) | Part::Crossing(_)) {
            continue;
        }
        for (slot, row) in propagation.physical_state.snapshot.table(kind.id).rows(0) {
            steps.take()?;
            let place = ObjectRef { kind: kind.id, slot };
            let leads_out = match part {
                Part::Crossing(crossing) if (crossing.leads_out)(row.as_ref()) => {
                    let ends = ends_of(propagation, place);
                    ends.len() < 2 || ends.iter().any(|end| propagation.physical_state.is_nowhere(*end))
                }
                part => matches!(part, Part::Outside(_)),
            };
            if leads_out {
                found.push(place);
            }
        }
    }
    Ok(found)
}

/// Returns the members of a connected part without exit that are nearest to one.
fn nearest(field: &Field<'_, '_>, members: &[NodeId]) -> Option<Set> {
    [Tier::Border, Tier::Core].into_iter().find_map(|tier| {
        let of_tier = members.iter().copied().filter(|node| field.graph.node(*node).tier == tier);
        let found: HashSet<NodeId> = of_tier.collect();
        (!found.is_empty()).then(|| Arc::new(found))
    })
}

/// Returns all nodes that are connected with a node at a moment, including the node itself. Paths run only through
/// nodes that forward traffic.
pub(super) fn part(field: &mut Field<'_, '_>, node: NodeId, at: Moment) -> Result<Vec<NodeId>, ImpactError> {
    let mut seen = HashSet::from_iter([node]);
    let mut queue = VecDeque::from([node]);
    let mut found = Vec::new();
    while let Some(member) = queue.pop_front() {
        found.push(member);
        if member != node && !field.graph.node(member).forwards {
            continue;
        }
        for way in field.graph.ways(field.propagation, member, field.steps)?.iter() {
            field.steps.take()?;
            if !seen.contains(&way.to) && field.is_up(way, at)? {
                seen.insert(way.to);
                queue.push_back(way.to);
            }
        }
    }
    Ok(found)
}

/// Returns all nodes that are still connected with a node, including the node itself. Paths run only through nodes that
/// forward traffic and are not in `around`. Returns `None` if there are more than `most` nodes.
pub(super) fn part_around(
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
        for way in field.graph.ways(field.propagation, member, field.steps)?.iter() {
            field.steps.take()?;
            let is_new = !around.contains(&way.to) && !seen.contains(&way.to);
            if is_new && field.is_up(way, Moment::After)? {
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
