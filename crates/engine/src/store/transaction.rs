//! A transaction of the writer. For sea-orm it is a usual connection. Inserts of rows bypass sea-orm, which would copy
//! the arguments of a statement once more while the database waits.
//!
//! A connection returns to its pool only after the database has confirmed a commit or a rollback. Otherwise it is
//! closed, because its state is unknown. For example, SQLite rolls back by itself if a disk is full or fails, and
//! rejects the rollback that follows. The driver's own transactions would count that transaction as open, and no
//! transaction could begin on the connection again. Transactions therefore begin and end with plain statements here.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, SubsecRound, Utc};
use sea_orm::prelude::async_trait::async_trait;
use sea_orm::sea_query::Values;
use sea_orm::sqlx::pool::PoolConnection;
use sea_orm::sqlx::{self, AssertSqlSafe, Executor, Postgres, Sqlite};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, RuntimeErr, Statement};
use sea_query_sqlx::SqlxValues;
use tokio::sync::{Mutex, MutexGuard};

use super::connection::Store;

/// A write transaction. A dropped transaction is rolled back, because its connection is closed.
pub struct Transaction {
    backend: DbBackend,
    connection: Mutex<Connection>,
    statements: Arc<AtomicU64>,
    /// True if the database confirmed the end of the transaction.
    ended: bool,
}

/// The pooled connection of a transaction.
pub(super) enum Connection {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<Postgres>),
}

impl Connection {
    /// Executes a statement without arguments and results.
    async fn run(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(connection) => connection.execute(statement).await.map(drop),
            Self::Postgres(connection) => connection.execute(statement).await.map(drop),
        }
    }

    /// Marks the connection to be closed instead of returned to its pool.
    fn close(&mut self) {
        match self {
            Self::Sqlite(connection) => connection.close_on_drop(),
            Self::Postgres(connection) => connection.close_on_drop(),
        }
    }
}

impl Transaction {
    /// Begins a transaction of the writer.
    pub(super) async fn begin(store: &Store) -> Result<Self, DbErr> {
        let writer = &store.writer;
        let backend = store.backend();
        let (connection, begin) = match backend {
            // `IMMEDIATE` takes the write lock now, so that a process waits for it here and not in the middle of the
            // transaction.
            DbBackend::Sqlite => {
                let connection = writer.get_sqlite_connection_pool().acquire().await.map(Connection::Sqlite);
                (connection, "BEGIN IMMEDIATE")
            }
            _ => (writer.get_postgres_connection_pool().acquire().await.map(Connection::Postgres), "BEGIN"),
        };
        let connection = connection.map_err(connecting)?;
        // From here on the connection is closed, unless the transaction ends successfully.
        let statements = Arc::clone(&store.statements);
        let mut transaction = Self { backend, connection: Mutex::new(connection), statements, ended: false };
        let begun = transaction.connection.get_mut().run(begin).await;
        begun.map_err(connecting)?;
        Ok(transaction)
    }

    pub(super) async fn commit(self) -> Result<(), DbErr> {
        self.end("COMMIT").await
    }

    pub(super) async fn roll_back(self) -> Result<(), DbErr> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, statement: &'static str) -> Result<(), DbErr> {
        self.connection.get_mut().run(statement).await.map_err(executing)?;
        self.ended = true;
        Ok(())
    }

    /// Returns the time of the database at this moment of the transaction. SQLite has no clock of its own, so the clock
    /// of the machine is used.
    pub(super) async fn now(&self) -> Result<DateTime<Utc>, DbErr> {
        if self.backend != DbBackend::Postgres {
            return Ok(Utc::now().trunc_subsecs(6));
        }
        let ask = Statement::from_string(DbBackend::Postgres, "SELECT clock_timestamp() AS now");
        let row = self.query_one_raw(ask).await?;
        row.ok_or_else(|| DbErr::RecordNotFound("the time of the database".to_owned()))?.try_get("", "now")
    }

    /// Returns the connection, for callers that count their statements themselves.
    pub(super) async fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().await
    }

    /// Adds one to the number of statements that were run.
    pub(super) fn count(&self) {
        self.statements.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if !self.ended {
            self.connection.get_mut().close();
        }
    }
}

impl fmt::Debug for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transaction").field("backend", &self.backend).finish_non_exhaustive()
    }
}

/// Runs the same code on the connection of either database, and counts one statement.
macro_rules! on {
    ($transaction:expr, $connection:ident => $work:expr) => {{
        $transaction.count();
        match &mut *$transaction.connection().await {
            Connection::Sqlite(transaction) => {
                let $connection = &mut **transaction;
                $work
            }
            Connection::Postgres(transaction) => {
                let $connection = &mut **transaction;
                $work
            }
        }
    }};
}

#[async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DbBackend {
        self.backend
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let (text, values) = parts(statement);
        on!(self, connection => connection
            .execute(sqlx::query_with(text, values))
            .await
            .map(ExecResult::from)
            .map_err(executing))
    }

    async fn execute_unprepared(&self, text: &str) -> Result<ExecResult, DbErr> {
        let text = AssertSqlSafe(text.to_owned());
        on!(self, connection => connection.execute(text).await.map(ExecResult::from).map_err(executing))
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let (text, values) = parts(statement);
        on!(self, connection => connection
            .fetch_optional(sqlx::query_with(text, values))
            .await
            .map(|row| row.map(QueryResult::from))
            .map_err(querying))
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let (text, values) = parts(statement);
        on!(self, connection => connection
            .fetch_all(sqlx::query_with(text, values))
            .await
            .map(|rows| rows.into_iter().map(QueryResult::from).collect())
            .map_err(querying))
    }
}

pub(super) fn parts(statement: Statement) -> (AssertSqlSafe<String>, SqlxValues) {
    (AssertSqlSafe(statement.sql), SqlxValues(statement.values.unwrap_or(Values(Vec::new()))))
}

fn because(error: sqlx::Error) -> RuntimeErr {
    RuntimeErr::SqlxError(Arc::new(error))
}

/// Converts an error that occurred when a connection was taken from its pool.
pub(super) fn connecting(error: sqlx::Error) -> DbErr {
    DbErr::Conn(because(error))
}

/// Converts an error that occurred when a statement was executed.
pub(super) fn executing(error: sqlx::Error) -> DbErr {
    DbErr::Exec(because(error))
}

/// Converts an error that occurred when rows were read.
pub(super) fn querying(error: sqlx::Error) -> DbErr {
    DbErr::Query(because(error))
}
