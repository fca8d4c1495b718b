//! Detach: Ironic removes the system of the node, and leaves the disks as they are.

use underlay_hosts::provisioner::{Call, FailureKind};

use super::{At, Next, View, about, keeping_disks, name, relayed, unexpected};
use crate::client::{Node, Target};

/// Decides what to do next.
pub fn next(view: &View<'_>, node: &Node) -> Next {
    let at = At::of(node);
    match (at, view.call) {
        (
            At::Enroll
            | At::Verifying
            | At::Manageable
            | At::Available
            | At::Inspecting
            | At::InspectFailed
            | At::AdoptFailed
            | At::CleanFailed,
            _,
        ) => Next::Done,
        (At::Adopting | At::Deleting | At::Cleaning, _) => Next::Wait,
        // It can be removed while it waits for its ramdisk, and not while a step of it is at work.
        (At::Deploying, Call::Begin) if name(node) != "wait call-back" => {
            Next::Later(about(node, &format!("it is {:?}, which cannot be ended", name(node))))
        }
        (At::InUse | At::Deploying | At::DeployFailed | At::Error, Call::Begin) => {
            keeping_disks(node, Target::Undeploy)
        }
        (At::Error, Call::Continue) => relayed(FailureKind::Work, node, "the system could not be removed"),
        (At::InUse | At::Deploying | At::DeployFailed, Call::Continue) => Next::Unknown,
        (At::Other, _) => unexpected(node, "in a state that is known here"),
    }
}
