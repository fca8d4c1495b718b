//! Writing many rows of a table with few statements.

use futures_util::future::join;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, ModelTrait};

use super::statement::Inserts;

/// What happens to a row whose primary key is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// It is an error.
    Refused,
    /// The new row takes its place.
    Replaced,
}

/// Inserts rows, many in one statement.
pub(super) async fn insert<E>(transaction: &DatabaseTransaction, rows: &[&E::Model], clash: Clash) -> Result<(), DbErr>
where
    E: EntityTrait,
    E::Model: ModelTrait<Entity = E> + Sync,
{
    let inserts = Inserts::<E>::into(transaction.get_database_backend(), clash);
    let mut statements = inserts.statements(rows);
    let mut next = statements.next().transpose()?;
    while let Some(statement) = next {
        // The next statement is put together while the database works on this one.
        let following = async { statements.next().transpose() };
        let (done, following) = join(transaction.execute_raw(statement), following).await;
        done?;
        next = following?;
    }
    Ok(())
}
