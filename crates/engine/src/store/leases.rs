//! Leases: each gives one holder the right to work on a part of the inventory, until a time. They make no revision.
//!
//! A lease has an epoch. It goes up by one each time that the lease is taken by another holder, or after it had ended.
//! A lease that ended long ago can be forgotten; then its epoch begins anew. So two holders never have the same name. A
//! write can name the epoch under which it was decided ([`Fence`]); it is stored only if that lease is still held.
//!
//! Guarantees: a lease has at most one holder at a time, and leases that exclude each other ([`Families`]) are those of
//! one holder, whatever processes take them, because all times are those of the database, read in the transaction. A
//! write with a fence and a take of its lease exclude each other. Transactions lock leases in the order of their names,
//! so they never block each other in a cycle.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{CaseStatement, Expr, ExprTrait, LockBehavior, LockType, OnConflict};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Statement,
};
use underlay_entity::lease::{self, Column, Entity};

use super::commit::{Writing, step};
use super::connection::Store;
use super::error::StoreError;
use super::fence::Fence;
use super::lease_names::Families;
use super::shared_names::LEASE_LOCK;

/// The greatest number of leases that there can be.
pub const MAX_LEASES: u64 = 10_000;
/// The time after which a lease that has ended is forgotten, if there is no room for another one.
const ENDED_LEASE_LIFETIME: TimeDelta = TimeDelta::days(1);
/// The greatest number of leases that are forgotten at a time.
const FORGOTTEN_TOGETHER: u64 = 1_000;

/// Leases with the time of the database at which they were read.
#[derive(Clone, Debug)]
pub struct LeasesAt {
    /// The leases, in the order of their names.
    pub leases: Vec<lease::Model>,
    /// The time of the database.
    pub now: DateTime<Utc>,
}

impl Store {
    /// Takes those of the named leases that are free, and extends those that the holder has. Returns the leases that it
    /// holds then.
    ///
    /// # Errors
    /// Returns [`StoreError::TooManyLeases`] if there would be more than [`MAX_LEASES`], and
    /// [`StoreError::LeaseExcluded`] if another holder has a lease that excludes one of them. Then none is taken.
    pub async fn take_leases(&self, names: &[String], holder: &str, ttl: TimeDelta) -> Result<LeasesAt, StoreError> {
        let writing = self.begin_leases().await?;
        let taken = writing.take_leases(names, holder, ttl).await;
        writing.end_leases(taken).await
    }

    /// Extends leases that the holder has under these epochs. Returns those that it still had.
    pub async fn renew_leases(&self, fences: &[Fence], ttl: TimeDelta) -> Result<LeasesAt, StoreError> {
        self.set_until(fences, ttl).await
    }

    /// Ends leases that the holder has under these epochs. Returns those that it still had.
    pub async fn release_leases(&self, fences: &[Fence]) -> Result<LeasesAt, StoreError> {
        self.set_until(fences, TimeDelta::zero()).await
    }

    /// Returns the leases whose names begin with a prefix, in the order of their names.
    pub async fn leases(&self, prefix: &str, most: u64) -> Result<LeasesAt, StoreError> {
        // Names are compared here, because databases order and match text by different rules.
        let all = step(Entity::find().order_by_asc(Column::Name).all(&self.writer)).await?;
        let mut leases: Vec<_> = all.into_iter().filter(|lease| lease.name.starts_with(prefix)).collect();
        leases.sort_by(|left, right| left.name.cmp(&right.name));
        leases.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(LeasesAt { leases, now: self.read_clock().await? })
    }

    /// Returns the leases with these names, in the order of their names.
    pub async fn named_leases(&self, names: impl Iterator<Item = &str>) -> Result<LeasesAt, StoreError> {
        let named = Entity::find().filter(Column::Name.is_in(names)).order_by_asc(Column::Name);
        Ok(LeasesAt { leases: step(named.all(&self.writer)).await?, now: self.read_clock().await? })
    }

    async fn set_until(&self, fences: &[Fence], ttl: TimeDelta) -> Result<LeasesAt, StoreError> {
        let writing = self.begin_leases().await?;
        let set = writing.set_until(fences, ttl).await;
        writing.end_leases(set).await
    }

    async fn begin_leases(&self) -> Result<Writing, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        Ok(writing)
    }
}

impl Writing {
    /// Commits a change of leases, or rolls it back if it failed.
    async fn end_leases(self, result: Result<LeasesAt, StoreError>) -> Result<LeasesAt, StoreError> {
        match result {
            Ok(leases) => step(self.transaction.commit()).await.map(|()| leases),
            Err(error) => {
                // A rollback that fails leaves nothing either, because its connection is closed.
                let _ = self.roll_back().await;
                Err(error)
            }
        }
    }

