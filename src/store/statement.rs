//! The statements that insert rows, put together here, not by sea-orm's builder: that copies each row three times on
//! its way, which for a large batch takes longer than the database does.
//!
//! SQLite gets a placeholder for each value. PostgreSQL would spend most of its time on so many of them: it gets one
//! text for each column, an array, and makes rows of those; or, for many new rows, a copy of all of them.
//!
//! Where a row fails, SQLite need not take back the rows of the same statement before it, for which it would keep every
//! page as it was: the whole transaction is rolled back then.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use sea_orm::{
    DbBackend, DbErr, EntityTrait, IdenStatic, Iterable, ModelTrait, PrimaryKeyToColumn, Value, sea_query::Values,
};

use super::binary::CopiedRows;
use super::insert::Clash;
use super::text::{push_element, type_name};

/// How many rows PostgreSQL gets at a time: enough that a statement more weighs nothing, and few enough that they are
/// on their way at once, so that the next ones are made while these are written.
const MOST_POSTGRES_ROWS: usize = 500;
/// Room for a copied row, in bytes: few are longer.
const ROW_BYTES: usize = 512;
/// How many rows SQLite gets at a time, a power of two as the numbers below it that are used: each number makes another
/// statement, which is compiled once and kept, and those of many rows take as much memory as the rows.
const MOST_SQLITE_ROWS: usize = 256;

/// A statement, and what it is given.
pub(super) struct Insert {
    pub text: Arc<str>,
    pub values: Values,
}

/// Inserts into one table.
pub(super) struct Inserts<E: EntityTrait> {
    backend: DbBackend,
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
    pub fn into(backend: DbBackend, clash: Clash) -> Self {
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
        Self { backend, columns, into, clash, entity: PhantomData }
    }

    /// The statements that insert these rows, one after the other.
    ///
    /// # Errors
    /// When a column is of a type that no row has had so far.
    pub fn statements(&self, mut rows: &[&E::Model]) -> impl Iterator<Item = Result<Insert, DbErr>> {
        let mut texts: HashMap<usize, Arc<str>> = HashMap::new();
        std::iter::from_fn(move || {
            let (now, later) = rows.split_at(self.rows_of(rows.len()));
            rows = later;
            (!now.is_empty()).then(|| {
                let text = match texts.get(&now.len()) {
                    Some(text) => Arc::clone(text),
                    None => Arc::clone(texts.entry(now.len()).or_insert(self.text(now.len())?)),
                };
                Ok(Insert { text, values: Values(self.values(now)?) })
            })
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

    /// How many of so many rows go into the next statement.
    fn rows_of(&self, left: usize) -> usize {
        match self.backend {
            DbBackend::Postgres => left.min(MOST_POSTGRES_ROWS),
            backend => {
                let most = MOST_SQLITE_ROWS.min(most_values(backend) / self.columns.len().max(1));
                left.min(most).checked_ilog2().map_or(0, |power| 1 << power)
            }
        }
    }

    /// The statement for so many rows.
    fn text(&self, rows: usize) -> Result<Arc<str>, DbErr> {
        let Self { into, clash, columns, .. } = self;
        Ok(match self.backend {
            DbBackend::Postgres => {
                let array = |(place, column)| Ok(format!("${}::text::{}[]", place + 1, type_name(column)?));
                let arrays: Result<Vec<_>, DbErr> = columns.iter().enumerate().map(array).collect();
                format!("INSERT INTO {into} SELECT * FROM UNNEST({}) AS \"row\"{clash}", arrays?.join(", "))
            }
            _ => {
                let row = format!("({})", vec!["?"; columns.len()].join(", "));
                format!("INSERT OR FAIL INTO {into} VALUES {}{clash}", vec![row; rows].join(", "))
            }
        }
        .into())
    }

    fn values(&self, rows: &[&E::Model]) -> Result<Vec<Value>, DbErr> {
        match self.backend {
            DbBackend::Postgres => self.columns.iter().map(|column| array::<E>(*column, rows)).collect(),
            _ => Ok(rows.iter().flat_map(|row| self.columns.iter().map(|column| row.get(*column))).collect()),
        }
    }
}

/// A column of rows, as the text of an array.
fn array<E>(column: E::Column, rows: &[&E::Model]) -> Result<Value, DbErr>
where
    E: EntityTrait,
    E::Model: ModelTrait<Entity = E>,
{
    let mut array = String::with_capacity(rows.len() * 16);
    for row in rows {
        array.push(if array.is_empty() { '{' } else { ',' });
        push_element(&mut array, &row.get(column))?;
    }
    array.push('}');
    Ok(array.into())
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
