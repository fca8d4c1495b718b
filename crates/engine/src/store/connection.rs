//! Opens the connections to the database: separate pools for the writer, the replication and all other readers, so that
//! they do not wait for each other. All connections have time-outs, except those that migrate PostgreSQL.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use tokio::sync::{Notify, Semaphore};
use uuid::Uuid;

use super::clock::Clock;
use super::database_file::DatabaseFile;
use super::error::StoreError;
use super::migrate;
use super::private;
use super::sqlite;
use super::table::Tables;
use super::trouble::Writes;
use crate::access::CallerKey;
use crate::runtime::FairSemaphore;

/// The longest time that a statement may run, and that it may wait for a lock, in seconds.
const STATEMENT_SECONDS: u64 = 30;
/// The longest time that a transaction of the writer may be idle, in seconds. Then the server ends it, because others
/// wait for its revision.
const IDLE_IN_TRANSACTION_SECONDS: u64 = 10;
/// The longest wait for a connection, in seconds.
const CONNECTION_SECONDS: u64 = 5;
/// The longest wait of the writer for a connection of PostgreSQL, in seconds. It is short, so that clients learn soon
/// that the database is away.
const WRITER_CONNECTION_SECONDS: u64 = 2;
/// The oldest supported PostgreSQL, in the form of `server_version_num`.
const OLDEST_POSTGRES: i32 = 140_000;

/// The database: SQLite in a file, or PostgreSQL that is shared with other processes.
#[derive(Clone, Debug)]
pub struct Store {
    pub(super) reader: DatabaseConnection,
    pub(super) replication: DatabaseConnection,
    pub(super) writer: DatabaseConnection,
    /// Limits the number of readers that page through the log at the same time.
    pub(super) pages: Arc<Semaphore>,
    /// The permits of callers to read.
    pub(super) read_permits: FairSemaphore<CallerKey>,
    /// The caller for whom is read, if there is one.
    pub(super) caller: Option<CallerKey>,
    /// Notified after every commit.
    pub(super) written: Arc<Notify>,
    /// The number of statements that were run.
    pub(super) statements: Arc<AtomicU64>,
    /// The id of this process, which identifies it to the others that share the database.
    pub(super) process: Uuid,
    /// The tables of all kinds.
    pub(super) tables: Tables,
    /// The clock of the database.
    pub(super) clock: Clock,
    /// The result of the last attempt to write.
    pub(super) writes: Arc<Writes>,
    /// The file of an SQLite database; `None` for other databases.
    pub(super) file: Option<DatabaseFile>,
}

/// The address of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// Creates the URL of an SQLite file.
    pub fn file(path: &Path) -> Self {
        Self(file_url(path))
    }

    /// Returns the URL as it was written. It may contain a password.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Returns true if several processes may serve the database.
    pub fn is_shared(&self) -> bool {
        self.backend() == DbBackend::Postgres
    }

    fn backend(&self) -> DbBackend {
        if self.0.starts_with("sqlite:") { DbBackend::Sqlite } else { DbBackend::Postgres }
    }
}

/// Returns the URL of an SQLite file.
pub fn file_url(path: &Path) -> String {
    // These characters have a special meaning in a URL, but not in a path.
    let path = path.display().to_string().replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    format!("sqlite://{path}")
}

impl FromStr for DatabaseUrl {
    type Err = StoreError;

    fn from_str(url: &str) -> Result<Self, StoreError> {
        let known = ["sqlite:", "postgres:", "postgresql:"].iter().any(|scheme| url.starts_with(scheme));
        match known {
            true => Ok(Self(url.to_owned())),
            // The URL may contain a password, so the error shows only its scheme.
            false => Err(StoreError::Url { url: format!("{}:…", url.split(':').next().unwrap_or_default()) }),
        }
    }
}

/// The content of a database, which decides its tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// An inventory.
    Inventory,
    /// The facts of hosts alone, in a file beside the inventory.
    Facts,
}

/// The statement time-out of a connection that only inspects the database. Such a statement may read everything.
const LOOK_TIMEOUT: &str = "15min";

impl Store {
    /// Connects to an existing database to inspect it. Nothing is created, migrated or written.
    pub async fn open_to_look(url: &DatabaseUrl, tables: Tables) -> Result<Self, StoreError> {
        Self::look(look_options(url), url.sqlite_file()?, tables).await
    }

    /// Does the same for an SQLite file that no other process has open, such as a copy. SQLite ignores other files
    /// beside it.
    pub async fn open_alone(file: &Path, tables: Tables) -> Result<Self, StoreError> {
        let mut options = look_options(&DatabaseUrl::file(file));
        options.map_sqlx_sqlite_opts(|sqlite| sqlite.immutable(true));
        Self::look(options, Some(file.to_owned()), tables).await
    }

