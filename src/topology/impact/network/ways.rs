//! The lines of a node, found when a question comes to it: all of them, or only those that a way to an anchor can run
//! over. Most lines of a leaf lead to machines that pass nothing on, and most questions need not follow these.

use std::sync::Arc;

use super::super::error::ImpactError;
use super::super::fall::Fall;
use super::super::role::Purpose;
use super::condition::Line;
use super::graph::{Graph, NodeId, Way, ends_of, user_machine_of};
use crate::inventory::{Grounds, Place};
use crate::topology::steps::Steps;

/// Which lines of a node are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Which {
    All,
    /// Those to nodes that ways may lead through or to.
    Onward,
}

impl<'a> Graph<'a> {
    /// All lines of a node.
    pub async fn ways(
        &mut self,
        fall: &mut Fall<'a>,
        node: NodeId,
        steps: &mut Steps,
    ) -> Result<Arc<[Way]>, ImpactError> {
        match &self.node(node).ways {
            Some(ways) => Ok(Arc::clone(ways)),
            // Ways are asked for far more often than found, which takes a large future.
            None => Box::pin(self.find_ways(fall, node, Which::All, steps)).await,
        }
    }

    /// The lines of a node to those that ways may lead through or to.
    pub async fn ways_onward(
        &mut self,
        fall: &mut Fall<'a>,
        node: NodeId,
        steps: &mut Steps,
    ) -> Result<Arc<[Way]>, ImpactError> {
        match &self.node(node).onward {
            Some(ways) => Ok(Arc::clone(ways)),
            None => Box::pin(self.find_ways(fall, node, Which::Onward, steps)).await,
        }
    }

    async fn find_ways(
        &mut self,
        fall: &mut Fall<'a>,
        node: NodeId,
        which: Which,
        steps: &mut Steps,
    ) -> Result<Arc<[Way]>, ImpactError> {
        let mut ways = match &self.node(node).ways {
            Some(ways) => Arc::clone(ways),
            None => {
                let found = self.lines_of(fall, node, which, steps).await?;
                let ways = self.number(fall, node, found, steps).await?;
                self.as_known(node, ways)
            }
        };
        if which == Which::Onward {
            ways = ways.iter().filter(|way| self.may_lead(way.to)).copied().collect();
        }
        self.keep(node, which, &ways);
        Ok(ways)
    }

    /// These lines of a node, of which those are taken that were found before: what is known of a line is known once.
    fn as_known(&self, node: NodeId, ways: Arc<[Way]>) -> Arc<[Way]> {
        let Some(known) = &self.node(node).onward else { return ways };
        let known = |way: &Way| known.iter().find(|known| known.line == way.line).copied();
        ways.iter().map(|way| known(way).unwrap_or(*way)).collect()
    }

    async fn lines_of(
        &mut self,
        fall: &Fall<'a>,
        node: NodeId,
        which: Which,
        steps: &mut Steps,
    ) -> Result<Vec<Line>, ImpactError> {
        let place = self.node(node).place;
        let mut found = Vec::new();
        if self.node(node).exit {
            for end in ends_of(fall, place) {
                self.lines_of_exit(fall, place, end, &mut found, steps).await?;
            }
            return Ok(found);
        }
        if which == Which::Onward && self.given.is_empty() && self.node(node).forwards {
            self.lines_onward(fall, place, &mut found, steps).await?;
        } else {
            let mut plugs = Vec::new();
            fall.picture.each_plug(place, Purpose::Data, &mut |plug| plugs.push(plug));
            for plug in plugs {
                if which == Which::All || self.may_lead_on(fall, plug, &mut Grounds::default()) {
                    self.lines_of_plug(fall, plug, &mut found, steps).await?;
                }
            }
        }
        self.siblings(fall, node, &mut found, steps).await?;
        Ok(found)
    }

    /// Whether a line of a plug may lead to where ways lead through or to, with what that follows from. Where a joint leads
    /// to one end alone, at which the line ends, this is seen without following it.
    pub(super) fn may_lead_on(&self, fall: &Fall<'a>, plug: Place, grounds: &mut Grounds) -> bool {
        let Some(direct) = self.tracer.direct_line(plug) else { return true };
        let end = direct.end;
        grounds.referrers(plug);
        grounds.row(end);
        user_machine_of(fall, end).is_some_and(|machine| {
            grounds.row(machine);
            self.may_lead_to(fall, machine)
        })
    }
}
