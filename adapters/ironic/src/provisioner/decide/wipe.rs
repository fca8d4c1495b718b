//! Wipe: Ironic cleans the disks. `provide` does so, because the node was prepared with `automated_clean`. The state of the
//! node says how far it came: manageable before, cleaning meanwhile, available after it.

use underlay_hosts::provisioner::{Call, FailureKind};

use super::{Act, At, Next, View, failed, is_prepared, relayed, unexpected};
use crate::client::{Node, Target};

/// Decides what to do next.
pub fn next(view: &View<'_>, node: &Node) -> Next {
    if !is_prepared(view, node) {
        return Next::Unknown;
    }
    let cleans = node.automated_clean == Some(true);
    match At::of(node) {
        At::Manageable if view.call == Call::Begin && cleans => Next::Act(Act::Verb(Target::Provide)),
        At::Manageable if view.call == Call::Begin => {
            let sentence = "its automated_clean was changed meanwhile, so nothing would be erased; retry the host";
            failed(FailureKind::Work, node, sentence)
        }
        At::Manageable => Next::Unknown,
        At::Cleaning => Next::Wait,
        At::Available if cleans => Next::Act(Act::KeepDisks),
        At::Available => Next::Done,
        At::CleanFailed => relayed(FailureKind::Work, node, "the cleaning failed"),
        _ => unexpected(node, "being cleaned"),
    }
}
