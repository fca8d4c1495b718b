//! Finds the nodes in the part of the inventory that a query draws.

use foldhash::{HashSet, HashSetExt as _};

use super::grouping::Grouping;
use crate::path::View;
use crate::steps::{Ended, Steps};
use underlay_inventory::ObjectRef;

/// The nodes in the drawn part.
#[derive(Debug)]
pub(super) struct Members {
    /// The possible nodes in the part; `None` if the whole inventory is drawn.
    inside: Option<HashSet<ObjectRef>>,
    /// The nodes of the requested kind, in order.
    pub nodes: Vec<ObjectRef>,
    /// The objects that are nodes only if edges end there, in order.
    pub further: Vec<ObjectRef>,
}

impl Members {
    /// Returns the possible nodes in an object, or in the whole inventory.
    pub fn find(
        view: View<'_>,
        grouping: &Grouping<'_>,
        within: Option<ObjectRef>,
        steps: &mut Steps,
    ) -> Result<Self, Ended> {
        let (inside, all) = match within {
            None => (None, everywhere(view, grouping, steps)?),
            Some(within) => {
                let inside = beneath(view, grouping, within, steps)?;
                let all = inside.iter().copied().collect();
                (Some(inside), all)
            }
        };
        let (further, nodes): (Vec<_>, Vec<_>) = all.into_iter().partition(|object| grouping.is_further(object.kind));
        Ok(Self { inside, nodes: in_order(view, nodes), further: in_order(view, further) })
    }

    /// Returns true if a node is in the drawn part.
    pub fn are(&self, node: ObjectRef) -> bool {
        self.inside.as_ref().is_none_or(|inside| inside.contains(&node))
    }
}

/// Sorts objects by kind, name and id: an order that is the same in every process.
pub(super) fn in_order(view: View<'_>, objects: Vec<ObjectRef>) -> Vec<ObjectRef> {
    let named = |object: ObjectRef| Some((object, view.snapshot.row(object)?.common()));
    let mut named: Vec<_> = objects.into_iter().filter_map(named).collect();
    named.sort_unstable_by_key(|(object, common)| (object.kind, common.name, common.id));
    named.into_iter().map(|(object, _)| object).collect()
}

fn everywhere(view: View<'_>, grouping: &Grouping<'_>, steps: &mut Steps) -> Result<Vec<ObjectRef>, Ended> {
    let mut found = Vec::new();
    for kind in view.snapshot.registry().kinds().filter(|kind| grouping.is_node(kind.id)) {
        for (slot, _) in view.snapshot.table(kind.id).rows(0) {
            steps.take()?;
            found.push(ObjectRef { kind: kind.id, slot });
        }
    }
    Ok(found)
}

/// Returns the possible nodes that an object contains, with the object itself. A group also contains its members, and
/// with them the nodes that these belong to.
fn beneath(
    view: View<'_>,
    grouping: &Grouping<'_>,
    within: ObjectRef,
    steps: &mut Steps,
) -> Result<HashSet<ObjectRef>, Ended> {
    let holders = grouping.holders_of_nodes();
    let mut seen = HashSet::new();
    let mut found: HashSet<ObjectRef> = HashSet::new();
    let mut pending = vec![within];
    while let Some(at) = pending.pop() {
        if !seen.insert(at) {
            continue;
        }
        if grouping.is_node(at.kind) {
            found.insert(at);
        }
        for inside in view.snapshot.standing_in(at) {
            steps.take()?;
            if grouping.is_node(inside.kind) || holders.has(inside.kind) {
                pending.push(inside);
            }
        }
        if let Some(group) = view.roles.of(at.kind).group() {
            for member in view.snapshot.incoming(at).by(group.members) {
                steps.take()?;
                found.extend(grouping.node_of(member));
                pending.push(member);
            }
        }
    }
    Ok(found)
}
