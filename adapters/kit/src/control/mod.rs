//! Code that controllers share. A controller is a client of the API that brings something outside to where the
//! inventory wants it, and reports how it stands.
//!
//! [`Queue`] holds the keys of the objects that need work, each once. [`Workers`] work on them: at most one worker a
//! key, a bounded number in all, with pauses that grow while a key fails. [`Leases`] divide the objects among all
//! controllers that run, and [`Living`] finds out if there is another one. [`bounded`] ends a call before the lease that
//! permits it. [`Position`] is kept in a file over
//! restarts, and [`Status`] answers health checks and exports metrics.
//!
//! The module knows nothing of the objects that a controller works on.

mod back_off;
mod bounded;
mod leases;
mod living;
mod position;
mod queue;
mod status;
mod then;
mod workers;

pub use back_off::BackOff;
pub use bounded::{Cut, bounded};
pub use leases::{Held, LeaseSeen, LeaseServer, LeaseTiming, Leases, Taken, share_of};
pub use living::Living;
pub use position::{Position, PositionError, PositionFile};
pub use queue::Queue;
pub use status::Status;
pub use then::Then;
pub use workers::{Work, WorkTiming, Workers};

use std::time::Duration;

use rand::Rng as _;
use tokio::sync::watch;

/// Returns a time of the given length, up to a tenth shorter or longer, so that many controllers and many objects do
/// not have their turn together.
pub fn jitter(time: Duration) -> Duration {
    time.mul_f64(rand::rng().random_range(0.9..=1.1))
}

/// Waits until a controller is asked to stop.
pub async fn stopped(stop: &mut watch::Receiver<bool>) {
    // If the sender is gone, nobody can ask any more, and the controller ends too.
    drop(stop.wait_for(|stop| *stop).await);
}
