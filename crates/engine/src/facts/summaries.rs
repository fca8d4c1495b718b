//! The summaries of reports as they are in memory.
//!
//! Guarantee: hosts with equal parts share the lists of their models and disks, so a thousand machines of one kind take the
//! room of one.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::HashSet;
use serde_json::Value as Json;
use underlay_facts::{Amounts, ModelCount, Sections, Summary, SummaryDisk};

/// The summary of the last report about a host.
#[derive(Debug, PartialEq, Eq)]
pub struct HostSummary {
    /// The amounts of hardware.
    pub amounts: Amounts,
    /// The models of the parts, each once, in order.
    pub models: Arc<[ModelCount]>,
    /// The disks, in the order of their names; `None` if they are not known.
    pub disks: Option<Arc<[SummaryDisk]>>,
    /// True if a GPU fell off its bus.
    pub gpu_lost: bool,
    /// The interfaces and the neighbours that are heard at them; `None` if no neighbour is heard, and no interface lacks its
    /// carrier.
    pub heard: Option<Box<Sections>>,
}

/// The lists that hosts share.
#[derive(Debug, Default)]
pub(super) struct SharedSummaries {
    models: Shared<ModelCount>,
    disks: Shared<SummaryDisk>,
}

impl SharedSummaries {
    /// Reads a summary as it is stored. Returns `None` for one that this version cannot read.
    pub fn read(&self, stored: Json) -> Option<Arc<HostSummary>> {
        let Summary { amounts, models, disks, gpu_lost, heard } = serde_json::from_value(stored).ok()?;
        let disks = disks.map(|disks| self.disks.share(disks));
        Some(Arc::new(HostSummary { amounts, models: self.models.share(models), disks, gpu_lost, heard }))
    }

    /// Forgets the lists that no host has any more.
    pub fn tidy(&self) {
        self.models.tidy();
        self.disks.tidy();
    }
}

/// Lists that are each in memory once.
#[derive(Debug)]
struct Shared<T>(Mutex<HashSet<Arc<[T]>>>);

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Eq + Hash> Shared<T> {
    fn share(&self, list: Vec<T>) -> Arc<[T]> {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shared.get(list.as_slice()) {
            return Arc::clone(known);
        }
        let list: Arc<[T]> = list.into();
        shared.insert(Arc::clone(&list));
        list
    }

    fn tidy(&self) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shared.retain(|list| Arc::strong_count(list) > 1);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hosts_share_equal_lists_and_no_list_outlives_them() {
        let shared = SharedSummaries::default();
        let stored = |model: &str| {
            let disks = [json!({"name": model, "sizeBytes": 5, "medium": "SSD"})];
            json!({"amounts": {}, "models": [{"part": "DISK", "model": model, "count": 2}], "disks": disks})
        };
        let [one, other, third] = ["A", "A", "B"].map(|model| shared.read(stored(model)).expect("a summary"));
        assert!(Arc::ptr_eq(&one.models, &other.models));
        assert!(!Arc::ptr_eq(&one.models, &third.models));
        let disks = |summary: &HostSummary| summary.disks.clone().expect("disks");
        assert!(Arc::ptr_eq(&disks(&one), &disks(&other)));
        let count = || {
            let models = shared.models.0.lock().expect("the lists").len();
            (models, shared.disks.0.lock().expect("the lists").len())
        };
        assert_eq!(count(), (2, 2));
        drop((one, third));
        shared.tidy();
        assert_eq!(count(), (1, 1));
        drop(other);
        shared.tidy();
        assert_eq!(count(), (0, 0));
        assert_eq!(shared.read(json!({"models": 5})), None);
    }
}