    async fn look(options: ConnectOptions, file: Option<PathBuf>, tables: Tables) -> Result<Self, StoreError> {
        let connection = Database::connect(options).await?;
        let clock = Clock::default();
        clock.read(&connection).await?;
        Ok(Self {
            clock,
            reader: connection.clone(),
            replication: connection.clone(),
            writer: connection,
            pages: Arc::new(Semaphore::new(PAGING_CONNECTIONS)),
            read_permits: FairSemaphore::new(CALLER_CONNECTIONS),
            caller: None,
            written: Arc::default(),
            statements: Arc::default(),
            process: Uuid::new_v4(),
            writes: Arc::default(),
            file: file.map(DatabaseFile::at),
            tables,
        })
    }

    /// Connects, checks the version of the database server, and runs the missing migrations.
    pub async fn open(url: &DatabaseUrl, tables: Tables) -> Result<Self, StoreError> {
        Self::open_content(url, tables, Content::Inventory).await
    }

    /// Does the same for a database with this content.
    pub(super) async fn open_content(url: &DatabaseUrl, tables: Tables, content: Content) -> Result<Self, StoreError> {
        let file = url.sqlite_file()?;
        if let Some(file) = &file {
            // By default, SQLite would make the file readable for all users. The files beside it get the same
            // permissions as the file.
            private::make_file(file)?;
        }
        let setup = Database::connect(setup_options(url)).await?;
        check_version(&setup).await?;
        match content {
            Content::Inventory => migrate::up(&setup).await?,
            Content::Facts => migrate::up_facts(&setup).await?,
        }
        setup.close().await?;
        let statements = Arc::new(AtomicU64::new(0));
        let connect = async |options| {
            let mut connection = Database::connect(options).await?;
            let statements = Arc::clone(&statements);
            connection.set_metric_callback(move |_| {
                statements.fetch_add(1, Ordering::Relaxed);
            });
            Ok::<_, StoreError>(connection)
        };
        let (writer, replication) =
            (connect(writer_options(url)).await?, connect(options(url, LOADER_CONNECTIONS)).await?);
        let reader = connect(options(url, READER_CONNECTIONS)).await?;
        let pages = Arc::new(Semaphore::new(PAGING_CONNECTIONS));
        let process = Uuid::new_v4();
        let clock = Clock::default();
        clock.read(&replication).await?;
        let (written, writes) = (Arc::default(), Arc::default());
        let (read_permits, caller) = (FairSemaphore::new(CALLER_CONNECTIONS), None);
        Ok(Self {
            reader,
            replication,
            writer,
            pages,
            read_permits,
            caller,
            written,
            statements,
            process,
            clock,
            writes,
            file: file.map(DatabaseFile::at),
            tables,
        })
    }

    /// Returns the number of statements that were run since the start.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// Returns the type of the database.
    pub fn backend(&self) -> DbBackend {
        self.writer.get_database_backend()
    }

    /// Returns true if other processes may write to the database too.
    pub fn is_shared(&self) -> bool {
        self.backend() == DbBackend::Postgres
    }

    /// Closes the connections of all pools.
    pub async fn close(self) -> Result<(), StoreError> {
        self.reader.close().await?;
        self.replication.close().await?;
        self.writer.close().await?;
        Ok(())
    }
}

pub(super) async fn check_version(setup: &DatabaseConnection) -> Result<(), StoreError> {
    if setup.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    let ask = "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name";
    let row = setup.query_one_raw(Statement::from_string(DbBackend::Postgres, ask)).await?;
    let (number, name): (i32, String) = match row {
        Some(row) => (row.try_get("", "number")?, row.try_get("", "name")?),
        None => (0, "of unknown version".to_owned()),
    };
    if number < OLDEST_POSTGRES { Err(StoreError::TooOld { found: name }) } else { Ok(()) }
}

/// The number of connections that the statements of callers may use, and one caller half of them.
pub(super) const CALLER_CONNECTIONS: usize = 4;
/// The number of connections that readers which page through the log may use.
const PAGING_CONNECTIONS: usize = 2;
/// The number of reader connections: enough that nobody who has a turn waits for one.
const READER_CONNECTIONS: u32 = (CALLER_CONNECTIONS + PAGING_CONNECTIONS) as u32;

/// The number of connections for replication. Loading takes two, and it may happen twice at once.
const LOADER_CONNECTIONS: u32 = 4;

/// The number of rows that SQLite prefetches for the reader. With the default of 50, SQLite's thread and ours wait for
/// each other more than they work.
const PREFETCHED_ROWS: usize = 256;

