//! Keeps the inventory in step with an outside system, the *source*.
//!
//! An adapter reads one source and knows nothing of the server: it implements [`Adapter`], and emits [`Item`]s into a
//! [`Sink`]. A [`Runner`] does the rest, the same for all sources: it decides when to read, compares what it reads with
//! what the server has, and writes the difference within a *run*. The server works out what is gone.

mod adapter;
mod error;
mod failure;
mod hint;
mod item;
mod look;
mod messages;
mod missing;
mod prepared;
mod report;
mod reporter;
mod retry;
mod runner;
mod scan;
mod schedule;
mod secrets;
mod server;
mod sink;
mod state;
mod status;
mod tally;
mod unnamed;
mod waiting;
mod writer;

pub use adapter::{Adapter, Items, Scanned};
pub use error::{AdapterError, SyncError};
pub use hint::{Hint, HintSender, HintStream};
pub use item::{BadItem, ExternalId, Item, MAX_ID_CHARACTERS, MAX_ITEM_VALUES, MAX_LINE_VALUES, Secret};
pub use messages::{NewSource, Prune, RunMode, RunState};
pub use report::{Counts, OTHER, Report};
pub use retry::Pauses;
pub use runner::{Duty, Runner};
pub use schedule::Timing;
pub use server::Server;
pub use sink::{BadThing, Emitted, Presence, Sink};
pub use state::{State, StateError};
pub use status::Status;
pub use tally::{Observer, Ran, RunEnd, Tally};
