//! Finds paths from one object to another, over machines and the lines between them.
//!
//! At the ends of a path, an object stands for the machines in it. Paths run from machine to machine, and pass only
//! machines that forward traffic. They use only objects that are plugged in, in use and switched on, unless the query
//! includes planned objects. A machine that does not run counts as unplugged. Networks of other operators forward
//! traffic. Each kind describes its part in a [`Role`](super::role::Role). Lines are traced as in
//! [`line`](super::line).
//!
//! Of two paths, the one with fewer unknown parts comes first, then the one with less weight, then the one with fewer
//! hops (see `cost`). Paths with logical connections, if the query includes them, come after all others.
//!
//! Guarantees:
//!
//! - A query reads one snapshot, and the same query gets the same answer.
//! - No path passes the same node twice.
//! - No path touches an avoided object.
//! - A query ends soon after its flag is set, and fails when it would take more than [`MAX_STEPS`].
//!
//! Only the part of the network that a query visits is built. Parts of it are memoized in the snapshot (`neighbours`),
//! which does not change any answer.

mod cost;
mod ends;
mod error;
mod flow;
mod graph;
mod lines;
mod logical;
mod neighbours;
mod risk;
mod search;
mod segments;
mod shortest;
mod visit;

use std::collections::{BTreeSet, HashSet};

use foldhash::HashMap;

pub use crate::role::Plane;
pub use cost::Weight;
pub use error::{PathError, Side};
pub use risk::{Risk, SharedRisk};
pub use segments::{Connection, Path, Segment};

use flow::{Overlap, disjoint};
use graph::{NodeId, PathGraph};
use shortest::{Route, shortest};

use super::impact::Failures;
use super::role::Roles;
use super::steps::{Steps, StopFlag};
use underlay_inventory::{ObjectRef, Snapshot};

/// The maximum number of steps of a query.
pub const MAX_STEPS: u64 = 20_000_000;
/// The maximum number of paths in an answer.
pub const MAX_PATHS: usize = 100;

/// The data in which paths are searched.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The snapshot that is searched.
    pub snapshot: &'a Snapshot,
    /// The roles of all kinds.
    pub roles: &'a Roles,
}

/// The parameters of a path query.
#[derive(Clone, Debug)]
pub struct PathQuery {
    /// The object at which paths begin.
    pub from: ObjectRef,
    /// The object at which paths end.
    pub to: ObjectRef,
    /// Objects that paths must not touch, nor any object that goes down with them.
    pub avoid: Vec<ObjectRef>,
    /// The measure by which paths are compared.
    pub weight: Weight,
    /// The network to which the paths belong.
    pub plane: Plane,
    /// True if paths may use objects that are not in use.
    pub include_planned: bool,
    /// True if paths may use connections of which the physical route is not known.
    pub include_logical: bool,
    /// The maximum number of steps; `None` for [`MAX_STEPS`].
    pub max_steps: Option<u64>,
    /// The flag that stops the query; `None` if nothing stops it.
    pub stop: Option<StopFlag>,
}

impl PathQuery {
    /// Returns a query with default parameters.
    pub fn new(from: ObjectRef, to: ObjectRef) -> Self {
        Self {
            from,
            to,
            avoid: Vec::new(),
            weight: Weight::default(),
            plane: Plane::default(),
            include_planned: false,
            include_logical: false,
            max_steps: None,
            stop: None,
        }
    }
}

/// The paths that a query searches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The first so many paths in the order of their costs. No path passes the same node twice.
    Shortest(usize),
    /// Paths without a machine or line in common: as many as there are, but at most this number.
    Disjoint(usize),
}

/// Two paths that have as little as possible in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Diversity {
    /// The paths: none, one if there is no other, or two.
    pub paths: Vec<Path>,
    /// True if there are two paths without a machine or line in common.
    pub disjoint: bool,
    /// The failures that each break all of the paths. A machine or line that both paths use is one.
    pub risks: Vec<SharedRisk>,
}

