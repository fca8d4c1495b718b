//! The references for writes: the same rows, written by SQL alone.
//!
//! They are multi-row inserts with the columns of the store, prepared before the clock starts. There is no planning, no
//! snapshot in memory and no HTTP. On SQLite they are the statements that the store runs. On PostgreSQL they are
//! inserts as well, although the store copies large batches there. The connections have the same settings as those of
//! the store.

use std::path::Path;
use std::time::{Duration, Instant};

use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend,
    EntityTrait, IntoActiveModel, Iterable, ModelTrait, PaginatorTrait, QueryFilter, QuerySelect, QueryTrait,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};
use underlay_entity::{batch, change, facts, port};

use crate::fleets;
use crate::problem::{LoadError, Result};

/// The maximum time for which a statement waits for a lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);

/// A connection to the database that bypasses the server.
pub struct Bare {
    connection: DatabaseConnection,
}

/// The rows that one revision wrote.
pub struct Written {
    ports: Vec<port::Model>,
    changes: Vec<change::Model>,
    batches: Vec<batch::Model>,
}

impl Bare {
    /// Connects to the database at a URL.
    pub async fn connect(url: &str) -> Result<Self> {
        let mut options = ConnectOptions::new(url);
        options.max_connections(1).min_connections(1).acquire_timeout(LOCK_TIMEOUT).sqlx_logging(false);
        options.map_sqlx_sqlite_opts(|sqlite| {
            sqlite
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .foreign_keys(true)
                .busy_timeout(LOCK_TIMEOUT)
                .pragma("cache_size", "-32768")
                .pragma("wal_autocheckpoint", "16384")
                .pragma("temp_store", "MEMORY")
        });
        Ok(Self { connection: Database::connect(options).await? })
    }

    /// Reads the rows of a revision that created ports.
    pub async fn written(&self, revision: i64) -> Result<Written> {
        let changes =
            change::Entity::find().filter(change::Column::Revision.eq(revision)).all(&self.connection).await?;
        let mut ports = Vec::with_capacity(changes.len());
        for changes in changes.chunks(max_values(self.connection.get_database_backend())) {
            let ids = changes.iter().map(|change| change.object_id);
            ports.extend(port::Entity::find().filter(port::Column::Id.is_in(ids)).all(&self.connection).await?);
        }
        let batches = batch::Entity::find_by_id(revision).all(&self.connection).await?;
        Ok(Written { ports, changes, batches })
    }

    /// Writes the same rows into another, equal database. Returns the time in seconds.
    pub async fn write(&self, written: &Written) -> Result<f64> {
        let backend = self.connection.get_database_backend();
        let statements =
            [inserts(&written.ports, backend), inserts(&written.batches, backend), inserts(&written.changes, backend)];
        let begin = Instant::now();
        let immediate = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        let transaction = self.connection.begin_with_options(immediate).await?;
        for statement in statements.into_iter().flatten() {
            transaction.execute_raw(statement).await?;
        }
        transaction.commit().await?;
        Ok(begin.elapsed().as_secs_f64())
    }

    /// Returns the number of commits that wrote the rows of facts in this database.
    pub async fn commits_of_facts(self) -> Result<u64> {
        let times = facts::Entity::find().select_only().column(facts::Column::WrittenAt).distinct();
        let commits = times.count(&self.connection).await?;
        self.close().await?;
        Ok(commits)
    }

    /// Closes the connection to the database.
    pub async fn close(self) -> Result<()> {
        Ok(self.connection.close().await?)
    }
}

impl Written {
    /// Returns the number of objects.
    pub fn objects(&self) -> usize {
        self.ports.len()
    }
}

/// Returns the maximum number of bound values of a statement.
fn max_values(backend: DbBackend) -> usize {
    if backend == DbBackend::Sqlite { 32_766 } else { 65_535 }
}

/// Returns inserts of models, with as many rows in each statement as the database accepts.
fn inserts<M>(models: &[M], backend: DbBackend) -> Vec<Statement>
where
    M: Clone + ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel>,
    <M::Entity as EntityTrait>::ActiveModel: ActiveModelTrait<Entity = M::Entity> + Send,
{
    let most = max_values(backend) / <M::Entity as EntityTrait>::Column::iter().count();
    let insert = |models: &[M]| {
        let models = models.iter().map(|model| model.clone().into_active_model());
        let mut statement = M::Entity::insert_many(models).build(backend);
        if backend == DbBackend::Sqlite {
            statement.sql = statement.sql.replacen("INSERT INTO", "INSERT OR FAIL INTO", 1);
        }
        statement
    };
    models.chunks(most).map(insert).collect()
}

/// Measures durable inserts of one row into an SQLite file of their own. Returns the seconds (p50, p99).
pub async fn durable_insert(scratch: &Path, times: usize) -> Result<(f64, f64)> {
    let file = scratch.join("one-row.db");
    let took = durable_insert_into(&fleets::url(&file), times).await?;
    std::fs::remove_file(&file).map_err(|error| LoadError::Io { what: format!("remove {}", file.display()), error })?;
    Ok(took)
}

/// Does the same in a database that contains nothing else.
pub async fn durable_insert_into(database: &str, times: usize) -> Result<(f64, f64)> {
    let bare = Bare::connect(database).await?;
    let backend = bare.connection.get_database_backend();
    let (id, value) = match backend {
        DbBackend::Sqlite => ("INTEGER PRIMARY KEY", "?"),
        _ => ("BIGSERIAL PRIMARY KEY", "$1"),
    };
    bare.connection.execute_unprepared(&format!("CREATE TABLE IF NOT EXISTS one (id {id}, text TEXT)")).await?;
    let statement = format!("INSERT INTO one (text) VALUES ({value})");
    let mut took = Vec::with_capacity(times);
    for _ in 0..times {
        let begin = Instant::now();
        bare.connection.execute_raw(Statement::from_sql_and_values(backend, &statement, ["measured".into()])).await?;
        took.push(begin.elapsed().as_secs_f64());
    }
    bare.close().await?;
    Ok((crate::measure::percentile(took.clone(), 0.5), crate::measure::percentile(took, 0.99)))
}
