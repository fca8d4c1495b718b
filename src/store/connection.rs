//! Connections: some for the writer, some for the follower, some for everybody else, so that none waits for another;
//! all with time-outs.

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
use super::error::StoreError;
use super::migrate;
use super::private;
use super::sqlite;
use super::trouble::Writes;

/// How long a statement may take, and how long it may wait for a lock, in seconds.
const STATEMENT_SECONDS: u64 = 30;
/// How long a transaction of the writer may sit idle before the server ends it: others wait for its revision.
const IDLE_IN_TRANSACTION_SECONDS: u64 = 10;
/// How long anybody waits for a connection, in seconds.
const CONNECTION_SECONDS: u64 = 5;
/// How long the writer waits for one: whoever writes learns soon that the database is away.
const WRITER_CONNECTION_SECONDS: u64 = 2;
/// The oldest PostgreSQL that is supported, as `server_version_num` says it.
const OLDEST_POSTGRES: i32 = 140_000;

/// The database: SQLite in a file, or PostgreSQL shared with other processes.
#[derive(Clone, Debug)]
pub struct Store {
    pub(super) reader: DatabaseConnection,
    pub(super) follower: DatabaseConnection,
    pub(super) writer: DatabaseConnection,
    /// Who reads the log page after page takes turns.
    pub(super) pages: Arc<Semaphore>,
    /// Told of every commit.
    pub(super) written: Arc<Notify>,
    /// How many statements were run.
    pub(super) statements: Arc<AtomicU64>,
    /// What this process calls itself before the others that share the database.
    pub(super) process: Uuid,
    /// The database's clock.
    pub(super) clock: Clock,
    /// Whether the last attempt to write failed, and why.
    pub(super) writes: Arc<Writes>,
    /// The file of an SQLite database.
    pub(super) file: Option<PathBuf>,
}

/// Where the database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// An SQLite file.
    pub fn file(path: &Path) -> Self {
        Self(file_url(path))
    }

    /// The URL as it was written. A password may be in it.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Whether several processes may serve it.
    pub fn is_shared(&self) -> bool {
        self.backend() == DbBackend::Postgres
    }

    fn backend(&self) -> DbBackend {
        if self.0.starts_with("sqlite:") { DbBackend::Sqlite } else { DbBackend::Postgres }
    }
}

/// The URL of an SQLite file.
pub fn file_url(path: &Path) -> String {
    // What has a meaning in a URL is part of a name in a path.
    let path = path.display().to_string().replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    format!("sqlite://{path}")
}

impl FromStr for DatabaseUrl {
    type Err = StoreError;

    fn from_str(url: &str) -> Result<Self, StoreError> {
        let known = ["sqlite:", "postgres:", "postgresql:"].iter().any(|scheme| url.starts_with(scheme));
        match known {
            true => Ok(Self(url.to_owned())),
            // The URL may hold a password: only its scheme is shown.
            false => Err(StoreError::Url { url: format!("{}:…", url.split(':').next().unwrap_or_default()) }),
        }
    }
}

/// For how long a statement of who only looks may take: it may be about everything that there is.
const LOOK_TIMEOUT: &str = "15min";

impl Store {
    /// Connects to a database that is there, to look at it as it is: nothing is made, brought up to date or written.
    pub async fn open_to_look(url: &DatabaseUrl) -> Result<Self, StoreError> {
        Self::look(look_options(url), url.sqlite_file()?).await
    }

    /// The same for an SQLite file that nobody else has open, such as a copy: no other file is looked for beside it.
    pub async fn open_alone(file: &Path) -> Result<Self, StoreError> {
        let mut options = look_options(&DatabaseUrl::file(file));
        options.map_sqlx_sqlite_opts(|sqlite| sqlite.immutable(true));
        Self::look(options, Some(file.to_owned())).await
    }

    async fn look(options: ConnectOptions, file: Option<PathBuf>) -> Result<Self, StoreError> {
        let connection = Database::connect(options).await?;
        let clock = Clock::default();
        clock.read(&connection).await?;
        Ok(Self {
            clock,
            reader: connection.clone(),
            follower: connection.clone(),
            writer: connection,
            pages: Arc::new(Semaphore::new(PAGES)),
            written: Arc::default(),
            statements: Arc::default(),
            process: Uuid::new_v4(),
            writes: Arc::default(),
            file,
        })
    }

