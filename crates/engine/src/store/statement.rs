//! Builds the statements that insert rows. The builder of sea-orm is not used: it copies each row three times, which
//! takes longer for a large batch than the database does.
//!
//! SQLite gets a placeholder for each value. PostgreSQL would spend most of its time on that many placeholders. It gets
//! one array for each column and makes rows from the arrays, or gets a COPY for many new rows. Both use the same
//! encoding of values ([`super::binary`]), so both can store the same values.
//!
//! If a row fails, SQLite need not undo the earlier rows of the same statement, because the whole transaction is rolled
//! back (`INSERT OR FAIL`). Otherwise it would keep a copy of every page.

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

/// The number of rows in one statement for PostgreSQL. It is large enough that the cost of a further statement is
/// negligible. It is small enough that a part is sent soon, and the next one is encoded while PostgreSQL writes this
/// one.
const MAX_POSTGRES_ROWS: usize = 500;
/// The reserved size of an encoded row, in bytes. Few rows are longer.
const ROW_BYTES: usize = 512;
/// The greatest number of rows in one statement for SQLite. Smaller statements have a power of two rows, because each
/// number of rows needs its own statement, which is compiled once and cached. Statements of many rows take as much
/// memory as the rows.
const MAX_SQLITE_ROWS: usize = 256;

/// The text of a statement, with its arguments.
pub(super) type Insert<Arguments> = (Arc<str>, Arguments);

/// The behaviour on conflict: the primary key of a row already exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictAction {
    /// The insert fails with an error.
    Refused,
    /// The new row replaces the existing one.
    Replaced,
}

/// A builder of inserts into one table.
pub(super) struct Inserts<E: EntityTrait> {
    columns: Vec<E::Column>,
    /// The quoted name of the table, with the list of its columns.
    into: String,
    /// The clause for rows that already exist; empty if they are an error.
    on_conflict: String,
    entity: PhantomData<fn() -> E>,
}

impl<E> Inserts<E>
where
    E: EntityTrait,
    E::Model: ModelTrait<Entity = E>,
{
    /// Creates a builder for the table of the entity.
    pub fn into(on_conflict: ConflictAction) -> Self {
        let columns: Vec<E::Column> = E::Column::iter().collect();
        let into = format!("\"{}\" ({})", E::default().table_name(), list(&columns));
        let on_conflict = match on_conflict {
            ConflictAction::Refused => String::new(),
            ConflictAction::Replaced => {
                let key: Vec<E::Column> = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column).collect();
                let set: Vec<_> =
                    columns.iter().map(|column| format!("\"{0}\" = excluded.\"{0}\"", column.as_str())).collect();
                format!(" ON CONFLICT ({}) DO UPDATE SET {}", list(&key), set.join(", "))
            }
        };
        Self { columns, into, on_conflict, entity: PhantomData }
    }

    /// Returns the statements that insert these rows into SQLite, in order.
    ///
    /// # Errors
    /// No item is an error; the type matches that of [`Self::for_postgres`].
    pub fn for_sqlite(&self, mut rows: &[&E::Model]) -> impl Iterator<Item = Result<Insert<SqliteArguments>, DbErr>> {
        let mut texts: HashMap<usize, Arc<str>> = HashMap::new();
        std::iter::from_fn(move || {
            let (now, later) = rows.split_at(self.max_for_sqlite(rows.len()));
            rows = later;
            (!now.is_empty()).then(|| {
                let text = Arc::clone(texts.entry(now.len()).or_insert_with(|| self.text_for_sqlite(now.len())));
                let values = now.iter().flat_map(|row| self.columns.iter().map(|column| row.get(*column)));
                let arguments = IntoArguments::<Sqlite>::into_arguments(SqlxValues(Values(values.collect())));
                Ok((text, arguments))
            })
        })
    }

    /// Returns the statements that insert these rows into PostgreSQL, in order.
    ///
    /// # Errors
    /// An item is an error if a column's type is not supported, or if a value is too large for the database.
    pub fn for_postgres(&self, rows: &[&E::Model]) -> impl Iterator<Item = Result<Insert<PgArguments>, DbErr>> {
        let placeholders: Vec<_> = (1..=self.columns.len()).map(|placeholder| format!("${placeholder}")).collect();
        let text = format!(
            "INSERT INTO {} SELECT * FROM UNNEST({}) AS \"row\"{}",
            self.into,
            placeholders.join(", "),
            self.on_conflict
        );
        let text: Arc<str> = text.into();
        rows.chunks(MAX_POSTGRES_ROWS).map(move |rows| {
            let mut arguments = PgArguments::default();
            for column in &self.columns {
                let array = ColumnArray::of(*column, rows.iter().map(|row| row.get(*column)))?;
                arguments.add(array).map_err(|error| unwritten(&error))?;
            }
            Ok((Arc::clone(&text), arguments))
        })
    }

    /// Returns the statement that starts a COPY of new rows, which [`Self::copied`] encodes.
    pub fn copy(&self) -> String {
        format!("COPY {} FROM STDIN (FORMAT binary)", self.into)
    }

    /// Encodes these rows for a COPY, part by part.
    ///
    /// # Errors
    /// An item is an error under the same conditions as in [`Self::for_postgres`].
    pub fn copied(&self, rows: &[&E::Model]) -> impl Iterator<Item = Result<CopiedRows, DbErr>> {
        rows.chunks(MAX_POSTGRES_ROWS).map(|models| {
            let mut rows = CopiedRows::with_capacity(models.len() * ROW_BYTES);
            for model in models {
                rows.push(self.columns.iter().map(|column| model.get(*column)))?;
            }
            Ok(rows)
        })
    }

    /// Returns the number of rows in the next statement for SQLite, if this number of rows is left.
    fn max_for_sqlite(&self, left: usize) -> usize {
        let most = MAX_SQLITE_ROWS.min(max_values(DbBackend::Sqlite) / self.columns.len().max(1));
        left.min(most).checked_ilog2().map_or(0, |power| 1 << power)
    }

    /// Returns the text of the SQLite statement for this number of rows.
    fn text_for_sqlite(&self, rows: usize) -> Arc<str> {
        let Self { into, on_conflict, columns, .. } = self;
        let row = format!("({})", vec!["?"; columns.len()].join(", "));
        format!("INSERT OR FAIL INTO {into} VALUES {}{on_conflict}", vec![row; rows].join(", ")).into()
    }
}

/// Returns the greatest number of bound values in one statement.
pub(super) fn max_values(backend: DbBackend) -> usize {
    match backend {
        DbBackend::Sqlite => 32_766,
        _ => 65_535,
    }
}

fn list<C: IdenStatic>(columns: &[C]) -> String {
    columns.iter().map(|column| format!("\"{}\"", column.as_str())).collect::<Vec<_>>().join(", ")
}
