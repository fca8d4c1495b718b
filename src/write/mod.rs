//! The write path: resolve, plan, check, commit. All writes take this path, in batches, through one sequencer.

mod batch;
mod change_capture;
mod commit;
mod digest;
mod fields;
mod group;
mod job;
mod managers;
pub mod measured;
mod plan;
mod sequencer;

pub use batch::{
    Author, Batch, Cascade, Conflicts, Intent, Item, MOST_ITEMS, Mode, Outcome, Recognised, Release, SMALL, Skipped,
    Status, check_name,
};
pub use fields::Fields;
pub use job::Answer;
pub use plan::{Planned, plan};
pub use sequencer::Writer;
