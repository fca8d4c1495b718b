//! The tables of secrets and of their reads. The rows hold ciphertext: this module knows no key and no value.
//!
//! Guarantees: the changes of a call are written together. A secret is stored only for an object that exists, because
//! writers of secrets and of batches exclude each other, and it is deleted in the transaction that deletes its object.

use std::collections::BTreeSet;

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, IntoActiveModel, ModelTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use underlay_entity::row::Row;
use underlay_entity::{secret, secret_read};
use uuid::Uuid;

use super::commit::{Writing, step};
use super::connection::Store;
use super::error::StoreError;
use super::insert::{ConflictAction, insert};
use super::table::id;

/// The greatest number of secrets in one call, and of objects whose secrets are read with one statement.
pub const MAX_SECRETS: usize = 1_000;
/// The number of days for which the counts of reads are kept.
const READS_KEPT_DAYS: i64 = 90;

/// Changes of secrets.
#[derive(Debug, Default)]
pub struct SecretChanges {
    /// The rows that are new, or replace the rows with the same object and field.
    pub put: Vec<secret::Model>,
    /// The secrets that are removed, by object and field.
    pub remove: BTreeSet<(Uuid, String)>,
}

/// The position of a secret in the order in which secrets are encrypted anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretCursor {
    object: Uuid,
    field: String,
}

/// The result of encrypting some secrets anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renewed {
    /// The number of secrets that were encrypted anew.
    pub renewed: usize,
    /// The number of secrets that could not be decrypted, and stay as they are.
    pub unreadable: usize,
    /// The position after them; `None` if there are no more.
    pub next: Option<SecretCursor>,
}

/// The number of times that one caller read the secrets of an object in an hour.
pub type SecretReads = secret_read::Model;

impl Store {
    /// Returns the secrets of these objects.
    pub async fn secrets(&self, objects: &[Uuid]) -> Result<Vec<secret::Model>, StoreError> {
        let mut found = Vec::new();
        for objects in objects.chunks(MAX_SECRETS) {
            found.extend(step(of_objects(objects).all(&self.reader)).await?);
        }
        Ok(found)
    }

    /// Returns the number of secrets.
    pub async fn count_secrets(&self) -> Result<u64, StoreError> {
        step(secret::Entity::find().count(&self.reader)).await
    }

    /// Changes secrets of objects of one kind. `change` gets the secrets that these objects have and the time of the
    /// database, and returns what changes. Its error is the result if it refuses.
    ///
    /// # Errors
    /// Returns [`StoreError::ObjectGone`] if one of the objects does not exist.
    pub async fn change_secrets<E, R>(
        &self,
        objects: &BTreeSet<Uuid>,
        change: impl FnOnce(Vec<secret::Model>, DateTime<Utc>) -> Result<SecretChanges, R> + Send,
    ) -> Result<Result<(), R>, StoreError>
    where
        E: EntityTrait,
        E::Model: Row + ModelTrait<Entity = E>,
        R: Send,
    {
        let writing = self.begin_write().await?;
        // No batch is committed until this transaction ends, so no object is deleted meanwhile.
        writing.hold().await?;
        writing.check_objects::<E>(objects).await?;
        let ids: Vec<Uuid> = objects.iter().copied().collect();
        let mut there = Vec::new();
        for ids in ids.chunks(MAX_SECRETS) {
            there.extend(step(of_objects(ids).all(&writing.transaction)).await?);
        }
        let now = step(writing.transaction.now()).await?;
        let changes = match change(there, now) {
            Ok(changes) => changes,
            Err(refusal) => {
                writing.roll_back().await?;
                return Ok(Err(refusal));
            }
        };
        writing.apply_secrets(&changes).await?;
        step(writing.transaction.commit()).await?;
        Ok(Ok(()))
    }

    /// Encrypts at most `most` secrets anew that another key than `current` encrypted, in their order from a position
    /// on. `renew` returns the new row, or `None` if the secret cannot be decrypted.
    pub async fn renew_secrets(
        &self,
        after: Option<&SecretCursor>,
        current: &str,
        most: u64,
        renew: impl Fn(&secret::Model) -> Option<secret::Model> + Send,
    ) -> Result<Renewed, StoreError> {
        use secret::Column::{Field, KeyId, ObjectId};
        let writing = self.begin_write().await?;
        writing.hold().await?;
        let mut old = secret::Entity::find().filter(KeyId.ne(current));
        if let Some(SecretCursor { object, field }) = after {
            let later = Condition::all().add(ObjectId.eq(*object)).add(Field.gt(field.as_str()));
            old = old.filter(Condition::any().add(ObjectId.gt(*object)).add(later));
        }
        let old = old.order_by_asc(ObjectId).order_by_asc(Field).limit(most);
        let old = step(old.all(&writing.transaction)).await?;
        let next = old.last().filter(|_| old.len() as u64 == most);
        let next = next.map(|last| SecretCursor { object: last.object_id, field: last.field.clone() });
        let put: Vec<secret::Model> = old.iter().filter_map(renew).collect();
        let renewed = Renewed { renewed: put.len(), unreadable: old.len() - put.len(), next };
        writing.apply_secrets(&SecretChanges { put, remove: BTreeSet::new() }).await?;
        step(writing.transaction.commit()).await?;
        Ok(renewed)
    }

