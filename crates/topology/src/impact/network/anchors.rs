//! Finds the anchors that machines have to reach. These are the given objects; else the exits of their component;
//! else its border machines; else its core machines.

use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::super::error::ImpactError;
use super::super::physical_state::{Moment, PhysicalState};
use super::flow::{Between, has_path};
use super::graph::{NetworkGraph, NodeId};
use super::lines::ends_of;
use super::visit::{Network, component};
use crate::role::{Part, Plane, Tier};
use underlay_inventory::ObjectRef;

/// The anchors of a component.
type Set = Arc<HashSet<NodeId>>;

/// The anchors of all components that were looked at.
#[derive(Debug)]
pub(in super::super) struct Anchors {
    requested: Option<Vec<ObjectRef>>,
    /// The given anchors; all exits if none are given.
    first: Option<Set>,
    of: HashMap<NodeId, Option<Set>>,
    unanchored: BTreeSet<NodeId>,
}

/// Checks that the given objects can be anchors.
///
/// # Errors
/// Returns an error if a given object is not part of the network that carries user traffic.
pub(in super::super) fn check(physical_state: &PhysicalState<'_>, requested: &[ObjectRef]) -> Result<(), ImpactError> {
    for object in requested {
        let fits = match &physical_state.role(*object).part {
            Part::Machine(_) => physical_state.machine(*object).is_some_and(|(_, state)| state.plane == Plane::Data),
            part => matches!(part, Part::Outside(_)),
        };
        if !fits {
            let registry = physical_state.snapshot.registry();
            let kinds = registry
                .kinds()
                .filter(|kind| matches!(physical_state.roles.of(kind.id).part, Part::Machine(_) | Part::Outside(_)));
            let allowed: Vec<&str> = kinds.map(|kind| kind.name).collect();
            let what = physical_state.snapshot.path(*object);
            return Err(ImpactError::Anchor { what, allowed: allowed.join(" or ") });
        }
    }
    Ok(())
}

impl Anchors {
    /// Returns the state in which no component was looked at yet.
    pub fn new(requested: Option<&[ObjectRef]>) -> Self {
        let requested = requested.map(<[ObjectRef]>::to_vec);
        Self { requested, first: None, of: HashMap::default(), unanchored: BTreeSet::new() }
    }

    /// Returns the machines in components that were looked at and have no anchor.
    pub fn unanchored(&self, graph: &NetworkGraph<'_>) -> Vec<ObjectRef> {
        self.unanchored.iter().map(|node| graph.node(*node).object).collect()
    }

    /// Returns the anchors of the component that a node was in before the failure; `None` if it has none.
    pub fn of(&mut self, network: &mut Network<'_, '_>, node: NodeId) -> Result<Option<Set>, ImpactError> {
        if let Some(known) = self.of.get(&node) {
            return Ok(known.clone());
        }
        let first = self.first(network)?;
        let between = Between { source: node, anchors: &first, at: Moment::Before, around: None };
        let reaches =
            first.contains(&node) || self.has_neighbour_with(network, node, &first)? || has_path(network, between)?;
        if reaches {
            self.of.insert(node, Some(Arc::clone(&first)));
            return Ok(Some(first));
        }
        let members = component(network, node, Moment::Before)?;
        let set = if self.requested.is_some() { None } else { nearest(network, &members) };
        if set.is_none() {
            self.unanchored.extend(members.iter().filter(|node| !network.graph.node(**node).exempt));
        }
        // A node that forwards no traffic may be in several components without joining them. So the result holds
        // for the node itself and, if it forwards traffic, for the other members that do.
        let joins = network.graph.node(node).forwards;
        let of_part =
            members.into_iter().filter(|member| *member == node || joins && network.graph.node(*member).forwards);
        self.of.extend(of_part.map(|member| (member, set.clone())));
        Ok(set)
    }

    /// Returns true if a neighbour that forwards traffic is known to have reached these anchors.
    fn has_neighbour_with(
        &self,
        network: &mut Network<'_, '_>,
        node: NodeId,
        anchors: &Set,
    ) -> Result<bool, ImpactError> {
        for edge in network.graph.edges_onward(network.propagation, node, network.steps)?.iter() {
            let known = self.of.get(&edge.to).and_then(Option::as_ref);
            let reached =
                network.graph.node(edge.to).forwards && known.is_some_and(|known| Arc::ptr_eq(known, anchors));
            if reached && network.graph.was_up(network.propagation, edge, network.steps)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the given anchors, or all exits from the inventory if none are given.
    fn first(&mut self, network: &mut Network<'_, '_>) -> Result<Set, ImpactError> {
        if let Some(first) = &self.first {
            return Ok(Arc::clone(first));
        }
        let objects = match &self.requested {
            Some(requested) => requested.clone(),
            None => ways_out(network)?,
        };
        let nodes = objects.into_iter().filter_map(|object| network.graph.find(network.propagation, object));
        let first: Set = Arc::new(nodes.collect());
        self.first = Some(Arc::clone(&first));
        Ok(first)
    }
}

/// Returns all networks of other operators, and all circuits that lead out of the inventory.
fn ways_out(network: &mut Network<'_, '_>) -> Result<Vec<ObjectRef>, ImpactError> {
    let Network { propagation, steps, .. } = network;
    let mut found = Vec::new();
    for kind in propagation.physical_state.snapshot.registry().kinds() {
        let part = propagation.physical_state.roles.of(kind.id).part;
        if !matches!(part, Part::Outside(_) | Part::OpaqueSpan(_)) {
            continue;
        }
        for (slot, row) in propagation.physical_state.snapshot.table(kind.id).rows(0) {
            steps.take()?;
            let object = ObjectRef { kind: kind.id, slot };
            let leads_out = match part {
                Part::OpaqueSpan(opaque_span) if (opaque_span.leads_out)(row.as_ref()) => {
                    let ends = ends_of(propagation, object);
                    ends.len() < 2 || ends.iter().any(|end| propagation.physical_state.is_nowhere(*end))
                }
                part => matches!(part, Part::Outside(_)),
            };
            if leads_out {
                found.push(object);
            }
        }
    }
    Ok(found)
}

/// Returns the members of a component without exit that are nearest to one.
fn nearest(network: &Network<'_, '_>, members: &[NodeId]) -> Option<Set> {
    [Tier::Border, Tier::Core].into_iter().find_map(|tier| {
        let of_tier = members.iter().copied().filter(|node| network.graph.node(*node).tier == tier);
        let found: HashSet<NodeId> = of_tier.collect();
        (!found.is_empty()).then(|| Arc::new(found))
    })
}
