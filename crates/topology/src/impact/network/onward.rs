//! Memoizes in the snapshot the lines of machines that forward traffic, as far as paths may use them. The memo holds
//! whatever is down, so all queries share it.
//!
//! The paths of nearly every query run over the same machines in the core of the network. Tracing their lines is most
//! of the cost of finding a path.

use std::sync::Arc;

use super::super::error::ImpactError;
use super::super::fall::Fall;
use super::super::role::Purpose;
use super::condition::Line;
use super::graph::{Graph, far_side};
use crate::line::{Branch, Direction, Outcome};
use crate::steps::Steps;
use underlay_inventory::{Grounds, Place};

/// The lines of a machine, in the order of its ports.
#[derive(Debug, Default)]
struct Onward(Vec<Line>);

impl<'a> Graph<'a> {
    /// Adds the lines of a machine over which paths may continue, if no anchors are given.
    pub(super) fn lines_onward(
        &mut self,
        fall: &Fall<'a>,
        machine: Place,
        found: &mut Vec<Line>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        let known = match fall.picture.snapshot.learnt::<Onward>(machine) {
            Some(known) => known,
            None => self.learn(fall, machine, steps)?,
        };
        found.extend(known.0.iter().cloned());
        Ok(())
    }

    fn learn(&mut self, fall: &Fall<'a>, machine: Place, steps: &mut Steps) -> Result<Arc<Onward>, ImpactError> {
        let (mut lines, mut grounds, mut plugs) = (Vec::new(), Grounds::default(), Vec::new());
        grounds.referrers(machine);
        fall.picture.each_plug(machine, Purpose::Data, &mut |plug| plugs.push(plug));
        for plug in plugs {
            steps.take()?;
            if self.may_lead_on(fall, plug, &mut grounds) {
                self.learn_lines(fall, plug, &mut lines, &mut grounds);
            }
        }
        let onward = Arc::new(Onward(lines));
        fall.picture.snapshot.learn(machine, Arc::clone(&onward), grounds);
        Ok(onward)
    }

    fn learn_lines(&mut self, fall: &Fall<'a>, plug: Place, lines: &mut Vec<Line>, grounds: &mut Grounds) {
        let Ok(trace) = self.tracer.trace_with_grounds(plug, grounds) else { return };
        for branch in trace.branches.iter().filter(|branch| branch.direction == Direction::Outward) {
            add_grounds_of_exit(fall, branch, grounds);
            let Some((to, end)) = far_side(fall, branch) else { continue };
            grounds.row(to);
            if !branch.guessed || self.is_told(end, plug, grounds) {
                lines.push(Line::of(branch, (plug, end), to));
            }
        }
    }
}

/// An open end may lead out of the inventory. The object that it is an end of decides this, so it is a dependency.
fn add_grounds_of_exit(fall: &Fall<'_>, branch: &Branch, grounds: &mut Grounds) {
    if let Some(last) = branch.end.filter(|_| branch.outcome == Outcome::Open) {
        fall.picture.snapshot.outgoing(last).iter().for_each(|edge| grounds.row(edge.other()));
    }
}
