//! Finds the edges of a node when a query visits it: those for all lines, or only those that a path to an anchor can
//! use. Most lines of a leaf switch lead to machines that forward no traffic, and most queries need not follow them.

use std::sync::Arc;

use super::super::error::ImpactError;
use super::super::propagate::Propagation;
use super::condition::NetworkLine;
use super::graph::{NetworkEdge, NetworkGraph, NodeId};
use super::lines::{ends_of, user_machine_of};
use crate::role::Purpose;
use crate::steps::Steps;
use underlay_inventory::{Dependencies, ObjectRef};

/// The edges of a node that are to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Which {
    All,
    /// The edges to nodes that paths may pass or end at.
    Onward,
}

impl<'a> NetworkGraph<'a> {
    /// Returns all edges of a node.
    pub fn edges(
        &mut self,
        propagation: &mut Propagation<'a>,
        node: NodeId,
        steps: &mut Steps,
    ) -> Result<Arc<[NetworkEdge]>, ImpactError> {
        match &self.node(node).edges {
            Some(edges) => Ok(Arc::clone(edges)),
            None => self.find_edges(propagation, node, Which::All, steps),
        }
    }

    /// Returns the edges of a node to nodes that paths may pass or end at.
    pub fn edges_onward(
        &mut self,
        propagation: &mut Propagation<'a>,
        node: NodeId,
        steps: &mut Steps,
    ) -> Result<Arc<[NetworkEdge]>, ImpactError> {
        match &self.node(node).onward {
            Some(edges) => Ok(Arc::clone(edges)),
            None => self.find_edges(propagation, node, Which::Onward, steps),
        }
    }

    fn find_edges(
        &mut self,
        propagation: &mut Propagation<'a>,
        node: NodeId,
        which: Which,
        steps: &mut Steps,
    ) -> Result<Arc<[NetworkEdge]>, ImpactError> {
        let mut edges = match &self.node(node).edges {
            Some(edges) => Arc::clone(edges),
            None => {
                let found = self.lines_of(propagation, node, which, steps)?;
                let edges = self.number(propagation, node, found, steps)?;
                self.as_known(node, edges)
            }
        };
        if which == Which::Onward {
            edges = edges.iter().filter(|edge| self.may_lead(edge.to)).copied().collect();
        }
        self.keep(node, which, &edges);
        Ok(edges)
    }

    /// Replaces each of these edges by the one that was found before, so that each line is checked only once.
    fn as_known(&self, node: NodeId, edges: Arc<[NetworkEdge]>) -> Arc<[NetworkEdge]> {
        let Some(known) = &self.node(node).onward else { return edges };
        let known = |edge: &NetworkEdge| known.iter().find(|known| known.id == edge.id).copied();
        edges.iter().map(|edge| known(edge).unwrap_or(*edge)).collect()
    }

    fn lines_of(
        &mut self,
        propagation: &Propagation<'a>,
        node: NodeId,
        which: Which,
        steps: &mut Steps,
    ) -> Result<Vec<NetworkLine>, ImpactError> {
        let object = self.node(node).object;
        let mut found = Vec::new();
        if self.node(node).exit {
            for end in ends_of(propagation, object) {
                self.lines_of_exit(propagation, object, end, &mut found, steps)?;
            }
            return Ok(found);
        }
        if which == Which::Onward && self.requested_anchors.is_empty() && self.node(node).forwards {
            self.lines_onward(propagation, object, &mut found, steps)?;
        } else {
            let mut connectors = Vec::new();
            propagation
                .physical_state
                .each_connector(object, Purpose::Data, &mut |connector| connectors.push(connector));
            for connector in connectors {
                if which == Which::All || self.may_lead_on(propagation, connector, &mut Dependencies::default()) {
                    self.lines_of_connector(propagation, connector, &mut found, steps)?;
                }
            }
        }
        self.siblings(propagation, node, &mut found, steps)?;
        Ok(found)
    }

    /// Returns true if a line of a port may lead to a node that paths pass or end at. Adds the dependencies of the
    /// answer. If a cable leads to a single end at which the line ends, no trace is needed.
    pub(super) fn may_lead_on(
        &self,
        propagation: &Propagation<'a>,
        connector: ObjectRef,
        dependencies: &mut Dependencies,
    ) -> bool {
        let Some(direct) = self.tracer.direct_line(connector) else { return true };
        let end = direct.end;
        dependencies.referrers(connector);
        dependencies.row(end);
        user_machine_of(propagation, end).is_some_and(|machine| {
            dependencies.row(machine);
            self.may_lead_to(propagation, machine)
        })
    }
}
