//! Path search in the API: the paths between two objects, and the risks that two paths share.
//!
//! The search is done by `topology`. This module turns its results into objects of the snapshot that answers the
//! request.

mod answer;
mod diversity;

use std::sync::Arc;

use async_graphql::{Context, Enum, Error, ID, Object, Result};
use underlay_entity::device;

pub use answer::Paths;
pub use diversity::Diversity;

use super::AnyRef;
use super::common::plane;
use super::errors::{internal, refused, too_complex, unreadable};
use super::object_arguments::{Arguments, NamedObject, find_named};
use super::query_metrics::QueryTimer;
use super::request::Request;
use super::shared_values::ValueKey;
use super::topology;
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_read::ReadError;
use underlay_topology::impact::ImpactError;
use underlay_topology::path::{self, MAX_PATHS, Mode, Path, PathError, PathQuery, Side, View, Weight};

/// The maximum number of ids in `avoid`.
const MAX_AVOIDED_IDS: usize = 1_000;

/// The arguments that name objects.
const FROM: Arguments = Arguments { ids: "from", references: "fromObject" };
const TO: Arguments = Arguments { ids: "to", references: "toObject" };
const AVOID: Arguments = Arguments { ids: "avoid", references: "avoidObjects" };

/// The kind of paths to look for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum)]
pub enum PathMode {
    /// The paths with the smallest weight. No path passes a device twice.
    #[default]
    Shortest,
    /// As many paths as there are without a device or line in common, with the smallest weight together.
    Disjoint,
}

/// The measure that paths are compared by. Paths that are equal are compared by hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "Weight")]
pub enum PathWeight {
    /// The number of hops between devices.
    Hops,
    /// The length. A path with fewer lines of unknown length comes before a path with more, regardless of the known
    /// lengths. Of paths with equally many, the one with the smaller `knownLengthM` comes first.
    Length,
    /// The latency. A path with fewer circuits of unknown latency comes before a path with more. Of paths with equally
    /// many, the one with the smaller `knownLatencyMs` comes first.
    Latency,
}

/// The root fields for path search.
#[derive(Debug, Default)]
pub struct PathRoots;

/// The root fields for path search.
#[Object]
impl PathRoots {
    /// Finds the paths between two objects. Every complete, active line of ETHERNET and OPTICAL ports connects two
    /// devices, if a trace from at least one of its ends guesses no position. A path passes only devices that forward,
    /// and devices of one parent that forward are connected. Provider networks forward. Objects that are not in place
    /// or do not run are not used.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    async fn paths(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "The start, by its id: a Device, Port, VirtualMachine, Cluster, Site, Circuit, Provider or ProviderNetwork, which stands for the devices in it."
        )]
        from: Option<ID>,
        #[graphql(desc = "The start, by a reference: an external id with its source, or a name with its parents.")]
        from_object: Option<AnyRef>,
        #[graphql(desc = "The end, by its id, of the same kinds as the start. The two must have nothing in common.")]
        to: Option<ID>,
        #[graphql(desc = "The end, by a reference.")] to_object: Option<AnyRef>,
        #[graphql(
            desc = "The objects that paths must not touch, with everything that their failure takes down: at most 1000 ids of any kind."
        )]
        avoid: Option<Vec<ID>>,
        #[graphql(desc = "Further objects to avoid, by references: at most 1000 with `avoid`.")] avoid_objects: Option<
            Vec<AnyRef>,
        >,
        #[graphql(desc = "The kind of paths to look for. Defaults to SHORTEST.")] mode: Option<PathMode>,
        #[graphql(desc = "The measure to compare paths by. Defaults to HOPS.")] weight: Option<PathWeight>,
        #[graphql(desc = "The maximum number of paths: 1 to 100. Defaults to 1 for SHORTEST and to all for DISJOINT.")]
        limit: Option<i32>,
        #[graphql(
            desc = "The plane to search. DATA (the default) leaves out ports that are `mgmtOnly` and devices of the MANAGEMENT plane. MANAGEMENT uses only lines that have such an end, and passes only such devices."
        )]
        plane: Option<device::Plane>,
        #[graphql(desc = "Also uses objects that are not active. Defaults to false.")] include_planned: Option<bool>,
        #[graphql(
            desc = "Also uses Links without cables, and circuits that end at a bare site; both connect to the devices there. Such paths are marked as logical, and come after all others. Defaults to false."
        )]
        include_logical: Option<bool>,
    ) -> Result<Option<Paths>> {
        let request = Request::of(context);
        let snapshot = request.snapshot();
        let mode = mode.unwrap_or_default();
        let usual = if mode == PathMode::Shortest { 1 } else { MAX_PATHS };
        let limit = limit.map_or(Ok(usual), in_range)?;
        let mode = match mode {
            PathMode::Shortest => Mode::Shortest(limit),
            PathMode::Disjoint => Mode::Disjoint(limit),
        };
        let ends = [named(FROM, from, from_object)?, named(TO, to, to_object)?];
        let avoid = NamedObject::all(AVOID, avoid.as_ref(), avoid_objects.as_ref());
        let over = Over { avoid, weight, plane, include_planned, include_logical };
        let question = over.question(&snapshot, &ends)?;
        let searched = Arc::clone(&snapshot);
        let work = async {
            let timer = QueryTimer::begin("paths");
            let search = move |stop| path::paths(view(&searched), &PathQuery { stop: Some(stop), ..question }, mode);
            let found = request.compute(search).await.map_err(|error| unanswered(&error))?;
            let objects = objects(&found);
            timer.answered(objects);
            request.pace.hold(objects * size_of::<ObjectRef>()).await;
            Ok(Paths::new(Arc::clone(&snapshot), found))
        };
        let found = request.shared.get(ValueKey::of(context, "paths", &snapshot)?, work).await?;
        Ok(Some(Paths::clone(&found)))
    }

    /// Finds two paths between two objects, and the risks that they share nevertheless. The paths are the two without a
    /// device or line in common that are shortest together; otherwise, the two that have the fewest in common. The
    /// answer lists everything whose failure alone breaks both.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    async fn diversity(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "The start, by its id: a Device, Port, VirtualMachine, Cluster, Site, Circuit, Provider or ProviderNetwork, which stands for the devices in it."
        )]
        from: Option<ID>,
        #[graphql(desc = "The start, by a reference: an external id with its source, or a name with its parents.")]
        from_object: Option<AnyRef>,
        #[graphql(desc = "The end, by its id, of the same kinds as the start. The two must have nothing in common.")]
        to: Option<ID>,
        #[graphql(desc = "The end, by a reference.")] to_object: Option<AnyRef>,
        #[graphql(desc = "The same as for `paths`.")] avoid: Option<Vec<ID>>,
        #[graphql(desc = "The same as for `paths`.")] avoid_objects: Option<Vec<AnyRef>>,
        #[graphql(desc = "The measure to compare paths by. Defaults to HOPS.")] weight: Option<PathWeight>,
        #[graphql(desc = "The same as for `paths`. Defaults to DATA.")] plane: Option<device::Plane>,
        #[graphql(desc = "Also uses objects that are not active. Defaults to false.")] include_planned: Option<bool>,
        #[graphql(desc = "The same as for `paths`. Defaults to false.")] include_logical: Option<bool>,
    ) -> Result<Option<Diversity>> {
        let request = Request::of(context);
        let snapshot = request.snapshot();
        let ends = [named(FROM, from, from_object)?, named(TO, to, to_object)?];
        let avoid = NamedObject::all(AVOID, avoid.as_ref(), avoid_objects.as_ref());
        let over = Over { avoid, weight, plane, include_planned, include_logical };
        let question = over.question(&snapshot, &ends)?;
        let searched = Arc::clone(&snapshot);
        let work = async {
            let timer = QueryTimer::begin("diversity");
            let search = move |stop| path::diversity(view(&searched), &PathQuery { stop: Some(stop), ..question });
            let found = request.compute(search).await.map_err(|error| unanswered(&error))?;
            let objects = objects(&found.paths) + found.risks.len();
            timer.answered(objects);
            request.pace.hold(objects * size_of::<ObjectRef>()).await;
            Ok(Diversity::new(Arc::clone(&snapshot), found))
        };
        let found = request.shared.get(ValueKey::of(context, "diversity", &snapshot)?, work).await?;
        Ok(Some(Diversity::clone(&found)))
    }
}

