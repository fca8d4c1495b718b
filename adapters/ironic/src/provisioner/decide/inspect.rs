//! Inspect: Ironic finds out the hardware.

use underlay_hosts::provisioner::{Call, FailureKind};

use super::{Act, At, Next, View, is_inspected, is_prepared, relayed, unexpected};
use crate::client::{Node, Target};

/// Decides what to do next.
pub fn next(view: &View<'_>, node: &Node) -> Next {
    if !is_prepared(view, node) {
        return Next::Unknown;
    }
    match At::of(node) {
        At::Manageable if is_inspected(node) => Next::Done,
        At::Manageable if view.call == Call::Begin => Next::Act(Act::Verb(Target::Inspect)),
        At::Manageable => Next::Unknown,
        At::Inspecting => Next::Wait,
        At::InspectFailed => relayed(FailureKind::Work, node, "the inspection failed"),
        _ => unexpected(node, "being inspected"),
    }
}
