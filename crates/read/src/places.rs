//! The places of which each caller has a share: for long computations and filters, and for walks through the log.

use underlay_engine::access::CallerKey;
use underlay_engine::runtime::{FairSemaphore, Permit};

/// The most walks through the log that exist at a time. Each has a snapshot of its own.
const MAX_WALKS: usize = 4;
/// The most walks of one caller.
const MAX_CALLER_WALKS: usize = 1;

/// The places. Cloning is cheap, and clones share them.
#[derive(Clone, Debug)]
pub struct Places {
    /// The places for long computations, such as impact, which notes something about every object.
    pub computations: FairSemaphore<CallerKey>,
    /// The places for filters that take long. They are others than those for computations, so that the filters of a
    /// caller do not delay what else that caller computes.
    filters: FairSemaphore<CallerKey>,
    /// The places for walks through the log.
    pub walks: FairSemaphore<CallerKey>,
}

/// The work that the filter of a list may take, for one caller. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct FilterShare {
    /// The maximum number of steps on the whole list.
    pub max_steps: u64,
    places: FairSemaphore<CallerKey>,
    caller: CallerKey,
}

impl FilterShare {
    /// Waits until the caller may apply a filter that takes long.
    pub(super) async fn turn(&self) -> Permit<CallerKey> {
        self.places.acquire(self.caller.clone()).await
    }
}

impl Places {
    /// Returns what a filter of a caller may take, with at most this number of steps.
    pub fn filter_share(&self, caller: CallerKey, max_steps: u64) -> FilterShare {
        FilterShare { max_steps, places: self.filters.clone(), caller }
    }
}

impl Default for Places {
    fn default() -> Self {
        let walks = FairSemaphore::with_share(MAX_WALKS, MAX_CALLER_WALKS);
        Self { computations: FairSemaphore::of_processors(), filters: FairSemaphore::of_processors(), walks }
    }
}
