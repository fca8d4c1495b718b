//! Impact: what goes down, is cut off or loses a redundancy when some objects fail together, and why.
//!
//! It is a least fixpoint over rules, worked out outwards from what fails, so that it costs in proportion to what is
//! affected. The rules stand on each other in one direction, and each stage looks only at those before it: what falls
//! physically (`fall`), what that does to bundles and to the ways out over the network, what runs on all of that
//! (`service`). Every object has its strongest effect, with the neighbours that led there, found when it was found:
//! following them ends at what is given.
//!
//! **What was up before.** Only what was up can go down. An object is down before when its kind's [`Role`] says that it
//! does not run (its status, or that it is switched off or not plugged in), or when the same physical rules take it
//! down with others that are. An inlet counts for the power of its machine when it has a cord that is plugged in; where
//! no inlet of a machine has one, the cords are not in the inventory, and all of its inlets count. A machine never
//! needs more inlets than count. "All" needs at least one, and what was down before does not stand in its way.
//!
//! Guarantees: of one snapshot alone; every object at most once; nothing affected that was down before, nor what is
//! given; long questions yield, end when they are dropped, and refuse to take more than [`MOST_STEPS`].

mod brief;
mod error;
mod fall;
mod felled;
mod findings;
mod marks;
mod nest;
mod network;
mod picture;
mod pool;
mod role;
mod service;
mod single;

pub(super) use brief::brief;
pub use error::ImpactError;
pub(super) use felled::Failures;
pub use findings::{Affected, Effect, Impact, Share};
pub use role::{
    Association, Crossing, Dependency, Guest, Joint, Machine, MachineState, Part, Plug, PlugState, Purpose, Role,
    Roles, Rule, Standing, Tier,
};
pub use single::{MOST_OF_POINTS, SinglePoint, Whose, single_points};

use fall::Fall;
use findings::Found;
use marks::Marks;
use network::Touched;
use picture::Picture;
use service::Wanted;

use crate::inventory::{Place, Snapshot};
use crate::topology::line::Lines;
use crate::topology::steps::Steps;

/// How many steps a question may take.
pub const MOST_STEPS: u64 = 50_000_000;

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// What fails, all together.
    pub of: Vec<Place>,
    /// What machines have to reach; `None`: the ways out of each connected part.
    pub anchors: Option<Vec<Place>>,
    /// How many steps it may take; `None`: [`MOST_STEPS`].
    pub most_steps: Option<u64>,
}

/// What a failure does.
///
/// # Errors
/// When it takes too many steps, or something given cannot be an anchor.
pub async fn impact(
    snapshot: &Snapshot,
    roles: &Roles,
    lines: &Lines,
    question: &Question,
) -> Result<Impact, ImpactError> {
    let mut steps = Steps::new(question.most_steps.unwrap_or(MOST_STEPS));
    let mut fall = Fall::new(Picture { snapshot, roles, marks: Marks::of(snapshot) });
    network::check_anchors(&fall.picture, question.anchors.as_deref().unwrap_or_default())?;
    for place in &question.of {
        steps.take().await?;
        fall.give(*place, &mut steps).await?;
    }
    fall.settle(&mut steps).await?;
    let mut impact = Impact::of(&mut fall);
    let touched = Touched::by(&mut fall, lines, &mut steps).await?;
    let reached = network::reach(&mut fall, lines, question.anchors.as_deref(), &touched, &mut steps).await?;
    reached.isolated.into_iter().for_each(|found| impact.add(&mut fall, found));
    let bundles = touched.bundles(&mut fall, lines, &mut steps).await?;
    bundles.into_iter().for_each(|found| impact.add(&mut fall, found));
    lose(&mut fall, &mut impact, &mut steps).await?;
    reached.degraded.into_iter().for_each(|found| impact.add(&mut fall, found));
    impact.unanchored = reached.unanchored;
    service::serve(&mut fall, &mut impact, Wanted::All, &mut steps).await?;
    Ok(impact)
}

/// Finds what stands, but has lost a redundancy by the physical rules.
async fn lose(fall: &mut Fall<'_>, impact: &mut Impact, steps: &mut Steps) -> Result<(), ImpactError> {
    for place in std::mem::take(&mut fall.touched) {
        steps.take().await?;
        let mut because = Vec::new();
        if let Some(rule) = fall.picture.loss(place, &mut because) {
            impact.add(fall, Found::new(place, Effect::Degraded, rule, because));
        }
    }
    Ok(())
}
