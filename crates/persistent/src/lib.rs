//! Persistent collections. Guarantee: a clone costs a reference count, and a change copies only the path to the changed
//! element.
//!
//! [`Index`] is an ordered map, [`Chunks`] an array, [`Slots`] a set of array indexes. [`compare_names`] orders names
//! as people expect. The collections do not depend on the types that they hold.

mod chunks;
mod index;
mod natural;
mod slots;

pub use chunks::Chunks;
pub use index::{Index, Range};
pub use natural::compare as compare_names;
pub use slots::Slots;
