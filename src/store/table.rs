//! Rows of a kind in and out of their table, in bulk.

use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::TryStreamExt;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, IntoActiveModel, Iterable,
    PrimaryKeyToColumn, QueryFilter,
};
use uuid::Uuid;

use super::row::Row;

/// A future that borrows from its maker.
pub type Waiting<'a, T> = Pin<Box<dyn Future<Output = Result<T, DbErr>> + Send + 'a>>;

/// The table of a kind in the database.
pub trait RowTable: fmt::Debug + Send + Sync {
    /// Writes rows as they are, whether they are there or not.
    fn write<'a>(&'a self, transaction: &'a DatabaseTransaction, rows: &'a [Arc<dyn Row>]) -> Waiting<'a, ()>;
    /// Deletes the rows with these ids.
    fn delete<'a>(&'a self, transaction: &'a DatabaseTransaction, ids: &'a [Uuid]) -> Waiting<'a, ()>;
    /// All rows.
    fn load<'a>(&'a self, transaction: &'a DatabaseTransaction) -> Waiting<'a, Vec<Arc<dyn Row>>>;
}

/// The table of an entity.
pub struct Rows<E>(PhantomData<fn() -> E>);

impl<E> Rows<E> {
    /// The table of an entity.
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

/// How many bound values one statement may have.
pub(super) fn most_values(backend: DbBackend) -> usize {
    match backend {
        DbBackend::Sqlite => 32_766,
        _ => 65_535,
    }
}

impl<E> RowTable for Rows<E>
where
    E: EntityTrait,
    E::Model: Row + Clone + IntoActiveModel<E::ActiveModel>,
    E::ActiveModel: Send,
{
    fn write<'a>(&'a self, transaction: &'a DatabaseTransaction, rows: &'a [Arc<dyn Row>]) -> Waiting<'a, ()> {
        Box::pin(async move {
            let columns = E::Column::iter().count();
            let most = most_values(transaction.get_database_backend()) / columns;
            for rows in rows.chunks(most) {
                let models = rows.iter().filter_map(|row| row.as_any().downcast_ref::<E::Model>());
                let models: Vec<_> = models.map(|model| model.clone().into_active_model()).collect();
                let replace = OnConflict::columns(E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column))
                    .update_columns(E::Column::iter())
                    .to_owned();
                E::insert_many(models).on_conflict(replace).exec_without_returning(transaction).await?;
            }
            Ok(())
        })
    }

    fn delete<'a>(&'a self, transaction: &'a DatabaseTransaction, ids: &'a [Uuid]) -> Waiting<'a, ()> {
        Box::pin(async move {
            for ids in ids.chunks(most_values(transaction.get_database_backend())) {
                let Some(key) = E::PrimaryKey::iter().next() else { continue };
                E::delete_many().filter(key.into_column().is_in(ids.iter().copied())).exec(transaction).await?;
            }
            Ok(())
        })
    }

    fn load<'a>(&'a self, transaction: &'a DatabaseTransaction) -> Waiting<'a, Vec<Arc<dyn Row>>> {
        Box::pin(async move {
            let rows = E::find().stream(transaction).await?;
            // Of rows that were written together all have the same managers: a few values for a million rows.
            let mut seen = HashSet::new();
            let shared = rows.map_ok(|mut model| {
                model.common_mut().managers.share(&mut seen);
                Arc::new(model) as Arc<dyn Row>
            });
            shared.try_collect().await
        })
    }
}
