//! The summaries of reports as they are in memory.
//!
//! Guarantee: hosts with equal parts share the list of their models, so a thousand machines of one kind take the room of one.

use std::sync::{Arc, Mutex, PoisonError};

use foldhash::HashSet;
use serde_json::Value as Json;
use underlay_facts::{Amounts, ModelCount, Sections, Summary};

/// The summary of the last report about a host.
#[derive(Debug, PartialEq, Eq)]
pub struct HostSummary {
    /// The amounts of hardware.
    pub amounts: Amounts,
    /// The models of the parts, each once, in order.
    pub models: Arc<[ModelCount]>,
    /// The interfaces and the neighbours that are heard at them; `None` if no neighbour is heard.
    pub heard: Option<Box<Sections>>,
}

/// The lists of models that hosts share.
#[derive(Debug, Default)]
pub(super) struct SharedModels(Mutex<HashSet<Arc<[ModelCount]>>>);

impl SharedModels {
    /// Reads a summary as it is stored. Returns `None` for one that this version cannot read.
    pub fn read(&self, stored: Json) -> Option<Arc<HostSummary>> {
        let Summary { amounts, models, heard } = serde_json::from_value(stored).ok()?;
        Some(Arc::new(HostSummary { amounts, models: self.share(models), heard }))
    }

    fn share(&self, models: Vec<ModelCount>) -> Arc<[ModelCount]> {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shared.get(models.as_slice()) {
            return Arc::clone(known);
        }
        let models: Arc<[ModelCount]> = models.into();
        shared.insert(Arc::clone(&models));
        models
    }

    /// Forgets the lists that no host has any more.
    pub fn tidy(&self) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shared.retain(|models| Arc::strong_count(models) > 1);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hosts_share_equal_lists_of_models_and_no_list_outlives_them() {
        let shared = SharedModels::default();
        let stored = |model: &str| json!({"amounts": {}, "models": [{"part": "DISK", "model": model, "count": 2}]});
        let [one, other, third] = ["A", "A", "B"].map(|model| shared.read(stored(model)).expect("a summary"));
        assert!(Arc::ptr_eq(&one.models, &other.models));
        assert!(!Arc::ptr_eq(&one.models, &third.models));
        let count = || shared.0.lock().expect("the lists").len();
        assert_eq!(count(), 2);
        drop((one, third));
        shared.tidy();
        assert_eq!(count(), 1);
        drop(other);
        shared.tidy();
        assert_eq!(count(), 0);
        assert_eq!(shared.read(json!({"models": 5})), None);
    }
}
