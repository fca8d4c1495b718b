//! The files that machines fetch: from origins that the server names, or from a folder of loaders.
//!
//! Guarantees: a file comes from a listed origin, without a redirect, and is passed on part by part in a bounded amount of
//! memory. A file whose digest is wrong, or that breaks off, never arrives as a whole: its last part is kept back until
//! the digest was checked, and the connection ends before it.

mod digest;
mod loaders;
mod origin;

use axum::body::{Body, Bytes};
use futures_util::Stream;

pub use self::loaders::{Loaders, LoadersError};
pub use self::origin::Origins;

/// The most bytes of a part of a file.
const MAX_PART_BYTES: usize = 64 * 1024;

/// A file that is being passed on.
pub struct Opened {
    /// The number of its bytes.
    pub length: u64,
    pub body: Body,
}

impl Opened {
    fn new(length: u64, parts: impl Stream<Item = std::io::Result<Bytes>> + Send + 'static) -> Self {
        Self { length, body: Body::from_stream(parts) }
    }

    /// Returns a file of which only the length is asked for.
    fn head(length: u64) -> Self {
        Self { length, body: Body::empty() }
    }
}
