//! A started server: `Server::start(Database::Sqlite).arg("--demo").await`.

use std::ffi::{OsStr, OsString};
use std::future::{Future, IntoFuture};
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

use tempfile::TempDir;

use super::cli::Cli;
use super::client::Client;
use super::process::{self, Process};
use super::scratch;

/// How long it may take to say that it is ready, and to stop.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where a server keeps its inventory.
#[derive(Clone, Debug)]
pub enum Database {
    /// A file in its data folder.
    Sqlite,
    /// A database of `postgres::create_database`; several servers can share one.
    Postgres(String),
}

/// A server that is about to be started; `await` starts it.
#[must_use = "it starts when awaited"]
pub struct StartServer {
    database: Database,
    data: TempDir,
    port: u16,
    /// Whether it asks who comes. Most tests are about something else.
    asks: bool,
    /// How many files it may have open, where that is less than usual.
    files: Option<u32>,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
}

impl StartServer {
    /// One more argument.
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// One more variable in its environment.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The port that it listens on, also after a restart; by default any that is free.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// It asks who comes, as it does for people.
    pub fn asking(mut self) -> Self {
        self.asks = true;
        self
    }

    /// It may have so many files open.
    pub fn limited_to_files(mut self, files: u32) -> Self {
        self.files = Some(files);
        self
    }

    /// The folder of its data.
    pub fn folder(&self) -> &Path {
        self.data.path()
    }

    fn database_url(&self) -> String {
        match &self.database {
            Database::Sqlite => format!("sqlite://{}", self.folder().join("test.db").display()),
            Database::Postgres(url) => url.clone(),
        }
    }

    /// Starts the process; with its address once it is ready.
    async fn launch(&self) -> (Process, String) {
        let mut command = match self.files {
            Some(files) => process::limited_underlay(files),
            None => process::underlay(),
        };
        let listen = format!("127.0.0.1:{}", self.port);
        command.arg("serve").args(["--listen", &listen]).arg("--data-dir").arg(self.folder());
        command.args(["--database", &self.database_url()]).args(&self.arguments);
        command.env("UNDERLAY_RUN_DIR", self.folder().join("run")).envs(self.variables.clone());
        if !self.asks {
            command.arg("--insecure-no-auth");
        }
        let mut process = Process::start(command, None);

        let line = process::until(PATIENCE, || {
            let said = process.stdout();
            match said.split_once('\n') {
                Some((line, _)) => Some(Ok(line.to_owned())),
                None => process.ended().map(Err),
            }
        });
        let url = match line.await {
            Some(Ok(line)) => address(&line).ok_or_else(|| format!("said {line:?} instead of being ready")),
            Some(Err(status)) => Err(format!("ended before it was ready: {status}")),
            None => Err(format!("was not ready after {} s", PATIENCE.as_secs())),
        };
        match url {
            Ok(url) => (process, url),
            Err(problem) => {
                process.kill();
                // Only for the rest of the output.
                process.ended_within(PATIENCE).await;
                panic!("the server {problem}; its log:\n{}", process.stderr())
            }
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

/// The address in the ready line, without the slash at its end.
fn address(line: &str) -> Option<String> {
    let url = line.strip_prefix("Underlay is ready at ")?.strip_suffix('/')?;
    (url.starts_with("http://") || url.starts_with("https://")).then(|| url.to_owned())
}

/// A server that runs, or did; killed when dropped.
pub struct Server {
    // Before `start`, which may own the data folder: fields are dropped in this order.
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

    /// Its address, without a slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// A client for it.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// A command of the CLI against it.
    pub fn cli<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Cli {
        Cli::new(arguments).server(&self.url)
    }

    /// Which database it is on, to start another server on the same.
    pub fn database(&self) -> &Database {
        &self.start.database
    }

    /// The folder of its data.
    pub fn folder(&self) -> &Path {
        self.start.folder()
    }

    /// The URL of its database, for tests that look at the rows.
    pub fn database_url(&self) -> String {
        self.start.database_url()
    }

    /// What it has logged so far.
    pub fn log(&self) -> String {
        self.process.stderr()
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Asks it to stop, as a service manager does, and sees that it does so in good order.
    pub async fn stop(&mut self) {
        self.process.signal(libc::SIGTERM);
        let Some(status) = self.process.ended_within(PATIENCE).await else {
            panic!("the server did not stop within {} s", PATIENCE.as_secs());
        };
        assert_eq!(process::exit_code(status), Ok(0), "how the server stopped");
        assert_eq!(
            self.process.stdout().lines().count(),
            1,
            "stdout has the ready line only: {}",
            self.process.stdout()
        );
    }

    /// Starts it once more, on the same data, after `kill` or `stop`. Its address is new.
    pub async fn restart(&mut self) {
        assert!(self.process.ended().is_some(), "the server still runs");
        let (process, url) = self.start.launch().await;
        self.process = process;
        self.client = Client::new(&url);
        self.url = url;
    }

    /// Stops it in its tracks, as a long pause would; `thaw` lets it go on.
    pub async fn freeze(&mut self) {
        self.process.freeze().await;
    }

    pub fn thaw(&mut self) {
        self.process.thaw();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- log of the server at {} (process {}):\n{}", self.url, self.pid(), self.log());
        }
    }
}