    /// Counts a read of the secrets of an object by a caller, in the current hour.
    pub async fn count_secret_read(&self, reader: &str, object: Uuid) -> Result<(), StoreError> {
        use secret_read::Column::{Hour, ObjectId, Reader, Reads};
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let now = step(writing.transaction.now()).await?;
        // A time that cannot be rounded is far outside of what a database can hold.
        let hour = now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now);
        let row = secret_read::Model { reader: reader.to_owned(), object_id: object, hour, reads: 1 };
        let mut again = OnConflict::columns([Reader, ObjectId, Hour]);
        again.value(Reads, Expr::col((secret_read::Entity, Reads)).add(1));
        let insert = secret_read::Entity::insert(row.into_active_model()).on_conflict(again);
        step(insert.exec_without_returning(&writing.transaction)).await?;
        step(writing.transaction.commit()).await
    }

    /// Returns how often the secrets of these objects were read since a time, the latest hours first.
    pub async fn secret_reads(&self, objects: &[Uuid], since: DateTime<Utc>) -> Result<Vec<SecretReads>, StoreError> {
        use secret_read::Column::{Hour, ObjectId, Reader};
        let mut found = Vec::new();
        for objects in objects.chunks(MAX_SECRETS) {
            let reads = secret_read::Entity::find().filter(ObjectId.is_in(objects.iter().copied()));
            let reads = reads.filter(Hour.gte(since)).order_by_desc(Hour).order_by_asc(Reader);
            found.extend(step(reads.all(&self.reader)).await?);
        }
        Ok(found)
    }

    /// Deletes the counts of reads that are too old at a time.
    pub async fn forget_secret_reads(&self, now: DateTime<Utc>) -> Result<(), StoreError> {
        let old = secret_read::Column::Hour.lt(now - TimeDelta::days(READS_KEPT_DAYS));
        let there = secret_read::Entity::find().filter(old.clone()).limit(1);
        if step(there.one(&self.reader)).await?.is_none() {
            return Ok(());
        }
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        step(secret_read::Entity::delete_many().filter(old).exec(&writing.transaction)).await?;
        step(writing.transaction.commit()).await
    }
}

impl Writing {
    /// Deletes the secrets of objects that are deleted.
    pub(super) async fn delete_secrets(&self, objects: &[Uuid]) -> Result<(), StoreError> {
        for objects in objects.chunks(MAX_SECRETS) {
            let of_objects = secret::Column::ObjectId.is_in(objects.iter().copied());
            step(secret::Entity::delete_many().filter(of_objects).exec(&self.transaction)).await?;
        }
        Ok(())
    }

    async fn check_objects<E>(&self, objects: &BTreeSet<Uuid>) -> Result<(), StoreError>
    where
        E: EntityTrait,
        E::Model: Row + ModelTrait<Entity = E>,
    {
        let Some(key) = id::<E>() else { return Ok(()) };
        let mut gone = objects.clone();
        for objects in objects.iter().copied().collect::<Vec<_>>().chunks(MAX_SECRETS) {
            let there = E::find().select_only().column(key).filter(key.is_in(objects.iter().copied()));
            for id in step(there.into_tuple::<Uuid>().all(&self.transaction)).await? {
                gone.remove(&id);
            }
        }
        match gone.first() {
            Some(object) => Err(StoreError::ObjectGone(*object)),
            None => Ok(()),
        }
    }

    async fn apply_secrets(&self, changes: &SecretChanges) -> Result<(), StoreError> {
        use secret::Column::{Field, ObjectId};
        for (object, field) in &changes.remove {
            let one = secret::Entity::delete_many().filter(ObjectId.eq(*object)).filter(Field.eq(field.as_str()));
            step(one.exec(&self.transaction)).await?;
        }
        let put: Vec<&secret::Model> = changes.put.iter().collect();
        step(insert::<secret::Entity>(&self.transaction, &put, ConflictAction::Replaced)).await
    }
}

fn of_objects(objects: &[Uuid]) -> sea_orm::Select<secret::Entity> {
    use secret::Column::{Field, ObjectId};
    let of_objects = secret::Entity::find().filter(ObjectId.is_in(objects.iter().copied()));
    of_objects.order_by_asc(ObjectId).order_by_asc(Field)
}
