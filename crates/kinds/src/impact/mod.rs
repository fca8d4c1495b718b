//! Impact analysis in the API: the objects that go down, are isolated or lose redundancy when objects fail, and the
//! single points of failure.
//!
//! The rules are those of `topology`. This module turns its results into objects of the snapshot that answers the
//! request. A failure spreads whether or not the caller sees the objects. If the caller sees only a part of the
//! inventory, the query runs on the whole, and objects outside that part are left out of the answer.

mod answer;
mod arguments;
mod cursor;
mod errors;
mod part;
mod single;

use std::sync::Arc;

use async_graphql::{Context, Enum, Error, ID, Object, Result};

pub use answer::Impact;
pub use single::SinglePointOfFailure;

use arguments::ImpactArguments;
use part::{across, whole};

use super::AnyRef;
use super::errors::{internal, refused, too_complex, unreadable};
use super::object_arguments::{Arguments, NamedObject};
use super::query_metrics::QueryTimer;
use super::request::Request;
use super::shared_values::ValueKey;
use super::topology;
use underlay_read::{MAX_PAGE_OBJECTS, ReadError};
use underlay_topology::impact::{Effect, ImpactError, Rule, SinglePointQuery, single_points};

/// The maximum number of ids in `of`, and in `anchors`.
const MAX_IDS: usize = 1_000;
/// The arguments that name objects.
const OF: Arguments = Arguments { ids: "of", references: "objects" };
const ANCHORS: Arguments = Arguments { ids: "anchors", references: "anchorObjects" };
const WITHIN: Arguments = Arguments { ids: "within", references: "withinObject" };
/// The default number of entries in a list.
const DEFAULT_ENTRIES: usize = 50;

/// The effect of a failure on an object. An object has the strongest of its effects: the first of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "Effect")]
pub enum ImpactEffect {
    /// The object no longer works.
    Down,
    /// The object works, but reaches no anchor over the data network.
    Isolated,
    /// The object works, but has lost redundancy.
    Degraded,
}

/// The rule by which an object is affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "Rule")]
pub enum ImpactRule {
    /// The object that contains it is down.
    Containment,
    /// A line depends on its ends: a cable is affected if all ends of one side are down, a circuit if the site of an
    /// end is down.
    Line,
    /// The object has less power than it needs (DOWN), or less than it had before (DEGRADED).
    Power,
    /// The object no longer reaches an anchor (ISOLATED), or reaches anchors over fewer disjoint paths (DEGRADED).
    Network,
    /// The LAG has no members left (DOWN), or fewer than before (DEGRADED).
    Group,
    /// The host, cluster or provider that the object runs on is affected. For a cluster, its servers and storage are
    /// affected.
    Hosting,
    /// The ends or cables of the link are affected.
    #[graphql(name = "LINK")]
    Association,
}

/// The root fields for impact analysis.
#[derive(Debug, Default)]
pub struct ImpactRoots;

