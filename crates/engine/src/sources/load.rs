//! Loads the state of a run for one call, while no other call for its source is judged in this process.

use std::sync::{Arc, Mutex};

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::OwnedMutexGuard;
use underlay_entity::source_held::{self, HeldReason};
use underlay_entity::source_run::{self, RunMode, RunState};
use underlay_entity::source_turn;
use uuid::Uuid;

use super::error::RunError;
use super::guard::{Uses, WINDOW};
use super::merged::Replacements;
use super::removals::{has, is_still_set};
use super::role::SourceOf;
use super::{Sources, source_metrics};
use crate::feed;
use crate::store::RunChanges;
use underlay_inventory::{Snapshot, shorten_text};

/// The state of a run and of its source.
#[derive(Debug)]
pub struct Loaded {
    pub run: source_run::Model,
    pub source: SourceOf,
    pub turn: source_turn::Model,
    /// The objects that the runs of the source removed and emptied within the window, counted.
    pub used: Uses,
    /// The values that they replaced.
    pub replacements: Arc<Mutex<Replacements>>,
    /// Everything that the guard holds of the source.
    pub held: Vec<source_held::Model>,
    /// The fields that the guard held until now, and that somebody has emptied or set as the source does. Every call takes
    /// them off the list.
    pub no_longer_held: Vec<(Uuid, String)>,
    pub now: DateTime<Utc>,
    pub snapshot: Arc<Snapshot>,
    /// The turn of the source in this process.
    _turn: OwnedMutexGuard<()>,
}

impl Loaded {
    /// Returns the changes of a call that stores nothing but the run, which counts as a sign of life.
    pub fn changes(&self) -> RunChanges {
        let mut run = self.run.clone();
        run.heartbeat_at = self.now;
        RunChanges { unheld: self.no_longer_held.clone(), ..RunChanges::of(self.turn.step, run) }
    }

    /// Returns true if the run accepts calls of its synchronizer.
    pub fn is_open(&self) -> bool {
        self.run.finished_at.is_none()
    }
}

impl Sources {
    /// Returns the source of a run.
    ///
    /// # Errors
    /// Returns an error if there is no such run, or its source was deleted.
    pub async fn source_of(&self, run: &str) -> Result<(Uuid, String), RunError> {
        let unknown = || RunError::NoRun(shorten_text(run).into_owned());
        let id = Uuid::parse_str(run).map_err(|_| unknown())?;
        let found = self.0.store.run(id).await?.ok_or_else(unknown)?;
        let source = self.source(found.source_id).await?.ok_or_else(unknown)?;
        Ok((id, source.name))
    }

    /// Returns a run for a batch, and its source.
    ///
    /// # Errors
    /// Returns an error if there is no such run, or the batch names another source.
    pub async fn run_for(&self, run: &str, source: Option<&str>) -> Result<(Uuid, String), RunError> {
        let (run, own) = self.source_of(run).await?;
        match source.filter(|source| *source != own) {
            None => Ok((run, own)),
            Some(other) => {
                let reason = format!("must be {own:?}, the source of the run, not {:?}", shorten_text(other));
                Err(RunError::Invalid { field: "source", reason })
            }
        }
    }

    async fn source(&self, id: Uuid) -> Result<Option<SourceOf>, RunError> {
        if let Some(source) = self.0.role.with_id(&self.0.current.get(), id) {
            return Ok(Some(source));
        }
        // Another process may have created it a moment ago.
        self.catch_up().await;
        Ok(self.0.role.with_id(&self.0.current.get(), id))
    }

    /// Reads what other processes wrote. A process that cannot do so goes on with what it has, and its writes fail.
    /// Returns true if the current snapshot has everything that was written before the call.
    pub(super) async fn catch_up(&self) -> bool {
        if !self.0.store.is_shared() {
            return true;
        }
        let caught_up = feed::catch_up(&self.0.store, &self.0.current).await;
        if let Err(error) = &caught_up {
            tracing::warn!("this process is behind the database: {error}");
        }
        caught_up.is_ok()
    }

