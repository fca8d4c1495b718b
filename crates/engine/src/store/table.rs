//! Reads and writes the rows of a kind in bulk.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::TryStreamExt;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, Iterable, ModelTrait, PaginatorTrait,
    PrimaryKeyToColumn, QueryFilter, QueryOrder, QuerySelect,
};
use underlay_entity::row::{Row, Shared};
use uuid::Uuid;

use super::insert::{ConflictAction, insert};
use super::statement::max_values;
use super::transaction::Transaction;

/// A future that borrows from its arguments.
pub type Waiting<'a, T> = Pin<Box<dyn Future<Output = Result<T, DbErr>> + Send + 'a>>;

/// A part of a table, in the order of the ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdRange {
    /// The rows with ids less than this one.
    Before(Uuid),
    /// The row with this id, and all later ones.
    From(Uuid),
}

/// The database table of a kind.
pub trait RowTable: fmt::Debug + Send + Sync {
    /// Inserts rows without further checks.
    fn insert<'a>(
        &'a self,
        transaction: &'a Transaction,
        rows: &'a [Arc<dyn Row>],
        on_conflict: ConflictAction,
    ) -> Waiting<'a, ()>;
    /// Deletes the rows with these ids.
    fn delete<'a>(&'a self, transaction: &'a Transaction, ids: &'a [Uuid]) -> Waiting<'a, ()>;
    /// Returns true if objects of the kind can have secrets.
    fn has_secrets(&self) -> bool;
    /// Returns the number of rows.
    fn count<'a>(&'a self, transaction: &'a DatabaseTransaction) -> Waiting<'a, u64>;
    /// Returns the id of the middle row in the order of ids; nil for an empty table.
    fn middle<'a>(&'a self, transaction: &'a DatabaseTransaction) -> Waiting<'a, Uuid>;
    /// Loads the rows of one part of the table.
    fn load<'a>(&'a self, transaction: &'a DatabaseTransaction, part: IdRange) -> Waiting<'a, Vec<Arc<dyn Row>>>;
}

/// The tables of all kinds, in the order of the kinds' ids.
pub type Tables = &'static [&'static dyn RowTable];

/// The database table of an entity.
pub struct Rows<E>(PhantomData<fn() -> E>);

impl<E> Rows<E> {
    /// Creates the table of an entity.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<E> Default for Rows<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> fmt::Debug for Rows<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::any::type_name::<E>())
    }
}

impl<E> RowTable for Rows<E>
where
    E: EntityTrait,
    E::Model: Row + ModelTrait<Entity = E>,
{
    fn insert<'a>(
        &'a self,
        transaction: &'a Transaction,
        rows: &'a [Arc<dyn Row>],
        on_conflict: ConflictAction,
    ) -> Waiting<'a, ()> {
        Box::pin(async move {
            let models: Vec<&E::Model> = rows.iter().filter_map(|row| row.as_any().downcast_ref()).collect();
            insert::<E>(transaction, &models, on_conflict).await
        })
    }

    fn delete<'a>(&'a self, transaction: &'a Transaction, ids: &'a [Uuid]) -> Waiting<'a, ()> {
        Box::pin(async move {
            for ids in ids.chunks(max_values(transaction.get_database_backend())) {
                let Some(key) = id::<E>() else { continue };
                E::delete_many().filter(key.is_in(ids.iter().copied())).exec(transaction).await?;
            }
            Ok(())
        })
    }

    fn has_secrets(&self) -> bool {
        E::Model::has_secrets()
    }

    fn count<'a>(&'a self, transaction: &'a DatabaseTransaction) -> Waiting<'a, u64> {
        Box::pin(E::find().count(transaction))
    }

    fn middle<'a>(&'a self, transaction: &'a DatabaseTransaction) -> Waiting<'a, Uuid> {
        Box::pin(async move {
            let Some(key) = id::<E>() else { return Ok(Uuid::nil()) };
            let count = E::find().count(transaction).await?;
            let middle = E::find().select_only().column(key).order_by_asc(key).offset(count / 2).limit(1);
            Ok(middle.into_tuple::<Uuid>().one(transaction).await?.unwrap_or_default())
        })
    }

    fn load<'a>(&'a self, transaction: &'a DatabaseTransaction, part: IdRange) -> Waiting<'a, Vec<Arc<dyn Row>>> {
        Box::pin(async move {
            let Some(key) = id::<E>() else { return Ok(Vec::new()) };
            let part = match part {
                IdRange::Before(id) => key.lt(id),
                IdRange::From(id) => key.gte(id),
            };
            let rows = E::find().filter(part).stream(transaction).await?;
            let mut shared = Shared::default();
            let rows = rows.map_ok(|mut model| {
                shared.share(&mut model);
                Arc::new(model) as Arc<dyn Row>
            });
            rows.try_collect().await
        })
    }
}

/// Returns the primary key column, which holds the ids.
pub(super) fn id<E: EntityTrait>() -> Option<E::Column> {
    E::PrimaryKey::iter().next().map(PrimaryKeyToColumn::into_column)
}
