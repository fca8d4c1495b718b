//! Settles, finishes and cancels runs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use underlay_entity::source_held::{self, HeldReason};
use underlay_entity::source_run::{self, RunState};
use uuid::Uuid;

use super::error::RunError;
use super::failures::note_left;
use super::fate::Judgement;
use super::gone::{Gone, Own, absent, held_row, own, permits, tallies};
use super::load::{Loaded, is_full};
use super::remove::{Counts, Removal};
use super::renumbered::successors;
use super::role::Prune;
use super::{Sources, digest};
use crate::store::Unheld;
use underlay_inventory::KindId;

/// The longest cursor of a source, in bytes.
const MAX_CURSOR_BYTES: usize = 4 * 1024;

/// The decision about the objects that are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// It is removed.
    Remove,
    /// It is held.
    Hold(HeldReason),
}

/// Everything that a complete full run did not see, judged on one snapshot.
#[derive(Debug)]
struct Judged {
    /// The number of objects of the source by kind.
    count: HashMap<KindId, u64>,
    gone: Vec<Gone>,
    /// The ids of what is gone.
    listed: HashSet<Uuid>,
    judgement: Judgement,
}

impl Judged {
    async fn of(loaded: &Loaded, seen: HashSet<Uuid>) -> Result<Self, RunError> {
        let (snapshot, source) = (Arc::clone(&loaded.snapshot), loaded.source.clone());
        let judged = tokio::task::spawn_blocking(move || {
            let (name, prune) = (&source.name, source.settings.prune);
            let is_seen = |kind: &str, external_id: &str| seen.contains(&digest(kind, external_id));
            let Own { count, mut gone } = own(&snapshot, name, is_seen);
            if prune == Prune::Keep {
                gone.clear();
            }
            let listed = gone.iter().map(|gone| gone.id).collect();
            let judgement = Judgement::of(&snapshot, name, prune, gone.clone(), &listed);
            Self { count, gone, listed, judgement }
        });
        // This fails only when the runtime stops.
        judged.await.map_err(|_| RunError::Overtaken)
    }
}

impl Sources {
    /// Settles a run. If its scan was complete, the server judges what is gone as a whole, and removes it or holds it.
    ///
    /// # Errors
    /// Returns an error if the run does not accept the call.
    pub async fn settle(&self, run: Uuid, complete: bool, actor: &str) -> Result<source_run::Model, RunError> {
        self.retried(|| self.try_settle(run, complete, actor)).await
    }

    async fn try_settle(&self, run: Uuid, complete: bool, actor: &str) -> Result<source_run::Model, RunError> {
        let mut loaded = self.load_open(run).await?;
        if complete && !is_full(&loaded.run) {
            let reason = "can be true for a full run only: a partial run never decides that something is gone";
            return Err(RunError::Invalid { field: "complete", reason: reason.to_owned() });
        }
        if loaded.run.complete == Some(true) {
            return Ok(loaded.run);
        }
        if !complete {
            let mut changes = loaded.changes();
            changes.run.complete = Some(false);
            return Ok(self.0.store.record_run(&changes).await?);
        }
        let seen: HashSet<Uuid> = self.0.store.seen(run).await?.into_iter().collect();
        let judged = Judged::of(&loaded, seen).await?;
        match self.verdict(&loaded, &judged).await? {
            Verdict::Hold(reason) => self.hold(&loaded, &judged, reason).await,
            Verdict::Remove => {
                let Judged { listed, judgement, .. } = judged;
                let Judgement { going, left, .. } = judgement;
                self.remove(&mut loaded, actor, &Removal { going, listed, counts: Counts::Yes }).await?;
                let mut changes = loaded.changes();
                note_left(&mut changes, &left);
                changes.run.complete = Some(true);
                changes.settled = Some(loaded.run.base_revision);
                // The list of an earlier run is replaced by the newest one, which is empty.
                changes.unheld_too = Unheld::Gone;
                Ok(self.0.store.record_run(&changes).await?)
            }
        }
    }

