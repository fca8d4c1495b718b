//! Persistent collections: a clone costs a reference count, and a change copies only the way to what it changes.
//!
//! [`Index`] is an ordered map, [`Chunks`] an array, [`Slots`] a set of array indexes. [`compare_names`] is the order in
//! which people expect names. Nothing here knows what it holds.

mod chunks;
mod index;
mod natural;
mod slots;

pub use chunks::Chunks;
pub use index::{Index, Range};
pub use natural::compare as compare_names;
pub use slots::Slots;
