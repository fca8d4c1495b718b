//! Paths in the API: the ways between two objects, and what two of them share.
//!
//! They are found by `topology`; here its places become objects of the snapshot that the request is answered from.

mod answer;
mod diversity;

use async_graphql::{Context, Enum, Error, ErrorExtensions, ID, Object, Result};
use underlay_entity::device;

pub use answer::Paths;
pub use diversity::Diversity;

use super::asked::Asked;
use super::common::plane;
use super::errors::unreadable;
use super::given::{place, places};
use super::request::Request;
use super::{failures, lines};
use crate::inventory::{Code, Snapshot};
use crate::read::ReadError;
use crate::topology::impact::ImpactError;
use crate::topology::path::{self, MOST_PATHS, Mode, Path, PathError, Question, Side, View, Weight};

/// How many objects may be avoided.
const MOST_AVOIDED: usize = 1_000;

/// Which paths are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum)]
pub enum PathMode {
    /// Those that come first by the weight; none of them passes a device twice.
    #[default]
    Shortest,
    /// As many as there are without a device or line in common, shortest together.
    Disjoint,
}

/// What paths are compared by. Equal ones are compared by hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "Weight")]
pub enum PathWeight {
    /// How many hops there are from device to device.
    Hops,
    /// The length. A path with fewer lines of unknown length comes before one with more, whatever their known length
    /// is.
    Length,
    /// The latency of the circuits that are crossed. A path with fewer circuits of unknown latency comes before one
    /// with more; a line that crosses none adds nothing.
    Latency,
}

/// The root fields that look for paths.
#[derive(Debug, Default)]
pub struct PathRoots;

/// The root fields that look for paths.
#[Object]
impl PathRoots {
    /// The paths between two objects. Devices are joined by each complete, active line of ETHERNET and OPTICAL ports
    /// that is unguessed from at least one end; a path passes only those that forward, and those of one parent that
    /// forward are joined. Provider networks forward. What is not there and running is not used.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    async fn paths(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "Where they begin: a Device, Port, VirtualMachine, Cluster, Site, Circuit, Provider or ProviderNetwork, which stands for the devices in it."
        )]
        from: ID,
        #[graphql(desc = "Where they end: as `from`, with nothing in common.")] to: ID,
        #[graphql(
            desc = "What they must not touch, with all that its failure takes down: at most 1000 objects of any kind."
        )]
        avoid: Option<Vec<ID>>,
        #[graphql(desc = "Which paths. Default: SHORTEST.")] mode: Option<PathMode>,
        #[graphql(desc = "What they are compared by. Default: HOPS.")] weight: Option<PathWeight>,
        #[graphql(desc = "At most so many: 1 to 100. Default: 1 of SHORTEST, all of DISJOINT.")] limit: Option<i32>,
        #[graphql(
            desc = "DATA (the default) leaves out ports that are `mgmtOnly` and devices of the plane MANAGEMENT; MANAGEMENT uses only lines that have such an end, and passes only such devices."
        )]
        plane: Option<device::Plane>,
        #[graphql(desc = "Also use what is not active. Default: false.")] include_planned: Option<bool>,
        #[graphql(
            desc = "Also use Links without cables, and circuits that end at a bare site; both join with the devices there. Such paths are marked, and come after all others. Default: false."
        )]
        include_logical: Option<bool>,
    ) -> Result<Option<Paths>> {
        let snapshot = Request::of(context).snapshot();
        let mode = mode.unwrap_or_default();
        let usual = if mode == PathMode::Shortest { 1 } else { MOST_PATHS };
        let limit = limit.map_or(Ok(usual), in_range)?;
        let mode = match mode {
            PathMode::Shortest => Mode::Shortest(limit),
            PathMode::Disjoint => Mode::Disjoint(limit),
        };
        let over = Over { avoid, weight, plane, include_planned, include_logical };
        let question = over.question(&snapshot, &from, &to)?;
        let asked = Asked::begin("paths");
        // On the heap: the resolver of any root field takes the room of the largest.
        let found = Box::pin(path::paths(view(&snapshot), &question, mode)).await;
        let found = found.map_err(|error| unanswered(&error))?;
        asked.answered(objects(&found));
        Ok(Some(Paths::new(snapshot, found)))
    }

    /// Whether there are two ways between two objects, and what they share nevertheless: the two paths without a device
    /// or line in common that are shortest together, else those that have the fewest in common; with everything whose
    /// failure alone breaks both.
    async fn diversity(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "Where they begin: a Device, Port, VirtualMachine, Cluster, Site, Circuit, Provider or ProviderNetwork, which stands for the devices in it."
        )]
        from: ID,
        #[graphql(desc = "Where they end: as `from`, with nothing in common.")] to: ID,
        #[graphql(desc = "As for `paths`.")] avoid: Option<Vec<ID>>,
        #[graphql(desc = "What they are compared by. Default: HOPS.")] weight: Option<PathWeight>,
        #[graphql(desc = "As for `paths`. Default: DATA.")] plane: Option<device::Plane>,
        #[graphql(desc = "Also use what is not active. Default: false.")] include_planned: Option<bool>,
        #[graphql(desc = "As for `paths`. Default: false.")] include_logical: Option<bool>,
    ) -> Result<Option<Diversity>> {
        let snapshot = Request::of(context).snapshot();
        let over = Over { avoid, weight, plane, include_planned, include_logical };
        let question = over.question(&snapshot, &from, &to)?;
        let asked = Asked::begin("diversity");
        let found = Box::pin(path::diversity(view(&snapshot), &question)).await;
        let found = found.map_err(|error| unanswered(&error))?;
        asked.answered(objects(&found.paths) + found.risks.len());
        Ok(Some(Diversity::new(snapshot, found)))
    }
}

