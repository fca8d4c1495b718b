//! Decides which objects are nodes, to which node an object belongs, and which objects belong to a node.

use std::collections::VecDeque;

use super::GraphQuery;
use super::answer::Layer;
use crate::path::View;
use crate::role::Part;
use crate::steps::{Ended, Steps};
use underlay_inventory::{KindId, ObjectRef, Registry};

/// The greatest number of containers that are looked at to find the node of an object. No object has so many.
const MAX_CONTAINERS: usize = 256;

/// A set of kinds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds(Vec<bool>);

impl Kinds {
    fn of(registry: &Registry, mut has: impl FnMut(KindId) -> bool) -> Self {
        Self(registry.kinds().map(|kind| has(kind.id)).collect())
    }

    /// Returns true if the set has the kind.
    pub fn has(&self, kind: KindId) -> bool {
        self.0.get(usize::from(kind.0)).copied().unwrap_or_default()
    }
}

/// The nodes of a query, and their parts.
#[derive(Debug)]
pub(super) struct Grouping<'a> {
    view: View<'a>,
    by: KindId,
    /// The further kinds whose objects are nodes because edges end there.
    further: Kinds,
    /// The kinds whose objects are nodes of the containment layer. With machines as nodes, only machines in machines
    /// are.
    contained: Kinds,
    /// The kinds of the objects at which connections end.
    parts: Kinds,
    /// The kinds of objects in which parts stand.
    holders_of_parts: Kinds,
}

impl<'a> Grouping<'a> {
    pub fn new(view: View<'a>, question: &GraphQuery) -> Self {
        let registry = view.snapshot.registry();
        let further = further(view, question);
        let containers = containers_of_nodes(view, question);
        let contained = Kinds::of(registry, |kind| kind == question.by || containers.has(kind));
        let parts = Kinds::of(registry, |kind| is_part(view, kind));
        let holders_of_parts = holders(registry, &parts);
        Self { view, by: question.by, further, contained, parts, holders_of_parts }
    }

    /// Returns true if objects of the kind are nodes.
    pub fn is_node(&self, kind: KindId) -> bool {
        kind == self.by || self.further.has(kind)
    }

    /// Returns true if objects of the kind are nodes of the containment layer.
    pub fn is_contained(&self, kind: KindId) -> bool {
        self.contained.has(kind)
    }

    /// Returns true if objects of the kind are nodes only because edges end there.
    pub fn is_further(&self, kind: KindId) -> bool {
        kind != self.by && self.further.has(kind)
    }

    /// Returns the kinds of objects in which nodes stand, directly or not.
    pub fn holders_of_nodes(&self) -> Kinds {
        let registry = self.view.snapshot.registry();
        holders(registry, &Kinds::of(registry, |kind| self.is_node(kind)))
    }

    /// Returns the node that an object belongs to: the object itself, or the nearest container of the requested kind.
    pub fn node_of(&self, object: ObjectRef) -> Option<ObjectRef> {
        if self.is_node(object.kind) {
            return Some(object);
        }
        let mut pending = VecDeque::from([object]);
        for _ in 0..MAX_CONTAINERS {
            let at = pending.pop_front()?;
            for container in self.view.snapshot.nearest_containers(at) {
                if container.kind == self.by {
                    return Some(container);
                }
                pending.push_back(container);
            }
        }
        None
    }

    /// Returns the objects of a node at which connections can end.
    pub fn parts_of(&self, node: ObjectRef, steps: &mut Steps) -> Result<Vec<ObjectRef>, Ended> {
        let mut found = vec![node];
        let mut pending = if self.is_further(node.kind) { Vec::new() } else { vec![node] };
        while let Some(at) = pending.pop() {
            for inside in self.view.snapshot.standing_in(at) {
                steps.take()?;
                // A node inside of a node has its own parts.
                if self.is_node(inside.kind) {
                    continue;
                }
                if self.parts.has(inside.kind) {
                    found.push(inside);
                }
                if self.holders_of_parts.has(inside.kind) {
                    pending.push(inside);
                }
            }
        }
        // An object that stands in two objects of the node is found twice.
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

/// Returns true if connections can end at objects of the kind.
fn is_part(view: View<'_>, kind: KindId) -> bool {
    let role = view.roles.of(kind);
    let is_owner = role.group().is_some() || matches!(role.part, Part::Machine(_) | Part::Outside(_));
    role.end().is_some() || is_owner
}

/// Returns the kinds that are nodes besides the requested one, because edges of a layer end there.
fn further(view: View<'_>, question: &GraphQuery) -> Kinds {
    let registry = view.snapshot.registry();
    let of_machines = matches!(view.roles.of(question.by).part, Part::Machine(_));
    let containers = containers_of_nodes(view, question);
    Kinds::of(registry, |kind| {
        let role = view.roles.of(kind);
        question.layers.iter().any(|layer| match layer {
            Layer::Physical => matches!(role.part, Part::Outside(_)),
            Layer::Power => of_machines && is_bare_source(view, kind),
            Layer::Logical => of_machines && role.group().is_some(),
            Layer::Containment => kind != question.by && containers.has(kind),
        })
    })
}

/// Returns the kinds in whose objects the requested nodes stand. There are none with machines as nodes.
fn containers_of_nodes(view: View<'_>, question: &GraphQuery) -> Kinds {
    let registry = view.snapshot.registry();
    match view.roles.of(question.by).part {
        Part::Machine(_) => Kinds::of(registry, |_| false),
        _ => holders(registry, &Kinds::of(registry, |kind| kind == question.by)),
    }
}

/// Returns true if objects of the kind supply power and are no ports.
fn is_bare_source(view: View<'_>, kind: KindId) -> bool {
    let is_port = matches!(view.roles.of(kind).part, Part::Connector(_));
    !is_port && view.roles.end(kind).is_some_and(|end| end.fed_by.is_some())
}

/// Returns the kinds in whose objects those of some kinds stand, directly or in others.
fn holders(registry: &Registry, of: &Kinds) -> Kinds {
    let mut holders = Kinds::of(registry, |_| false);
    loop {
        let mut next = holders.clone();
        for kind in registry.kinds().filter(|kind| of.has(kind.id) || holders.has(kind.id)) {
            let references = kind.references().filter_map(|(_, field)| field.reference);
            for target in references.filter(|reference| reference.within).flat_map(|reference| reference.targets) {
                if let Some(target) = registry.named(target) {
                    next.0[usize::from(target.id.0)] = true;
                }
            }
        }
        if next == holders {
            return holders;
        }
        holders = next;
    }
}
