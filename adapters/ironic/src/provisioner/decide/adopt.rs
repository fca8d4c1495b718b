//! Adopt: a node becomes active for a machine that runs already. Nothing is deployed, cleaned or switched.

use underlay_hosts::provisioner::{Call, FailureKind};

use super::{Act, At, Next, View, keeping_disks, relayed, unexpected, verified};
use crate::client::{Node, Target};

/// Decides what to do next.
pub fn next(view: &View<'_>, node: &Node) -> Next {
    match At::of(node) {
        At::InUse => Next::Done,
        At::Verifying | At::Adopting => Next::Wait,
        At::Enroll | At::Manageable | At::AdoptFailed if view.call == Call::Begin && !view.is_fresh => {
            Next::Act(Act::Refresh)
        }
        At::Enroll => verified(view, node),
        At::AdoptFailed if view.call == Call::Continue => relayed(FailureKind::Work, node, "the adoption failed"),
        At::Manageable | At::AdoptFailed => keeping_disks(node, Target::Adopt),
        // Nobody may deploy a machine that is in use.
        At::Available => Next::Act(Act::Verb(Target::Manage)),
        _ => unexpected(node, "active, though the machine is in use"),
    }
}
