//! The upkeep of the runs of sources: ends silent runs, deletes old ones, and returns the facts from which the health
//! of each source follows.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use underlay_entity::source_run::{RunMode, RunState};
use underlay_entity::{
    source_emptied, source_failure, source_held, source_item, source_ledger, source_run, source_seen, source_suspect,
    source_turn,
};
use uuid::Uuid;

use super::{held, newest_first};
use crate::store::commit::{Writing, step};
use crate::store::connection::Store;
use crate::store::error::StoreError;
use crate::store::insert::{ConflictAction, insert};
use crate::store::retention::begin;

/// The number of ended runs that are read to see whether a source keeps failing.
const JUDGED_RUNS: u64 = 3;
/// The greatest number of runs that are ended or deleted at a time.
const RUNS_PER_STATEMENT: u64 = 1_000;

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

/// The upkeep that is due.
#[derive(Clone, Debug)]
pub struct Upkeep {
    pub now: DateTime<Utc>,
    /// The time without a call after which a run is abandoned.
    pub patience: TimeDelta,
    /// The time before which the ledger and what was emptied are forgotten.
    pub forgotten: DateTime<Utc>,
    /// Sources that were deleted.
    pub deleted: Vec<Uuid>,
}

impl Store {
    /// Returns the sources of which runs may be stored.
    pub async fn sources_with_runs(&self) -> Result<Vec<Uuid>, StoreError> {
        let turns = source_turn::Entity::find().select_only().column(source_turn::Column::SourceId);
        step(turns.into_tuple().all(&self.writer)).await
    }

    /// Deletes the oldest runs of a source in one mode beyond `most`, with what belongs to them. Runs with which
    /// something is held stay, because only with them it can be decided about.
    pub async fn trim_runs(&self, source: Uuid, mode: RunMode, most: u64) -> Result<(), StoreError> {
        use source_run::Column::{FinishedAt, Id, Mode};
        let holding = held(source).select_only().column(source_held::Column::RunId).into_query();
        let old = newest_first(source).filter(Mode.eq(mode)).filter(FinishedAt.is_not_null());
        let old = old.filter(Id.not_in_subquery(holding));
        let old = old.select_only().column(Id).offset(most).limit(RUNS_PER_STATEMENT);
        let old: Vec<Uuid> = step(old.into_tuple().all(&self.writer)).await?;
        if old.is_empty() {
            return Ok(());
        }
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        writing.forget_seen(&old).await?;
        writing.forget_items(&old).await?;
        let runs = source_run::Entity::delete_many().filter(Id.is_in(old));
        step(runs.exec(&writing.transaction)).await?;
        step(writing.transaction.commit()).await
    }

    /// Does the upkeep, and returns the facts about each source. Returns `None` if another process does this at the
    /// moment.
    pub async fn keep_sources(&self, upkeep: &Upkeep) -> Result<Option<BTreeMap<Uuid, SourceFacts>>, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        if !begin(&writing.transaction).await? {
            writing.roll_back().await?;
            return Ok(None);
        }
        writing.abandon(upkeep.now, upkeep.patience).await?;
        let old = source_ledger::Entity::delete_many().filter(source_ledger::Column::At.lte(upkeep.forgotten));
        step(old.exec(&writing.transaction)).await?;
        let old = source_emptied::Entity::delete_many().filter(source_emptied::Column::At.lte(upkeep.forgotten));
        step(old.exec(&writing.transaction)).await?;
        writing.forget_sources(&upkeep.deleted).await?;
        let facts = writing.facts().await?;
        step(writing.transaction.commit()).await?;
        Ok(Some(facts))
    }

    /// Returns the first fields of a source that the guard holds, at most `most`.
    pub async fn held_fields(&self, source: Uuid, most: u64) -> Result<Vec<source_held::Model>, StoreError> {
        let fields = held(source).filter(source_held::Column::Field.ne(""));
        step(fields.order_by_asc(source_held::Column::Name).limit(most).all(&self.writer)).await
    }

    /// Deletes fields that are no longer held, unless another run holds them by now. Returns the number of them.
    pub async fn strike_off(&self, fields: &[source_held::Model]) -> Result<u64, StoreError> {
        use source_held::Column::{Field, ObjectId, RunId, SourceId};
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let mut struck = 0;
        for field in fields {
            let row = source_held::Entity::delete_many()
                .filter(SourceId.eq(field.source_id))
                .filter(ObjectId.eq(field.object_id))
                .filter(Field.eq(field.field.as_str()))
                .filter(RunId.eq(field.run_id));
            struck += step(row.exec(&writing.transaction)).await?.rows_affected;
        }
        step(writing.transaction.commit()).await?;
        Ok(struck)
    }

    /// Returns the facts about each source as they are now.
    pub async fn source_facts(&self) -> Result<BTreeMap<Uuid, SourceFacts>, StoreError> {
        let writing = self.begin_write().await?;
        let facts = writing.facts().await?;
        writing.roll_back().await?;
        Ok(facts)
    }
}