    /// Connects, checks the version of the server, and brings the tables up to date.
    pub async fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let file = url.sqlite_file()?;
        if let Some(file) = &file {
            // SQLite would let everybody read it, and gives the files beside it the same permissions.
            private::make_file(file)?;
        }
        let setup = Database::connect(setup_options(url)).await?;
        check_version(&setup).await?;
        migrate::up(&setup).await?;
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
        let (writer, follower) = (connect(writer_options(url)).await?, connect(options(url, LOADERS)).await?);
        let reader = connect(options(url, READERS)).await?;
        let pages = Arc::new(Semaphore::new(PAGES));
        let process = Uuid::new_v4();
        let clock = Clock::default();
        clock.read(&follower).await?;
        let (written, writes) = (Arc::default(), Arc::default());
        Ok(Self { reader, follower, writer, pages, written, statements, process, clock, writes, file })
    }

    /// How many statements have been run since the start.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// Which database it is.
    pub fn backend(&self) -> DbBackend {
        self.writer.get_database_backend()
    }

    /// Whether other processes may write to it too.
    pub fn is_shared(&self) -> bool {
        self.backend() == DbBackend::Postgres
    }

    /// Closes all connections.
    pub async fn close(self) -> Result<(), StoreError> {
        self.reader.close().await?;
        self.follower.close().await?;
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

/// How many connections everybody else has, and how many of them those may take who read the log page after page.
const READERS: u32 = 4;
const PAGES: usize = 2;

/// How many connections followers have: loading takes two, and it may happen in two places at once.
const LOADERS: u32 = 4;

/// How many rows SQLite reads ahead of who takes them: with the usual 50 its thread and ours wait for each other more
/// than they work.
const ROWS_AHEAD: usize = 256;

/// How much of an SQLite file its writer keeps in memory, as a negative number of KiB: all pages that a large batch
/// touches. With the usual 2 MiB they would be written and read again several times within it.
const WRITER_CACHE: &str = "-32768";
/// The length of SQLite's log, in pages of 4 KiB, from which on the writer moves it into the file itself, when it has
/// become so long before [`super::checkpoint`] could do it.
const LONGEST_LOG: &str = "16384";

fn new_options(url: &DatabaseUrl) -> ConnectOptions {
    if url.backend() == DbBackend::Sqlite {
        sqlite::prepare();
    }
    ConnectOptions::new(url.0.clone())
}

/// At most so many connections, whatever they are for.
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
        .row_buffer_size(ROWS_AHEAD)
}

/// Connections of who writes. SQLite has one writer anyway. With PostgreSQL a connection that a dead network holds on to
/// must not be the last one; the sequencer uses one at a time.
fn writer_options(url: &DatabaseUrl) -> ConnectOptions {
    let mut options = options(url, if url.backend() == DbBackend::Sqlite { 1 } else { 3 });
    options.acquire_timeout(Duration::from_secs(WRITER_CONNECTION_SECONDS));
    options.map_sqlx_sqlite_opts(|sqlite| {
        sqlite_options(sqlite)
            .pragma("cache_size", WRITER_CACHE)
            .pragma("wal_autocheckpoint", LONGEST_LOG)
            // What statements change is kept as it was, for the case that they fail: not in a file.
            .pragma("temp_store", "MEMORY")
    });
    options
}

/// Connections that bring the tables up to date: on PostgreSQL without the time-outs, because a migration takes as
/// long as it takes, and who waits for it must not give up, nor lose its lock for sitting idle.
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

/// Connections that only read. What has to do with writing is left as it is found.
fn look_options(url: &DatabaseUrl) -> ConnectOptions {
    let mut options = connections(url, LOADERS);
    match url.backend() {
        DbBackend::Sqlite => options.map_sqlx_sqlite_opts(|sqlite| {
            sqlite
                .create_if_missing(false)
                .read_only(true)
                .busy_timeout(Duration::from_secs(STATEMENT_SECONDS))
                .row_buffer_size(ROWS_AHEAD)
        }),
        _ => options.map_sqlx_postgres_opts(|postgres| {
            postgres.options([("default_transaction_read_only", "on"), ("statement_timeout", LOOK_TIMEOUT)])
        }),
    };
    options
}

/// A connection to an SQLite file that is there, which does nothing to it by itself.
pub(super) fn settle_options(url: &DatabaseUrl) -> ConnectOptions {
    let mut options = new_options(url);
    options.max_connections(1).min_connections(1).sqlx_logging(false).map_sqlx_sqlite_opts(|sqlite| {
        sqlite.create_if_missing(false).busy_timeout(Duration::from_secs(STATEMENT_SECONDS))
    });
    options
}
