//! Writes the calls for runs.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{ColumnTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use underlay_entity::source_run::{RunErrorEntry, RunErrors, RunMode, RunState};
use underlay_entity::{
    source_emptied, source_failure, source_held, source_item, source_ledger, source_run, source_seen, source_suspect,
    source_turn,
};
use uuid::Uuid;

use super::refs;
use crate::store::commit::{Writing, step};
use crate::store::connection::Store;
use crate::store::error::StoreError;
use crate::store::insert::{ConflictAction, insert};
use crate::store::retention::REPEATABLE_HOURS;
use crate::store::run_changes::{RunChanges, Unheld};

/// The number of rows or values in one statement.
const ROWS_PER_STATEMENT: usize = 1_000;
/// The number of failures that are listed with a run.
const MAX_LISTED_ERRORS: usize = 100;

impl Store {
    /// Stores a call for a run that makes no revision.
    ///
    /// # Errors
    /// Returns [`StoreError::RunOvertaken`] if another call for the source was stored since.
    pub async fn record_run(&self, changes: &RunChanges) -> Result<source_run::Model, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let run = match writing.write_run(changes).await {
            Ok(run) => run,
            Err(error) => {
                // A rollback that fails leaves nothing either, because its connection is closed.
                let _ = writing.roll_back().await;
                return Err(error);
            }
        };
        step(writing.transaction.commit()).await?;
        self.wrote();
        Ok(run)
    }
}

impl Writing {
    /// Stores a call for a run. Returns the run with the number of things that it has seen.
    ///
    /// # Errors
    /// Returns [`StoreError::RunOvertaken`] if another call for the source was stored since the call was judged.
    pub async fn write_run(&self, changes: &RunChanges) -> Result<source_run::Model, StoreError> {
        let mut run = changes.run.clone();
        self.take_step(run.source_id, changes).await?;
        run.seen += self.see(run.id, &changes.seen).await?;
        self.see_for_others(&run, &changes.seen).await?;
        self.note_failures(&mut run, changes).await?;
        self.unhold(run.source_id, changes).await?;
        let transaction = &self.transaction;
        step(insert::<source_run::Entity>(transaction, &[&run], ConflictAction::Replaced)).await?;
        step(insert::<source_held::Entity>(transaction, &refs(&changes.held), ConflictAction::Replaced)).await?;
        step(insert::<source_ledger::Entity>(transaction, &refs(&changes.ledger), ConflictAction::Refused)).await?;
        step(insert::<source_emptied::Entity>(transaction, &refs(&changes.emptied), ConflictAction::Replaced)).await?;
        step(insert::<source_item::Entity>(transaction, &refs(&changes.items), ConflictAction::Replaced)).await?;
        step(insert::<source_suspect::Entity>(transaction, &refs(&changes.suspects), ConflictAction::Replaced)).await?;
        self.forget_suspects(run.source_id, &changes.unsuspected).await?;
        if changes.settled.is_some() {
            let gone = source_suspect::Entity::delete_many();
            step(gone.filter(source_suspect::Column::SourceId.eq(run.source_id)).exec(transaction)).await?;
            self.forget_replaced(&run).await?;
        }
        if run.finished_at.is_some() {
            self.forget_ended(&run).await?;
        }
        if let Some(request) = &changes.request {
            let forgotten = request.at - TimeDelta::hours(REPEATABLE_HOURS as i64);
            // Another call has the name of this one. It is found when this call is judged again.
            let is_stored = self.remember(std::slice::from_ref(request), forgotten).await?;
            is_stored.then_some(()).ok_or(StoreError::RunOvertaken)?;
        }
        Ok(run)
    }

    async fn take_step(&self, source: Uuid, changes: &RunChanges) -> Result<(), StoreError> {
        use source_turn::Column::{LastSuccessAt, SettledRevision, SourceId, Step};
        let mut take = source_turn::Entity::update_many().col_expr(Step, Expr::value(changes.step + 1));
        if let Some(revision) = changes.settled {
            take = take.col_expr(SettledRevision, Expr::value(revision));
        }
        if let Some(at) = changes.succeeded_at {
            take = take.col_expr(LastSuccessAt, Expr::value(at));
        }
        let take = take.filter(SourceId.eq(source)).filter(Step.eq(changes.step));
        match step(take.exec(&self.transaction)).await?.rows_affected {
            0 => Err(StoreError::RunOvertaken),
            _ => Ok(()),
        }
    }