/// Over what paths may run, as it is asked.
struct Over {
    avoid: Option<Vec<ID>>,
    weight: Option<PathWeight>,
    plane: Option<device::Plane>,
    include_planned: Option<bool>,
    include_logical: Option<bool>,
}

impl Over {
    fn question(self, snapshot: &Snapshot, from: &ID, to: &ID) -> Result<Question> {
        let (from, to) = (place(snapshot, Side::From.name(), from)?, place(snapshot, Side::To.name(), to)?);
        let avoid = places(snapshot, "avoid", &self.avoid.unwrap_or_default(), 0..=MOST_AVOIDED)?;
        Ok(Question {
            avoid,
            weight: self.weight.map_or_else(Weight::default, Into::into),
            plane: self.plane.map_or_else(Default::default, plane),
            include_planned: self.include_planned.unwrap_or_default(),
            include_logical: self.include_logical.unwrap_or_default(),
            ..Question::new(from, to)
        })
    }
}

/// What paths are looked for in.
fn view(snapshot: &Snapshot) -> View<'_> {
    View { snapshot, roles: super::paths(), lines: lines(), failures: failures() }
}

fn in_range(limit: i32) -> Result<usize> {
    let fits = usize::try_from(limit).ok().filter(|limit| (1..=MOST_PATHS).contains(limit));
    fits.ok_or_else(|| argument("limit", format!("must be from 1 to {MOST_PATHS}, not {limit}")))
}

/// How many objects paths speak of.
fn objects(paths: &[Path]) -> usize {
    let hops = |path: &Path| path.segments.iter().flat_map(|segment| &segment.steps).map(Vec::len).sum::<usize>();
    paths.iter().map(|path| path.nodes.len() + hops(path)).sum()
}

fn argument(argument: &'static str, reason: String) -> Error {
    unreadable(&ReadError::Argument { argument, reason })
}

/// A question that has no answer, as the API shows it.
fn unanswered(error: &PathError) -> Error {
    match error {
        PathError::NoEnd { side, .. } | PathError::Nobody { side, .. } => argument(side.name(), error.to_string()),
        PathError::Same { .. } => argument(Side::To.name(), error.to_string()),
        PathError::Failure(ImpactError::Anchor { .. }) => argument("avoid", error.to_string()),
        PathError::TooComplex { .. } | PathError::Failure(ImpactError::TooComplex { .. }) => {
            Error::new(error.to_string()).extend_with(|_, extensions| extensions.set("code", Code::TooComplex.as_str()))
        }
    }
}
