//! The places of which each caller has a share: for long computations, and for walks through the log.

use crate::access::CallerKey;
use crate::runtime::Turns;

/// The most walks through the log that exist at a time. Each has a snapshot of its own.
const MAX_WALKS: usize = 4;
/// The most walks of one caller.
const MAX_CALLER_WALKS: usize = 1;

/// The places. Cloning is cheap, and clones share them.
#[derive(Clone, Debug)]
pub struct Places {
    /// The places for long computations, such as impact. Each computation notes something about every object.
    pub computations: Turns<CallerKey>,
    /// The places for walks through the log.
    pub walks: Turns<CallerKey>,
}

impl Default for Places {
    fn default() -> Self {
        Self { computations: Turns::of_processors(), walks: Turns::with_share(MAX_WALKS, MAX_CALLER_WALKS) }
    }
}
