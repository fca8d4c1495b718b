//! Decides the next act for a duty by pure functions, one file for each duty, from the node as it was just read.
//!
//! Guarantees, which the tables in `cases` check for every duty and every provision state:
//! - [`Act::Verb`] with [`Target::Deploy`] is returned by [`install`] alone, for [`Call::Begin`], of a node that is available
//!   and was prepared for this very order. So no order deploys twice, and nothing is deployed for a host in use.
//! - A node that is active is neither deployed, cleaned nor provided; only [`detach`] removes its system.
//! - [`Call::Continue`] goes on with what has begun, and begins nothing.
//! - Disks are cleaned for an order to wipe alone: `automated_clean` is false whenever another verb could clean.
//! - A node that belongs to another host, is in maintenance or is locked is left alone.

mod adopt;
mod at;
#[cfg(test)]
mod cases;
mod delete;
mod detach;
mod inspect;
mod install;
mod prepare;
mod register;
mod wipe;

use underlay_hosts::host::{Host, OrderKey};
use underlay_hosts::life::Duty;
use underlay_hosts::provisioner::{Call, FailureKind};
use underlay_kit::printable;

pub use self::at::{At, name};
use super::mark::Mark;
use crate::client::{Node, Target};

/// The power of a machine that is on, as Ironic names it.
pub const POWER_ON: &str = "power on";
/// The fault for which Ironic puts a node into maintenance whose cleaning failed.
const CLEAN_FAILURE: &str = "clean failure";

/// The knowledge that a duty decides on.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The node of the host, if there is one.
    pub node: Option<&'a Node>,
    pub host: &'a Host,
    pub order: OrderKey,
    /// The way in which the provisioner is asked.
    pub call: Call,
    /// True if the settings of the node were brought up to date in this call.
    pub is_fresh: bool,
}

/// An act on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Create the node, with its port.
    Create,
    /// Bring the address of the BMC, the credential, the port and the mark up to date.
    Refresh,
    /// Order another provision state.
    Verb(Target),
    /// Record the order at the node, with what it needs.
    Record,
    /// Have disks be left as they are.
    KeepDisks,
    /// End the maintenance that Ironic itself began when a cleaning failed.
    EndFault,
    /// Begin a maintenance, in which a node can be deleted in every state.
    Maintain,
    /// Remove the mark from a node that somebody else made.
    Unmark,
    /// Delete the node.
    Delete,
}

/// The next thing for a duty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Act, then look again.
    Act(Act),
    /// Wait while Ironic works.
    Wait,
    /// Nothing can be done now, and nothing was done. The same call can succeed later.
    Later(String),
    /// The duty is done.
    Done,
    /// The duty failed.
    Failed(FailureKind, String),
    /// Nothing is known of the work.
    Unknown,
}

/// Decides what to do next for a duty.
pub fn decide(duty: Duty, view: &View<'_>) -> Next {
    let next = match (view.node, duty) {
        (Some(node), _) if belongs_to_another(view, node) => return another(duty, node),
        (None, _) => without_node(duty, view.call),
        (Some(node), Duty::Register) => register::next(view, node),
        (Some(node), Duty::Inspect) => inspect::next(view, node),
        (Some(node), Duty::Prepare) => prepare::next(view, node),
        (Some(node), Duty::Install) => install::next(view, node),
        (Some(node), Duty::Deinstall) => wipe::next(view, node),
        (Some(node), Duty::Adopt) => adopt::next(view, node),
        (Some(node), Duty::Detach) => detach::next(view, node),
        (Some(node), Duty::Delete) => delete::next(view, node),
    };
    match (next, view.node) {
        (Next::Act(act), Some(node)) => guarded(act, node),
        (next, _) => next,
    }
}

/// Decides for a host whose node is not there.
const fn without_node(duty: Duty, call: Call) -> Next {
    match (duty, call) {
        (Duty::Register | Duty::Adopt | Duty::Prepare, Call::Begin) => Next::Act(Act::Create),
        // Nothing is attached to it, and nothing is left of it.
        (Duty::Detach | Duty::Delete, _) => Next::Done,
        _ => Next::Unknown,
    }
}

