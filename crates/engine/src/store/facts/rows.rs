//! The rows of facts.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait as _, OnConflict};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait as _, DbErr, EntityTrait as _, IntoActiveModel as _, QueryFilter as _,
    QuerySelect as _, Statement,
};
use underlay_entity::facts::FactsOrigin;
use underlay_entity::{facts, facts_body};
use uuid::Uuid;

use super::{FactsStore, Place};
use crate::store::commit::{Writing, step};
use crate::store::connection::Store;
use crate::store::error::StoreError;
use crate::store::insert::{ConflictAction, insert};

/// The greatest number of hosts or rows in a statement.
const ROWS_PER_STATEMENT: usize = 1_000;

/// Facts that were reported of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedFacts {
    /// The row of the report. The time of its writing is set when it is written.
    pub row: facts::Model,
    /// The facts as JSON, compressed by gzip.
    pub body: Vec<u8>,
}

impl FactsStore {
    /// Begins a transaction.
    async fn begin(&self) -> Result<Writing, StoreError> {
        let writing = self.store.begin_write().await?;
        // The file has no row with a format: its migrations are those of this version, or it cannot be opened.
        if self.place == Place::Inventory {
            writing.check_format().await?;
        }
        Ok(writing)
    }

    async fn commit(&self, writing: Writing) -> Result<(), StoreError> {
        step(writing.transaction.commit()).await?;
        if self.place == Place::Beside {
            self.store.written.notify_one();
        }
        Ok(())
    }

    /// Writes facts, which replace those of the same hosts and origins. Of several for one host and origin, the last one
    /// counts. Returns the time at which they were written.
    pub async fn write(&self, reported: &[ReportedFacts]) -> Result<DateTime<Utc>, StoreError> {
        let writing = self.begin().await?;
        let written_at = step(writing.transaction.now()).await?;
        let last: BTreeMap<(Uuid, i16), &ReportedFacts> =
            reported.iter().map(|it| ((it.row.host_id, it.row.origin), it)).collect();
        let rows: Vec<_> = last.values().map(|it| facts::Model { written_at, ..it.row.clone() }).collect();
        let bodies: Vec<_> = last.iter().map(|(key, it)| body_of(*key, it)).collect();

        let transaction = &writing.transaction;
        let rows: Vec<&facts::Model> = rows.iter().collect();
        step(insert::<facts::Entity>(transaction, &rows, ConflictAction::Replaced)).await?;
        let bodies: Vec<&facts_body::Model> = bodies.iter().collect();
        step(insert::<facts_body::Entity>(transaction, &bodies, ConflictAction::Replaced)).await?;
        self.commit(writing).await?;
        Ok(written_at)
    }

    /// Notes when facts were reported again: writes the times of rows that the database has, with the same digests.
    pub async fn hear(&self, mut rows: Vec<facts::Model>) -> Result<(), StoreError> {
        rows.sort_unstable_by_key(|row| (row.host_id, row.origin));
        let writing = self.begin().await?;
        let written_at = step(writing.transaction.now()).await?;
        for rows in rows.chunks(ROWS_PER_STATEMENT) {
            let hosts = rows.iter().map(|row| row.host_id);
            let keys = facts::Entity::find().select_only().columns([facts::Column::HostId, facts::Column::Origin]);
            let keys = keys.filter(facts::Column::HostId.is_in(hosts)).into_tuple::<(Uuid, i16)>();
            let there: BTreeSet<(Uuid, i16)> = step(keys.all(&writing.transaction)).await?.into_iter().collect();

            let known = rows.iter().filter(|row| there.contains(&(row.host_id, row.origin))).cloned();
            let known: Vec<_> = known.map(|row| facts::Model { written_at, ..row }.into_active_model()).collect();
            if !known.is_empty() {
                let insert = facts::Entity::insert_many(known).on_conflict(with_later_times());
                step(insert.exec_without_returning(&writing.transaction)).await?;
            }
        }
        self.commit(writing).await
    }

    /// Returns the rows that were written after a time; all of them if there is none.
    pub async fn rows_since(&self, after: Option<DateTime<Utc>>) -> Result<Vec<facts::Model>, StoreError> {
        let rows = match after {
            Some(after) => facts::Entity::find().filter(facts::Column::WrittenAt.gt(after)),
            None => facts::Entity::find(),
        };
        step(rows.all(&self.store.reader)).await
    }

