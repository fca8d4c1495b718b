//! Delete: the node is forgotten, whatever the machine does. A node that somebody else made stays, without our mark.

use super::{Act, At, Next, View};
use crate::client::Node;
use crate::provisioner::mark::Mark;

/// Decides what to do next.
pub fn next(view: &View<'_>, node: &Node) -> Next {
    if node.uuid != view.host.id.to_string() {
        return if Mark::of(node).is_some() { Next::Act(Act::Unmark) } else { Next::Done };
    }
    match At::of(node) {
        At::Enroll | At::Manageable | At::Available | At::AdoptFailed => Next::Act(Act::Delete),
        At::InUse | At::DeployFailed | At::Error | At::CleanFailed | At::InspectFailed if node.maintenance => {
            Next::Act(Act::Delete)
        }
        At::InUse | At::DeployFailed | At::Error | At::CleanFailed | At::InspectFailed => Next::Act(Act::Maintain),
        At::Verifying | At::Adopting | At::Deploying | At::Deleting | At::Cleaning | At::Inspecting | At::Other => {
            Next::Wait
        }
    }
}
