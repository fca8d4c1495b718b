//! The results of the mutations of hosts.

use std::sync::Arc;

use async_graphql::SimpleObject;

use crate::Node;
use crate::host::Host;
use crate::hosts::Worst;
use crate::scalars::Revision;
use underlay_engine::write::WriteAnswer;
use underlay_inventory::Snapshot;

/// The result of an order for hosts.
#[derive(Clone, Debug, SimpleObject)]
pub struct HostsPayload {
    /// The hosts after the order, in the order of the ids.
    pub hosts: Vec<Host>,
    /// The revision that the order created. Null if nothing had to change.
    pub revision: Option<Revision>,
}

impl HostsPayload {
    /// Returns the result of a batch that was accepted.
    pub fn of(answer: &WriteAnswer) -> Self {
        Self { hosts: hosts(answer), revision: answer.revision.map(Revision) }
    }
}

/// The result of a claim.
#[derive(Clone, Debug, SimpleObject)]
pub struct AcquireHostsPayload {
    /// The hosts that were acquired, in the order in which they were chosen.
    pub hosts: Vec<Host>,
    /// The single failure that takes the most of them. Null without `spread`, or if no failure takes any.
    pub worst: Option<WorstFailure>,
    /// The revision that the claim created.
    pub revision: Option<Revision>,
}

impl AcquireHostsPayload {
    /// Returns the result of a batch that was accepted.
    pub fn of(answer: &WriteAnswer, worst: Option<&Worst>) -> Self {
        let worst = worst.and_then(|worst| WorstFailure::of(&answer.snapshot, worst));
        Self { hosts: hosts(answer), worst, revision: answer.revision.map(Revision) }
    }
}

/// A single failure, and the hosts that are down or cut off by it.
#[derive(Clone, Debug, SimpleObject)]
pub struct WorstFailure {
    /// The object that fails.
    pub node: Node,
    /// The kind of the object, such as `Rack`.
    pub kind: &'static str,
    /// The path of the object as a person would write it, such as `rack/ams1/A14`.
    pub path: String,
    /// The acquired hosts that the failure takes.
    pub takes: Vec<Host>,
}

impl WorstFailure {
    fn of(snapshot: &Arc<Snapshot>, worst: &Worst) -> Option<Self> {
        let node = Node::at(snapshot, worst.failure)?;
        let objects = worst.takes.iter().filter_map(|id| snapshot.find(*id));
        let takes = objects.filter_map(|object| snapshot.hold(object)).map(Host).collect();
        let (kind, path) = (snapshot.kind(worst.failure.kind).name, snapshot.path(worst.failure));
        Some(Self { node, kind, path, takes })
    }
}

/// Returns the hosts of an answer. A host that was deleted since a repeated request is left out.
fn hosts(answer: &WriteAnswer) -> Vec<Host> {
    let ids = answer.outcomes.iter().filter_map(|outcome| outcome.id);
    let objects = ids.filter_map(|id| answer.snapshot.find(id));
    objects.filter_map(|object| answer.snapshot.hold(object)).map(Host).collect()
}