/// The arguments that say what paths may run over.
struct Over {
    avoid: Vec<NamedObject>,
    weight: Option<PathWeight>,
    plane: Option<device::Plane>,
    include_planned: Option<bool>,
    include_logical: Option<bool>,
}

impl Over {
    fn question(self, snapshot: &Snapshot, [from, to]: &[NamedObject; 2]) -> Result<PathQuery> {
        let (from, to) = (from.found(snapshot)?, to.found(snapshot)?);
        let avoid = find_named(snapshot, AVOID.ids, &self.avoid, 0..=MAX_AVOIDED_IDS)?;
        Ok(PathQuery {
            avoid,
            weight: self.weight.map_or_else(Weight::default, Into::into),
            plane: self.plane.map_or_else(Default::default, plane),
            include_planned: self.include_planned.unwrap_or_default(),
            include_logical: self.include_logical.unwrap_or_default(),
            ..PathQuery::new(from, to)
        })
    }
}

/// Returns the end of a path that one of two arguments names.
fn named(arguments: Arguments, id: Option<ID>, reference: Option<AnyRef>) -> Result<NamedObject> {
    NamedObject::required(arguments, id.as_ref(), reference.as_ref()).map_err(|refusal| refused(&refusal, None, None))
}

/// Returns the view of the inventory that paths are searched in.
fn view(snapshot: &Snapshot) -> View<'_> {
    View { snapshot, roles: topology() }
}

fn in_range(limit: i32) -> Result<usize> {
    let fits = usize::try_from(limit).ok().filter(|limit| (1..=MAX_PATHS).contains(limit));
    fits.ok_or_else(|| argument("limit", format!("must be from 1 to {MAX_PATHS}, not {limit}")))
}

/// Returns the number of objects in the paths.
fn objects(paths: &[Path]) -> usize {
    let hops = |path: &Path| path.segments.iter().flat_map(|segment| &segment.steps).map(Vec::len).sum::<usize>();
    paths.iter().map(|path| path.nodes.len() + hops(path)).sum()
}

fn argument(argument: &'static str, reason: String) -> Error {
    unreadable(&ReadError::Argument { argument, reason })
}

/// Converts the error of a query without an answer to a GraphQL error.
fn unanswered(error: &PathError) -> Error {
    match error {
        PathError::NoEnd { side, .. } | PathError::NoNode { side, .. } => argument(side.name(), error.to_string()),
        PathError::Same { .. } => argument(Side::To.name(), error.to_string()),
        PathError::Failure(ImpactError::Anchor { .. }) => argument("avoid", error.to_string()),
        PathError::Stopped | PathError::Failure(ImpactError::Stopped) => internal(&error.to_string()),
        PathError::TooComplex { .. } | PathError::Failure(ImpactError::TooComplex { .. }) => {
            too_complex(error.to_string())
        }
    }
}