/// The root fields for impact analysis.
#[Object]
impl ImpactRoots {
    /// Computes which objects go down, are isolated or lose redundancy when the given objects fail together, and why.
    /// Nothing is written. Only an object that was up can go down. Objects that are PLANNED, OFFLINE, FAILED or
    /// RETIRED, cables that are not CONNECTED and ports that are not enabled were down before, with everything that
    /// depends on them.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    async fn impact(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "The objects that fail together, by their ids: objects of any kind, 1 to 1000 with `objects`."
        )]
        of: Option<Vec<ID>>,
        #[graphql(
            desc = "The objects that fail together, by references: an external id with its source, or a name with its parents."
        )]
        objects: Option<Vec<AnyRef>>,
        #[graphql(
            desc = "The objects that devices must reach: 1 to 1000 ids of Devices of the DATA plane and of ProviderNetworks. By default, each connected part uses its ways out of the inventory: ProviderNetworks, and circuits other than cross-connects with an end whose place is not recorded. A part without them uses its BORDER_ROUTERs, and a part without those uses its SPINEs."
        )]
        anchors: Option<Vec<ID>>,
        #[graphql(desc = "Further anchors, by references.")] anchor_objects: Option<Vec<AnyRef>>,
        #[graphql(desc = "Limits the answer to these kinds, such as `Device`. Defaults to all kinds.")] kinds: Option<
            Vec<String>,
        >,
        #[graphql(desc = "Limits the answer to objects anywhere beneath this object, by its id or path.")]
        within: Option<ID>,
        #[graphql(desc = "The same as `within`, by a reference.")] within_object: Option<AnyRef>,
    ) -> Result<Option<Impact>> {
        let has_anchors = anchors.is_some() || anchor_objects.is_some();
        let anchors = NamedObject::all(ANCHORS, anchors.as_ref(), anchor_objects.as_ref());
        let within = NamedObject::of(WITHIN, within.as_ref(), within_object.as_ref());
        let arguments = ImpactArguments {
            of: NamedObject::all(OF, of.as_ref(), objects.as_ref()),
            anchors: has_anchors.then_some(anchors),
            kinds,
            within: within.map_err(|refusal| refused(&refusal, None, None))?,
        };
        let answer = arguments.answer(context).await?;
        Ok(Some(Impact::new(answer, Request::of(context).view.answers.clone())))
    }

    /// Lists the objects whose failure alone takes down or isolates other objects than themselves and those that they
    /// contain. Objects that take down the most come first. Ports, cables and the ends of circuits are not counted as
    /// taken down, because they are only parts of other objects.
    async fn single_points_of_failure(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "Returns only objects anywhere beneath this object, by its id or path, and the cables and circuits that end there. Defaults to all."
        )]
        within: Option<ID>,
        #[graphql(
            desc = "The same as `within`, by a reference: an external id with its source, or a name with its parents."
        )]
        within_object: Option<AnyRef>,
        #[graphql(desc = "Counts only objects affected by this rule. Defaults to all.")] rule: Option<ImpactRule>,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 50.")] first: Option<i32>,
    ) -> Result<Option<Vec<SinglePointOfFailure>>> {
        let request = Request::of(context);
        let snapshot = request.snapshot();
        let first = limit("first", first)?;
        let within = NamedObject::of(WITHIN, within.as_ref(), within_object.as_ref());
        let within = within.map_err(|refusal| refused(&refusal, None, None))?;
        let within = within.map(|place| place.found(&snapshot)).transpose()?;
        let within = within.and_then(|object| across(&snapshot, whole(&snapshot), object));
        let viewed = Arc::clone(&snapshot);
        let work = async {
            let timer = QueryTimer::begin("singlePointsOfFailure");
            let found = request.compute(move |stop| {
                let seen = viewed.part_of().is_some().then_some(&*viewed);
                let rule = rule.map(Into::into);
                let query = SinglePointQuery { within, rule, seen, stop: Some(&stop), max_steps: None };
                single_points(whole(&viewed), topology(), query)
            });
            let found = found.await.map_err(|error| unanswered(&error))?;
            timer.answered(found.len());
            request.pace.hold(size_of_val(found.as_slice())).await;
            Ok(found)
        };
        let key = ValueKey::of(context, "singlePointsOfFailure", &snapshot)?;
        let found = request.shared.get(key, work).await?;
        found
            .iter()
            .take(first)
            .map(|point| {
                SinglePointOfFailure::of(&snapshot, across(whole(&snapshot), &snapshot, point.object), point.count)
            })
            .collect::<Result<_>>()
            .map(Some)
    }
}

/// Checks a requested number of entries.
fn limit(argument: &'static str, asked: Option<i32>) -> Result<usize> {
    let fits = usize::try_from(asked.unwrap_or(DEFAULT_ENTRIES as i32)).ok().filter(|most| *most <= MAX_PAGE_OBJECTS);
    fits.ok_or_else(|| {
        unreadable(&ReadError::Argument { argument, reason: format!("must be from 0 to {MAX_PAGE_OBJECTS}") })
    })
}

/// Converts the error of a query without an answer to a GraphQL error.
fn unanswered(error: &ImpactError) -> Error {
    match error {
        ImpactError::Stopped => internal(&error.to_string()),
        ImpactError::TooComplex { .. } => too_complex(error.to_string()),
        ImpactError::Anchor { .. } => {
            unreadable(&ReadError::Argument { argument: "anchors", reason: error.to_string() })
        }
    }
}