    async fn take_leases(&self, names: &[String], holder: &str, ttl: TimeDelta) -> Result<LeasesAt, StoreError> {
        let excluding = self.excluding(names).await?;
        let (there, now) = self.lock_leases(names.iter().chain(&excluding).map(String::as_str)).await?;
        let mut others = excluding.iter().filter_map(|name| there.get(name));
        if let Some(other) = others.find(|it| it.holder != holder && it.until > now) {
            return Err(StoreError::LeaseExcluded { lease: other.name.clone(), holder: other.holder.clone() });
        }
        self.make_room(&there, names, now).await?;
        let until = now + ttl;
        // An epoch above 1 says that somebody had the work before, whatever the lease was called.
        let epoch = if excluding.is_empty() { 1 } else { 2 };
        let mut names: Vec<&String> = names.iter().collect();
        names.sort();
        names.dedup();
        let rows = names.iter().map(|name| {
            let row = lease::Model { name: (*name).clone(), holder: holder.to_owned(), epoch, until };
            row.into_active_model()
        });
        let column = |column| Expr::col((Entity, column));
        let is_held = column(Column::Holder).eq(holder).and(column(Column::Until).gt(now));
        let next =
            CaseStatement::new().case(is_held.clone(), column(Column::Epoch)).finally(column(Column::Epoch).add(1));
        let mut there = OnConflict::column(Column::Name);
        // Another process may have taken a lease between the lock of the rows and this statement, which waits for it.
        there
            .update_columns([Column::Holder, Column::Until])
            .value(Column::Epoch, next)
            .action_and_where(is_held.or(column(Column::Until).lte(now)));
        step(Entity::insert_many(rows).on_conflict(there).exec_without_returning(&self.transaction)).await?;
        let own = Entity::find()
            .filter(Column::Name.is_in(names.into_iter().cloned()))
            .filter(Column::Holder.eq(holder))
            .filter(Column::Until.gt(now))
            .order_by_asc(Column::Name);
        Ok(LeasesAt { leases: step(own.all(&self.transaction)).await?, now })
    }

    /// Returns the names of the leases that exclude some of the named ones, also of those that have ended. No other
    /// transaction takes leases until this one ends, because it could take one that excludes these and is not there
    /// yet.
    async fn excluding(&self, names: &[String]) -> Result<Vec<String>, StoreError> {
        let families = Families::of(names.iter().map(String::as_str));
        if families.is_empty() {
            return Ok(Vec::new());
        }
        // On SQLite, no other transaction writes until this one ends.
        if self.transaction.get_database_backend() == DbBackend::Postgres {
            let lock = "SELECT pg_advisory_xact_lock($1)";
            let lock = Statement::from_sql_and_values(DbBackend::Postgres, lock, [LEASE_LOCK.into()]);
            step(self.transaction.execute_raw(lock)).await?;
        }
        let all = Entity::find().select_only().column(Column::Name).into_tuple::<String>();
        let all = step(all.all(&self.transaction)).await?;
        Ok(all.into_iter().filter(|name| families.are_excluded_by(name)).collect())
    }

    /// Checks that there is room for those of the named leases that do not exist. If there is none, leases that ended
    /// long ago are forgotten, such as those by which controllers know of each other.
    async fn make_room(
        &self,
        there: &BTreeMap<String, lease::Model>,
        names: &[String],
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let new = names.iter().filter(|name| !there.contains_key(*name)).count() as u64;
        if new == 0 || self.has_room(new).await? {
            return Ok(());
        }
        let ended = Column::Until.lt(now - ENDED_LEASE_LIFETIME).and(Column::Name.is_not_in(names));
        // Rows that another transaction has locked are passed over, so that none waits for the other.
        let old = Entity::find().filter(ended).order_by_asc(Column::Until).limit(FORGOTTEN_TOGETHER);
        let old =
            step(old.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked).all(&self.transaction)).await?;
        let old = Entity::delete_many().filter(Column::Name.is_in(old.into_iter().map(|lease| lease.name)));
        step(old.exec(&self.transaction)).await?;
        match self.has_room(new).await? {
            true => Ok(()),
            false => Err(StoreError::TooManyLeases),
        }
    }

    async fn has_room(&self, new: u64) -> Result<bool, StoreError> {
        Ok(step(Entity::find().count(&self.transaction)).await? + new <= MAX_LEASES)
    }

    /// Lets the leases that are still held under these epochs end later, or now.
    async fn set_until(&self, fences: &[Fence], ttl: TimeDelta) -> Result<LeasesAt, StoreError> {
        let (there, now) = self.lock_leases(fences.iter().map(|fence| fence.lease.as_str())).await?;
        let mut held = BTreeMap::new();
        for fence in fences.iter().filter(|fence| is_held(there.get(&fence.lease), fence, now)) {
            let Some(mut lease) = there.get(&fence.lease).cloned() else { continue };
            lease.until = now + ttl;
            held.insert(fence.lease.clone(), lease);
        }
        if !held.is_empty() {
            let set = Entity::update_many().col_expr(Column::Until, Expr::value(now + ttl));
            let set = set.filter(Column::Name.is_in(held.keys().cloned()));
            step(set.exec(&self.transaction)).await?;
        }
        Ok(LeasesAt { leases: held.into_values().collect(), now })
    }

    /// Locks leases until the transaction ends, and then reads the time.
    async fn lock_leases<'a>(
        &self,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<(BTreeMap<String, lease::Model>, DateTime<Utc>), StoreError> {
        let named = Entity::find().filter(Column::Name.is_in(names)).order_by_asc(Column::Name).lock_exclusive();
        let rows = step(named.all(&self.transaction)).await?;
        let now = step(self.transaction.now()).await?;
        Ok((rows.into_iter().map(|lease| (lease.name.clone(), lease)).collect(), now))
    }

    /// Checks that every lease of the fences is still held. They stay so until the transaction ends.
    ///
    /// # Errors
    /// Returns [`StoreError::LeaseLost`] for the first lease that is not.
    pub(super) async fn check_fences(&self, fences: &[Fence]) -> Result<(), StoreError> {
        if fences.is_empty() {
            return Ok(());
        }
        let (there, now) = self.lock_leases(fences.iter().map(|fence| fence.lease.as_str())).await?;
        match fences.iter().find(|fence| !is_held(there.get(&fence.lease), fence, now)) {
            Some(fence) => Err(StoreError::LeaseLost { lease: fence.lease.clone(), epoch: fence.epoch }),
            None => Ok(()),
        }
    }
}

fn is_held(lease: Option<&lease::Model>, fence: &Fence, now: DateTime<Utc>) -> bool {
    lease.is_some_and(|it| it.holder == fence.holder && it.epoch == fence.epoch && it.until > now)
}
