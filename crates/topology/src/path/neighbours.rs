//! Memoizes in the snapshot the neighbours of machines, as far as these do not depend on the query.
//!
//! Searches visit the same machines in the core of a network again and again. Tracing their lines is most of the cost
//! of a search.

use std::sync::Arc;

use super::error::PathError;
use super::graph::PathGraph;
use crate::line::{Direction, FarEnd, Measure, Outcome};
use crate::role::{Part, Plane};
use crate::steps::Steps;
use underlay_inventory::{Dependencies, ObjectRef};

/// The neighbours of a machine over its ports.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    /// Lines over which paths may continue, in the order of the ports.
    pub lines: Vec<LineOfConnector>,
    /// Ports connected only to a machine that forwards nothing, with this machine. Most ports are, and this is visible
    /// without a trace.
    pub last: Vec<(ObjectRef, ObjectRef)>,
}

/// A memoized line of a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineOfConnector {
    pub connector: ObjectRef,
    /// The network that the port is for.
    pub own: Plane,
    pub far: FarEnd,
    pub leads: Leads,
    /// The number of the line among the lines of the port.
    pub at: usize,
    pub measure: Measure,
}

/// The far side of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leads {
    /// The machine, network of another operator, or group to which the line leads.
    pub to: ObjectRef,
    /// The last object on the line.
    pub end: ObjectRef,
    /// The network that the port at the end of the line is for; `None` if the line does not end at a port.
    pub plane: Option<Plane>,
}

impl Neighbours {
    /// Returns the neighbours of a machine, from the memo if it is still valid.
    pub fn of(graph: &mut PathGraph<'_>, machine: ObjectRef, steps: &mut Steps) -> Result<Arc<Self>, PathError> {
        if let Some(known) = graph.snapshot.memo(machine) {
            return Ok(known);
        }
        let (mut found, mut dependencies) = (Self::default(), Dependencies::default());
        dependencies.referrers(machine);
        for connector in graph.connectors(machine) {
            steps.take()?;
            found.add(graph, connector, &mut dependencies);
        }
        let found = Arc::new(found);
        graph.snapshot.memoize(machine, Arc::clone(&found), dependencies);
        Ok(found)
    }

    fn add(&mut self, graph: &mut PathGraph<'_>, connector: ObjectRef, dependencies: &mut Dependencies) {
        dependencies.row(connector);
        let Some(own) = graph.connector(connector) else { return };
        if let Some((end, machine)) = graph.only_machine_beside(connector) {
            dependencies.referrers(connector);
            dependencies.row(end);
            dependencies.row(machine);
            if graph.machine(machine).is_some_and(|(_, state)| !state.forwards) {
                self.last.push((connector, machine));
                return;
            }
        }
        let Ok(trace) = graph.tracer.trace_with_dependencies(connector, dependencies) else { return };
        let branches = trace.branches.iter().enumerate();
        self.lines.extend(branches.filter(|(_, it)| it.direction == Direction::Outward).filter_map(|(at, branch)| {
            let far = FarEnd::from(branch);
            Some(LineOfConnector { connector, own, far, leads: graph.leads(&far)?, at, measure: branch.measure })
        }));
    }
}

impl PathGraph<'_> {
    /// Returns the far side of a line of a port, if the line can be part of a path.
    pub fn leads(&self, far: &FarEnd) -> Option<Leads> {
        let end = far.end?;
        match (self.connector(end), far.outcome, &self.roles.of(end.kind).part) {
            (Some(plane), Outcome::Complete, _) => Some(Leads { to: self.machine_of(end)?, end, plane: Some(plane) }),
            (None, Outcome::Complete, Part::Outside(_)) | (None, Outcome::Open, Part::Group(_) | Part::Pool(_)) => {
                Some(Leads { to: end, end, plane: None })
            }
            _ => None,
        }
    }

    /// Returns the only end that a port is connected to, if the line ends there, with its machine.
    pub fn only_machine_beside(&self, connector: ObjectRef) -> Option<(ObjectRef, ObjectRef)> {
        let end = self.tracer.direct_line(connector)?.end;
        Some((end, self.machine_of(end)?))
    }
}
