//! Runs the program as a command: `server.cli(["apply", "-f", "-"]).stdin(manifest).await`.

use std::ffi::OsStr;
use std::future::{Future, IntoFuture};
use std::path::Path;
use std::pin::Pin;
use std::process::Command;
use std::time::Duration;

use super::process::{self, Process};

/// The time limit of a command; even the largest batch takes less.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(120);

/// A command that is about to run; `await` runs it.
#[must_use = "it runs when awaited"]
pub struct Cli {
    command: Command,
    stdin: Option<Vec<u8>>,
    patience: Duration,
}

/// The result of a command.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Cli {
    pub fn new<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Self {
        Self::with(process::underlay(), arguments)
    }

    /// Describes another program that runs the program under test, such as a shell that limits it.
    pub fn within<A: AsRef<OsStr>>(program: &str, arguments: impl IntoIterator<Item = A>) -> Self {
        Self::with(process::without_variables(Command::new(program)), arguments)
    }

    fn with<A: AsRef<OsStr>>(mut command: Command, arguments: impl IntoIterator<Item = A>) -> Self {
        // No server listens at this address. With the default address, a command could find the developer's own server.
        command.args(arguments).env("UNDERLAY_SERVER", "http://127.0.0.1:1");
        // The developer's own contexts must not be used either.
        command.env("UNDERLAY_CONFIG", "/nowhere/contexts.toml");
        Self { command, stdin: None, patience: COMMAND_TIMEOUT }
    }

    /// Sets the server to talk to.
    pub fn server(self, url: &str) -> Self {
        self.env("UNDERLAY_SERVER", url)
    }

    /// Sets no server, so that the command finds one by its contexts, which are in a file.
    pub fn contexts(mut self, file: impl AsRef<Path>) -> Self {
        self.command.env_remove("UNDERLAY_SERVER").env("UNDERLAY_CONFIG", file.as_ref());
        self
    }

    /// Sets the standard input; it is empty by default.
    pub fn stdin(mut self, text: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(text.into());
        self
    }

    /// Sets the time limit, for the few commands that take minutes.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Starts the command, so that the test can observe it while it runs.
    pub fn start(self) -> Process {
        Process::start(self.command, self.stdin)
    }

    /// Sets the working directory.
    pub fn current_dir(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(folder);
        self
    }
}

impl IntoFuture for Cli {
    type Output = Outcome;
    type IntoFuture = Pin<Box<dyn Future<Output = Outcome> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let shown = format!("{:?}", self.command);
            let mut process = Process::start(self.command, self.stdin);
            let ended = process.ended_within(self.patience).await;
            let (stdout, stderr) = (process.stdout(), process.stderr());
            let code = match ended {
                Some(status) => process::exit_code(status),
                None => Err(format!("did not end within {} s", self.patience.as_secs())),
            };
            match code {
                Ok(code) => Outcome { code, stdout, stderr },
                Err(problem) => panic!("{shown} {problem}\nstdout:\n{stdout}\nstderr:\n{stderr}"),
            }
        })
    }
}
