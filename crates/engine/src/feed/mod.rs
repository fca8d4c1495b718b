//! Keeps revisions in order: change records, diffs, retention, the current snapshot and the subscribers that follow it.
//! Replication keeps the current snapshot in step with the database.
//!
//! Besides the current snapshot, a few older ones are kept for as long as clients read them ([`Pins`]). Large answers
//! are kept for their next pages ([`Answers`]). Each tenant has snapshots of its own, which follow the unrestricted
//! ones ([`Views`]).
//!
//! Guarantees: revisions become visible one after the other, without gaps, and only through [`CurrentSnapshot`]. No
//! snapshot goes back in its history. A snapshot that followed the change log equals one that was loaded from the rows.

mod answers;
mod audit;
mod current;
mod cursor;
mod diff;
mod followed;
pub mod follower_metrics;
mod json_writer;
mod notify;
mod observations;
mod pins;
mod progress;
mod recheck;
mod record;
mod replication;
mod retain;
mod ring;
mod subscriber;
mod view;
mod views;
mod walk;

pub use answers::{AnswerKey, Answers, MAX_KEPT_ANSWERS, QuestionDigest};
pub use audit::{Audit, Flaw, audit};
pub use current::CurrentSnapshot;
pub use cursor::{Cursor, EventPosition};
pub use diff::{Diff, Difference};
pub use followed::{Followed, Written};
pub use notify::notify;
pub use observations::{Observed, keep_observed};
pub use pins::{MAX_PINNED_REVISIONS, PIN_TIMEOUT, Pins};
pub use progress::{Form, Progress, StreamPosition};
pub use recheck::recheck;
pub use record::{Direction, FORMAT, RecordError, apply, changes, same};
pub use replication::{FollowError, build, catch_up, keep_up, load, load_rows};
pub use retain::{keep_short, sweep};
pub use ring::{Revised, Room};
pub use subscriber::{LOG_PAGE_CHANGES, LostError, RevisionPart, Subscriber};
pub use view::View;
pub use views::{MAX_TENANTS, ViewError, ViewRoom, Views};
pub use walk::{Walk, WalkError};
