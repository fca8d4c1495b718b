//! Prepare: the node gets to the state in which the work of the order begins, and the order is recorded at it. That is
//! `available` for an installation, and `manageable` for a discovery and for a wipe. What failed before is cleared away.

use underlay_hosts::host::Order;
use underlay_hosts::provisioner::{Call, FailureKind};

use super::{
    Act, At, CLEAN_FAILURE, Next, POWER_ON, View, failed, has_worked, in_use, is_inspected, is_prepared, keeping_disks,
    relayed, unexpected, verified,
};
use crate::client::{Node, Target};
use crate::provisioner::mark::Mark;

/// The work of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Install,
    Discover,
    Wipe,
}

/// Decides what to do next.
pub fn next(view: &View<'_>, node: &Node) -> Next {
    let Some(order) = view.host.order() else { return Next::Unknown };
    let goal = match order.act {
        Order::Install if order.profile.as_ref().is_none_or(|profile| profile.image.is_none()) => {
            let sentence = "the profile of the order has no image; take one with the method DISK_IMAGE";
            return failed(FailureKind::Profile, node, sentence);
        }
        Order::Install => Goal::Install,
        Order::Wipe => Goal::Wipe,
        Order::Discover => Goal::Discover,
        Order::Release
        | Order::PowerOn
        | Order::PowerOff
        | Order::PowerCycle
        | Order::BootLocal
        | Order::BootNetwork => return Next::Unknown,
    };
    let at = At::of(node);
    if has_begun(view, node, goal, at) {
        return has_worked(node);
    }
    if view.call == Call::Begin && !view.is_fresh && !at.is_working() && at != At::InUse {
        return Next::Act(Act::Refresh);
    }
    if matches!(at, At::Manageable | At::Available) && is_a_surprise(view, node) {
        let sentence = "the machine runs, and nothing was known of it, so it may be in use; look at it, switch it off or \
                        retry the host";
        return failed(FailureKind::Machine, node, sentence);
    }
    toward(view, node, goal, at)
}

/// Returns true if the node was created for this very order, and the machine runs. Then its record was lost, for example
/// with the database of Ironic, and nobody knows what it was used for.
fn is_a_surprise(view: &View<'_>, node: &Node) -> bool {
    let created_for = Mark::of(node).and_then(|mark| mark.created_for);
    created_for.is_some_and(|order| order.is(view.order)) && node.states.power.as_deref() == Some(POWER_ON)
}

/// Returns true if the machine has worked for the order.
fn has_begun(view: &View<'_>, node: &Node, goal: Goal, at: At) -> bool {
    let begun = match goal {
        Goal::Install => matches!(at, At::Deploying | At::DeployFailed | At::InUse | At::Deleting | At::Error),
        Goal::Discover => matches!(at, At::Inspecting | At::InspectFailed) || is_inspected(node),
        Goal::Wipe => matches!(at, At::Cleaning | At::CleanFailed | At::Available),
    };
    begun && is_prepared(view, node)
}

fn toward(view: &View<'_>, node: &Node, goal: Goal, at: At) -> Next {
    let is_first = view.call == Call::Begin;
    match (at, goal) {
        (At::Enroll, _) => verified(view, node),
        (At::Verifying | At::Adopting | At::Deleting | At::Cleaning | At::Inspecting, _) => Next::Wait,
        (At::Manageable, Goal::Install) => keeping_disks(node, Target::Provide),
        (At::Available, Goal::Discover | Goal::Wipe) | (At::InspectFailed | At::AdoptFailed, _) => {
            Next::Act(Act::Verb(Target::Manage))
        }
        (At::Manageable, Goal::Discover | Goal::Wipe) | (At::Available, Goal::Install) => {
            if is_prepared(view, node) {
                Next::Done
            } else {
                Next::Act(Act::Record)
            }
        }
        (At::DeployFailed | At::Error, _) if is_first => keeping_disks(node, Target::Undeploy),
        (At::CleanFailed, _) if is_first && node.maintenance && node.fault.as_deref() == Some(CLEAN_FAILURE) => {
            Next::Act(Act::EndFault)
        }
        (At::CleanFailed, _) if is_first => Next::Act(Act::Verb(Target::Manage)),
        (At::DeployFailed | At::Error, _) => {
            relayed(FailureKind::Work, node, "what an earlier order left could not be removed")
        }
        (At::CleanFailed, _) => relayed(FailureKind::Work, node, "the cleaning failed"),
        (At::Deploying | At::InUse, _) => in_use(node),
        (At::Other, _) => unexpected(node, "in a state that is known here"),
    }
}
