//! The tables of the runs of sources: runs, their turns, what they saw, what the guard holds, and the ledger.
//!
//! Guarantees: every write for a run takes the next step of its source's turn, in the transaction of what it tells of.
//! A write that was judged on an older step is refused as [`StoreError::RunOvertaken`], and nothing of it is stored.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ColumnTrait, EntityTrait, IntoActiveModel, ModelTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use underlay_entity::source_run::{RunMode, RunState};
use underlay_entity::{
    history, source_held, source_item, source_ledger, source_run, source_seen, source_suspect, source_turn,
};
use uuid::Uuid;

use super::commit::{Writing, step};
use super::connection::Store;
use super::error::StoreError;
use super::insert::{ConflictAction, insert};
use super::retention::begin;
use super::run_changes::{RunChanges, Unheld};

/// The number of rows or values in one statement.
const ROWS: usize = 1_000;
/// The id of the one row with the history.
const HISTORY: i32 = 1;
/// The number of ended runs that are read to see whether a source keeps failing.
const LAST: u64 = 3;

/// The facts about the runs of one source from which its health follows.
#[derive(Clone, Debug, Default)]
pub struct SourceFacts {
    /// The number of objects and fields that the guard holds.
    pub held: u64,
    /// The states of the last ended runs, newest first. Cancelled runs do not count.
    pub last: Vec<RunState>,
    /// The time when the last full run succeeded.
    pub last_success_at: Option<DateTime<Utc>>,
}

impl Store {
    /// Returns a run.
    pub async fn run(&self, id: Uuid) -> Result<Option<source_run::Model>, StoreError> {
        step(source_run::Entity::find_by_id(id).one(&self.writer)).await
    }

    /// Returns the last runs of a source, newest first.
    pub async fn runs(&self, source: Uuid, most: u64) -> Result<Vec<source_run::Model>, StoreError> {
        step(newest_first(source).limit(most).all(&self.reader)).await
    }

    /// Returns the runs of a source that were not ended yet, newest first.
    pub async fn open_runs(&self, source: Uuid) -> Result<Vec<source_run::Model>, StoreError> {
        let open = newest_first(source).filter(source_run::Column::FinishedAt.is_null());
        step(open.all(&self.writer)).await
    }

    /// Returns the turn of a source, if a run of it was started.
    pub async fn find_turn(&self, source: Uuid) -> Result<Option<source_turn::Model>, StoreError> {
        step(source_turn::Entity::find_by_id(source).one(&self.writer)).await
    }

    /// Returns the ledger of a source since a time.
    pub async fn ledger(&self, source: Uuid, since: DateTime<Utc>) -> Result<Vec<source_ledger::Model>, StoreError> {
        let own = source_ledger::Entity::find().filter(source_ledger::Column::SourceId.eq(source));
        step(own.filter(source_ledger::Column::At.gt(since)).all(&self.writer)).await
    }

    /// Returns everything that the guard holds of a source, in the order of names.
    pub async fn held_of(&self, source: Uuid) -> Result<Vec<source_held::Model>, StoreError> {
        step(held(source).order_by_asc(source_held::Column::Name).all(&self.writer)).await
    }

    /// Returns a part of what is held with a run, in the order of names.
    pub async fn held_with(&self, run: Uuid, most: u64) -> Result<Vec<source_held::Model>, StoreError> {
        let own = source_held::Entity::find().filter(source_held::Column::RunId.eq(run));
        let own = own.order_by_asc(source_held::Column::Name).order_by_asc(source_held::Column::ObjectId);
        step(own.limit(most).all(&self.reader)).await
    }

    /// Returns the number of objects and fields that are held with a run.
    pub async fn count_held_with(&self, run: Uuid) -> Result<u64, StoreError> {
        step(source_held::Entity::find().filter(source_held::Column::RunId.eq(run)).count(&self.reader)).await
    }

    /// Returns the digests of everything that a run saw.
    pub async fn seen(&self, run: Uuid) -> Result<Vec<Uuid>, StoreError> {
        let digests = source_seen::Entity::find().select_only().column(source_seen::Column::Digest);
        let own = digests.filter(source_seen::Column::RunId.eq(run));
        step(own.into_tuple::<Uuid>().all(&self.writer)).await
    }

    /// Returns the items of a run that created objects or were refused as duplicates.
    pub async fn run_items(&self, run: Uuid) -> Result<Vec<source_item::Model>, StoreError> {
        step(source_item::Entity::find().filter(source_item::Column::RunId.eq(run)).all(&self.writer)).await
    }

    /// Returns the number of these items.
    pub async fn count_run_items(&self, run: Uuid) -> Result<u64, StoreError> {
        step(source_item::Entity::find().filter(source_item::Column::RunId.eq(run)).count(&self.writer)).await
    }

    /// Returns a part of the suspects of a source, oldest first.
    pub async fn suspects(&self, source: Uuid, most: u64) -> Result<Vec<source_suspect::Model>, StoreError> {
        let own = source_suspect::Entity::find().filter(source_suspect::Column::SourceId.eq(source));
        let own = own.order_by_asc(source_suspect::Column::At).order_by_asc(source_suspect::Column::ExternalId);
        step(own.limit(most).all(&self.reader)).await
    }