    /// Adds digests to what a run saw. Returns the number of those that it saw for the first time itself.
    async fn see(&self, run: Uuid, digests: &[Uuid]) -> Result<i64, StoreError> {
        use source_seen::Column::{ByOther, Digest, RunId};
        let mut there = OnConflict::columns([RunId, Digest]);
        there.update_column(ByOther).action_and_where(Expr::col((source_seen::Entity, ByOther)).eq(true));
        let added = self.add_seen(run, digests, false, &there).await?;
        Ok(i64::try_from(added).unwrap_or(i64::MAX))
    }

    /// Adds digests to what the full run of the source that is going on knows, if another run saw them: that run may
    /// have created what the full one read no more.
    async fn see_for_others(&self, run: &source_run::Model, digests: &[Uuid]) -> Result<(), StoreError> {
        use source_run::Column::{FinishedAt, Id, Mode, SourceId};
        if digests.is_empty() || run.mode == RunMode::Full {
            return Ok(());
        }
        let going_on = source_run::Entity::find().select_only().column(Id).filter(SourceId.eq(run.source_id));
        let going_on = going_on.filter(Mode.eq(RunMode::Full)).filter(FinishedAt.is_null());
        let going_on: Vec<Uuid> = step(going_on.into_tuple().all(&self.transaction)).await?;
        let mut there = OnConflict::columns([source_seen::Column::RunId, source_seen::Column::Digest]);
        there.do_nothing();
        for full in going_on {
            self.add_seen(full, digests, true, &there).await?;
        }
        Ok(())
    }

    /// Adds digests. Returns the number of rows that were inserted or updated.
    async fn add_seen(
        &self,
        run_id: Uuid,
        digests: &[Uuid],
        by_other: bool,
        there: &OnConflict,
    ) -> Result<u64, StoreError> {
        let mut added = 0;
        for digests in digests.chunks(ROWS_PER_STATEMENT) {
            let rows = digests.iter().map(|digest| source_seen::Model { run_id, digest: *digest, by_other });
            let insert = source_seen::Entity::insert_many(rows.map(IntoActiveModel::into_active_model));
            let insert = insert.on_conflict(there.clone());
            added += step(insert.exec_without_returning(&self.transaction)).await?;
        }
        Ok(added)
    }

    /// Stores what failed, and forgets what succeeded after it had failed. Counts and lists what failed with the run.
    async fn note_failures(&self, run: &mut source_run::Model, changes: &RunChanges) -> Result<(), StoreError> {
        use source_failure::Column::{Counts, Digest, Number, RunId};
        if run.finished_at.is_some() {
            // The rows of a run that has ended are forgotten: what fails when it is approved comes after what it lists.
            let room = MAX_LISTED_ERRORS.saturating_sub(run.errors.0.len());
            run.errors.0.extend(changes.failures.iter().take(room).map(entry));
            return Ok(());
        }
        let own = || source_failure::Entity::find().filter(RunId.eq(run.id));
        let mut differs = !changes.failures.is_empty();
        if !run.errors.0.is_empty() {
            for digests in changes.succeeded.chunks(ROWS_PER_STATEMENT) {
                let failed = source_failure::Entity::delete_many().filter(RunId.eq(run.id));
                let failed = failed.filter(Digest.is_in(digests.iter().copied()));
                differs |= step(failed.exec(&self.transaction)).await?.rows_affected > 0;
            }
        }
        if !differs {
            return Ok(());
        }
        let failures = refs(&changes.failures);
        step(insert::<source_failure::Entity>(&self.transaction, &failures, ConflictAction::Replaced)).await?;
        let failed = step(own().filter(Counts.eq(true)).count(&self.transaction)).await?;
        let first = own().order_by_asc(Number).limit(MAX_LISTED_ERRORS as u64);
        let first = step(first.all(&self.transaction)).await?;
        run.failed = i64::try_from(failed).unwrap_or(i64::MAX);
        run.errors = RunErrors(first.iter().map(entry).collect());
        Ok(())
    }

