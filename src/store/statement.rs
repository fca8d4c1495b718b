//! The statements that insert rows, put together here, not by sea-orm's builder: that copies each row three times on
//! its way, which for a large batch takes longer than the database does.
//!
//! SQLite gets a placeholder for each value. PostgreSQL would spend most of its time on so many of them: it gets one
//! array for each column, and makes rows of those; or, for many new rows, a copy of all of them. Both hold values in the
//! same encoding ([`super::binary`]), so what one way can store, the other can too.
//!
//! Where a row fails, SQLite need not take back the rows of the same statement before it, for which it would keep every
//! page as it was: the whole transaction is rolled back then.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use sea_orm::sea_query::Values;
use sea_orm::sqlx::postgres::PgArguments;
use sea_orm::sqlx::sqlite::SqliteArguments;
use sea_orm::sqlx::{Arguments, IntoArguments, Sqlite};
use sea_orm::{DbBackend, DbErr, EntityTrait, IdenStatic, Iterable, ModelTrait, PrimaryKeyToColumn};
use sea_query_sqlx::SqlxValues;

use super::binary::{ColumnArray, CopiedRows, unwritten};
use super::insert::Clash;

/// How many rows PostgreSQL gets at a time: enough that a statement more weighs nothing, and few enough that they are
/// on their way at once, so that the next ones are made while these are written.
const MOST_POSTGRES_ROWS: usize = 500;
/// Room for a copied row, in bytes: few are longer.
const ROW_BYTES: usize = 512;
/// How many rows SQLite gets at a time, a power of two as the numbers below it that are used: each number makes another
/// statement, which is compiled once and kept, and those of many rows take as much memory as the rows.
const MOST_SQLITE_ROWS: usize = 256;

/// A statement, and what it is given.
pub(super) type Insert<Arguments> = (Arc<str>, Arguments);

/// Inserts into one table.
pub(super) struct Inserts<E: EntityTrait> {
    columns: Vec<E::Column>,
    /// Table and columns.
    into: String,
    /// What happens to rows that are there.
    clash: String,
    entity: PhantomData<fn() -> E>,
}

impl<E> Inserts<E>
where
    E: EntityTrait,
    E::Model: ModelTrait<Entity = E>,
{
    /// Inserts into the table of an entity.
    pub fn into(clash: Clash) -> Self {
        let columns: Vec<E::Column> = E::Column::iter().collect();
        let into = format!("\"{}\" ({})", E::default().table_name(), list(&columns));
        let clash = match clash {
            Clash::Refused => String::new(),
            Clash::Replaced => {
                let key: Vec<E::Column> = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column).collect();
                let set: Vec<_> =
                    columns.iter().map(|column| format!("\"{0}\" = excluded.\"{0}\"", column.as_str())).collect();
                format!(" ON CONFLICT ({}) DO UPDATE SET {}", list(&key), set.join(", "))
            }
        };
        Self { columns, into, clash, entity: PhantomData }
    }

    /// The statements that insert these rows into SQLite, one after the other.
    ///
    /// # Errors
    /// When a value cannot be bound.
    pub fn for_sqlite(&self, mut rows: &[&E::Model]) -> impl Iterator<Item = Result<Insert<SqliteArguments>, DbErr>> {
        let mut texts: HashMap<usize, Arc<str>> = HashMap::new();
        std::iter::from_fn(move || {
            let (now, later) = rows.split_at(self.most_for_sqlite(rows.len()));
            rows = later;
            (!now.is_empty()).then(|| {
                let text = Arc::clone(texts.entry(now.len()).or_insert_with(|| self.text_for_sqlite(now.len())));
                let values = now.iter().flat_map(|row| self.columns.iter().map(|column| row.get(*column)));
                let arguments = IntoArguments::<Sqlite>::into_arguments(SqlxValues(Values(values.collect())));
                Ok((text, arguments))
            })
        })
    }

    /// The statements that insert these rows into PostgreSQL, one after the other.
    ///
    /// # Errors
    /// When a column is of a type that no row has had so far.
    pub fn for_postgres(&self, rows: &[&E::Model]) -> impl Iterator<Item = Result<Insert<PgArguments>, DbErr>> {
        let places: Vec<_> = (1..=self.columns.len()).map(|place| format!("${place}")).collect();
        let text =
            format!("INSERT INTO {} SELECT * FROM UNNEST({}) AS \"row\"{}", self.into, places.join(", "), self.clash);
        let text: Arc<str> = text.into();
        rows.chunks(MOST_POSTGRES_ROWS).map(move |rows| {
            let mut arguments = PgArguments::default();
            for column in &self.columns {
                let array = ColumnArray::of(*column, rows.iter().map(|row| row.get(*column)))?;
                arguments.add(array).map_err(|error| unwritten(&error))?;
            }
            Ok((Arc::clone(&text), arguments))
        })
    }

    /// The statement after which PostgreSQL takes new rows as they are [`copied`](Self::copied).
    pub fn copy(&self) -> String {
        format!("COPY {} FROM STDIN (FORMAT binary)", self.into)
    }

    /// These rows for a copy, part by part.
    ///
    /// # Errors
    /// As [`Self::statements`].
    pub fn copied(&self, rows: &[&E::Model]) -> impl Iterator<Item = Result<CopiedRows, DbErr>> {
        rows.chunks(MOST_POSTGRES_ROWS).map(|models| {
            let mut rows = CopiedRows::with_capacity(models.len() * ROW_BYTES);
            for model in models {
                rows.push(self.columns.iter().map(|column| model.get(*column)))?;
            }
            Ok(rows)
        })
    }

    /// How many of so many rows go into the next statement for SQLite.
    fn most_for_sqlite(&self, left: usize) -> usize {
        let most = MOST_SQLITE_ROWS.min(most_values(DbBackend::Sqlite) / self.columns.len().max(1));
        left.min(most).checked_ilog2().map_or(0, |power| 1 << power)
    }

    /// The statement of SQLite for so many rows.
    fn text_for_sqlite(&self, rows: usize) -> Arc<str> {
        let Self { into, clash, columns, .. } = self;
        let row = format!("({})", vec!["?"; columns.len()].join(", "));
        format!("INSERT OR FAIL INTO {into} VALUES {}{clash}", vec![row; rows].join(", ")).into()
    }
}

/// How many bound values one statement may have.
pub(super) fn most_values(backend: DbBackend) -> usize {
    match backend {
        DbBackend::Sqlite => 32_766,
        _ => 65_535,
    }
}

fn list<C: IdenStatic>(columns: &[C]) -> String {
    columns.iter().map(|column| format!("\"{}\"", column.as_str())).collect::<Vec<_>>().join(", ")
}
