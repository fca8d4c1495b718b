//! Notes what a call for a run could not write or remove, and what it could after all. The store counts and lists with
//! the run what has failed in the end, each thing once.

use std::collections::HashMap;

use underlay_entity::source_failure;
use underlay_entity::source_run::SameMachine;
use uuid::Uuid;

use super::digest;
use super::fate::Left;
use super::missing::Gone;
use crate::store::RunChanges;

/// The kind of a thing of which only the external id is known. No kind has this name.
const NO_KIND: &str = "";
/// The number of failures that a call can have at most: more than a batch has items and a report has errors.
const MAX_CALL_FAILURES: i64 = 100_000;

/// A failure of a call.
#[derive(Clone, Debug)]
pub struct Failure<'a> {
    /// The kind of the thing; `None` if it is not known.
    pub kind: Option<&'a str>,
    pub external_id: Option<&'a str>,
    pub code: &'a str,
    pub message: &'a str,
    /// True if it counts as failed; false for an object that is gone and stays, and for an item that another object is the
    /// machine of.
    pub counts: bool,
    /// This other object.
    pub same_machine: Option<SameMachine>,
}

/// The things that a call wrote or could not write. The last outcome of a thing counts.
#[derive(Debug)]
pub struct Noted {
    run: Uuid,
    /// The number of the first failure. The steps of a source only grow, so later calls come later.
    first: i64,
    things: HashMap<Uuid, Option<source_failure::Model>>,
}

impl Noted {
    /// Creates the notes of a call.
    pub fn of(changes: &RunChanges) -> Self {
        Self { run: changes.run.id, first: changes.step.saturating_mul(MAX_CALL_FAILURES), things: HashMap::new() }
    }

    /// Notes a failure.
    pub fn failed(&mut self, failure: Failure<'_>) {
        let Failure { kind, external_id, code, message, counts, same_machine } = failure;
        let digest = match external_id {
            Some(external_id) => digest(kind.unwrap_or(NO_KIND), external_id),
            None => Uuid::new_v4(),
        };
        let row = source_failure::Model {
            run_id: self.run,
            digest,
            number: self.first.saturating_add(self.things.len() as i64),
            external_id: external_id.map(str::to_owned),
            code: code.to_owned(),
            message: message.to_owned(),
            counts,
            same_machine,
        };
        self.things.insert(digest, Some(row));
    }

    /// Notes that a thing was written or removed, whatever failed before.
    pub fn succeeded(&mut self, kind: &str, external_id: &str) {
        self.things.insert(digest(kind, external_id), None);
    }

    /// Adds the notes to what the call stores.
    pub fn store(self, changes: &mut RunChanges) {
        for (digest, failure) in self.things {
            match failure {
                Some(failure) => changes.failures.push(failure),
                None => changes.succeeded.push(digest),
            }
        }
        changes.failures.sort_by_key(|failure| failure.number);
    }
}

/// Notes the objects that are gone and stay.
pub fn note_left(changes: &mut RunChanges, left: &[(Gone, Left)]) {
    let mut noted = Noted::of(changes);
    for (gone, left) in left {
        noted.failed(Failure {
            kind: Some(gone.kind.name),
            external_id: Some(&gone.external_id),
            code: left.code().as_str(),
            message: &left.to_string(),
            counts: false,
            same_machine: None,
        });
    }
    noted.store(changes);
}
