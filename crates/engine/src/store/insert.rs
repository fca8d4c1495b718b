//! Writes many rows of a table with few statements.

use futures_util::future::join;
use sea_orm::sqlx::postgres::PgConnection;
use sea_orm::sqlx::{self, AssertSqlSafe, Database, Executor, IntoArguments, Postgres, Sqlite};
use sea_orm::{DbErr, EntityTrait, ModelTrait};

use super::binary::{COPY_HEADER, COPY_TRAILER, CopiedRows};
pub(super) use super::statement::ConflictAction;
use super::statement::{Insert, Inserts};
use super::transaction::{Connection, Transaction, executing};

/// The number of new rows from which on PostgreSQL gets a COPY. Beginning and ending it takes one round trip each.
const MIN_ROWS_FOR_COPY: usize = 100;

/// Inserts rows, many in one statement.
pub(super) async fn insert<E>(
    transaction: &Transaction,
    rows: &[&E::Model],
    on_conflict: ConflictAction,
) -> Result<(), DbErr>
where
    E: EntityTrait,
    E::Model: ModelTrait<Entity = E> + Sync,
{
    if rows.is_empty() {
        return Ok(());
    }
    let inserts = Inserts::<E>::into(on_conflict);
    match &mut *transaction.connection().await {
        Connection::Sqlite(connection) => {
            let statements = inserts.for_sqlite(rows).inspect(|_| transaction.count());
            execute::<Sqlite>(connection, statements).await
        }
        Connection::Postgres(connection)
            if on_conflict == ConflictAction::Refused && rows.len() >= MIN_ROWS_FOR_COPY =>
        {
            transaction.count();
            copy(connection, &inserts.copy(), inserts.copied(rows)).await
        }
        Connection::Postgres(connection) => {
            let statements = inserts.for_postgres(rows).inspect(|_| transaction.count());
            execute::<Postgres>(connection, statements).await
        }
    }
}

/// Executes statements in order. The next statement is prepared while the database executes the current one.
async fn execute<D>(
    connection: &mut D::Connection,
    mut statements: impl Iterator<Item = Result<Insert<D::Arguments>, DbErr>>,
) -> Result<(), DbErr>
where
    D: Database,
    for<'c> &'c mut D::Connection: Executor<'c, Database = D>,
    D::Arguments: IntoArguments<D>,
{
    let mut next = statements.next().transpose()?;
    while let Some((text, arguments)) = next {
        let following = async { statements.next().transpose() };
        let execute = connection.execute(sqlx::query_with(AssertSqlSafe(text), arguments));
        let (done, following) = join(execute, following).await;
        done.map_err(executing)?;
        next = following?;
    }
    Ok(())
}

/// Copies rows to PostgreSQL. The next part is encoded while the current one is sent.
async fn copy(
    connection: &mut PgConnection,
    statement: &str,
    mut parts: impl Iterator<Item = Result<CopiedRows, DbErr>>,
) -> Result<(), DbErr> {
    let mut copy = connection.copy_in_raw(statement).await.map_err(executing)?;
    copy.send(COPY_HEADER).await.map_err(executing)?;
    let mut next = parts.next();
    while let Some(part) = next {
        let part = match part {
            Ok(part) => part,
            Err(error) => {
                copy.abort("a value cannot be written").await.map_err(executing)?;
                return Err(error);
            }
        };
        let (sent, following) = join(copy.send(part.bytes()), async { parts.next() }).await;
        sent.map_err(executing)?;
        next = following;
    }
    copy.send(COPY_TRAILER).await.map_err(executing)?;
    copy.finish().await.map(drop).map_err(executing)
}
