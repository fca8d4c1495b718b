//! Impact: which objects go down, are cut off or lose redundancy when some objects fail together, and why.
//!
//! The result is a least fixpoint over rules. It is computed outwards from the failed objects, so that the cost is
//! proportional to the number of affected objects. The rules are applied in stages, and each stage reads only the
//! results of the stages before it:
//!
//! - the physical rules, on objects and their power (`propagation`);
//! - the effect on bundles and on paths to the exits of the network (`network`);
//! - everything that runs on those (`service`).
//!
//! Every object has its strongest effect, with the neighbours that caused it, recorded when it was found. Following the
//! causes ends at the given objects.
//!
//! **State before the failure.** Only an object that was up can go down. An object is down before the failure if its
//! kind's [`Role`](crate::role::Role) says that it does not run. The reason can be its status, that it is switched off,
//! or that it is not plugged in. It is also down if the physical rules take it down together with others that are down.
//!
//! An inlet counts for the power of its machine if it has a cord that is plugged in. If no inlet of a machine has a
//! cord, the cords are not in the inventory, and all of its inlets count. A machine never needs more inlets than count.
//! A rule that says "all" needs at least one object, and objects that were down before count as down.
//!
//! Guarantees:
//!
//! - A query reads one snapshot.
//! - Every object is reported at most once. Given objects and objects that were down before are not reported.
//! - A query ends soon after its flag is set, and fails when it would take more than [`MAX_STEPS`].

mod error;
mod findings;
mod marks;
mod nest;
mod network;
mod physical_down;
mod physical_state;
mod pool;
mod propagate;
mod service;
mod single;
mod single_failures;

pub use crate::role::Rule;
pub use error::ImpactError;
pub use findings::{Affected, Effect, Impact, Share};
pub(super) use physical_down::Failures;
pub use single::{MAX_SINGLE_POINT_STEPS, SinglePoint, SinglePointQuery, single_points};
pub use single_failures::{TakenQuery, taken};

use findings::Finding;
use marks::Marks;
use network::Touched;
use physical_state::PhysicalState;
use propagate::Propagation;
use service::Wanted;

use crate::role::Roles;
use crate::steps::{Steps, StopFlag};
use underlay_inventory::{ObjectRef, Snapshot};

/// The maximum number of steps of a query.
pub const MAX_STEPS: u64 = 50_000_000;

/// The parameters of an impact query.
#[derive(Clone, Debug, Default)]
pub struct ImpactQuery {
    /// The objects that fail, all together.
    pub of: Vec<ObjectRef>,
    /// The objects that machines have to reach; `None` for the exits of each component.
    pub anchors: Option<Vec<ObjectRef>>,
    /// The maximum number of steps; `None` for [`MAX_STEPS`].
    pub max_steps: Option<u64>,
    /// The flag that stops the query; `None` if nothing stops it.
    pub stop: Option<StopFlag>,
}

/// Returns the effects of a failure of all given objects.
///
/// # Errors
/// Returns an error if the query takes too many steps, or if a given object cannot be an anchor.
pub fn impact(snapshot: &Snapshot, roles: &Roles, question: &ImpactQuery) -> Result<Impact, ImpactError> {
    let mut steps = Steps::new(question.max_steps.unwrap_or(MAX_STEPS), question.stop.clone());
    let mut propagation = Propagation::new(PhysicalState { snapshot, roles, marks: Marks::of(snapshot) });
    network::check_anchors(&propagation.physical_state, question.anchors.as_deref().unwrap_or_default())?;
    for object in &question.of {
        steps.take()?;
        propagation.give(*object, &mut steps)?;
    }
    propagation.settle(&mut steps)?;
    let mut impact = Impact::of(&mut propagation);
    let touched = Touched::by(&mut propagation, &mut steps)?;
    let reached = network::reach(&mut propagation, question.anchors.as_deref(), &touched, &mut steps)?;
    reached.isolated.into_iter().for_each(|found| impact.add(&mut propagation, found));
    let bundles = touched.bundles(&mut propagation, &mut steps)?;
    bundles.into_iter().for_each(|found| impact.add(&mut propagation, found));
    lose(&mut propagation, &mut impact, &mut steps)?;
    reached.degraded.into_iter().for_each(|found| impact.add(&mut propagation, found));
    impact.unanchored = reached.unanchored;
    service::serve(&mut propagation, &mut impact, Wanted::All, &mut steps)?;
    Ok(impact)
}

/// Adds the objects that are up but lost redundancy by the physical rules.
fn lose(propagation: &mut Propagation<'_>, impact: &mut Impact, steps: &mut Steps) -> Result<(), ImpactError> {
    for object in std::mem::take(&mut propagation.touched) {
        steps.take()?;
        let mut because = Vec::new();
        if let Some(rule) = propagation.physical_state.loss(object, &mut because) {
            impact.add(propagation, Finding::new(object, Effect::Degraded, rule, because));
        }
    }
    Ok(())
}
