//! The rows of facts.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait as _, OnConflict};
use sea_orm::{
    ColumnTrait as _, Condition, ConnectionTrait, DbBackend, DbErr, DeleteMany, EntityTrait, IntoActiveModel as _,
    ModelTrait, QueryFilter as _, QueryOrder as _, QuerySelect as _, Statement,
};
use serde_json::Value as Json;
use underlay_entity::hardware_event::{HardwareChange, HardwarePart};
use underlay_entity::{facts, facts_body, hardware_event};
use uuid::Uuid;

use super::parts::{self, KnownParts, PartsChange, PartsMeaning, read_known};
use super::{FactsStore, Place};
use crate::store::commit::{Writing, step};
use crate::store::connection::Store;
use crate::store::error::StoreError;
use crate::store::insert::{ConflictAction, insert};
use crate::store::shared_names::FACTS_LOCK;
use crate::store::transaction::Transaction;

/// The greatest number of hosts or rows in a statement.
pub(super) const ROWS_PER_STATEMENT: usize = 1_000;

/// Facts that were reported of a host.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportedFacts {
    /// The row of the report. The time of its writing, the summary, and whether parts
    /// are missing, are set when it is written.
    pub row: facts::Model,
    /// The facts as JSON, compressed by gzip.
    pub body: Vec<u8>,
    /// The parts that were missing, and that were there before.
    pub missing: Option<Json>,
}

/// A change of the facts of a host.
#[derive(Clone, Debug)]
pub enum FactsChange {
    /// Facts were reported that are not those of the last report.
    Reported(Box<ReportedFacts>),
    /// The facts of the last report were reported again: what was missing in it is gone.
    Confirmed { host: Uuid, origin: i16, digest: String },
}

/// The meaning of a change by itself: the parts that are missing after it, the summary of the facts, its events, and the
/// parts that it shows.
#[derive(Clone, Debug, Default)]
pub struct FactsMeaning {
    /// The parts that are missing now, and that were there before.
    pub missing: Option<Json>,
    /// The models, the amounts and what is heard.
    pub summary: Option<Json>,
    /// The events, and the parts that it shows.
    pub parts: PartsChange,
}

/// The judgement of what changes mean. It knows no database.
pub trait FactsJudge {
    /// Returns what a change means by itself, by the facts before and after it.
    fn compare(&self, before: Option<&ReportedFacts>, after: &ReportedFacts) -> FactsMeaning;

    /// Returns what changes mean for the parts of all hosts, in their order.
    fn trace(&self, known: KnownParts, changes: Vec<PartsChange>) -> PartsMeaning;
}

/// Selects events of hardware. An empty list selects all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HardwareEventSelection {
    /// Only events of this host, and of the parts that moved away from it.
    pub host: Option<Uuid>,
    /// Only events of these kinds of parts.
    pub parts: Vec<HardwarePart>,
    /// Only these changes.
    pub changes: Vec<HardwareChange>,
    /// Only events of the part with this serial number, and of the one that took its place.
    pub serial: Option<String>,
}

impl HardwareEventSelection {
    /// Returns true if an event is selected.
    #[must_use]
    pub fn selects(&self, event: &hardware_event::Model) -> bool {
        self.host.is_none_or(|host| host == event.host_id || Some(host) == event.from_host_id)
            && (self.parts.is_empty() || self.parts.contains(&event.part))
            && (self.changes.is_empty() || self.changes.contains(&event.change))
            && self.serial.as_ref().is_none_or(|serial| {
                [&event.serial, &event.serial_before].into_iter().flatten().any(|other| other == serial)
            })
    }

    fn condition(&self) -> Condition {
        let Self { host, parts, changes, serial } = self;
        let parts = (!parts.is_empty()).then(|| hardware_event::Column::Part.is_in(parts.iter().copied()));
        let changes = (!changes.is_empty()).then(|| hardware_event::Column::Change.is_in(changes.iter().copied()));
        let serial = serial.as_deref().map(of_serial);
        Condition::all().add_option(host.map(of_host)).add_option(parts).add_option(changes).add_option(serial)
    }
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

