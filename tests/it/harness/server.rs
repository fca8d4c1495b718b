//! Starts a server: `Server::start(Database::Sqlite).arg("--demo").await`.

use std::ffi::{OsStr, OsString};
use std::future::{Future, IntoFuture};
use std::path::Path;
use std::pin::Pin;

use tempfile::TempDir;
use underlay_testing::{Process, exit_code, scratch, until_seen};

use super::cli::Cli;
use super::client::Client;
use super::program;

/// The number of starts until the port is free. One that is kept can be in use for a moment by a connection of another
/// program.
const MAX_LAUNCHES: usize = 500;

/// The database of a server.
#[derive(Clone, Debug)]
pub enum Database {
    /// A file in the data directory.
    Sqlite,
    /// A database of `postgres::create_database`; several servers can share one.
    Postgres(String),
}

/// A server that is about to start; `await` starts it.
#[must_use = "it starts when awaited"]
pub struct StartServer {
    database: Database,
    data: TempDir,
    /// The port to listen on: 0 for any free one, until `keep_port`.
    port: u16,
    /// True if the server authenticates requests. Most tests are about something else.
    asks: bool,
    /// The limit of open files, if it is lower than usual.
    files: Option<u32>,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
}

impl StartServer {
    /// Adds an argument.
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Turns authentication on, as it is for users.
    pub fn asking(mut self) -> Self {
        self.asks = true;
        self
    }

    /// Sets the limit of open files.
    pub fn limited_to_files(mut self, files: u32) -> Self {
        self.files = Some(files);
        self
    }

    /// Returns the data directory.
    pub fn folder(&self) -> &Path {
        self.data.path()
    }

    fn database_url(&self) -> String {
        match &self.database {
            Database::Sqlite => format!("sqlite://{}", self.folder().join("test.db").display()),
            Database::Postgres(url) => url.clone(),
        }
    }

    /// Starts the process. Returns it with its address once it is ready.
    async fn launch(&self) -> (Process, String) {
        for _ in 0..MAX_LAUNCHES {
            if let Some(launched) = self.try_launch().await {
                return launched;
            }
        }
        panic!("port {} is never free", self.port)
    }

    /// Returns `None` if the port is in use.
    async fn try_launch(&self) -> Option<(Process, String)> {
        let mut command = match self.files {
            Some(files) => program::limited_underlay(files),
            None => program::underlay(),
        };
        let listen = format!("127.0.0.1:{}", self.port);
        command.arg("serve").args(["--listen", &listen]).arg("--data-dir").arg(self.folder());
        command.args(["--database", &self.database_url()]).args(&self.arguments);
        command.env("UNDERLAY_RUN_DIR", self.folder().join("run"));
        // Nothing is written to the home directory of the developer.
        command.env("UNDERLAY_HOSTS_STATE_DIR", self.folder().join("hosts")).envs(self.variables.clone());
        if !self.asks {
            command.arg("--insecure-no-auth");
        }
        let mut process = Process::start(command, None);

        let line = until_seen("the server is ready", || {
            let printed = process.stdout();
            match printed.split_once('\n') {
                Some((line, _)) => Some(Ok(line.to_owned())),
                None => process.ended().map(Err),
            }
        });
        let url = match line.await {
            Ok(line) => address(&line).ok_or_else(|| format!("printed {line:?} instead of being ready")),
            Err(status) => Err(format!("ended before it was ready: {status}")),
        };
        match url {
            Ok(url) => Some((process, url)),
            Err(_) if self.port != 0 && process.stderr().contains("cannot listen on") => None,
            // The process prints its log when it is dropped.
            Err(problem) => panic!("the server {problem}"),
        }
    }
}

impl IntoFuture for StartServer {
    type Output = Server;
    type IntoFuture = Pin<Box<dyn Future<Output = Server> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (process, url) = self.launch().await;
            Server { process, client: Client::new(&url), url, start: self }
        })
    }
}

/// Returns the address in the ready line, without the slash at its end.
fn address(line: &str) -> Option<String> {
    let url = line.strip_prefix("Underlay is ready at ")?.strip_suffix('/')?;
    (url.starts_with("http://") || url.starts_with("https://")).then(|| url.to_owned())
}

/// A server that runs or has run; killed when dropped.
pub struct Server {
    // This field must precede `start`, which can own the data directory, because fields are dropped in this order.
    process: Process,
    url: String,
    client: Client,
    start: StartServer,
}

impl Server {
    /// Describes a server with an inventory in `database`; `await` starts it.
    pub fn start(database: Database) -> StartServer {
        StartServer {
            database,
            data: scratch::folder("server"),
            port: 0,
            asks: false,
            files: None,
            arguments: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// Returns the address, without a slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Returns a client of the server.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// Returns a command of the command line for the server.
    pub fn cli<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Cli {
        Cli::new(arguments).server(&self.url)
    }

    /// Returns the database of the server, to start another server on it.
    pub fn database(&self) -> &Database {
        &self.start.database
    }

    /// Returns the data directory.
    pub fn folder(&self) -> &Path {
        self.start.folder()
    }

    /// Returns the URL of the database, for tests that look at the rows.
    pub fn database_url(&self) -> String {
        self.start.database_url()
    }

    /// Returns the log so far.
    pub fn log(&self) -> String {
        self.process.stderr()
    }

    /// Kills the server, like `kill -9`.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Asks the server to stop, as a service manager does, and checks that it stops without an error.
    pub async fn stop(&mut self) {
        self.process.signal(libc::SIGTERM);
        let status = self.process.end().await;
        assert_eq!(exit_code(status), Ok(0), "how the server stopped");
        assert_eq!(
            self.process.stdout().lines().count(),
            1,
            "stdout has the ready line only: {}",
            self.process.stdout()
        );
    }

    /// Starts the server again on the same data, after `kill` or `stop`. It has a new address.
    pub async fn restart(&mut self) {
        assert!(self.process.ended().is_some(), "the server still runs");
        let (process, url) = self.start.launch().await;
        self.process = process;
        self.client = Client::new(&url);
        self.url = url;
    }

    /// Keeps the port over restarts, so that clients find the server again.
    pub fn keep_port(&mut self) {
        let port = self.url.rsplit(':').next().and_then(|port| port.parse().ok());
        self.start.port = port.expect("an address with a port");
    }

    /// Stops the process, as a long pause would; `thaw` continues it.
    pub async fn freeze(&mut self) {
        self.process.freeze().await;
    }

    pub fn thaw(&mut self) {
        self.process.thaw();
    }
}
