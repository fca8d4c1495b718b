//! The references for writes: the same rows, written by SQL and nothing else.
//!
//! Inserts of many rows with the columns of the store, made ready before the clock runs: no planning, no value in
//! memory, no HTTP. On SQLite they are the statements that the store runs; on PostgreSQL it copies large batches. The
//! connections are set as the store sets its own.

use std::path::Path;
use std::time::{Duration, Instant};

use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend,
    EntityTrait, IntoActiveModel, Iterable, ModelTrait, QueryFilter, QueryTrait, SqliteTransactionMode, Statement,
    TransactionOptions, TransactionTrait,
};
use underlay_entity::{batch, change, port};

use crate::fleets;
use crate::problem::{LoadError, Result};

/// How long a statement may wait for a lock.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection past the program.
pub struct Bare {
    connection: DatabaseConnection,
}

/// What one revision wrote, as the database holds it.
pub struct Written {
    ports: Vec<port::Model>,
    changes: Vec<change::Model>,
    batches: Vec<batch::Model>,
}

impl Bare {
    /// Connects to a database.
    pub async fn connect(url: &str) -> Result<Self> {
        let mut options = ConnectOptions::new(url);
        options.max_connections(1).min_connections(1).acquire_timeout(PATIENCE).sqlx_logging(false);
        options.map_sqlx_sqlite_opts(|sqlite| {
            sqlite
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .foreign_keys(true)
                .busy_timeout(PATIENCE)
                .pragma("cache_size", "-32768")
                .pragma("wal_autocheckpoint", "16384")
                .pragma("temp_store", "MEMORY")
        });
        Ok(Self { connection: Database::connect(options).await? })
    }

    /// What a revision wrote that made ports.
    pub async fn written(&self, revision: i64) -> Result<Written> {
        let changes =
            change::Entity::find().filter(change::Column::Revision.eq(revision)).all(&self.connection).await?;
        let mut ports = Vec::with_capacity(changes.len());
        for changes in changes.chunks(most_values(self.connection.get_database_backend())) {
            let ids = changes.iter().map(|change| change.object_id);
            ports.extend(port::Entity::find().filter(port::Column::Id.is_in(ids)).all(&self.connection).await?);
        }
        let batches = batch::Entity::find_by_id(revision).all(&self.connection).await?;
        Ok(Written { ports, changes, batches })
    }

    /// Writes the same once more, into an equal database; how long that took, in seconds.
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

    /// Closes the connection.
    pub async fn close(self) -> Result<()> {
        Ok(self.connection.close().await?)
    }
}

impl Written {
    /// How many objects that are.
    pub fn objects(&self) -> usize {
        self.ports.len()
    }
}

/// How many bound values one statement may have.
fn most_values(backend: DbBackend) -> usize {
    if backend == DbBackend::Sqlite { 32_766 } else { 65_535 }
}

/// Inserts of models, as many rows to a statement as the database takes.
fn inserts<M>(models: &[M], backend: DbBackend) -> Vec<Statement>
where
    M: Clone + ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel>,
    <M::Entity as EntityTrait>::ActiveModel: ActiveModelTrait<Entity = M::Entity> + Send,
{
    let most = most_values(backend) / <M::Entity as EntityTrait>::Column::iter().count();
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

/// How long it takes to make one row last in an SQLite file of its own, in seconds: (p50, p99).
pub async fn durable_insert(scratch: &Path, times: usize) -> Result<(f64, f64)> {
    let file = scratch.join("one-row.db");
    let took = durable_insert_into(&fleets::url(&file), times).await?;
    std::fs::remove_file(&file).map_err(|error| LoadError::Io { what: format!("remove {}", file.display()), error })?;
    Ok(took)
}

/// The same in a database that holds nothing else.
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