    /// Returns the number of suspects of a source.
    pub async fn count_suspects(&self, source: Uuid) -> Result<u64, StoreError> {
        let own = source_suspect::Entity::find().filter(source_suspect::Column::SourceId.eq(source));
        step(own.count(&self.reader)).await
    }

    /// Returns the id of the history of the database, which is made when it is first asked for. A restored copy has
    /// another one.
    pub async fn history(&self) -> Result<Uuid, StoreError> {
        let find = || history::Entity::find_by_id(HISTORY).one(&self.writer);
        if let Some(row) = step(find()).await? {
            return Ok(row.history);
        }
        let row = history::Model { id: HISTORY, history: Uuid::new_v4() };
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let mut there = OnConflict::column(history::Column::Id);
        there.do_nothing();
        let insert = history::Entity::insert_many([row.clone().into_active_model()]).on_conflict(there);
        step(insert.exec_without_returning(&writing.transaction)).await?;
        step(writing.transaction.commit()).await?;
        Ok(step(find()).await?.unwrap_or(row).history)
    }

    /// Gives a source its turn if it has none, and returns it.
    pub async fn turn(&self, source: Uuid) -> Result<source_turn::Model, StoreError> {
        if let Some(turn) = self.find_turn(source).await? {
            return Ok(turn);
        }
        let turn = source_turn::Model { source_id: source, step: 0, settled_revision: 0, last_success_at: None };
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let mut there = OnConflict::column(source_turn::Column::SourceId);
        there.do_nothing();
        let insert = source_turn::Entity::insert_many([turn.clone().into_active_model()]).on_conflict(there);
        step(insert.exec_without_returning(&writing.transaction)).await?;
        step(writing.transaction.commit()).await?;
        Ok(self.find_turn(source).await?.unwrap_or(turn))
    }

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

    /// Deletes the oldest runs of a source beyond `most`, with what belongs to them.
    pub async fn trim_runs(&self, source: Uuid, most: u64) -> Result<(), StoreError> {
        let old = newest_first(source).filter(source_run::Column::FinishedAt.is_not_null()).offset(most).limit(LIMIT);
        let old: Vec<Uuid> = step(old.all(&self.writer)).await?.into_iter().map(|run| run.id).collect();
        if old.is_empty() {
            return Ok(());
        }
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        writing.forget_run(&old).await?;
        let runs = source_run::Entity::delete_many().filter(source_run::Column::Id.is_in(old));
        step(runs.exec(&writing.transaction)).await?;
        step(writing.transaction.commit()).await
    }

    /// Ends runs without a call since `abandoned`, forgets the ledger before `forgotten`, and returns the facts about
    /// each source. Returns `None` if another process does this at the moment.
    pub async fn keep_sources(
        &self,
        now: DateTime<Utc>,
        patience: TimeDelta,
        forgotten: DateTime<Utc>,
    ) -> Result<Option<BTreeMap<Uuid, SourceFacts>>, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        if !begin(&writing.transaction).await? {
            writing.roll_back().await?;
            return Ok(None);
        }
        writing.abandon(now, now - patience).await?;
        let old = source_ledger::Entity::delete_many().filter(source_ledger::Column::At.lte(forgotten));
        step(old.exec(&writing.transaction)).await?;
        let facts = writing.facts().await?;
        step(writing.transaction.commit()).await?;
        Ok(Some(facts))
    }

    /// Returns the facts about each source as they are now.
    pub async fn source_facts(&self) -> Result<BTreeMap<Uuid, SourceFacts>, StoreError> {
        let writing = self.begin_write().await?;
        let facts = writing.facts().await?;
        writing.roll_back().await?;
        Ok(facts)
    }
}

/// The greatest number of runs that are deleted at a time.
const LIMIT: u64 = 1_000;

