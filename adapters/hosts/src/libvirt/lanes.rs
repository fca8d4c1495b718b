//! The calls to a hypervisor that run at once. SSH servers and libvirt refuse connections beyond a few at a time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The number of calls to a hypervisor at once. An SSH server drops connections from the tenth on (`MaxStartups`).
const AT_ONCE: usize = 8;

/// The lanes of all hypervisors. One that is not called needs no memory.
#[derive(Debug, Default)]
pub struct Lanes(Mutex<HashMap<String, Weak<Semaphore>>>);

impl Lanes {
    /// Waits for a turn at a hypervisor. The turn ends when the result is dropped.
    pub async fn turn(&self, hypervisor: &str) -> Option<OwnedSemaphorePermit> {
        let lane = self.lane(hypervisor);
        // It fails only for a closed semaphore, and nothing closes these.
        lane.acquire_owned().await.ok()
    }

    fn lane(&self, hypervisor: &str) -> Arc<Semaphore> {
        let mut lanes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lanes.retain(|_, lane| lane.strong_count() > 0);
        if let Some(lane) = lanes.get(hypervisor).and_then(Weak::upgrade) {
            return lane;
        }
        let lane = Arc::new(Semaphore::new(AT_ONCE));
        lanes.insert(hypervisor.to_owned(), Arc::downgrade(&lane));
        lane
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_hypervisor_is_called_by_a_few_at_once_and_others_do_not_wait_for_it() {
        let lanes = Lanes::default();
        let mut turns = Vec::new();
        for _ in 0..AT_ONCE {
            turns.push(lanes.turn("a").await);
        }
        assert!(lanes.turn("a").now_or_never().is_none(), "it is full");
        assert!(lanes.turn("b").now_or_never().is_some());
        turns.pop();
        assert!(lanes.turn("a").now_or_never().is_some());
        turns.clear();
        drop(lanes.turn("c").await);
        assert_eq!(lanes.0.lock().unwrap().len(), 1, "those that nobody calls are gone");
    }
}