    async fn verdict(&self, loaded: &Loaded, judged: &Judged) -> Result<Verdict, RunError> {
        let Judged { count, gone, judgement, .. } = judged;
        if gone.is_empty() {
            return Ok(Verdict::Remove);
        }
        let items = self.0.store.run_items(loaded.run.id).await?;
        let successors = successors(&loaded.snapshot, &loaded.source.name, gone, &items);
        // What was removed before the settling was interrupted belongs to the same judgement.
        let removed = loaded.run.retired + loaded.run.deleted + loaded.run.released;
        let all = gone.len() + usize::try_from(removed).unwrap_or_default();
        if !successors.is_empty() && successors.len() * 2 >= all {
            return Ok(Verdict::Hold(HeldReason::Renumbered));
        }
        let (snapshot, source) = (&loaded.snapshot, &loaded.source.name);
        let tallies = tallies(snapshot, source, count, &judgement.counted, &absent(gone), &loaded.used);
        // While an earlier run is held, later ones remove nothing.
        let may_go = loaded.held.is_empty() && permits(loaded.source.settings.limits, &tallies);
        match judgement.going.is_empty() || may_go {
            true => Ok(Verdict::Remove),
            false => Ok(Verdict::Hold(HeldReason::Gone)),
        }
    }

    async fn hold(&self, loaded: &Loaded, judged: &Judged, reason: HeldReason) -> Result<source_run::Model, RunError> {
        let mut changes = loaded.changes();
        note_left(&mut changes, &judged.judgement.left);
        changes.run.complete = Some(true);
        changes.run.state = RunState::Held;
        changes.run.renumbered = reason == HeldReason::Renumbered;
        changes.settled = Some(loaded.run.base_revision);
        changes.unheld_too = Unheld::Gone;
        let (source, run) = (loaded.source.id, loaded.run.id);
        let mut held: BTreeMap<(Uuid, String), source_held::Model> = BTreeMap::new();
        for gone in &judged.gone {
            held.insert((gone.id, String::new()), held_row(source, run, gone, reason));
        }
        // The fields that earlier runs left as they were are decided about together with this list.
        for earlier in loaded.held.iter().filter(|held| held.reason.is_of_field()) {
            held.insert(
                (earlier.object_id, earlier.field.clone()),
                source_held::Model { run_id: run, ..earlier.clone() },
            );
        }
        changes.held = held.into_values().collect();
        Ok(self.0.store.record_run(&changes).await?)
    }

    /// Ends a run.
    ///
    /// # Errors
    /// Returns an error if the run does not accept the call, or the cursor is too long.
    pub async fn finish(&self, run: Uuid, cursor: Option<&str>) -> Result<source_run::Model, RunError> {
        if let Some(cursor) = cursor.filter(|cursor| cursor.len() > MAX_CURSOR_BYTES || cursor.contains('\0')) {
            let size = cursor.len();
            let reason = format!("has {size} bytes; at most {MAX_CURSOR_BYTES} bytes without NUL are allowed");
            return Err(RunError::Invalid { field: "cursor", reason });
        }
        self.retried(|| self.try_finish(run, cursor)).await
    }

    async fn try_finish(&self, run: Uuid, cursor: Option<&str>) -> Result<source_run::Model, RunError> {
        let loaded = self.load_open(run).await?;
        let mut changes = loaded.changes();
        changes.run.finished_at = Some(loaded.now);
        changes.run.cursor = cursor.map(str::to_owned);
        let holds = loaded.held.iter().any(|held| held.run_id == run);
        changes.run.state = match (is_full(&loaded.run), loaded.run.complete) {
            // What it holds can be decided about all the same.
            (true, Some(false) | None) => RunState::Failed,
            _ if holds => RunState::Held,
            _ => RunState::Succeeded,
        };
        if changes.run.state == RunState::Succeeded && is_full(&loaded.run) {
            changes.succeeded_at = Some(loaded.now);
        }
        let run = self.0.store.record_run(&changes).await?;
        self.ended(&loaded.source, &run);
        Ok(run)
    }

    /// Cancels a run. What a held run holds stays held.
    ///
    /// # Errors
    /// Returns an error if the run does not accept the call.
    pub async fn cancel(&self, run: Uuid) -> Result<source_run::Model, RunError> {
        self.retried(|| self.try_cancel(run)).await
    }

    async fn try_cancel(&self, run: Uuid) -> Result<source_run::Model, RunError> {
        let loaded = self.load_open(run).await?;
        let mut changes = loaded.changes();
        changes.run.finished_at = Some(loaded.now);
        let holds = loaded.held.iter().any(|held| held.run_id == run);
        changes.run.state = if holds { RunState::Held } else { RunState::Cancelled };
        let run = self.0.store.record_run(&changes).await?;
        self.ended(&loaded.source, &run);
        Ok(run)
    }
}
