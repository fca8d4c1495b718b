//! Memoizes in the snapshot the lines of machines that forward traffic, as far as paths may use them. The memo holds
//! whatever is down, so all queries share it.
//!
//! The paths of nearly every query run over the same machines in the core of the network. Tracing their lines is most
//! of the cost of finding a path.

use std::sync::Arc;

use super::super::error::ImpactError;
use super::super::propagate::Propagation;
use super::condition::NetworkLine;
use super::graph::NetworkGraph;
use super::lines::far_side;
use crate::line::{Branch, Direction, Outcome};
use crate::role::Purpose;
use crate::steps::Steps;
use underlay_inventory::{Dependencies, ObjectRef};

/// The lines of a machine, in the order of its ports.
#[derive(Debug, Default)]
struct OnwardLines(Vec<NetworkLine>);

impl<'a> NetworkGraph<'a> {
    /// Adds the lines of a machine over which paths may continue, if no anchors are given.
    pub(super) fn lines_onward(
        &mut self,
        propagation: &Propagation<'a>,
        machine: ObjectRef,
        found: &mut Vec<NetworkLine>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        let known = match propagation.physical_state.snapshot.memo::<OnwardLines>(machine) {
            Some(known) => known,
            None => self.memoize(propagation, machine, steps)?,
        };
        found.extend(known.0.iter().cloned());
        Ok(())
    }

    fn memoize(
        &mut self,
        propagation: &Propagation<'a>,
        machine: ObjectRef,
        steps: &mut Steps,
    ) -> Result<Arc<OnwardLines>, ImpactError> {
        let (mut lines, mut dependencies, mut connectors) = (Vec::new(), Dependencies::default(), Vec::new());
        dependencies.referrers(machine);
        propagation.physical_state.each_connector(machine, Purpose::Data, &mut |connector| connectors.push(connector));
        for connector in connectors {
            steps.take()?;
            if self.may_lead_on(propagation, connector, &mut dependencies) {
                self.memoize_lines(propagation, connector, &mut lines, &mut dependencies);
            }
        }
        let onward = Arc::new(OnwardLines(lines));
        propagation.physical_state.snapshot.memoize(machine, Arc::clone(&onward), dependencies);
        Ok(onward)
    }

    fn memoize_lines(
        &mut self,
        propagation: &Propagation<'a>,
        connector: ObjectRef,
        lines: &mut Vec<NetworkLine>,
        dependencies: &mut Dependencies,
    ) {
        let Ok(trace) = self.tracer.trace_with_dependencies(connector, dependencies) else { return };
        for branch in trace.branches.iter().filter(|branch| branch.direction == Direction::Outward) {
            add_dependencies_of_exit(propagation, branch, dependencies);
            let Some((to, end)) = far_side(propagation, branch) else { continue };
            dependencies.row(to);
            if !branch.guessed || self.leads_back(end, connector, dependencies) {
                lines.push(NetworkLine::of(branch, (connector, end), to));
            }
        }
    }
}

/// An open end may lead out of the inventory. The object that it is an end of decides this, so it is a dependency.
fn add_dependencies_of_exit(propagation: &Propagation<'_>, branch: &Branch, dependencies: &mut Dependencies) {
    if let Some(last) = branch.end.filter(|_| branch.outcome == Outcome::Open) {
        propagation.physical_state.snapshot.outgoing(last).iter().for_each(|edge| dependencies.row(edge.other()));
    }
}
