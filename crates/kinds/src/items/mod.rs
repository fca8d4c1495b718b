//! The items of `POST /apply`: JSON, read one by one.
//!
//! The GraphQL mutation `apply` has typed items, which the library checks all at once: it refuses the whole request for
//! one wrong value. [`ItemReader`] refuses an item by itself, so that the others are written.

mod reader;

pub use reader::{ItemReader, Unread};
