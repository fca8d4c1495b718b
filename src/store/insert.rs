//! Writing many rows of a table with few statements.
//!
//! The statements are put together here, not by sea-orm's builder: that copies each row three times on its way, which
//! for a large batch takes longer than the database does.

use std::fmt::Write;

use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, IdenStatic, Iterable, ModelTrait,
    PrimaryKeyToColumn, Statement,
};

/// What happens to a row whose primary key is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clash {
    /// It is an error.
    Refused,
    /// The new row takes its place.
    Replaced,
}

/// Inserts rows, as many in one statement as it can take values.
pub(super) async fn insert<'a, E>(
    transaction: &DatabaseTransaction,
    rows: impl ExactSizeIterator<Item = &'a E::Model> + Send,
    clash: Clash,
) -> Result<(), DbErr>
where
    E: EntityTrait,
    E::Model: ModelTrait<Entity = E> + Sync + 'a,
{
    let backend = transaction.get_database_backend();
    let columns: Vec<E::Column> = E::Column::iter().collect();
    let most = most_values(backend) / columns.len();
    let mut left = rows.len();
    let mut rows = rows;
    while left > 0 {
        let count = left.min(most);
        left -= count;
        let mut values = Vec::with_capacity(count * columns.len());
        for row in rows.by_ref().take(count) {
            values.extend(columns.iter().map(|column| row.get(*column)));
        }
        let text = text::<E>(backend, &columns, count, clash);
        transaction.execute_raw(Statement::from_sql_and_values(backend, text, values)).await?;
    }
    Ok(())
}

/// How many bound values one statement may have.
pub(super) fn most_values(backend: DbBackend) -> usize {
    match backend {
        DbBackend::Sqlite => 32_766,
        _ => 65_535,
    }
}

/// The statement that inserts so many rows.
fn text<E: EntityTrait>(backend: DbBackend, columns: &[E::Column], rows: usize, clash: Clash) -> String {
    let list = |columns: &mut dyn Iterator<Item = E::Column>| {
        columns.map(|column| format!("\"{}\"", column.as_str())).collect::<Vec<_>>().join(", ")
    };
    let names = list(&mut columns.iter().copied());
    let table = E::default();
    let mut text = format!("INSERT INTO \"{}\" ({names}) VALUES ", table.table_name());
    let mut number = 0;
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ", (" });
        for column in 0..columns.len() {
            number += 1;
            text.push_str(if column == 0 { "" } else { ", " });
            // Writing to a text cannot fail.
            let _ = match backend {
                DbBackend::Postgres => write!(text, "${number}"),
                _ => write!(text, "?"),
            };
        }
        text.push(')');
    }
    if clash == Clash::Replaced {
        let key = list(&mut E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column));
        let set = columns.iter().map(|column| format!("\"{0}\" = excluded.\"{0}\"", column.as_str()));
        let _ = write!(text, " ON CONFLICT ({key}) DO UPDATE SET {}", set.collect::<Vec<_>>().join(", "));
    }
    text
}
