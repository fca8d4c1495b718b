//! The containment layer: nodes that stand directly in other nodes.

use super::answer::Layer;
use super::connection::LayerConnection;
use super::grouping::Grouping;
use crate::path::View;
use crate::steps::{Ended, Steps};
use underlay_inventory::ObjectRef;

/// Adds the containers and the contents of a node that are nodes too.
pub(super) fn connections(
    view: View<'_>,
    grouping: &Grouping<'_>,
    node: ObjectRef,
    found: &mut Vec<LayerConnection>,
    steps: &mut Steps,
) -> Result<(), Ended> {
    let contains =
        |[outer, inner]: [ObjectRef; 2]| LayerConnection::new(Layer::Containment, [outer, inner], [outer, inner], None);
    // A node that only another layer has contains nothing here.
    if !grouping.is_contained(node.kind) {
        return Ok(());
    }
    let outer = innermost(view, node).into_iter().filter(|it| grouping.is_contained(it.kind));
    found.extend(outer.map(|it| contains([it, node])));
    for inside in view.snapshot.standing_in(node) {
        steps.take()?;
        if grouping.is_contained(inside.kind) && innermost(view, inside).contains(&node) {
            found.push(contains([node, inside]));
        }
    }
    Ok(())
}

/// Returns the containers of an object that its own references name, without those in which another of them stands.
fn innermost(view: View<'_>, object: ObjectRef) -> Vec<ObjectRef> {
    let containers: Vec<ObjectRef> = view.snapshot.nearest_containers(object).collect();
    let ids = |object: &ObjectRef| view.snapshot.row(*object).map(|row| row.common().id);
    let around: Vec<_> = containers.iter().flat_map(|container| view.snapshot.containers(*container)).collect();
    containers.into_iter().filter(|object| ids(object).is_none_or(|id| !around.contains(&id))).collect()
}
