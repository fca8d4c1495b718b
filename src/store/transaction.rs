//! A transaction of the writer. To sea-orm it is a connection as any other; rows are inserted through it past sea-orm,
//! which would copy what a statement is given once more while the database waits for it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sea_orm::prelude::async_trait::async_trait;
use sea_orm::sea_query::Values;
use sea_orm::sqlx::{self, AssertSqlSafe, Executor, Postgres, Sqlite};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, RuntimeErr, Statement};
use sea_query_sqlx::SqlxValues;
use tokio::sync::{Mutex, MutexGuard};

use super::connection::Store;

/// A transaction; it is rolled back when it is dropped.
pub struct Transaction {
    backend: DbBackend,
    connection: Mutex<Connection>,
    statements: Arc<AtomicU64>,
}

/// What a transaction runs on.
pub(super) enum Connection {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>),
}

impl Transaction {
    /// Begins a transaction of the writer.
    pub(super) async fn begin(store: &Store) -> Result<Self, DbErr> {
        let writer = &store.writer;
        let backend = store.backend();
        let connection = match backend {
            // Who waits for the right to write does so here, and not in the midst of it.
            DbBackend::Sqlite => {
                writer.get_sqlite_connection_pool().begin_with("BEGIN IMMEDIATE").await.map(Connection::Sqlite)
            }
            _ => writer.get_postgres_connection_pool().begin().await.map(Connection::Postgres),
        };
        let connection = Mutex::new(connection.map_err(|error| DbErr::Conn(because(error)))?);
        Ok(Self { backend, connection, statements: Arc::clone(&store.statements) })
    }

    pub(super) async fn commit(self) -> Result<(), DbErr> {
        let committed = match self.connection.into_inner() {
            Connection::Sqlite(transaction) => transaction.commit().await,
            Connection::Postgres(transaction) => transaction.commit().await,
        };
        committed.map_err(executing)
    }

    pub(super) async fn roll_back(self) -> Result<(), DbErr> {
        let rolled_back = match self.connection.into_inner() {
            Connection::Sqlite(transaction) => transaction.rollback().await,
            Connection::Postgres(transaction) => transaction.rollback().await,
        };
        rolled_back.map_err(executing)
    }

    /// The connection, for statements that whoever runs them counts.
    pub(super) async fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().await
    }

    /// Counts a statement.
    pub(super) fn count(&self) {
        self.statements.fetch_add(1, Ordering::Relaxed);
    }
}

impl fmt::Debug for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transaction").field("backend", &self.backend).finish_non_exhaustive()
    }
}

/// Does the same on whichever connection it is.
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

fn parts(statement: Statement) -> (AssertSqlSafe<String>, SqlxValues) {
    (AssertSqlSafe(statement.sql), SqlxValues(statement.values.unwrap_or(Values(Vec::new()))))
}

fn because(error: sqlx::Error) -> RuntimeErr {
    RuntimeErr::SqlxError(Arc::new(error))
}

/// What went wrong when a statement was executed.
pub(super) fn executing(error: sqlx::Error) -> DbErr {
    DbErr::Exec(because(error))
}

fn querying(error: sqlx::Error) -> DbErr {
    DbErr::Query(because(error))
}
