//! Takes the reports of synchronizers: what they saw without sending it, what they did not find, counts and errors.

use std::collections::BTreeMap;

use underlay_entity::{source_run, source_suspect};
use underlay_inventory::{Description, Manager, ObjectRef, Snapshot};
use uuid::Uuid;

use super::error::RunError;
use super::failures::{Failure, Noted};
use super::missing::is_retired;
use super::{Sources, digest};

/// The number of ids in a report.
const MAX_REPORT_IDS: usize = 10_000;
/// The number of errors and of things that are gone in a report.
const MAX_REPORT_OTHERS: usize = 1_000;
/// The longest external id and message that are stored, in characters.
const MAX_STORED_CHARACTERS: usize = 1_000;

/// External ids of objects of one kind.
#[derive(Clone, Debug)]
pub struct SeenIds {
    pub kind: &'static Description,
    pub ids: Vec<String>,
}

/// Counts that only a synchronizer knows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub read: i64,
    pub put_aside: i64,
    pub left_out: i64,
}

/// A report for a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The ids that the source has, and that are not sent because nothing changed.
    pub seen: Vec<SeenIds>,
    /// Kinds and ids that a look did not find.
    pub gone: Vec<(&'static Description, String)>,
    /// The counts so far; they replace earlier ones.
    pub counts: Option<Counts>,
    /// External ids, codes and messages.
    pub errors: Vec<(Option<String>, String, String)>,
}

/// The ids that a synchronizer must send whole.
pub type Resend = Vec<SeenIds>;

impl Sources {
    /// Stores a report. Returns the ids of objects that the server does not know, or that somebody else changed since
    /// the source last wrote or saw them.
    ///
    /// # Errors
    /// Returns an error if the run does not accept the call, or the report is too large.
    pub async fn report(&self, run: Uuid, report: &Report) -> Result<(source_run::Model, Resend), RunError> {
        let ids: usize = report.seen.iter().map(|seen| seen.ids.len()).sum();
        let bounds = [
            ("seenIds", ids, MAX_REPORT_IDS),
            ("gone", report.gone.len(), MAX_REPORT_OTHERS),
            ("errors", report.errors.len(), MAX_REPORT_OTHERS),
        ];
        if let Some((field, count, most)) = bounds.into_iter().find(|(_, count, most)| count > most) {
            return Err(RunError::Invalid {
                field,
                reason: format!("has {count} entries; at most {most} are allowed"),
            });
        }
        self.retried(|| self.try_report(run, report)).await
    }

    async fn try_report(&self, run: Uuid, report: &Report) -> Result<(source_run::Model, Resend), RunError> {
        let loaded = self.load_open(run).await?;
        let mut changes = loaded.changes();
        if let Some(counts) = report.counts {
            (changes.run.read, changes.run.put_aside, changes.run.left_out) =
                (counts.read, counts.put_aside, counts.left_out);
        }
        let mut noted = Noted::of(&changes);
        for (external_id, code, message) in &report.errors {
            let (external_id, code) = (external_id.as_deref().map(stored), stored(code));
            let (kind, external_id, message) = (None, external_id.as_deref(), &*stored(message));
            noted.failed(Failure { kind, external_id, code: &code, message, counts: true, same_machine: None });
        }
        noted.store(&mut changes);
        let suspects = report.gone.iter().map(|(kind, external_id)| source_suspect::Model {
            source_id: loaded.source.id,
            kind: kind.name.to_owned(),
            external_id: stored(external_id),
            at: loaded.now,
        });
        let suspects: BTreeMap<_, _> = suspects.map(|it| ((it.kind.clone(), it.external_id.clone()), it)).collect();
        changes.suspects = suspects.into_values().collect();
        let mut resend = Resend::new();
        for SeenIds { kind, ids } in &report.seen {
            changes.seen.extend(ids.iter().map(|id| digest(kind.name, id)));
            let is_stale =
                |id: &&String| is_stale(&loaded.snapshot, kind, &loaded.source.name, id, loaded.turn.settled_revision);
            let ids: Vec<String> = ids.iter().filter(is_stale).cloned().collect();
            if !ids.is_empty() {
                resend.push(SeenIds { kind, ids });
            }
        }
        changes.seen.sort_unstable();
        changes.seen.dedup();
        let is_seen = |kind: &str, id: &str| changes.seen.binary_search(&digest(kind, id)).is_ok();
        let objects = loaded.held.iter().filter(|held| !held.reason.is_of_field());
        let back = objects.filter(|held| is_seen(&held.kind, &held.external_id));
        changes.unheld.extend(back.map(|held| (held.object_id, held.field.clone())));
        Ok((self.0.store.record_run(&changes).await?, resend))
    }
}

/// Returns true if the server does not know an object, or somebody else changed it after a revision.
fn is_stale(snapshot: &Snapshot, kind: &Description, source: &str, external_id: &str, since: i64) -> bool {
    let Some(slot) = snapshot.table(kind.id).by_external(source, external_id) else { return true };
    let Some(row) = snapshot.row(ObjectRef { kind: kind.id, slot }) else { return true };
    if is_retired(row.as_ref(), source) {
        return true;
    }
    let common = row.common();
    let own = Manager::Source(source).stored();
    let is_own = |id: i32| snapshot.manager(id).is_some_and(|name| name.as_ref() == own);
    let written = common.managers.0.iter().filter(|holding| is_own(holding.manager)).map(|holding| holding.since).max();
    common.version > since && written.is_none_or(|written| common.version > written)
}

/// Returns a text in the form in which it is stored: shortened, and without the character NUL.
fn stored(text: &str) -> String {
    let text: String = text.chars().filter(|it| *it != '\0').take(MAX_STORED_CHARACTERS).collect();
    if text.is_empty() { "-".to_owned() } else { text }
}