    /// Writes changes of facts with their events, in this order, and with the stays of parts. `judge` tells what the changes
    /// mean. Returns the rows that were written.
    ///
    /// One process writes facts at a time, so the ids of events grow in the order in which they become visible.
    pub async fn write(
        &self,
        changes: Vec<FactsChange>,
        judge: &impl FactsJudge,
    ) -> Result<Vec<facts::Model>, StoreError> {
        let writing = self.begin().await?;
        lock(&writing.transaction).await?;
        let written_at = step(writing.transaction.now()).await?;
        let hosts: BTreeSet<Uuid> = changes.iter().map(FactsChange::host).collect();
        let mut known = read(&writing.transaction, &hosts).await?;

        let (said, changes) = compare(&mut known, changes, judge);
        let parts = read_known(&writing.transaction, &changes).await?;
        let PartsMeaning { events, changed, lacking } = judge.trace(parts, changes);
        for (key, says) in &said {
            let Some(ReportedFacts { row, missing, .. }) = known.get_mut(key) else { continue };
            // What is still missing when it was confirmed waits for other facts, because some section is incomplete.
            row.pending = *says == Says::Other && (missing.is_some() || lacking.contains(&row.host_id));
            row.written_at = written_at;
        }
        let facts: Vec<&ReportedFacts> = said.keys().filter_map(|key| known.get(key)).collect();
        store(&writing.transaction, &facts, events).await?;
        parts::write(&writing.transaction, &changed).await?;
        let rows = facts.iter().map(|it| it.row.clone()).collect();
        self.commit(writing).await?;
        Ok(rows)
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

    /// Returns the keys of all rows: the host and the number of the origin.
    pub async fn keys(&self) -> Result<Vec<(Uuid, i16)>, StoreError> {
        let keys = facts::Entity::find().select_only().columns([facts::Column::HostId, facts::Column::Origin]);
        step(keys.into_tuple().all(&self.store.reader)).await
    }

    /// Returns the facts of these hosts, of all origins.
    pub async fn bodies(&self, hosts: &[Uuid]) -> Result<Vec<ReportedFacts>, StoreError> {
        let transaction = self.store.read_at_one_moment(&self.store.reader).await?;
        let found = read(&transaction, &hosts.iter().copied().collect()).await?;
        step(transaction.commit()).await?;
        Ok(found.into_values().collect())
    }

    /// Returns at most `most` of the selected events before a position, the newest first.
    pub async fn events(
        &self,
        selection: &HardwareEventSelection,
        before: Option<i64>,
        most: u64,
    ) -> Result<Vec<hardware_event::Model>, StoreError> {
        let condition = selection.condition().add_option(before.map(|before| hardware_event::Column::Id.lt(before)));
        let events = hardware_event::Entity::find().filter(condition);
        let events = events.order_by_desc(hardware_event::Column::Id).limit(most);
        step(events.all(&self.store.reader)).await
    }

    /// Returns at most `most` events after a position, the oldest first.
    pub async fn events_after(&self, after: i64, most: u64) -> Result<Vec<hardware_event::Model>, StoreError> {
        let events = hardware_event::Entity::find().filter(hardware_event::Column::Id.gt(after));
        let events = events.order_by_asc(hardware_event::Column::Id).limit(most);
        step(events.all(&self.store.reader)).await
    }

    /// Returns the id of the newest event; 0 if there is none.
    pub async fn newest_event(&self) -> Result<i64, StoreError> {
        newest_event(&self.store.reader).await
    }

    /// Puts facts as they are.
    pub(super) async fn put(&self, facts: &[ReportedFacts]) -> Result<(), StoreError> {
        let writing = self.begin().await?;
        store(&writing.transaction, &facts.iter().collect::<Vec<_>>(), Vec::new()).await?;
        self.commit(writing).await
    }

    /// Puts rows as they are, with their ids.
    pub(super) async fn put_rows<E>(&self, rows: &[&E::Model]) -> Result<(), StoreError>
    where
        E: EntityTrait,
        E::Model: ModelTrait<Entity = E> + Sync,
    {
        let writing = self.begin().await?;
        step(insert::<E>(&writing.transaction, rows, ConflictAction::Replaced)).await?;
        self.commit(writing).await
    }

    /// Deletes rows that are stored elsewhere.
    pub(super) async fn forget_rows<E: EntityTrait>(&self, rows: DeleteMany<E>) -> Result<(), StoreError> {
        let writing = self.begin().await?;
        step(rows.exec(&writing.transaction)).await?;
        self.commit(writing).await
    }

    /// Deletes the events before a time. The newest one stays: the ids of later events go on after it.
    pub async fn forget_events(&self, before: DateTime<Utc>) -> Result<(), StoreError> {
        let writing = self.begin().await?;
        let newest = newest_event(&writing.transaction).await?;
        let old = hardware_event::Entity::delete_many()
            .filter(hardware_event::Column::At.lt(before))
            .filter(hardware_event::Column::Id.lt(newest));
        step(old.exec(&writing.transaction)).await?;
        self.commit(writing).await
    }

    /// Deletes the facts of hosts that are deleted, and ends the stays of their parts. Their events stay, as their changes
    /// do, and so does what is known of their parts.
    pub async fn forget(&self, hosts: &[Uuid]) -> Result<(), StoreError> {
        let mut hosts = hosts.to_vec();
        hosts.sort_unstable();
        for hosts in hosts.chunks(ROWS_PER_STATEMENT) {
            let writing = self.begin().await?;
            lock(&writing.transaction).await?;
            delete(&writing.transaction, hosts).await?;
            parts::end_stays(&writing.transaction, hosts).await?;
            self.commit(writing).await?;
        }
        Ok(())
    }

    /// Deletes facts that are stored elsewhere.
    pub(super) async fn forget_moved(&self, hosts: &[Uuid]) -> Result<(), StoreError> {
        let writing = self.begin().await?;
        delete(&writing.transaction, hosts).await?;
        self.commit(writing).await
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

/// The key of facts: a host, and the number of who reports about it.
type Key = (Uuid, i16);

/// The content of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    /// Other facts.
    Other,
    /// The same facts again.
    Same,
}

/// Compares facts in the order of the changes, and makes them known. Returns what the last change that counts says of
/// each, and what the changes say of parts.
fn compare(
    known: &mut BTreeMap<Key, ReportedFacts>,
    changes: Vec<FactsChange>,
    judge: &impl FactsJudge,
) -> (BTreeMap<Key, Says>, Vec<PartsChange>) {
    let (mut said, mut parts) = (BTreeMap::new(), Vec::new());
    for change in changes {
        let key = change.key();
        let before = known.get(&key);
        let (after, says) = match (change, before) {
            (FactsChange::Reported(reported), _) => (*reported, Says::Other),
            (FactsChange::Confirmed { digest, .. }, Some(before)) if before.row.digest == digest => {
                (before.clone(), Says::Same)
            }
            // Other facts were stored meanwhile, of which only one report tells what is missing, or they were deleted.
            (FactsChange::Confirmed { .. }, _) => continue,
        };
        let FactsMeaning { missing, summary, parts: of_change } = judge.compare(before, &after);
        let row = facts::Model { summary, ..after.row };
        known.insert(key, ReportedFacts { row, missing, ..after });
        said.insert(key, says);
        parts.push(of_change);
    }
    (said, parts)
}

impl FactsChange {
    fn key(&self) -> Key {
        match self {
            Self::Reported(reported) => (reported.row.host_id, reported.row.origin),
            Self::Confirmed { host, origin, .. } => (*host, *origin),
        }
    }

    fn host(&self) -> Uuid {
        self.key().0
    }
}

/// Selects the events of a host, and those of the parts that moved away from it.
fn of_host(host: Uuid) -> Condition {
    let (here, from_here) = (hardware_event::Column::HostId, hardware_event::Column::FromHostId);
    Condition::any().add(here.eq(host)).add(from_here.eq(host))
}

/// Selects the events of a part, and of the one that took its place.
fn of_serial(serial: &str) -> Condition {
    let (now, before) = (hardware_event::Column::Serial, hardware_event::Column::SerialBefore);
    Condition::any().add(now.eq(serial)).add(before.eq(serial))
}

/// Takes the lock of the processes that write facts, until the transaction ends. With SQLite, a transaction has it.
async fn lock(transaction: &Transaction) -> Result<(), StoreError> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        step(transaction.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({FACTS_LOCK})"))).await?;
    }
    Ok(())
}

/// Reads the facts of hosts. A row and its body are read at one moment, because they are written together.
async fn read(
    connection: &impl ConnectionTrait,
    hosts: &BTreeSet<Uuid>,
) -> Result<BTreeMap<Key, ReportedFacts>, StoreError> {
    let hosts: Vec<Uuid> = hosts.iter().copied().collect();
    let mut found = BTreeMap::new();
    for hosts in hosts.chunks(ROWS_PER_STATEMENT) {
        let rows = facts::Entity::find().filter(facts::Column::HostId.is_in(hosts.iter().copied()));
        let bodies = facts_body::Entity::find().filter(facts_body::Column::HostId.is_in(hosts.iter().copied()));
        let (rows, bodies) = (step(rows.all(connection)).await?, step(bodies.all(connection)).await?);
        let mut bodies: BTreeMap<Key, facts_body::Model> =
            bodies.into_iter().map(|it| ((it.host_id, it.origin), it)).collect();
        found.extend(rows.into_iter().filter_map(|row| {
            let key = (row.host_id, row.origin);
            let facts_body::Model { body, missing, .. } = bodies.remove(&key)?;
            Some((key, ReportedFacts { row, body, missing }))
        }));
    }
    Ok(found)
}

/// Writes facts in the order of their keys, and events after those that there are.
async fn store(
    transaction: &Transaction,
    changed: &[&ReportedFacts],
    mut events: Vec<hardware_event::Model>,
) -> Result<(), StoreError> {
    let rows: Vec<&facts::Model> = changed.iter().map(|it| &it.row).collect();
    step(insert::<facts::Entity>(transaction, &rows, ConflictAction::Replaced)).await?;
    let bodies: Vec<facts_body::Model> = changed.iter().map(|it| body_of(it)).collect();
    let bodies: Vec<&facts_body::Model> = bodies.iter().collect();
    step(insert::<facts_body::Entity>(transaction, &bodies, ConflictAction::Replaced)).await?;
    if events.is_empty() {
        return Ok(());
    }

    let ids = newest_event(transaction).await? + 1..;
    events.iter_mut().zip(ids).for_each(|(event, id)| event.id = id);
    let events: Vec<&hardware_event::Model> = events.iter().collect();
    step(insert::<hardware_event::Entity>(transaction, &events, ConflictAction::Refused)).await
}

/// Returns the id of the newest event; 0 if there is none.
async fn newest_event(connection: &impl ConnectionTrait) -> Result<i64, StoreError> {
    let newest = hardware_event::Entity::find().select_only().column_as(hardware_event::Column::Id.max(), "newest");
    let newest: Option<i64> = step(newest.into_tuple::<Option<i64>>().one(connection)).await?.flatten();
    Ok(newest.unwrap_or(0))
}

async fn delete(transaction: &Transaction, hosts: &[Uuid]) -> Result<(), StoreError> {
    let rows = facts::Entity::delete_many().filter(facts::Column::HostId.is_in(hosts.iter().copied()));
    step(rows.exec(transaction)).await?;
    let bodies = facts_body::Entity::delete_many();
    let bodies = bodies.filter(facts_body::Column::HostId.is_in(hosts.iter().copied()));
    step(bodies.exec(transaction)).await.map(drop)
}

fn body_of(reported: &ReportedFacts) -> facts_body::Model {
    let ReportedFacts { row, body, missing } = reported.clone();
    facts_body::Model { host_id: row.host_id, origin: row.origin, body, missing }
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