fn belongs_to_another(view: &View<'_>, node: &Node) -> bool {
    Mark::of(node).is_some_and(|mark| mark.host != view.host.id)
}

fn another(duty: Duty, node: &Node) -> Next {
    match duty {
        Duty::Delete => Next::Done,
        _ => failed(
            FailureKind::Machine,
            node,
            "it is registered for another host; two hosts have the same machine: delete one of them",
        ),
    }
}

/// Withholds an act from a node that is locked or in maintenance.
fn guarded(act: Act, node: &Node) -> Next {
    if let Some(by) = &node.reservation {
        return Next::Later(about(node, &format!("it is locked by {}, which works on it", printable(by))));
    }
    let is_allowed = match act {
        Act::Create | Act::Refresh | Act::EndFault | Act::Maintain | Act::Unmark | Act::Delete => true,
        Act::Verb(_) | Act::Record | Act::KeepDisks => !node.maintenance,
    };
    if is_allowed { Next::Act(act) } else { in_maintenance(node) }
}

fn in_maintenance(node: &Node) -> Next {
    let reason = node.maintenance_reason.as_deref().or(node.fault.as_deref()).unwrap_or("no reason is given");
    let sentence = format!("it is in maintenance at Ironic ({}); end that there, then retry", printable(reason));
    failed(FailureKind::Machine, node, &sentence)
}

/// Returns true if a node was prepared for the order.
fn is_prepared(view: &View<'_>, node: &Node) -> bool {
    Mark::of(node).and_then(|mark| mark.order).is_some_and(|prepared| prepared.is(view.order))
}

/// Returns true if an inspection ended since the node was prepared for the order.
fn is_inspected(node: &Node) -> bool {
    let before = Mark::of(node).and_then(|mark| mark.order).and_then(|prepared| prepared.inspected);
    node.inspection_finished_at.is_some() && node.inspection_finished_at != before
}

/// Has the BMC of an enrolled node be verified.
fn verified(view: &View<'_>, node: &Node) -> Next {
    match (view.call, &node.states.last_error) {
        (Call::Continue, Some(_)) => relayed(FailureKind::Machine, node, "the BMC could not be verified"),
        _ => Next::Act(Act::Verb(Target::Manage)),
    }
}

/// Returns the verb, after the disks are safe from it.
fn keeping_disks(node: &Node, target: Target) -> Next {
    match node.automated_clean {
        Some(false) => Next::Act(Act::Verb(target)),
        _ => Next::Act(Act::KeepDisks),
    }
}

/// Returns a failure with a sentence about the node.
fn failed(kind: FailureKind, node: &Node, sentence: &str) -> Next {
    Next::Failed(kind, about(node, sentence))
}

/// Returns a failure with the sentence of Ironic.
fn relayed(kind: FailureKind, node: &Node, what: &str) -> Next {
    let message = node.states.last_error.as_deref().unwrap_or("Ironic gives no reason");
    failed(kind, node, &format!("{what}: {}", printable(message.trim().trim_end_matches('.'))))
}

/// Returns the failure of a duty that does not expect the state of the node.
fn unexpected(node: &Node, expected: &str) -> Next {
    let sentence = format!("it is {:?}, and not {expected}; somebody else may work on it: look at it", name(node));
    failed(FailureKind::Work, node, &sentence)
}

/// Returns the failure of an order for which the machine has worked already.
fn has_worked(node: &Node) -> Next {
    let sentence = format!(
        "it is {:?}, so the machine has worked for this order already and may be in use; look at it before a retry",
        name(node)
    );
    failed(FailureKind::Work, node, &sentence)
}

/// Returns the failure of an order for a machine that is in use.
fn in_use(node: &Node) -> Next {
    let sentence = format!(
        "it is {:?}, so the machine has a system that is in use; undeploy it there, or override the host to INSTALLED and \
         release it",
        name(node)
    );
    failed(FailureKind::Work, node, &sentence)
}

/// Returns a sentence about a node.
fn about(node: &Node, sentence: &str) -> String {
    format!("node {}: {sentence}", printable(&node.uuid))
}
