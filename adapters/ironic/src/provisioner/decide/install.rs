//! Install: Ironic deploys the image of the order. The one place from which anything is deployed.

use underlay_hosts::provisioner::{Call, FailureKind};

use super::{Act, At, Next, View, is_prepared, relayed, unexpected};
use crate::client::{Node, Target};

/// Decides what to do next.
pub fn next(view: &View<'_>, node: &Node) -> Next {
    if !is_prepared(view, node) {
        return Next::Unknown;
    }
    match At::of(node) {
        At::Available if view.call == Call::Begin => Next::Act(Act::Verb(Target::Deploy)),
        At::Available => Next::Unknown,
        At::Deploying => Next::Wait,
        At::InUse => Next::Done,
        At::DeployFailed => relayed(FailureKind::Work, node, "the deployment failed"),
        _ => unexpected(node, "being deployed"),
    }
}
