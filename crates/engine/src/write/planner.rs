//! Plans one batch, together with the run that it belongs to, if there is one.
//!
//! Guarantees: a batch that makes the planner panic is refused alone, and changes nothing.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use chrono::{DateTime, Utc};

use super::Leave;
use super::batch::{Batch, Origin};
use super::job::internal;
use super::plan::{Planned, check_reserved, plan_leaving};
use crate::store::RunChanges;
use underlay_inventory::{Refusal, Snapshot};

/// Plans a batch that is to be written. A batch that makes the planner panic is refused alone, because it had only a
/// copy of the snapshot.
pub(super) fn plan_one(
    committed: &Snapshot,
    base: &Snapshot,
    batch: &Batch,
    now: DateTime<Utc>,
) -> Result<(Planned, Option<RunChanges>), Refusal> {
    let planned = || {
        check_reserved(base, batch)?;
        // What is recorded is what was judged.
        let prepared = prepared(base, batch);
        let batch = prepared.as_ref().unwrap_or(batch);
        let planned = plan_judged(committed, base, batch, now)?;
        let run = match &batch.origin {
            Origin::Run(attendant) => Some(attendant.record(base, batch, &planned)),
            Origin::Client | Origin::Holder(_) | Origin::Server | Origin::Decision(_) => None,
        };
        Ok((planned, run))
    };
    std::panic::catch_unwind(AssertUnwindSafe(planned))
        .unwrap_or_else(|panic| Err(internal(&format!("the planner panicked: {}", panic_text(panic.as_ref())))))
}

/// Returns a batch of a run with the items that its attendant completed; `None` if it is planned as it is.
pub(super) fn prepared(base: &Snapshot, batch: &Batch) -> Option<Batch> {
    let Origin::Run(attendant) = &batch.origin else { return None };
    attendant.prepare(base, &batch.items).map(|items| Batch { items, ..batch.clone() })
}

/// The number of times that the plan of a batch is judged.
const MAX_JUDGEMENTS: usize = 32;

/// Plans a batch that is prepared. Its origin may decide its items, and the run of the batch may demand that some fields
/// stay as they are.
pub(super) fn plan_judged(
    committed: &Snapshot,
    base: &Snapshot,
    batch: &Batch,
    now: DateTime<Utc>,
) -> Result<Planned, Refusal> {
    let mut leave = Leave::new();
    let attendant = match &batch.origin {
        Origin::Run(attendant) => attendant,
        Origin::Decision(decision) => {
            let items = decision.items(base, now)?;
            return plan_leaving(committed, base, &Batch { items, ..batch.clone() }, &leave, now);
        }
        Origin::Client | Origin::Holder(_) | Origin::Server => {
            return plan_leaving(committed, base, batch, &leave, now);
        }
    };
    let mut planned = plan_leaving(committed, base, batch, &leave, now)?;
    // An item that was refused may be accepted once others leave fields as they are, and is judged then.
    for _ in 0..MAX_JUDGEMENTS {
        let more = attendant.judge(base, batch, &planned);
        if more.is_empty() {
            return Ok(planned);
        }
        more.into_iter().for_each(|(object, fields)| leave.entry(object).or_default().extend(fields));
        planned = plan_leaving(committed, base, batch, &leave, now)?;
    }
    let what = format!("items depend on each other in more than {MAX_JUDGEMENTS} steps: send fewer in a batch");
    Err(Refusal::Invalid { field: "items".to_owned(), reason: what })
}

/// Returns the message of a panic.
fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it gave no message")
}