    /// Forgets some suspects of a source.
    async fn forget_suspects(&self, source: Uuid, suspects: &[(String, String)]) -> Result<(), StoreError> {
        use source_suspect::Column::{ExternalId, Kind, SourceId};
        let mut by_kind: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (kind, external_id) in suspects {
            by_kind.entry(kind).or_default().push(external_id);
        }
        for (kind, ids) in by_kind {
            for ids in ids.chunks(ROWS_PER_STATEMENT) {
                let own = source_suspect::Entity::delete_many().filter(SourceId.eq(source)).filter(Kind.eq(kind));
                step(own.filter(ExternalId.is_in(ids.iter().copied())).exec(&self.transaction)).await?;
            }
        }
        Ok(())
    }

    async fn unhold(&self, source: Uuid, changes: &RunChanges) -> Result<(), StoreError> {
        use source_held::Column::{Field, ObjectId, RunId, SourceId};
        let own = || source_held::Entity::delete_many().filter(SourceId.eq(source));
        match changes.unheld_too {
            Unheld::Listed => {}
            Unheld::Gone => {
                step(own().filter(Field.eq("")).exec(&self.transaction)).await?;
            }
            Unheld::OfRun => {
                step(own().filter(RunId.eq(changes.run.id)).exec(&self.transaction)).await?;
            }
        }
        let mut by_field: BTreeMap<&str, Vec<Uuid>> = BTreeMap::new();
        for (object, field) in &changes.unheld {
            by_field.entry(field).or_default().push(*object);
        }
        for (field, objects) in by_field {
            for objects in objects.chunks(ROWS_PER_STATEMENT) {
                let listed = own().filter(Field.eq(field)).filter(ObjectId.is_in(objects.iter().copied()));
                step(listed.exec(&self.transaction)).await?;
            }
        }
        Ok(())
    }

    /// Deletes the digests of what some runs saw, which only running runs need.
    pub(super) async fn forget_seen(&self, runs: &[Uuid]) -> Result<(), StoreError> {
        let seen = source_seen::Entity::delete_many();
        let seen = seen.filter(source_seen::Column::RunId.is_in(runs.iter().copied()));
        step(seen.exec(&self.transaction)).await.map(drop)
    }

    /// Deletes the items by which renumbered objects are recognised.
    pub(super) async fn forget_items(&self, runs: &[Uuid]) -> Result<(), StoreError> {
        let items = source_item::Entity::delete_many();
        let items = items.filter(source_item::Column::RunId.is_in(runs.iter().copied()));
        step(items.exec(&self.transaction)).await.map(drop)
    }

    /// Deletes what failed in some runs. The runs themselves list the first of it.
    async fn forget_failures(&self, runs: &[Uuid]) -> Result<(), StoreError> {
        let failures = source_failure::Entity::delete_many();
        let failures = failures.filter(source_failure::Column::RunId.is_in(runs.iter().copied()));
        step(failures.exec(&self.transaction)).await.map(drop)
    }

    /// Deletes what a run that has ended no longer needs. The items of a held run wait for an operator.
    pub(super) async fn forget_ended(&self, run: &source_run::Model) -> Result<(), StoreError> {
        self.forget_seen(&[run.id]).await?;
        self.forget_failures(&[run.id]).await?;
        match run.state {
            RunState::Held => Ok(()),
            _ => self.forget_items(&[run.id]).await,
        }
    }

    /// Deletes the items of held runs whose list a newer run replaces.
    async fn forget_replaced(&self, newest: &source_run::Model) -> Result<(), StoreError> {
        use source_run::Column::{FinishedAt, Id, SourceId, State};
        let replaced = source_run::Entity::find().select_only().column(Id);
        let replaced = replaced.filter(SourceId.eq(newest.source_id)).filter(State.eq(RunState::Held));
        let replaced = replaced.filter(FinishedAt.is_not_null()).filter(Id.ne(newest.id));
        let replaced: Vec<Uuid> = step(replaced.into_tuple().all(&self.transaction)).await?;
        self.forget_items(&replaced).await
    }
}

/// Returns a failure as the run lists it.
fn entry(failure: &source_failure::Model) -> RunErrorEntry {
    let source_failure::Model { external_id, code, message, same_machine, .. } = failure.clone();
    RunErrorEntry { external_id, code, message, same_machine }
}
