//! Keeps the inventory in step with an outside system, the *source*.
//!
//! An adapter reads one source and knows nothing of the server: it implements [`Adapter`], and emits [`Item`]s into a
//! [`Sink`].

mod adapter;
mod error;
mod hint;
mod item;
mod report;
mod sink;

pub use adapter::{Adapter, Items, Scanned};
pub use error::AdapterError;
pub use hint::{Hint, HintSender, HintStream};
pub use item::{BadItem, ExternalId, Item, MOST_ID_CHARS};
pub use report::{Counts, OTHER, Report};
pub use sink::{BadThing, Emitted, Sink};
