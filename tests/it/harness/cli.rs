//! Runs the program as a command: `server.cli(["apply", "-f", "-"]).stdin(manifest).await`.

use std::ffi::OsStr;
use std::future::{Future, IntoFuture};
use std::path::Path;
use std::pin::Pin;
use std::process::Command;

use underlay_testing::process::without_variables;
use underlay_testing::{Process, exit_code};

use super::program;

/// A command that is about to run; `await` runs it.
#[must_use = "it runs when awaited"]
pub struct Cli {
    command: Command,
    stdin: Option<Vec<u8>>,
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
        Self::with(program::underlay(), arguments)
    }

    /// Describes another program that runs the program under test, such as a shell that limits it.
    pub fn within<A: AsRef<OsStr>>(program: &str, arguments: impl IntoIterator<Item = A>) -> Self {
        Self::with(without_variables(Command::new(program)), arguments)
    }

    fn with<A: AsRef<OsStr>>(mut command: Command, arguments: impl IntoIterator<Item = A>) -> Self {
        // No server listens at this address. With the default address, a command could find the developer's own server.
        command.args(arguments).env("UNDERLAY_SERVER", "http://127.0.0.1:1");
        // The developer's own contexts must not be used either.
        command.env("UNDERLAY_CONFIG", "/nowhere/contexts.toml");
        Self { command, stdin: None }
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
            let status = process.end().await;
            match exit_code(status) {
                Ok(code) => Outcome { code, stdout: process.stdout(), stderr: process.stderr() },
                // The process prints its output when it is dropped.
                Err(problem) => panic!("{shown} {problem}"),
            }
        })
    }
}