/// The page cache of the SQLite writer, as a negative number of KiB. It holds all pages that a large batch touches.
/// With the default of 2 MiB, pages would be written and read again several times within the batch.
const WRITER_CACHE: &str = "-32768";
/// The length of SQLite's log, in pages of 4 KiB, at which the writer itself runs a checkpoint, because
/// [`super::checkpoint`] could not do it before.
const MAX_LOG_PAGES: &str = "16384";

fn new_options(url: &DatabaseUrl) -> ConnectOptions {
    if url.backend() == DbBackend::Sqlite {
        sqlite::prepare();
    }
    ConnectOptions::new(url.0.clone())
}

/// Returns options for at most this number of connections, for any purpose.
fn connections(url: &DatabaseUrl, most: u32) -> ConnectOptions {
    let mut options = new_options(url);
    options
        .max_connections(most)
        .min_connections(1)
        .acquire_timeout(Duration::from_secs(CONNECTION_SECONDS))
        .sqlx_logging(false);
    options
}

fn options(url: &DatabaseUrl, most: u32) -> ConnectOptions {
    let mut options = connections(url, most);
    match url.backend() {
        DbBackend::Sqlite => options.map_sqlx_sqlite_opts(sqlite_options),
        _ => options.map_sqlx_postgres_opts(|postgres| {
            postgres.options([
                ("statement_timeout", format!("{STATEMENT_SECONDS}s")),
                ("lock_timeout", format!("{STATEMENT_SECONDS}s")),
                ("idle_in_transaction_session_timeout", format!("{IDLE_IN_TRANSACTION_SECONDS}s")),
            ])
        }),
    };
    options
}

fn sqlite_options(sqlite: SqliteConnectOptions) -> SqliteConnectOptions {
    sqlite
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(STATEMENT_SECONDS))
        .row_buffer_size(PREFETCHED_ROWS)
}

/// Returns options for the writer. SQLite has only one writer. With PostgreSQL, a connection that hangs in a dead
/// network must not be the last one; the sequencer uses one at a time.
fn writer_options(url: &DatabaseUrl) -> ConnectOptions {
    // The only connection of SQLite may be in use for as long as a statement may take, on a disk that is slow.
    let (most, seconds) = match url.backend() {
        DbBackend::Sqlite => (1, STATEMENT_SECONDS),
        _ => (3, WRITER_CONNECTION_SECONDS),
    };
    let mut options = options(url, most);
    options.acquire_timeout(Duration::from_secs(seconds));
    if url.backend() == DbBackend::Sqlite {
        // It stays open, because SQLite deletes its log with the last connection, and each commit compares the log with the
        // one that was opened first.
        options.idle_timeout(None).max_lifetime(None);
    }
    options.map_sqlx_sqlite_opts(|sqlite| {
        sqlite_options(sqlite)
            .pragma("cache_size", WRITER_CACHE)
            .pragma("wal_autocheckpoint", MAX_LOG_PAGES)
            // Statement journals, which restore the old content if a statement fails, are kept in memory and not in a
            // file.
            .pragma("temp_store", "MEMORY")
    });
    options
}

/// Returns options for migrations. On PostgreSQL they have no time-outs, because a migration can take any time. A
/// process that waits for the migration must not give up, and must not lose its lock because it is idle.
fn setup_options(url: &DatabaseUrl) -> ConnectOptions {
    let mut setup = options(url, if url.backend() == DbBackend::Sqlite { 1 } else { 2 });
    if url.backend() != DbBackend::Sqlite {
        setup.map_sqlx_postgres_opts(|postgres| {
            postgres.options([
                ("statement_timeout", "0"),
                ("lock_timeout", "0"),
                ("idle_in_transaction_session_timeout", "0"),
            ])
        });
    }
    setup
}

/// Returns options for connections that only read. Settings that concern writing stay as they are.
fn look_options(url: &DatabaseUrl) -> ConnectOptions {
    let mut options = connections(url, LOADER_CONNECTIONS);
    match url.backend() {
        DbBackend::Sqlite => options.map_sqlx_sqlite_opts(|sqlite| {
            sqlite
                .create_if_missing(false)
                .read_only(true)
                .busy_timeout(Duration::from_secs(STATEMENT_SECONDS))
                .row_buffer_size(PREFETCHED_ROWS)
        }),
        _ => options.map_sqlx_postgres_opts(|postgres| {
            postgres.options([("default_transaction_read_only", "on"), ("statement_timeout", LOOK_TIMEOUT)])
        }),
    };
    options
}

/// Returns options for a connection to an existing SQLite file, which changes nothing by itself.
pub(super) fn settle_options(url: &DatabaseUrl) -> ConnectOptions {
    let mut options = new_options(url);
    options.max_connections(1).min_connections(1).sqlx_logging(false).map_sqlx_sqlite_opts(|sqlite| {
        sqlite.create_if_missing(false).busy_timeout(Duration::from_secs(STATEMENT_SECONDS))
    });
    options
}
