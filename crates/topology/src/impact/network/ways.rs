//! Finds the lines of a node when a query visits it: all lines, or only those that a path to an anchor can use. Most
//! lines of a leaf switch lead to machines that forward no traffic, and most queries need not follow them.

use std::sync::Arc;

use super::super::error::ImpactError;
use super::super::propagate::Propagation;
use super::condition::Line;
use super::graph::{Graph, NodeId, Way, ends_of, user_machine_of};
use crate::role::Purpose;
use crate::steps::Steps;
use underlay_inventory::{Dependencies, ObjectRef};

/// The lines of a node that are to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Which {
    All,
    /// The lines to nodes that paths may pass or end at.
    Onward,
}

impl<'a> Graph<'a> {
    /// Returns all lines of a node.
    pub fn ways(
        &mut self,
        propagation: &mut Propagation<'a>,
        node: NodeId,
        steps: &mut Steps,
    ) -> Result<Arc<[Way]>, ImpactError> {
        match &self.node(node).ways {
            Some(ways) => Ok(Arc::clone(ways)),
            None => self.find_ways(propagation, node, Which::All, steps),
        }
    }

    /// Returns the lines of a node to nodes that paths may pass or end at.
    pub fn ways_onward(
        &mut self,
        propagation: &mut Propagation<'a>,
        node: NodeId,
        steps: &mut Steps,
    ) -> Result<Arc<[Way]>, ImpactError> {
        match &self.node(node).onward {
            Some(ways) => Ok(Arc::clone(ways)),
            None => self.find_ways(propagation, node, Which::Onward, steps),
        }
    }

    fn find_ways(
        &mut self,
        propagation: &mut Propagation<'a>,
        node: NodeId,
        which: Which,
        steps: &mut Steps,
    ) -> Result<Arc<[Way]>, ImpactError> {
        let mut ways = match &self.node(node).ways {
            Some(ways) => Arc::clone(ways),
            None => {
                let found = self.lines_of(propagation, node, which, steps)?;
                let ways = self.number(propagation, node, found, steps)?;
                self.as_known(node, ways)
            }
        };
        if which == Which::Onward {
            ways = ways.iter().filter(|way| self.may_lead(way.to)).copied().collect();
        }
        self.keep(node, which, &ways);
        Ok(ways)
    }

    /// Replaces each of these lines by the one that was found before, so that each line is checked only once.
    fn as_known(&self, node: NodeId, ways: Arc<[Way]>) -> Arc<[Way]> {
        let Some(known) = &self.node(node).onward else { return ways };
        let known = |way: &Way| known.iter().find(|known| known.line == way.line).copied();
        ways.iter().map(|way| known(way).unwrap_or(*way)).collect()
    }

    fn lines_of(
        &mut self,
        propagation: &Propagation<'a>,
        node: NodeId,
        which: Which,
        steps: &mut Steps,
    ) -> Result<Vec<Line>, ImpactError> {
        let place = self.node(node).place;
        let mut found = Vec::new();
        if self.node(node).exit {
            for end in ends_of(propagation, place) {
                self.lines_of_exit(propagation, place, end, &mut found, steps)?;
            }
            return Ok(found);
        }
        if which == Which::Onward && self.given.is_empty() && self.node(node).forwards {
            self.lines_onward(propagation, place, &mut found, steps)?;
        } else {
            let mut plugs = Vec::new();
            propagation.physical_state.each_plug(place, Purpose::Data, &mut |plug| plugs.push(plug));
            for plug in plugs {
                if which == Which::All || self.may_lead_on(propagation, plug, &mut Dependencies::default()) {
                    self.lines_of_plug(propagation, plug, &mut found, steps)?;
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
        plug: ObjectRef,
        dependencies: &mut Dependencies,
    ) -> bool {
        let Some(direct) = self.tracer.direct_line(plug) else { return true };
        let end = direct.end;
        dependencies.referrers(plug);
        dependencies.row(end);
        user_machine_of(propagation, end).is_some_and(|machine| {
            dependencies.row(machine);
            self.may_lead_to(propagation, machine)
        })
    }
}
