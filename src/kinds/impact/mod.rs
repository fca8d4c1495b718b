//! Impact in the API: what goes down, is cut off or loses a redundancy when objects fail; and single points of failure.
//!
//! The rules are those of `topology`; here its places become objects of the snapshot that the request is answered from.
//! What fails does not ask who sees it: where that is a part of the inventory, the whole is asked, and of the answer what
//! is not in the part is left out.

mod answer;
mod cursor;
mod given;
mod part;
mod single;

use async_graphql::{Context, Enum, Error, ErrorExtensions, ID, Object, Result};

pub use answer::Impact;
pub use single::SinglePointOfFailure;

use given::Given;
use part::{across, whole};

use super::asked::Asked;
use super::errors::unreadable;
use super::given::place;
use super::request::Request;
use super::{failures, lines};
use crate::inventory::Code;
use crate::read::{MOST, ReadError};
use crate::topology::impact::{Effect, ImpactError, Rule, Whose, single_points};

/// How many objects may fail together.
const MOST_GIVEN: usize = 1_000;
/// How many are listed when nobody says.
const USUAL: usize = 50;

/// How an object is affected. An object has the strongest of its effects: the first of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "Effect")]
pub enum ImpactEffect {
    /// It does not work any more.
    Down,
    /// It works, but reaches nobody: no anchor, over the network of users.
    Isolated,
    /// It works, but has lost a redundancy.
    Degraded,
}

/// By which rule an object is affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "Rule")]
pub enum ImpactRule {
    /// What contains it is down.
    Containment,
    /// A line is as good as what is on it: a cable with all ends of a side down, a circuit with the site of an end.
    Line,
    /// It has less power than it needs (DOWN), or less than it had (DEGRADED).
    Power,
    /// It reaches no anchor any more (ISOLATED), or in fewer disjoint ways (DEGRADED).
    Network,
    /// A LAG without members (DOWN), or with fewer (DEGRADED).
    Group,
    /// What it runs on is affected: a host, a cluster, a provider; of a cluster its servers and storage.
    Hosting,
    /// A link whose ends or cables are affected.
    #[graphql(name = "LINK")]
    Association,
}

/// The root fields that ask what failures do.
#[derive(Debug, Default)]
pub struct ImpactRoots;

/// The root fields that ask what failures do.
#[Object]
impl ImpactRoots {
    /// What goes down, is cut off or loses a redundancy when objects fail together, and why. Nothing is written. Only
    /// what was up can go down: what is PLANNED, OFFLINE, FAILED or RETIRED, a cable that is not CONNECTED and a port
    /// that is not enabled were down before, with all that depends on them.
    async fn impact(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "What fails, all together: the ids of 1 to 1000 objects of any kind.")] of: Vec<ID>,
        #[graphql(
            desc = "What devices have to reach: Devices of the DATA plane and ProviderNetworks, 1 to 1000. Default: for each connected part the ways out of the inventory (ProviderNetworks, and circuits other than cross-connects with an end that is nowhere); where there is none its BORDER_ROUTERs; where there is none its SPINEs."
        )]
        anchors: Option<Vec<ID>>,
        #[graphql(desc = "Answer only about these kinds, such as `Device`; default: about all.")] kinds: Option<
            Vec<String>,
        >,
        #[graphql(desc = "Answer only about objects anywhere beneath this one.")] within: Option<ID>,
    ) -> Result<Option<Impact>> {
        let given = Given { of, anchors, kinds, within };
        let answer = given.answer(context).await?;
        Ok(Some(Impact::new(answer, Request::of(context).view.answers.clone())))
    }

    /// The objects whose failure alone takes down, or cuts off, something else than itself and what it contains; those
    /// that take most away first. Ports, cables and the ends of circuits are not counted as taken away: they are but
    /// parts of what is.
    async fn single_points_of_failure(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "Only objects anywhere beneath this one, and the cables and circuits that end there. Default: all."
        )]
        within: Option<ID>,
        #[graphql(desc = "Count only what is gone by this rule. Default: by any.")] rule: Option<ImpactRule>,
        #[graphql(desc = "At most so many: 0 to 1000, default 50.")] first: Option<i32>,
    ) -> Result<Option<Vec<SinglePointOfFailure>>> {
        let snapshot = Request::of(context).snapshot();
        let first = limit("first", first)?;
        let within = within.map(|id| place(&snapshot, "within", &id)).transpose()?;
        let within = within.and_then(|place| across(&snapshot, whole(&snapshot), place));
        let seen = snapshot.part_of().is_some().then_some(&*snapshot);
        let whose = Whose { within, rule: rule.map(Into::into), seen, most_steps: None };
        let asked = Asked::begin("singlePointsOfFailure");
        let found = Box::pin(single_points(whole(&snapshot), failures(), lines(), whose)).await;
        let found = found.map_err(|error| unanswered(&error))?;
        asked.answered(found.len());
        found
            .iter()
            .take(first)
            .map(|point| {
                SinglePointOfFailure::of(&snapshot, across(whole(&snapshot), &snapshot, point.place), point.count)
            })
            .collect::<Result<_>>()
            .map(Some)
    }
}

/// A number of objects that are asked for.
fn limit(argument: &'static str, asked: Option<i32>) -> Result<usize> {
    let fits = usize::try_from(asked.unwrap_or(USUAL as i32)).ok().filter(|most| *most <= MOST);
    fits.ok_or_else(|| unreadable(&ReadError::Argument { argument, reason: format!("must be from 0 to {MOST}") }))
}

/// A question that has no answer, as the API shows it.
fn unanswered(error: &ImpactError) -> Error {
    match error {
        ImpactError::TooComplex { .. } => {
            Error::new(error.to_string()).extend_with(|_, extensions| extensions.set("code", Code::TooComplex.as_str()))
        }
        ImpactError::Anchor { .. } => {
            unreadable(&ReadError::Argument { argument: "anchors", reason: error.to_string() })
        }
    }
}
