//! The times after which something happens to runs by itself.

use std::time::Duration;

use chrono::TimeDelta;

/// The times after which something happens to runs by itself. Users do not configure them: synchronizers in any
/// language rely on the defaults.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// The time without a call after which a run is abandoned.
    pub patience: TimeDelta,
    /// The time between two looks at the health of sources, up to a tenth shorter or longer.
    pub look: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self { patience: TimeDelta::minutes(5), look: Duration::from_secs(10) }
    }
}