impl Writing {
    /// Stores a call for a run. Returns the run with the number of things that it has seen.
    ///
    /// # Errors
    /// Returns [`StoreError::RunOvertaken`] if another call for the source was stored since the call was judged.
    pub async fn write_run(&self, changes: &RunChanges) -> Result<source_run::Model, StoreError> {
        let mut run = changes.run.clone();
        self.take_step(run.source_id, changes).await?;
        run.seen += self.see(run.id, &changes.seen).await?;
        self.unhold(run.source_id, changes).await?;
        let transaction = &self.transaction;
        step(insert::<source_run::Entity>(transaction, &[&run], ConflictAction::Replaced)).await?;
        step(insert::<source_held::Entity>(transaction, &refs(&changes.held), ConflictAction::Replaced)).await?;
        step(insert::<source_ledger::Entity>(transaction, &refs(&changes.ledger), ConflictAction::Refused)).await?;
        step(insert::<source_item::Entity>(transaction, &refs(&changes.items), ConflictAction::Replaced)).await?;
        step(insert::<source_suspect::Entity>(transaction, &refs(&changes.suspects), ConflictAction::Replaced)).await?;
        if changes.settled.is_some() {
            let gone = source_suspect::Entity::delete_many();
            step(gone.filter(source_suspect::Column::SourceId.eq(run.source_id)).exec(transaction)).await?;
        }
        if run.finished_at.is_some() {
            self.forget_seen(&[run.id]).await?;
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

    /// Adds digests to what a run saw. Returns the number of those that are new.
    async fn see(&self, run: Uuid, digests: &[Uuid]) -> Result<i64, StoreError> {
        let mut added = 0;
        for digests in digests.chunks(ROWS) {
            let rows = digests.iter().map(|digest| source_seen::Model { run_id: run, digest: *digest });
            let mut there = OnConflict::columns([source_seen::Column::RunId, source_seen::Column::Digest]);
            there.do_nothing();
            let insert = source_seen::Entity::insert_many(rows.map(IntoActiveModel::into_active_model));
            let insert = insert.on_conflict(there);
            added += step(insert.exec_without_returning(&self.transaction)).await?;
        }
        Ok(i64::try_from(added).unwrap_or(i64::MAX))
    }

    async fn unhold(&self, source: Uuid, changes: &RunChanges) -> Result<(), StoreError> {
        use source_held::Column::{Field, ObjectId, SourceId};
        let own = || source_held::Entity::delete_many().filter(SourceId.eq(source));
        match changes.unheld_too {
            Unheld::Listed => {}
            Unheld::Gone => {
                step(own().filter(Field.eq("")).exec(&self.transaction)).await?;
            }
            Unheld::All => {
                step(own().exec(&self.transaction)).await?;
            }
        }
        let mut by_field: BTreeMap<&str, Vec<Uuid>> = BTreeMap::new();
        for (object, field) in &changes.unheld {
            by_field.entry(field).or_default().push(*object);
        }
        for (field, objects) in by_field {
            for objects in objects.chunks(ROWS) {
                let listed = own().filter(Field.eq(field)).filter(ObjectId.is_in(objects.iter().copied()));
                step(listed.exec(&self.transaction)).await?;
            }
        }
        Ok(())
    }

    async fn forget_seen(&self, runs: &[Uuid]) -> Result<(), StoreError> {
        let seen = source_seen::Entity::delete_many();
        let seen = seen.filter(source_seen::Column::RunId.is_in(runs.iter().copied()));
        step(seen.exec(&self.transaction)).await.map(drop)
    }

    async fn forget_run(&self, runs: &[Uuid]) -> Result<(), StoreError> {
        self.forget_seen(runs).await?;
        let items = source_item::Entity::delete_many();
        let items = items.filter(source_item::Column::RunId.is_in(runs.iter().copied()));
        step(items.exec(&self.transaction)).await.map(drop)
    }

    /// Ends the runs without a call since a time. A held run stays held.
    async fn abandon(&self, now: DateTime<Utc>, since: DateTime<Utc>) -> Result<(), StoreError> {
        use source_run::Column::{FinishedAt, HeartbeatAt};
        let silent = source_run::Entity::find().filter(FinishedAt.is_null()).filter(HeartbeatAt.lt(since)).limit(LIMIT);
        for mut run in step(silent.all(&self.transaction)).await? {
            // A call that was judged before this must not bring the run back.
            let turn = source_turn::Entity::update_many()
                .col_expr(source_turn::Column::Step, Expr::col(source_turn::Column::Step).add(1))
                .filter(source_turn::Column::SourceId.eq(run.source_id));
            step(turn.exec(&self.transaction)).await?;
            if run.state == RunState::Running {
                run.state = RunState::Abandoned;
            }
            run.finished_at = Some(now);
            self.forget_seen(&[run.id]).await?;
            step(insert::<source_run::Entity>(&self.transaction, &[&run], ConflictAction::Replaced)).await?;
        }
        Ok(())
    }

    async fn facts(&self) -> Result<BTreeMap<Uuid, SourceFacts>, StoreError> {
        let mut facts: BTreeMap<Uuid, SourceFacts> = BTreeMap::new();
        for turn in step(source_turn::Entity::find().all(&self.transaction)).await? {
            let source = turn.source_id;
            let held = step(held(source).count(&self.transaction)).await?;
            let ended = newest_first(source)
                .filter(source_run::Column::FinishedAt.is_not_null())
                .filter(source_run::Column::State.ne(RunState::Cancelled))
                .filter(source_run::Column::Mode.eq(RunMode::Full))
                .limit(LAST);
            let last = step(ended.all(&self.transaction)).await?.into_iter().map(|run| run.state).collect();
            facts.insert(source, SourceFacts { held, last, last_success_at: turn.last_success_at });
        }
        Ok(facts)
    }
}

fn newest_first(source: Uuid) -> sea_orm::Select<source_run::Entity> {
    source_run::Entity::find()
        .filter(source_run::Column::SourceId.eq(source))
        .order_by_desc(source_run::Column::StartedAt)
        .order_by_desc(source_run::Column::Id)
}

fn held(source: Uuid) -> sea_orm::Select<source_held::Entity> {
    source_held::Entity::find().filter(source_held::Column::SourceId.eq(source))
}

fn refs<M: ModelTrait>(models: &[M]) -> Vec<&M> {
    models.iter().collect()
}
