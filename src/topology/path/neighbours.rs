//! What the plugs of a machine lead to, whatever is asked: worked out once, and kept with the value for all questions.
//!
//! Searches come to the same machines in the middle of a network again and again, and to follow their lines is most of
//! what a search costs.

use std::sync::Arc;

use super::error::PathError;
use super::graph::Graph;
use super::role::{Part, Plane};
use crate::inventory::{Grounds, Place};
use crate::topology::line::{Direction, FarEnd, Outcome};
use crate::topology::steps::Steps;

/// What the plugs of a machine lead to.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    /// Lines that may lead on, in the order of the plugs.
    pub lines: Vec<LineOfPlug>,
    /// Plugs that are joined to a machine alone which passes nothing on, with this machine. Most are, and this is seen
    /// without following a line.
    pub last: Vec<(Place, Place)>,
}

/// A line of a plug.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineOfPlug {
    pub plug: Place,
    /// The network that the plug is for.
    pub own: Plane,
    pub far: FarEnd,
    pub leads: Leads,
    /// Its number among those of the plug.
    pub at: usize,
    pub length_m: Option<f64>,
    pub latency_ms: Option<f64>,
}

/// Where a line leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leads {
    /// A machine, a network of others or a group.
    pub to: Place,
    /// What the line ends at.
    pub end: Place,
    /// The network that the plug is for which it ends at; `None`: it ends at no plug.
    pub plane: Option<Plane>,
}

impl Neighbours {
    /// What the plugs of a machine lead to.
    pub async fn of(graph: &mut Graph<'_>, machine: Place, steps: &mut Steps) -> Result<Arc<Self>, PathError> {
        if let Some(known) = graph.snapshot.learnt(machine) {
            return Ok(known);
        }
        let (mut found, mut grounds) = (Self::default(), Grounds::default());
        grounds.referrers(machine);
        for plug in graph.plugs(machine) {
            steps.take().await?;
            found.add(graph, plug, &mut grounds);
        }
        let found = Arc::new(found);
        graph.snapshot.learn(machine, Arc::clone(&found), grounds);
        Ok(found)
    }

    fn add(&mut self, graph: &mut Graph<'_>, plug: Place, grounds: &mut Grounds) {
        grounds.row(plug);
        let Some(own) = graph.plug(plug).map(|state| state.plane) else { return };
        if let Some((end, machine)) = graph.only_machine_beside(plug) {
            grounds.referrers(plug);
            grounds.row(end);
            grounds.row(machine);
            if graph.machine(machine).is_some_and(|(_, state)| !state.forwards) {
                self.last.push((plug, machine));
                return;
            }
        }
        let Ok(trace) = graph.tracer.trace_with_grounds(plug, grounds) else { return };
        let branches = trace.branches.iter().enumerate();
        self.lines.extend(branches.filter(|(_, it)| it.direction == Direction::Outward).filter_map(|(at, branch)| {
            let far = FarEnd::from(branch);
            let (length_m, latency_ms) = (branch.length_m, graph.latency(branch));
            Some(LineOfPlug { plug, own, far, leads: graph.leads(&far)?, at, length_m, latency_ms })
        }));
    }
}

impl Graph<'_> {
    /// Where a line of a plug leads, if that can be a part of a path.
    pub fn leads(&self, far: &FarEnd) -> Option<Leads> {
        let end = far.end?;
        match (self.plug(end), far.outcome, &self.roles.of(end.kind).part) {
            (Some(state), Outcome::Complete, _) => {
                Some(Leads { to: self.machine_of(end)?, end, plane: Some(state.plane) })
            }
            (None, Outcome::Complete, Part::Network(_)) | (None, Outcome::Open, Part::Group(_)) => {
                Some(Leads { to: end, end, plane: None })
            }
            _ => None,
        }
    }

    /// The only end that a plug is joined to, where the line ends there, with its machine.
    pub fn only_machine_beside(&self, plug: Place) -> Option<(Place, Place)> {
        let end = self.tracer.direct_line(plug)?.end;
        Some((end, self.machine_of(end)?))
    }
}