    /// Loads a run for a call, and waits for the turn of its source.
    ///
    /// # Errors
    /// Returns an error if there is no such run, or its source was deleted.
    pub(super) async fn load(&self, run: Uuid) -> Result<Loaded, RunError> {
        let unknown = || RunError::NoRun(run.to_string());
        let found = self.0.store.run(run).await?.ok_or_else(unknown)?;
        let turn = self.turn(found.source_id).await;
        self.source(found.source_id).await?.ok_or_else(unknown)?;
        // The step is read before everything that is judged on it: the snapshot has what calls before it removed.
        let step = self.0.store.turn(found.source_id).await?;
        self.catch_up().await;
        let snapshot = self.0.current.get();
        let source = self.0.role.with_id(&snapshot, found.source_id).ok_or_else(unknown)?;
        let now = self.0.store.clock().now();
        let run = self.0.store.run(run).await?.ok_or_else(unknown)?;
        let ledger = self.0.store.ledger(source.id, now - WINDOW).await?;
        let mut emptied = self.0.store.emptied(source.id, now - WINDOW).await?;
        // What is gone was counted as it went.
        emptied.retain(|it| snapshot.find(it.object_id).is_some());
        let is_held = |held: &source_held::Model| is_pending(&snapshot, held);
        let (held, settled): (Vec<_>, Vec<_>) = self.0.store.held_of(source.id).await?.into_iter().partition(is_held);
        let no_longer_held = settled.into_iter().map(|held| (held.object_id, held.field)).collect();
        let used = Uses::of(&ledger, &emptied, now);
        let replacements = self.replacements(source.id);
        Ok(Loaded { run, source, turn: step, used, replacements, held, no_longer_held, now, snapshot, _turn: turn })
    }

    /// Loads a run that accepts calls of its synchronizer. A run without a call for too long is abandoned first.
    ///
    /// # Errors
    /// Returns an error if there is no such run, or it has ended.
    pub(super) async fn load_open(&self, run: Uuid) -> Result<Loaded, RunError> {
        let loaded = self.load(run).await?;
        let ended = |state| RunError::State { run, state, remedy: "start another run" };
        if !loaded.is_open() {
            return Err(ended(loaded.run.state));
        }
        if is_silent(&loaded.run, loaded.now, self.0.timing.patience) {
            let state = self.abandon(&loaded).await?;
            return Err(ended(state));
        }
        Ok(loaded)
    }

    /// Ends a run without a call for too long. A held run stays held.
    pub(super) async fn abandon(&self, loaded: &Loaded) -> Result<RunState, RunError> {
        let mut changes = RunChanges::of(loaded.turn.step, loaded.run.clone());
        if changes.run.state == RunState::Running {
            changes.run.state = RunState::Abandoned;
        }
        changes.run.finished_at = Some(loaded.now);
        let run = self.0.store.record_run(&changes).await?;
        self.ended(&loaded.source, &run);
        Ok(run.state)
    }

    /// Counts a run that has ended.
    pub(super) fn ended(&self, source: &SourceOf, run: &source_run::Model) {
        source_metrics::ended(&source.name, run.state);
        tracing::info!(source = source.name, run = %run.id, state = ?run.state, seen = run.seen, "a run ended");
        if is_full(run) || run.state != RunState::Succeeded {
            self.0.run_ended.notify_one();
        }
    }
}

/// Returns true unless somebody has done by now what the guard holds: emptied a field, or given it the value. What
/// becomes of objects that would be removed is judged elsewhere.
pub fn is_pending(snapshot: &Snapshot, held: &source_held::Model) -> bool {
    match (held.reason, &held.value) {
        (HeldReason::Gone | HeldReason::Renumbered, _) => true,
        (HeldReason::Emptied | HeldReason::Replaced, None) => is_still_set(snapshot, held.object_id, &held.field),
        (HeldReason::Emptied | HeldReason::Replaced, Some(value)) => {
            snapshot.find(held.object_id).is_some() && !has(snapshot, held.object_id, &held.field, value)
        }
    }
}

/// Returns true if there was no call for a run for too long. A call in the future was made before the clock was set
/// back, and nobody knows how long ago.
pub fn is_silent(run: &source_run::Model, now: DateTime<Utc>, patience: TimeDelta) -> bool {
    (now - run.heartbeat_at).abs() > patience
}

/// Returns true if a run reads everything.
pub fn is_full(run: &source_run::Model) -> bool {
    run.mode == RunMode::Full
}
