//! Paths: from one object to another, over machines and the lines between them.
//!
//! Where paths begin and end, an object stands for the machines in it. They run from machine to machine, pass only those
//! that pass traffic on, and use only what is plugged in, in use and switched on, unless what is planned is asked for as
//! well; a machine that does not run is as good as unplugged. Networks of others pass traffic on. Every kind's [`Role`]
//! says what it is to paths; lines are followed as in [`line`](super::line).
//!
//! Of two ways that with fewer unknown parts comes first, then that which weighs less, then that with fewer hops: see
//! `cost`. Logical joints, where they are asked for, come after everything that is not.
//!
//! Guarantees: of one snapshot alone; the same question gets the same answer; no path is through the same node twice;
//! nothing avoided is touched; long questions yield, end when they are dropped, and refuse to take more than
//! [`MOST_STEPS`]. The network is found as far as a question looks, never extracted as a whole; what was found of it
//! stays with the snapshot (`neighbours`), and makes an answer no other one.

mod cost;
mod ends;
mod error;
mod flow;
mod graph;
mod lines;
mod logical;
mod neighbours;
mod risk;
mod role;
mod search;
mod shortest;
mod way;

use std::collections::{BTreeSet, HashSet};

use foldhash::HashMap;

pub use cost::Weight;
pub use error::{PathError, Side};
pub use risk::{Risk, SharedRisk};
pub use role::{
    Association, Crossing, Ends, Group, Machine, MachineState, Network, Part, Plane, Plug, PlugState, Role, Roles,
    Toward,
};
pub use way::{Joint, Path, Segment};

use flow::{Overlap, disjoint};
use graph::{Graph, NodeId};
use search::Route;
use shortest::shortest;

use super::impact::{self, Failures};
use super::line::Lines;
use super::steps::Steps;
use crate::inventory::{Place, Snapshot};

/// How many steps a question may take.
pub const MOST_STEPS: u64 = 20_000_000;
/// How many paths are found at most.
pub const MOST_PATHS: usize = 100;

/// What paths are looked for in.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The snapshot.
    pub snapshot: &'a Snapshot,
    /// What every kind is to paths.
    pub roles: &'a Roles,
    /// What every kind is to lines.
    pub lines: &'a Lines,
    /// What every kind is to failure.
    pub failures: &'a impact::Roles,
}

/// Between what paths are looked for, and over what.
#[derive(Clone, Debug)]
pub struct Question {
    /// Where they begin.
    pub from: Place,
    /// Where they end.
    pub to: Place,
    /// What they must not touch, with all that goes down when this fails.
    pub avoid: Vec<Place>,
    /// What they are compared by.
    pub weight: Weight,
    /// Of which network they are.
    pub plane: Plane,
    /// Whether they may use what is not in use.
    pub include_planned: bool,
    /// Whether they may use what is joined, but nobody knows how.
    pub include_logical: bool,
    /// How many steps it may take; `None`: [`MOST_STEPS`].
    pub most_steps: Option<u64>,
}

impl Question {
    /// The usual question.
    pub fn new(from: Place, to: Place) -> Self {
        Self {
            from,
            to,
            avoid: Vec::new(),
            weight: Weight::default(),
            plane: Plane::default(),
            include_planned: false,
            include_logical: false,
            most_steps: None,
        }
    }
}

/// Which paths are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// So many that come first, no node twice in one.
    Shortest(usize),
    /// Paths without a machine or line in common: as many as there are, but not more than so many.
    Disjoint(usize),
}

/// Two paths that have as little as possible in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Diversity {
    /// None, one where there is no other, or two.
    pub paths: Vec<Path>,
    /// Whether there are two without a machine or line in common.
    pub disjoint: bool,
    /// What breaks all of them when it fails alone; a machine or line that both use is one.
    pub risks: Vec<SharedRisk>,
}

/// The paths between two objects, the first first; none where there is none.
///
/// # Errors
/// When no path can begin or end there, or it takes too many steps.
pub async fn paths(view: View<'_>, question: &Question, mode: Mode) -> Result<Vec<Path>, PathError> {
    let mut steps = Steps::new(question.most_steps.unwrap_or(MOST_STEPS));
    let avoided = avoided(view, question, &mut steps).await?;
    let mut search = Search::new(view, question, &avoided, &mut steps).await?;
    let routes = match mode {
        Mode::Shortest(most) => shortest(&mut search.graph, &search.starts, &search.goals, most, &mut steps).await?,
        Mode::Disjoint(most) => disjoint(&mut search.graph, &search.starts, Overlap::None, most, &mut steps).await?,
    };
    search.paths(&routes, &mut steps).await
}

/// The two paths between two objects that have nothing in common and are shortest together; where there are no such
/// two, those that have the fewest machines and lines in common.
///
/// # Errors
/// As [`paths`].
pub async fn diversity(view: View<'_>, question: &Question) -> Result<Diversity, PathError> {
    let mut steps = Steps::new(question.most_steps.unwrap_or(MOST_STEPS));
    let avoided = avoided(view, question, &mut steps).await?;
    let mut search = Search::new(view, question, &avoided, &mut steps).await?;
    let mut routes = disjoint(&mut search.graph, &search.starts, Overlap::None, 2, &mut steps).await?;
    let is_disjoint = routes.len() == 2;
    if routes.len() == 1 {
        routes = disjoint(&mut search.graph, &search.starts, Overlap::OfTwo, 2, &mut steps).await?;
        routes.dedup_by_key(|route| route.key());
    }
    let paths = search.paths(&routes, &mut steps).await?;
    let risks = match paths.as_slice() {
        [one, other] => risk::shared(view, [one, other], &mut steps).await?,
        [one] => risk::shared(view, [one, one], &mut steps).await?,
        _ => Vec::new(),
    };
    Ok(Diversity { paths, disjoint: is_disjoint, risks })
}

/// What no path may touch: what is given, and all that goes down with it.
async fn avoided(view: View<'_>, question: &Question, steps: &mut Steps) -> Result<HashSet<Place>, PathError> {
    let mut avoided: HashSet<Place> = question.avoid.iter().copied().collect();
    if !avoided.is_empty() {
        let mut failures = Failures::new(view.snapshot, view.failures);
        avoided.extend(failures.of(&question.avoid, steps).await?);
    }
    Ok(avoided)
}

/// A network, and where paths begin and end in it.
struct Search<'a> {
    graph: Graph<'a>,
    starts: Vec<NodeId>,
    goals: Vec<NodeId>,
}

impl<'a> Search<'a> {
    async fn new(
        view: View<'a>,
        question: &'a Question,
        avoided: &'a HashSet<Place>,
        steps: &mut Steps,
    ) -> Result<Self, PathError> {
        let ends: HashMap<Place, Side> = ends::both(view, question, steps).await?;
        let mut of_side: BTreeSet<(Place, Side)> = BTreeSet::new();
        of_side.extend(ends.iter().map(|(place, side)| (*place, *side)));
        let mut graph = Graph::new(view, question, avoided, ends);
        let (mut starts, mut goals) = (Vec::new(), Vec::new());
        for (place, side) in of_side {
            let node = graph.find(place);
            match side {
                Side::From => starts.extend(node),
                Side::To => goals.extend(node),
            }
        }
        Ok(Self { graph, starts, goals })
    }
    async fn paths(&mut self, routes: &[Route], steps: &mut Steps) -> Result<Vec<Path>, PathError> {
        let mut paths = Vec::with_capacity(routes.len());
        for route in routes {
            paths.push(Path::of(&mut self.graph, route, steps).await?);
        }
        Ok(paths)
    }
}