/// Returns the paths between two objects, the best first; none if there is no path.
///
/// # Errors
/// Returns an error if no path can begin or end at a given object, or if the query takes too many steps.
pub fn paths(view: View<'_>, question: &PathQuery, mode: Mode) -> Result<Vec<Path>, PathError> {
    let mut steps = Steps::new(question.max_steps.unwrap_or(MAX_STEPS), question.stop.clone());
    let avoided = avoided(view, question, &mut steps)?;
    let mut search = Search::new(view, question, &avoided, &mut steps)?;
    let routes = match mode {
        Mode::Shortest(most) => shortest(&mut search.graph, &search.starts, &search.goals, most, &mut steps)?,
        Mode::Disjoint(most) => {
            disjoint(&mut search.graph, (&search.starts, &search.goals), Overlap::None, most, &mut steps)?
        }
    };
    search.paths(&routes, &mut steps)
}

/// Returns the two paths between two objects that have nothing in common and are shortest together. If there are no
/// such two, returns those with the fewest machines and lines in common.
///
/// # Errors
/// Returns the same errors as [`paths`].
pub fn diversity(view: View<'_>, question: &PathQuery) -> Result<Diversity, PathError> {
    let mut steps = Steps::new(question.max_steps.unwrap_or(MAX_STEPS), question.stop.clone());
    let avoided = avoided(view, question, &mut steps)?;
    let mut search = Search::new(view, question, &avoided, &mut steps)?;
    let mut routes = disjoint(&mut search.graph, (&search.starts, &search.goals), Overlap::None, 2, &mut steps)?;
    let is_disjoint = routes.len() == 2;
    if routes.len() == 1 {
        routes = disjoint(&mut search.graph, (&search.starts, &search.goals), Overlap::OfTwo, 2, &mut steps)?;
        routes.dedup_by_key(|route| route.key());
    }
    let paths = search.paths(&routes, &mut steps)?;
    let risks = match paths.as_slice() {
        [one, other] => risk::shared(view, [one, other], &mut steps)?,
        [one] => risk::shared(view, [one, one], &mut steps)?,
        _ => Vec::new(),
    };
    Ok(Diversity { paths, disjoint: is_disjoint, risks })
}

/// Returns the objects that no path may touch: the given ones, and all that go down with them.
fn avoided(view: View<'_>, question: &PathQuery, steps: &mut Steps) -> Result<HashSet<ObjectRef>, PathError> {
    let mut avoided: HashSet<ObjectRef> = question.avoid.iter().copied().collect();
    if !avoided.is_empty() {
        let mut failures = Failures::new(view.snapshot, view.roles);
        avoided.extend(failures.of(&question.avoid, steps)?);
    }
    Ok(avoided)
}

/// A network, and the nodes at which paths begin and end in it.
struct Search<'a> {
    graph: PathGraph<'a>,
    starts: Vec<NodeId>,
    goals: Vec<NodeId>,
}

impl<'a> Search<'a> {
    fn new(
        view: View<'a>,
        question: &'a PathQuery,
        avoided: &'a HashSet<ObjectRef>,
        steps: &mut Steps,
    ) -> Result<Self, PathError> {
        let ends: HashMap<ObjectRef, Side> = ends::both(view, question, steps)?;
        let mut of_side: BTreeSet<(ObjectRef, Side)> = BTreeSet::new();
        of_side.extend(ends.iter().map(|(object, side)| (*object, *side)));
        let mut graph = PathGraph::new(view, question, avoided, ends);
        let (mut starts, mut goals) = (Vec::new(), Vec::new());
        for (object, side) in of_side {
            let node = graph.find(object);
            match side {
                Side::From => starts.extend(node),
                Side::To => goals.extend(node),
            }
        }
        Ok(Self { graph, starts, goals })
    }
    fn paths(&mut self, routes: &[Route], steps: &mut Steps) -> Result<Vec<Path>, PathError> {
        let mut paths = Vec::with_capacity(routes.len());
        for route in routes {
            paths.push(Path::of(&mut self.graph, route, steps)?);
        }
        Ok(paths)
    }
}
