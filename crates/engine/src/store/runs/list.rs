//! Lists the runs of sources and what belongs to them, for readers. One statement serves many sources or runs.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Asterisk, Expr, ExprTrait, Func, Order, Query, WindowStatement};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select, Statement,
};
use underlay_entity::source_run::RunMode;
use underlay_entity::{source_held, source_run, source_suspect, source_turn};
use uuid::Uuid;

use crate::store::commit::step;
use crate::store::connection::Store;
use crate::store::error::StoreError;

/// The name of the column that numbers the rows of each source or run.
const NUMBER: &str = "row_number";

/// The position of a run among the runs of its source, which are listed newest first.
pub type RunPosition = (DateTime<Utc>, Uuid);

impl Store {
    /// Returns the runs of each of these sources past a position, newest first, at most `most` of each. With a mode,
    /// only those of that mode that have ended.
    pub async fn runs_of_each(
        &self,
        sources: &[Uuid],
        ended: Option<RunMode>,
        past: Option<RunPosition>,
        most: u64,
    ) -> Result<Vec<source_run::Model>, StoreError> {
        use source_run::Column::{FinishedAt, Id, Mode, SourceId, StartedAt};
        let mut select = source_run::Entity::find().filter(SourceId.is_in(sources.iter().copied()));
        if let Some(mode) = ended {
            select = select.filter(Mode.eq(mode)).filter(FinishedAt.is_not_null());
        }
        if let Some((at, id)) = past {
            let beyond = StartedAt.eq(at).and(Id.lt(id));
            select = select.filter(Condition::any().add(StartedAt.lt(at)).add(beyond));
        }
        let newest_first = [(StartedAt, Order::Desc), (Id, Order::Desc)];
        let statement = self.first_of_each(select, SourceId, &newest_first, most);
        step(source_run::Entity::find().from_raw_sql(statement).all(&self.reader)).await
    }

    /// Returns the number of runs of each of these sources. A source without any is left out.
    pub async fn count_runs_of_each(&self, sources: &[Uuid]) -> Result<HashMap<Uuid, i64>, StoreError> {
        use source_run::Column::SourceId;
        let own = source_run::Entity::find().filter(SourceId.is_in(sources.iter().copied()));
        self.count_by(own, SourceId).await
    }

    /// Returns the number of objects and fields that are held with each of these runs. A run without any is left out.
    pub async fn count_held_with_each(&self, runs: &[Uuid]) -> Result<HashMap<Uuid, i64>, StoreError> {
        use source_held::Column::RunId;
        let own = source_held::Entity::find().filter(RunId.is_in(runs.iter().copied()));
        self.count_by(own, RunId).await
    }

    /// Returns the number of suspects of each of these sources. A source without any is left out.
    pub async fn count_suspects_of_each(&self, sources: &[Uuid]) -> Result<HashMap<Uuid, i64>, StoreError> {
        use source_suspect::Column::SourceId;
        let own = source_suspect::Entity::find().filter(SourceId.is_in(sources.iter().copied()));
        self.count_by(own, SourceId).await
    }

    /// Returns the time when a full run of each of these sources last succeeded. A source without one is left out.
    pub async fn successes_of_each(&self, sources: &[Uuid]) -> Result<HashMap<Uuid, DateTime<Utc>>, StoreError> {
        let turns = source_turn::Entity::find().filter(source_turn::Column::SourceId.is_in(sources.iter().copied()));
        let turns = step(turns.all(&self.reader)).await?;
        Ok(turns.into_iter().filter_map(|turn| Some((turn.source_id, turn.last_success_at?))).collect())
    }

    /// Returns the runs of each of these sources with which something is held, newest first, at most `most` of each.
    pub async fn holding_runs_of_each(
        &self,
        sources: &[Uuid],
        most: u64,
    ) -> Result<Vec<source_run::Model>, StoreError> {
        use source_run::Column::{Id, SourceId, StartedAt};
        let held = source_held::Entity::find().filter(source_held::Column::SourceId.is_in(sources.iter().copied()));
        let holding = held.select_only().column(source_held::Column::RunId).into_query();
        let select = source_run::Entity::find().filter(SourceId.is_in(sources.iter().copied()));
        let newest_first = [(StartedAt, Order::Desc), (Id, Order::Desc)];
        let statement = self.first_of_each(select.filter(Id.in_subquery(holding)), SourceId, &newest_first, most);
        step(source_run::Entity::find().from_raw_sql(statement).all(&self.reader)).await
    }

    /// Returns the number of objects and fields that are held of each of these sources. A source without any is left
    /// out.
    pub async fn count_held_of_each(&self, sources: &[Uuid]) -> Result<HashMap<Uuid, i64>, StoreError> {
        use source_held::Column::SourceId;
        let own = source_held::Entity::find().filter(SourceId.is_in(sources.iter().copied()));
        self.count_by(own, SourceId).await
    }

    /// Returns what is held with each of these runs, in the order of names, at most `most` of each.
    pub async fn held_with_each(&self, runs: &[Uuid], most: u64) -> Result<Vec<source_held::Model>, StoreError> {
        use source_held::Column::{Field, Name, ObjectId, RunId};
        let select = source_held::Entity::find().filter(RunId.is_in(runs.iter().copied()));
        let by_name = [(Name, Order::Asc), (ObjectId, Order::Asc), (Field, Order::Asc)];
        let statement = self.first_of_each(select, RunId, &by_name, most);
        step(source_held::Entity::find().from_raw_sql(statement).all(&self.reader)).await
    }

    /// Returns a part of the suspects of a source, oldest first.
    pub async fn suspects(&self, source: Uuid, most: u64) -> Result<Vec<source_suspect::Model>, StoreError> {
        let own = source_suspect::Entity::find().filter(source_suspect::Column::SourceId.eq(source));
        let own = own.order_by_asc(source_suspect::Column::At).order_by_asc(source_suspect::Column::ExternalId);
        step(own.limit(most).all(&self.reader)).await
    }

    /// Returns a statement for the first rows of each group, at most `most` of each. The rows of a group come in the
    /// given order.
    pub(in crate::store) fn first_of_each<E: EntityTrait, C: ColumnTrait>(
        &self,
        mut rows: Select<E>,
        group: C,
        order: &[(C, Order)],
        most: u64,
    ) -> Statement {
        let mut number = WindowStatement::partition_by(group);
        for (column, direction) in order {
            number.order_by(*column, direction.clone());
        }
        let numbered =
            QuerySelect::query(&mut rows).expr_window_as(Func::cust("ROW_NUMBER"), number, NUMBER).to_owned();
        let first = Query::select()
            .column(Asterisk)
            .from_subquery(numbered, "numbered")
            .and_where(Expr::col(NUMBER).lte(most))
            .order_by(NUMBER, Order::Asc)
            .to_owned();
        self.reader.get_database_backend().build(&first)
    }

    async fn count_by<E: EntityTrait, C: ColumnTrait>(
        &self,
        rows: Select<E>,
        column: C,
    ) -> Result<HashMap<Uuid, i64>, StoreError> {
        let counts = rows.select_only().column(column).column_as(Expr::col(column).count(), "count").group_by(column);
        Ok(step(counts.into_tuple::<(Uuid, i64)>().all(&self.reader)).await?.into_iter().collect())
    }
}
