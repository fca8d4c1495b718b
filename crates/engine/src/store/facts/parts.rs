//! The rows of parts and of their stays in hosts.
//!
//! Guarantees: a write reads what it needs with a few statements, whatever the number of its hosts, and writes only the
//! rows that changed. One process writes facts at a time, so ids are never given twice.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, Func, SelectStatement};
use sea_orm::{
    ColumnTrait as _, Condition, ConnectionTrait, EntityTrait, QueryFilter as _, QueryOrder as _, QuerySelect as _,
    QueryTrait as _, Select,
};
use underlay_entity::hardware_event::{self, HardwarePart};
use underlay_entity::{hardware_part, hardware_stay};
use uuid::Uuid;

use super::FactsStore;
use super::rows::ROWS_PER_STATEMENT;
use crate::store::commit::step;
use crate::store::error::StoreError;
use crate::store::insert::{ConflictAction, insert};
use crate::store::transaction::Transaction;

/// The signs by which a part is recognised in whichever host it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartKey {
    /// The kind of part.
    pub kind: HardwarePart,
    /// The model. Empty if it is not known.
    pub model: String,
    /// The serial number.
    pub serial: String,
}

impl PartKey {
    /// Returns the key of a row.
    pub fn of(row: &hardware_part::Model) -> Self {
        Self { kind: row.kind, model: row.model.clone(), serial: row.serial.clone() }
    }
}

/// A part that a report shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenPart {
    /// The signs by which it is recognised.
    pub key: PartKey,
    /// The maker.
    pub manufacturer: Option<String>,
    /// The place in the host.
    pub place: String,
}

/// The content of a report about the parts of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The host.
    pub host: Uuid,
    /// The time of the report, by the clock of the server.
    pub at: DateTime<Utc>,
    /// The parts that it shows.
    pub seen: Vec<SeenPart>,
    /// The keys of the parts that it shows more than once. Nothing is known of these.
    pub shared: BTreeSet<PartKey>,
    /// The kinds of parts of which it shows all that there are.
    pub complete: BTreeSet<HardwarePart>,
    /// The keys that the report before it showed. `None` if the two cannot be compared, so that nothing is news.
    pub seen_before: Option<BTreeSet<PartKey>>,
}

/// An event with the parts that it is about, where it says that a part came or went.
#[derive(Clone, Debug)]
pub struct JudgedEvent {
    /// The event, without its id.
    pub event: hardware_event::Model,
    /// The part that is gone.
    pub gone: Option<PartKey>,
    /// The part that came.
    pub came: Option<PartKey>,
}

/// Rows of parts and of stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartRows {
    /// The parts.
    pub parts: Vec<hardware_part::Model>,
    /// The stays.
    pub stays: Vec<hardware_stay::Model>,
}

/// The parts that changes are about: those in their hosts, and those that they show or lack, with all stays of those that
/// come or go.
#[derive(Clone, Debug, Default)]
pub struct KnownParts {
    /// The rows.
    pub rows: PartRows,
    /// The last id of a part.
    pub last_part: i64,
    /// The last id of a stay.
    pub last_stay: i64,
}

/// The meaning of changes of facts for the life of parts.
#[derive(Clone, Debug, Default)]
pub struct PartsMeaning {
    /// The events of all changes, without their ids.
    pub events: Vec<hardware_event::Model>,
    /// The rows that changed, and the new ones.
    pub changed: PartRows,
    /// The hosts whose last report lacks a part that was there before.
    pub lacking: BTreeSet<Uuid>,
}

/// The changes of a write, as far as they are about parts.
#[derive(Clone, Debug, Default)]
pub struct PartsChange {
    /// The events of the change.
    pub events: Vec<JudgedEvent>,
    /// The content of the report about parts. `None` if its origin does not tell where parts are.
    pub sighting: Option<Sighting>,
}

/// A part with all its stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedPart {
    /// The part.
    pub part: hardware_part::Model,
    /// The stays, in the order in which they began.
    pub stays: Vec<hardware_stay::Model>,
}

/// A selection of parts. Absent members select all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartQuery {
    /// The kind of part.
    pub kind: Option<HardwarePart>,
    /// The maker.
    pub manufacturer: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The serial number.
    pub serial: Option<String>,
    /// The host in which they are.
    pub host: Option<Uuid>,
    /// True if they are in a host, false if they are in none.
    pub present: Option<bool>,
}

impl FactsStore {
    /// Returns at most `most` parts after an id, in the order of their ids.
    pub async fn parts(&self, query: &PartQuery, after: Option<i64>, most: u64) -> Result<Vec<TracedPart>, StoreError> {
        use hardware_part::Column::{Id, Kind, Manufacturer, Model, Serial};

        let PartQuery { kind, manufacturer, model, serial, host, present } = query;
        let is_in_host = |present: bool| match present {
            true => Id.in_subquery(parts_in_hosts()),
            false => Id.not_in_subquery(parts_in_hosts()),
        };
        let condition = Condition::all()
            .add_option(kind.map(|kind| Kind.eq(kind)))
            .add_option(manufacturer.as_ref().map(|maker| Manufacturer.eq(maker)))
            .add_option(model.as_ref().map(|model| Model.eq(model)))
            .add_option(serial.as_ref().map(|serial| Serial.eq(serial)))
            .add_option(host.map(|host| Id.in_subquery(parts_in(host))))
            .add_option(present.map(is_in_host))
            .add_option(after.map(|after| Id.gt(after)));
        let transaction = self.store.read_at_one_moment(&self.store.reader).await?;
        let parts = hardware_part::Entity::find().filter(condition).order_by_asc(Id).limit(most);
        let parts = step(parts.all(&transaction)).await?;
        let traced = with_stays(&transaction, parts).await?;
        step(transaction.commit()).await?;
        Ok(traced)
    }