impl Writing {
    /// Ends the runs without a call for too long. A held run stays held. A call in the future was made before the clock
    /// was set back, and nobody knows how long ago.
    async fn abandon(&self, now: DateTime<Utc>, patience: TimeDelta) -> Result<(), StoreError> {
        use source_run::Column::{FinishedAt, HeartbeatAt};
        let is_silent = HeartbeatAt.lt(now - patience).or(HeartbeatAt.gt(now + patience));
        let silent =
            source_run::Entity::find().filter(FinishedAt.is_null()).filter(is_silent).limit(RUNS_PER_STATEMENT);
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
            self.forget_ended(&run).await?;
            step(insert::<source_run::Entity>(&self.transaction, &[&run], ConflictAction::Replaced)).await?;
        }
        Ok(())
    }

    /// Deletes the runs of some sources, with everything that belongs to them.
    async fn forget_sources(&self, sources: &[Uuid]) -> Result<(), StoreError> {
        if sources.is_empty() {
            return Ok(());
        }
        let of = || sources.iter().copied();
        let transaction = &self.transaction;
        let runs = || {
            let ids = source_run::Entity::find().select_only().column(source_run::Column::Id);
            ids.filter(source_run::Column::SourceId.is_in(of())).into_query()
        };
        let seen = source_seen::Entity::delete_many().filter(source_seen::Column::RunId.in_subquery(runs()));
        step(seen.exec(transaction)).await?;
        let items = source_item::Entity::delete_many().filter(source_item::Column::RunId.in_subquery(runs()));
        step(items.exec(transaction)).await?;
        let failures = source_failure::Entity::delete_many();
        let failures = failures.filter(source_failure::Column::RunId.in_subquery(runs()));
        step(failures.exec(transaction)).await?;
        let held = source_held::Entity::delete_many().filter(source_held::Column::SourceId.is_in(of()));
        step(held.exec(transaction)).await?;
        let ledger = source_ledger::Entity::delete_many().filter(source_ledger::Column::SourceId.is_in(of()));
        step(ledger.exec(transaction)).await?;
        let emptied = source_emptied::Entity::delete_many().filter(source_emptied::Column::SourceId.is_in(of()));
        step(emptied.exec(transaction)).await?;
        let suspects = source_suspect::Entity::delete_many().filter(source_suspect::Column::SourceId.is_in(of()));
        step(suspects.exec(transaction)).await?;
        let runs = source_run::Entity::delete_many().filter(source_run::Column::SourceId.is_in(of()));
        step(runs.exec(transaction)).await?;
        let turns = source_turn::Entity::delete_many().filter(source_turn::Column::SourceId.is_in(of()));
        step(turns.exec(transaction)).await.map(drop)
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
                .limit(JUDGED_RUNS);
            let last = step(ended.all(&self.transaction)).await?.into_iter().map(|run| run.state).collect();
            facts.insert(source, SourceFacts { held, last, last_success_at: turn.last_success_at });
        }
        Ok(facts)
    }
}
