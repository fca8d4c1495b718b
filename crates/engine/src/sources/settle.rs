//! Settles, finishes and cancels runs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use underlay_entity::source_held::{self, HeldReason};
use underlay_entity::source_run::{self, RunState};
use uuid::Uuid;

use super::error::RunError;
use super::failures::note_left;
use super::fate::Judgement;
use super::guard::WINDOW;
use super::load::{Loaded, is_full};
use super::missing::{Gone, Own, absent, held_row, own, permits, tallies};
use super::remove::{Counts, Removal};
use super::renumbered::successors;
use super::role::Prune;
use super::{Sources, digest};
use crate::store::Unheld;
use underlay_inventory::{Description, KindId};

/// The longest cursor of a source, in bytes.
const MAX_CURSOR_BYTES: usize = 4 * 1024;

/// The greatest number of things that one call names as deleted.
const MAX_DELETED: usize = 1_000;

/// The decision about the objects that are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// It is removed.
    Remove,
    /// It is held.
    Hold(HeldReason),
    /// It stays suspected, and the next full run judges it.
    Wait,
}

/// The extent of what a run says to be gone.
#[derive(Clone, Debug)]
pub enum Extent {
    /// Everything that the run did not see, if its scan was complete.
    Unseen {
        /// True if the scan was complete.
        complete: bool,
    },
    /// These kinds and external ids, which the source has deleted for certain.
    Deleted(Vec<(&'static Description, String)>),
}

/// Everything that a run knows to be gone, judged on one snapshot.
#[derive(Debug)]
struct Judged {
    /// The number of objects of the source by kind.
    count: HashMap<KindId, u64>,
    gone: Vec<Gone>,
    /// The ids of what is gone.
    listed: HashSet<Uuid>,
    judgement: Judgement,
    /// The objects that count with another one.
    along: HashSet<Uuid>,
}

impl Judged {
    /// Judges the objects of the source that `is_gone` is true for, by the digest of what they are in the source.
    async fn of(loaded: &Loaded, is_gone: impl Fn(Uuid) -> bool + Send + 'static) -> Result<Self, RunError> {
        let (snapshot, source) = (Arc::clone(&loaded.snapshot), loaded.source.clone());
        let since = loaded.now - WINDOW;
        let judged = tokio::task::spawn_blocking(move || {
            let (name, prune) = (&source.name, source.settings.prune);
            let is_there = |kind: &str, external_id: &str| !is_gone(digest(kind, external_id));
            let Own { count, mut gone } = own(&snapshot, name, is_there);
            if prune == Prune::Keep {
                gone.clear();
            }
            let listed = gone.iter().map(|gone| gone.id).collect();
            let mut judgement = Judgement::of(&snapshot, name, prune, gone.clone(), &listed);
            let along = judgement.take_along(&snapshot, &HashSet::new(), since);
            Self { count, gone, listed, judgement, along }
        });
        // This fails only when the runtime stops.
        judged.await.map_err(|_| RunError::Overtaken)
    }
}

impl Sources {
    /// Settles a run: the server judges what is gone as a whole, and removes it or holds it.
    ///
    /// # Errors
    /// Returns an error if the run does not accept the call.
    pub async fn settle(&self, run: Uuid, extent: &Extent, actor: &str) -> Result<source_run::Model, RunError> {
        match extent {
            Extent::Unseen { complete } => self.retried(|| self.try_settle(run, *complete, actor)).await,
            Extent::Deleted(deleted) if deleted.len() > MAX_DELETED => {
                let reason = format!("has {} entries; at most {MAX_DELETED} are allowed", deleted.len());
                Err(RunError::Invalid { field: "deleted", reason })
            }
            Extent::Deleted(deleted) => self.retried(|| self.try_settle_deleted(run, deleted, actor)).await,
        }
    }

    async fn try_settle(&self, run: Uuid, complete: bool, actor: &str) -> Result<source_run::Model, RunError> {
        let mut loaded = self.load_open(run).await?;
        if complete && !is_full(&loaded.run) {
            let reason = "can be true for a full run only: a partial run names what is deleted in `deleted`";
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
        let judged = Judged::of(&loaded, move |digest| !seen.contains(&digest)).await?;
        match self.verdict(&loaded, &judged).await? {
            Verdict::Hold(reason) => self.hold(&loaded, &judged, reason).await,
            Verdict::Remove | Verdict::Wait => {
                let Judged { listed, judgement, along, .. } = judged;
                let Judgement { going, left, .. } = judgement;
                self.remove(&mut loaded, actor, &Removal { going, listed, along, counts: Counts::Yes }).await?;
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

    /// Settles what a partial run names as deleted. What the run has seen is not gone, whatever it names. What cannot
    /// be removed stays suspected, for the next full run.
    async fn try_settle_deleted(
        &self,
        run: Uuid,
        deleted: &[(&'static Description, String)],
        actor: &str,
    ) -> Result<source_run::Model, RunError> {
        let mut loaded = self.load_open(run).await?;
        if is_full(&loaded.run) {
            let reason = "can be given in a partial run only: a full run is judged by what it did not see";
            return Err(RunError::Invalid { field: "deleted", reason: reason.to_owned() });
        }
        let seen: HashSet<Uuid> = self.0.store.seen(run).await?.into_iter().collect();
        let named: HashSet<Uuid> = deleted.iter().map(|(kind, id)| digest(kind.name, id)).collect();
        let judged = Judged::of(&loaded, move |digest| named.contains(&digest) && !seen.contains(&digest)).await?;
        match self.verdict(&loaded, &judged).await? {
            Verdict::Hold(reason) => return self.hold(&loaded, &judged, reason).await,
            Verdict::Wait => return Ok(self.0.store.record_run(&loaded.changes()).await?),
            Verdict::Remove => {}
        }
        let Judged { listed, judgement, along, .. } = judged;
        let Judgement { going, left, .. } = judgement;
        self.remove(&mut loaded, actor, &Removal { going, listed, along, counts: Counts::Yes }).await?;
        let mut changes = loaded.changes();
        note_left(&mut changes, &left);
        let (snapshot, source) = (self.0.current.get(), &loaded.source.name);
        let is_gone =
            |(kind, id): &&(&'static Description, String)| snapshot.table(kind.id).by_external(source, id).is_none();
        changes.unsuspected =
            deleted.iter().filter(is_gone).map(|(kind, id)| (kind.name.to_owned(), id.clone())).collect();
        Ok(self.0.store.record_run(&changes).await?)
    }

    async fn verdict(&self, loaded: &Loaded, judged: &Judged) -> Result<Verdict, RunError> {
        let Judged { count, gone, judgement, .. } = judged;
        if gone.is_empty() {
            return Ok(Verdict::Remove);
        }
        // The list of an earlier run is replaced by that of a full run alone.
        if !is_full(&loaded.run) && !loaded.held.is_empty() {
            return Ok(Verdict::Wait);
        }
        let (snapshot, source) = (&loaded.snapshot, &loaded.source.name);
        let tallies = tallies(snapshot, source, count, &judgement.counted, &absent(gone), &loaded.used);
        // While an earlier run is held, later ones remove nothing.
        let may_go = loaded.held.is_empty() && permits(loaded.source.settings.limits, &tallies);
        let may_go = judgement.going.is_empty() || may_go;
        // The source itself says that it has deleted these, so within the limits they are no objects with new ids.
        if may_go && !is_full(&loaded.run) {
            return Ok(Verdict::Remove);
        }
        let items = self.0.store.run_items(loaded.run.id).await?;
        let successors = successors(snapshot, source, gone, &items);
        // What was removed before the settling was interrupted belongs to the same judgement.
        let removed = loaded.run.retired + loaded.run.deleted + loaded.run.released;
        let all = gone.len() + usize::try_from(removed).unwrap_or_default();
        // Within the limits, what is in a whole with a new id says nothing by itself: a device that was exchanged has
        // new ports too.
        let own = successors.iter().filter(|successor| !may_go || successor.by_itself).count();
        if own > 0 && own * 2 >= all {
            return Ok(Verdict::Hold(HeldReason::Renumbered));
        }
        Ok(if may_go { Verdict::Remove } else { Verdict::Hold(HeldReason::Gone) })
    }

    async fn hold(&self, loaded: &Loaded, judged: &Judged, reason: HeldReason) -> Result<source_run::Model, RunError> {
        let mut changes = loaded.changes();
        note_left(&mut changes, &judged.judgement.left);
        changes.run.state = RunState::Held;
        changes.run.renumbered = reason == HeldReason::Renumbered;
        if is_full(&loaded.run) {
            changes.run.complete = Some(true);
            changes.settled = Some(loaded.run.base_revision);
        }
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
