//! Runs SQL on the database of a test, bypassing the program under test.

use std::time::Duration;

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, Statement};
use underlay_testing::until;

/// A single connection, so that locks and session settings last as long as this value.
pub struct Sql {
    connection: DatabaseConnection,
}

impl Sql {
    pub async fn connect(url: &str) -> Self {
        let mut options = ConnectOptions::new(url);
        options.max_connections(1).min_connections(1).acquire_timeout(Duration::from_secs(30)).sqlx_logging(false);
        Self { connection: Database::connect(options).await.expect("connect to the database") }
    }

    /// Runs statements.
    #[track_caller]
    pub fn run(&self, statements: &str) -> impl Future<Output = ()> + Send {
        let statements = statements.to_owned();
        let connection = self.connection.clone();
        async move {
            let ran = connection.execute_unprepared(&statements).await;
            ran.unwrap_or_else(|error| panic!("{statements}: {error}"));
        }
    }

    /// Returns the first column of all rows, which must be text.
    pub async fn texts(&self, query: &str) -> Vec<String> {
        let rows = self.connection.query_all_raw(self.statement(query)).await;
        let rows = rows.unwrap_or_else(|error| panic!("{query}: {error}"));
        rows.iter().map(|row| row.try_get_by_index(0).unwrap_or_else(|error| panic!("{query}: {error}"))).collect()
    }

    /// Returns the number that a query gives; on PostgreSQL a `bigint`.
    pub async fn number(&self, query: &str) -> i64 {
        let row = self.connection.query_one_raw(self.statement(query)).await;
        let row = row.unwrap_or_else(|error| panic!("{query}: {error}")).unwrap_or_else(|| panic!("{query}: no row"));
        row.try_get_by_index(0).unwrap_or_else(|error| panic!("{query}: {error}"))
    }

    fn statement(&self, query: &str) -> Statement {
        Statement::from_string(self.connection.get_database_backend(), query)
    }

    /// Waits until a query gives this number.
    pub async fn wait_for(&self, query: &str, number: i64) {
        until(format!("{query} gives {number}"), async || {
            let found = self.number(query).await;
            if found == number { Ok(()) } else { Err(found) }
        })
        .await;
    }

    pub async fn close(self) {
        self.connection.close().await.expect("close a connection");
    }
}
