//! Statements that read for a caller, of which a database has to do much work for some.
//!
//! Guarantees: the statements of one caller use at most half of the connections for them. A caller has its turn until
//! the database is done with the statement, even if nobody waits for the rows any more. SQLite stops such a statement
//! at once; PostgreSQL ends it at its time-out at the latest.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sea_orm::sqlx::{self, Executor as _};
use sea_orm::{ConnectionTrait as _, DbBackend, DbErr, FromQueryResult, QueryResult, QueryTrait, Statement};

use super::connection::Store;
use super::error::StoreError;
use super::transaction::{connecting, parts, querying};
use crate::access::CallerKey;
use crate::runtime::Permit;

/// The number of steps of SQLite's virtual machine between two checks whether somebody waits for the rows: less than a
/// millisecond.
const STEPS_PER_CHECK: i32 = 10_000;

impl Store {
    /// Returns the store for a caller, who waits for its turn to read.
    pub fn for_caller(&self, caller: CallerKey) -> Self {
        Self { caller: Some(caller), ..self.clone() }
    }

    /// Waits for the turn of the caller to read. Without a caller, there is no turn.
    pub async fn turn_to_read(&self) -> Option<Permit<CallerKey>> {
        Some(self.read_permits.acquire(self.caller.clone()?).await)
    }

    /// Reads all rows of a query, in the turn of the caller.
    pub(super) async fn all<M: FromQueryResult>(&self, query: &impl QueryTrait) -> Result<Vec<M>, StoreError> {
        self.rows(query.build(self.reader.get_database_backend())).await
    }

    /// Reads all rows of a statement, in the turn of the caller.
    pub(super) async fn rows<M: FromQueryResult>(&self, statement: Statement) -> Result<Vec<M>, StoreError> {
        let turn = self.turn_to_read().await;
        let wanted = Wanted::default();
        let (store, is_wanted) = (self.clone(), Arc::clone(&wanted.0));
        let reading = tokio::spawn(async move {
            let rows = store.read(statement, is_wanted).await;
            drop(turn);
            rows
        });
        let rows = reading.await.map_err(|error| StoreError::Unreadable(error.to_string()))?;
        Ok(rows?.iter().map(|row| M::from_query_result(row, "")).collect::<Result<_, DbErr>>()?)
    }

    async fn read(&self, statement: Statement, is_wanted: Arc<AtomicBool>) -> Result<Vec<QueryResult>, DbErr> {
        if self.reader.get_database_backend() != DbBackend::Sqlite {
            return self.reader.query_all_raw(statement).await;
        }
        let pool = self.reader.get_sqlite_connection_pool();
        let mut connection = pool.acquire().await.map_err(connecting)?;
        let goes_on = move || is_wanted.load(Ordering::Relaxed);
        connection.lock_handle().await.map_err(connecting)?.set_progress_handler(STEPS_PER_CHECK, goes_on);
        self.statements.fetch_add(1, Ordering::Relaxed);
        let (text, values) = parts(statement);
        let rows = connection.fetch_all(sqlx::query_with(text, values)).await;
        // Others use the connection next.
        connection.lock_handle().await.map_err(connecting)?.remove_progress_handler();
        Ok(rows.map_err(querying)?.into_iter().map(QueryResult::from).collect())
    }
}

/// True until nobody waits for the rows of a statement any more.
struct Wanted(Arc<AtomicBool>);

impl Default for Wanted {
    fn default() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }
}

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;
    use underlay_testing::{HANG, until};

    use super::*;
    use crate::access::Caller;
    use crate::store::DatabaseUrl;
    use crate::store::connection::CALLER_CONNECTIONS;

    #[derive(Debug, FromQueryResult)]
    struct Count {
        count: i64,
    }

    /// Reads a number for a caller.
    async fn read(store: Store, query: &str) -> i64 {
        let rows: Vec<Count> = store.rows(Statement::from_string(DbBackend::Sqlite, query)).await.expect("rows");
        rows.first().expect("a row").count
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_caller_has_half_of_the_connections_and_what_nobody_waits_for_is_stopped() {
        let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) AS count FROM c";
        let folder = tempfile::tempdir().expect("a folder");
        let file = DatabaseUrl::file(&folder.path().join("test.db"));
        let store = Store::open(&file, &[]).await.expect("a database");
        let of = |caller: &str| store.for_caller(Caller::named(caller).key());
        for _ in 0..3 {
            let running: Vec<_> = (0..4).map(|_| tokio::spawn(read(of("greedy"), endless))).collect();
            // All of them have come: those beyond the share of a caller wait.
            let waiting = running.len() - CALLER_CONNECTIONS / 2;
            until("the others wait for them", async || store.read_permits.waiting() == waiting).await;
            assert_eq!(read(of("modest"), "SELECT 7 AS count").await, 7, "there is room for others");
            let next = tokio::spawn(read(of("greedy"), "SELECT 8 AS count"));
            until("its share is in use", async || store.read_permits.waiting() == waiting + 1).await;
            running.iter().for_each(tokio::task::JoinHandle::abort);
            let next = timeout(HANG, next).await.expect("the endless statements were stopped");
            assert_eq!(next.expect("rows"), 8);
        }
        // Nothing of that is left on any connection.
        let all: Vec<_> = (0..20).map(|at| tokio::spawn(read(of(&at.to_string()), "SELECT 9 AS count"))).collect();
        for read in all {
            assert_eq!(read.await.expect("rows"), 9);
        }
    }
}