    /// Returns the facts of these hosts, of all origins.
    pub async fn bodies(&self, hosts: &[Uuid]) -> Result<Vec<(facts::Model, Vec<u8>)>, StoreError> {
        let mut found = Vec::new();
        for hosts in hosts.chunks(ROWS_PER_STATEMENT) {
            // A row and its body are read at one moment, because they are written together.
            let rows = facts::Entity::find().filter(facts::Column::HostId.is_in(hosts.iter().copied()));
            let bodies = facts_body::Entity::find().filter(facts_body::Column::HostId.is_in(hosts.iter().copied()));
            let transaction = self.store.read_at_one_moment(&self.store.reader).await?;
            let (rows, bodies) = (step(rows.all(&transaction)).await?, step(bodies.all(&transaction)).await?);
            step(transaction.commit()).await?;
            let mut bodies: BTreeMap<(Uuid, i16), Vec<u8>> =
                bodies.into_iter().map(|it| ((it.host_id, it.origin), it.body)).collect();
            let known = rows.into_iter().filter(|row| FactsOrigin::of(row.origin).is_some());
            found.extend(known.filter_map(|row| {
                let body = bodies.remove(&(row.host_id, row.origin))?;
                Some((row, body))
            }));
        }
        Ok(found)
    }

    /// Deletes the facts of these hosts.
    pub async fn forget(&self, hosts: &[Uuid]) -> Result<(), StoreError> {
        let mut hosts = hosts.to_vec();
        hosts.sort_unstable();
        for hosts in hosts.chunks(ROWS_PER_STATEMENT) {
            let writing = self.begin().await?;
            let rows = facts::Entity::delete_many().filter(facts::Column::HostId.is_in(hosts.iter().copied()));
            step(rows.exec(&writing.transaction)).await?;
            let bodies = facts_body::Entity::delete_many();
            let bodies = bodies.filter(facts_body::Column::HostId.is_in(hosts.iter().copied()));
            step(bodies.exec(&writing.transaction)).await?;
            self.commit(writing).await?;
        }
        Ok(())
    }
}

/// The numbers of rows about facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactsCount {
    /// The reports.
    pub reports: u64,
    /// Those of them whose facts are missing.
    pub without_body: u64,
    /// The facts whose report is missing.
    pub without_row: u64,
}

impl Store {
    /// Counts the rows about facts in a database that has them.
    pub async fn count_facts(&self) -> Result<FactsCount, StoreError> {
        let count = "SELECT (SELECT count(*) FROM facts) AS reports, \
                     (SELECT count(*) FROM facts f LEFT JOIN facts_body b ON b.host_id = f.host_id \
                      AND b.origin = f.origin WHERE b.host_id IS NULL) AS without_body, \
                     (SELECT count(*) FROM facts_body b LEFT JOIN facts f ON f.host_id = b.host_id \
                      AND f.origin = b.origin WHERE f.host_id IS NULL) AS without_row";
        let row = step(self.reader.query_one_raw(Statement::from_string(self.backend(), count))).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("the numbers of facts".to_owned()))?;
        let number = |name: &str| row.try_get::<i64>("", name).map(i64::unsigned_abs);
        Ok(FactsCount {
            reports: number("reports")?,
            without_body: number("without_body")?,
            without_row: number("without_row")?,
        })
    }
}

fn body_of((host_id, origin): (Uuid, i16), reported: &ReportedFacts) -> facts_body::Model {
    facts_body::Model { host_id, origin, body: reported.body.clone() }
}

/// Returns the clause that updates the times of a row with the same digest, and leaves one with another digest: another
/// process has stored other facts since.
fn with_later_times() -> OnConflict {
    use facts::Column::{Digest, HostId, ObservedAt, Origin, ReceivedAt, WrittenAt};

    let mut times = OnConflict::columns([HostId, Origin]);
    times
        .update_columns([ObservedAt, ReceivedAt, WrittenAt])
        .action_and_where(Expr::col((facts::Entity, Digest)).eq(Expr::col(("excluded", Digest))));
    times
}