    /// Returns the parts that are in hosts, each with the host, in the order of their ids.
    pub async fn parts_of(&self, hosts: &[Uuid]) -> Result<Vec<(Uuid, TracedPart)>, StoreError> {
        let transaction = self.store.read_at_one_moment(&self.store.reader).await?;
        let open = open_stays(&transaction, &hosts.iter().copied().collect()).await?;
        let ids: BTreeSet<i64> = open.iter().map(|stay| stay.part_id).collect();
        let parts = parts_by_id(&transaction, &ids).await?;
        let traced = with_stays(&transaction, parts).await?;
        step(transaction.commit()).await?;

        let by_id: BTreeMap<i64, TracedPart> = traced.into_iter().map(|traced| (traced.part.id, traced)).collect();
        let mut here: Vec<(i64, Uuid)> = open.iter().map(|stay| (stay.part_id, stay.host_id)).collect();
        here.sort_unstable();
        Ok(here.into_iter().filter_map(|(part, host)| Some((host, by_id.get(&part)?.clone()))).collect())
    }
}

/// Selects the ids of the parts that are in a host.
fn parts_in(host: Uuid) -> SelectStatement {
    open_parts().filter(hardware_stay::Column::HostId.eq(host)).into_query()
}

/// Selects the ids of the parts that are in any host.
fn parts_in_hosts() -> SelectStatement {
    open_parts().into_query()
}

fn open_parts() -> Select<hardware_stay::Entity> {
    let parts = hardware_stay::Entity::find().select_only().column(hardware_stay::Column::PartId);
    parts.filter(hardware_stay::Column::UntilAt.is_null())
}

async fn with_stays(
    connection: &impl ConnectionTrait,
    parts: Vec<hardware_part::Model>,
) -> Result<Vec<TracedPart>, StoreError> {
    let mut stays: BTreeMap<i64, Vec<hardware_stay::Model>> = BTreeMap::new();
    for stay in stays_of(connection, &parts.iter().map(|part| part.id).collect()).await? {
        stays.entry(stay.part_id).or_default().push(stay);
    }
    let traced = parts.into_iter().map(|part| {
        let mut stays = stays.remove(&part.id).unwrap_or_default();
        stays.sort_unstable_by_key(|stay| stay.id);
        TracedPart { part, stays }
    });
    Ok(traced.collect())
}

/// The parts that are in hosts, with the ids of their rows.
type PartsOfHosts = BTreeMap<Uuid, BTreeMap<PartKey, i64>>;

/// Reads the parts and stays that changes are about.
pub(super) async fn read_known(transaction: &Transaction, changes: &[PartsChange]) -> Result<KnownParts, StoreError> {
    let sightings = changes.iter().filter_map(|change| change.sighting.as_ref());
    let hosts: BTreeSet<Uuid> = sightings.map(|sighting| sighting.host).collect();
    if hosts.is_empty() {
        return Ok(KnownParts::default());
    }
    let open = open_stays(transaction, &hosts).await?;
    let ids: BTreeSet<i64> = open.iter().map(|stay| stay.part_id).collect();
    let mut parts: BTreeMap<i64, hardware_part::Model> =
        parts_by_id(transaction, &ids).await?.into_iter().map(|part| (part.id, part)).collect();

    let mut here = PartsOfHosts::new();
    for stay in &open {
        let key = parts.get(&stay.part_id).map(PartKey::of);
        here.entry(stay.host_id).or_default().extend(key.map(|key| (key, stay.part_id)));
    }
    let mut moving = leaving(changes, &here);
    for part in parts_by_key(transaction, &coming(changes, &here)).await? {
        moving.insert(part.id);
        parts.insert(part.id, part);
    }
    let mut stays: BTreeMap<i64, hardware_stay::Model> = open.into_iter().map(|stay| (stay.id, stay)).collect();
    stays.extend(stays_of(transaction, &moving).await?.into_iter().map(|stay| (stay.id, stay)));
    Ok(KnownParts {
        rows: PartRows { parts: parts.into_values().collect(), stays: stays.into_values().collect() },
        last_part: last_id(transaction, hardware_part::Entity::find(), hardware_part::Column::Id).await?,
        last_stay: last_id(transaction, hardware_stay::Entity::find(), hardware_stay::Column::Id).await?,
    })
}

