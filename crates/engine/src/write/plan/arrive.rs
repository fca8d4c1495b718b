//! The state in which a source reports a new object. It counts once, when an item in a run creates the object: later
//! the state belongs to those who work with the object here, whatever the source says.

use serde_json::Value as Json;

use super::assemble::Assembly;
use super::work::Work;
use crate::write::batch::Origin;
use underlay_inventory::{Arrival, Refusal, shorten};

impl Work<'_> {
    /// Puts a new object into the state that its source reports, if the source may decide it. Otherwise the object
    /// keeps the state that it has, so that a synchronizer can report the state always.
    pub(super) fn arrive(&self, assembly: &mut Assembly, arrival: &Arrival, value: &Json) -> Result<(), Refusal> {
        if value.is_null() {
            return Ok(());
        }
        let invalid = |reason: String| Refusal::Invalid { field: arrival.member.to_owned(), reason };
        let allowed = (arrival.words)();
        let Some(word) = value.as_str().filter(|word| allowed.contains(word)) else {
            return Err(invalid(format!("must be one of {}, not {}", allowed.join(", "), shorten(value))));
        };
        if self.source().is_none() {
            return Err(invalid(format!("is for what a source reports: {}", arrival.remedy)));
        }
        if let Origin::Run(attendant) = &self.batch.origin
            && assembly.new
            && attendant.decides_arrival(assembly.kind.id)
        {
            (arrival.put)(assembly.row(), word);
        }
        Ok(())
    }
}
