//! A program that runs.

use std::fmt;
use std::process::{ExitStatus, Stdio};

use tokio::process::ChildStdout;
use underlay_kit::line;
use underlay_kit::program::{self, Environment};
use underlay_kit::sync::AdapterError;

/// A program with its arguments, which is run without a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name or path of the program.
    pub program: String,
    /// The arguments that are passed to the program.
    pub arguments: Vec<String>,
    /// The names of the environment variables that are passed to the program, besides PATH and HOME.
    pub pass_env: Vec<String>,
}

// Arguments can be secrets, so messages name only the program.
impl fmt::Display for Program {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&line(&self.program))
    }
}

/// A program that runs. Dropping this ends it, with all that it started.
pub struct Running {
    call: String,
    running: program::Running,
}

impl Running {
    /// Starts a program. Some of what it writes to standard error goes to that of this process.
    pub fn start(program: &Program) -> Result<(Self, ChildStdout), AdapterError> {
        let call = program.to_string();
        let failed = |reason: String| AdapterError::Unusable { call: call.clone(), reason };
        let environment = Environment::Only(program.pass_env.clone());
        let started =
            program::Running::start(&call, (&program.program, &program.arguments), &environment, Stdio::null());
        let mut running = started.map_err(|error| failed(format!("the program cannot be started: {error}")))?;
        let output = running.take_output().ok_or_else(|| failed("the program has no standard output".to_owned()))?;
        Ok((Self { call, running }, output))
    }

    /// Waits for the end of the program.
    pub async fn wait(&mut self) -> Result<ExitStatus, AdapterError> {
        let ended = self.running.wait().await;
        ended.map_err(|error| AdapterError::Unreachable { call: self.call.clone(), reason: error.to_string() })
    }
}
