//! The order of revisions: the records of what each changed, what many of them come to, and how old ones are dropped;
//! the newest value for readers, the subscribers that follow it, and the follower that keeps it in step with the database.
//! Beside the newest value a few older ones are kept for as long as they are read, and large answers for their next pages
//! ([`Answers`]). Tenants have values of their own,
//! which follow the whole ones ([`Views`]).
//!
//! Guarantees: revisions become visible one after the other, without gaps, through one door ([`Newest`]), and
//! none goes back in its history; a value that followed equals one that was loaded afresh.

mod answers;
mod audit;
mod cursor;
mod follow;
mod hear;
pub mod measured;
mod members;
mod net;
mod newest;
mod pins;
mod recheck;
mod record;
mod retain;
mod ring;
mod standing;
mod subscriber;
mod view;
mod views;
mod walk;

pub use answers::{AnswerKey, Answers, MOST_ANSWERS, QuestionDigest};
pub use audit::{Audit, Flaw, audit};
pub use cursor::{Cursor, Spot};
pub use follow::{FollowError, build, catch_up, keep_up, load, load_rows};
pub use hear::hear;
pub use net::{Difference, Net};
pub use newest::Newest;
pub use pins::{LONGEST_UNUSED, MOST_PINNED, Pins};
pub use recheck::recheck;
pub use record::{Direction, FORMAT, RecordError, apply, changes, same};
pub use retain::{keep_short, sweep};
pub use ring::{Revised, Room};
pub use standing::{Form, Stand, Standing};
pub use subscriber::{LostError, PAGE, Part, Subscriber};
pub use view::View;
pub use views::{MOST_TENANTS, ViewError, ViewRoom, Views};
pub use walk::{Walk, WalkError};
