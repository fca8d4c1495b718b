//! A program that runs.

use std::fmt;
use std::process::{ExitStatus, Stdio};

use tokio::process::{Child, ChildStdout, Command};
use underlay_kit::line;
use underlay_kit::sync::AdapterError;

/// A program with its arguments, which is run without a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name or path of the program.
    pub program: String,
    /// The arguments that are passed to the program.
    pub arguments: Vec<String>,
}

// Arguments can be secrets, so messages name only the program.
impl fmt::Display for Program {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&line(&self.program))
    }
}

/// A program that runs in a process group of its own. Dropping this kills the group.
pub struct Running {
    call: String,
    child: Child,
}

impl Running {
    /// Starts a program. What it writes to standard error goes to that of this process.
    pub fn start(program: &Program) -> Result<(Self, ChildStdout), AdapterError> {
        let call = program.to_string();
        let failed = |reason: String| AdapterError::Unusable { call: call.clone(), reason };
        let mut command = Command::new(&program.program);
        command.args(&program.arguments).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| failed(format!("the program cannot be started: {error}")))?;
        let output = child.stdout.take().ok_or_else(|| failed("the program has no standard output".to_owned()))?;
        Ok((Self { call, child }, output))
    }

    /// Waits for the end of the program.
    pub async fn wait(&mut self) -> Result<ExitStatus, AdapterError> {
        let ended = self.child.wait().await;
        ended.map_err(|error| AdapterError::Unreachable { call: self.call.clone(), reason: error.to_string() })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            let id = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
            if let Some(id) = id {
                // The call fails only if no process of the group is left.
                let _ = kill_process_group(id, Signal::KILL);
            }
        }
    }
}