/// Returns the parts that are in a host, and that a report of it does not show.
fn leaving(changes: &[PartsChange], here: &PartsOfHosts) -> BTreeSet<i64> {
    let mut ids = BTreeSet::new();
    for sighting in changes.iter().filter_map(|change| change.sighting.as_ref()) {
        let seen: HashSet<&PartKey> = sighting.seen.iter().map(|part| &part.key).collect();
        let of_host = here.get(&sighting.host).into_iter().flatten();
        ids.extend(of_host.filter(|(key, _)| !seen.contains(key)).map(|(_, id)| *id));
    }
    ids
}

/// Returns the keys of the parts that a report shows in a host, or says to be gone from it, where they are not.
fn coming<'a>(changes: &'a [PartsChange], here: &PartsOfHosts) -> BTreeSet<&'a PartKey> {
    let mut keys = BTreeSet::new();
    for PartsChange { events, sighting } in changes {
        let Some(sighting) = sighting else { continue };
        let named = sighting.seen.iter().map(|part| &part.key).chain(events.iter().filter_map(|it| it.gone.as_ref()));
        let of_host = here.get(&sighting.host);
        keys.extend(named.filter(|key| !of_host.is_some_and(|parts| parts.contains_key(*key))));
    }
    keys
}

/// Writes the rows that changed.
pub(super) async fn write(transaction: &Transaction, changed: &PartRows) -> Result<(), StoreError> {
    let parts: Vec<&hardware_part::Model> = changed.parts.iter().collect();
    step(insert::<hardware_part::Entity>(transaction, &parts, ConflictAction::Replaced)).await?;
    let stays: Vec<&hardware_stay::Model> = changed.stays.iter().collect();
    step(insert::<hardware_stay::Entity>(transaction, &stays, ConflictAction::Replaced)).await
}

/// Ends the stays in hosts that are deleted.
pub(super) async fn end_stays(transaction: &Transaction, hosts: &[Uuid]) -> Result<(), StoreError> {
    use hardware_stay::Column::{HostId, MissingSince, UntilAt};

    let now = step(transaction.now()).await?;
    let end = Func::coalesce([Expr::col(MissingSince), Expr::val(now)]);
    let ended = hardware_stay::Entity::update_many()
        .col_expr(UntilAt, end.into())
        .col_expr(MissingSince, Expr::val(None::<DateTime<Utc>>))
        .filter(HostId.is_in(hosts.iter().copied()))
        .filter(UntilAt.is_null());
    step(ended.exec(transaction)).await.map(drop)
}

async fn open_stays(
    connection: &impl ConnectionTrait,
    hosts: &BTreeSet<Uuid>,
) -> Result<Vec<hardware_stay::Model>, StoreError> {
    let hosts: Vec<Uuid> = hosts.iter().copied().collect();
    let mut found = Vec::new();
    for hosts in hosts.chunks(ROWS_PER_STATEMENT) {
        let here = hardware_stay::Column::HostId.is_in(hosts.iter().copied());
        let open = hardware_stay::Entity::find().filter(here).filter(hardware_stay::Column::UntilAt.is_null());
        found.extend(step(open.all(connection)).await?);
    }
    Ok(found)
}

async fn stays_of(
    connection: &impl ConnectionTrait,
    parts: &BTreeSet<i64>,
) -> Result<Vec<hardware_stay::Model>, StoreError> {
    let parts: Vec<i64> = parts.iter().copied().collect();
    let mut found = Vec::new();
    for parts in parts.chunks(ROWS_PER_STATEMENT) {
        let of_parts = hardware_stay::Column::PartId.is_in(parts.iter().copied());
        found.extend(step(hardware_stay::Entity::find().filter(of_parts).all(connection)).await?);
    }
    Ok(found)
}

async fn parts_by_id(
    connection: &impl ConnectionTrait,
    ids: &BTreeSet<i64>,
) -> Result<Vec<hardware_part::Model>, StoreError> {
    let ids: Vec<i64> = ids.iter().copied().collect();
    let mut found = Vec::new();
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let these = hardware_part::Column::Id.is_in(ids.iter().copied());
        found.extend(step(hardware_part::Entity::find().filter(these).all(connection)).await?);
    }
    Ok(found)
}

async fn parts_by_key(
    connection: &impl ConnectionTrait,
    keys: &BTreeSet<&PartKey>,
) -> Result<Vec<hardware_part::Model>, StoreError> {
    let serials: Vec<&str> = keys.iter().map(|key| key.serial.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    let mut found = Vec::new();
    for serials in serials.chunks(ROWS_PER_STATEMENT) {
        let with_serial = hardware_part::Column::Serial.is_in(serials.iter().copied());
        let parts = step(hardware_part::Entity::find().filter(with_serial).all(connection)).await?;
        found.extend(parts.into_iter().filter(|part| keys.contains(&PartKey::of(part))));
    }
    Ok(found)
}

/// Returns the greatest id of a table, or 0 if it is empty.
async fn last_id<E: EntityTrait>(
    connection: &impl ConnectionTrait,
    rows: Select<E>,
    id: E::Column,
) -> Result<i64, StoreError> {
    let last = rows.select_only().column_as(id.max(), "last").into_tuple::<Option<i64>>();
    Ok(step(last.one(connection)).await?.flatten().unwrap_or(0))
}
