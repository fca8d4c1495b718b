//! Runs programs that people configure, so that nothing of them outlives its use.
//!
//! Guarantees on Linux: a program ends, with all that it started, when it is dropped, when its time is over, and when
//! this process ends, however it ends; a process that moved to a session of its own is no exception (`keeper`). What a
//! program leaves behind when it ends by itself ends too. It is run without a shell, and its environment holds nothing
//! of ours ([`Environment`]). What it writes to standard error is bounded (`complaints`); its readers bound the rest.
//! Other systems have only the process group, which is killed when the program is dropped.

mod complaints;
#[cfg(target_os = "linux")]
mod keeper;

#[cfg(all(test, target_os = "linux"))]
mod tests;

use std::io;
use std::process::{ExitStatus, Stdio};

use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// The variables that every program needs to find other programs and its own files.
const ALWAYS_PASSED: [&str; 2] = ["PATH", "HOME"];
/// The beginning of the names of our own variables. Some hold secrets, such as `UNDERLAY_TOKEN`.
const OURS: &str = "UNDERLAY_";

/// The environment variables of this process that a program gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Environment {
    /// PATH, HOME, and these, as far as they are set.
    Only(Vec<String>),
    /// All but those of Underlay.
    WithoutOurs,
}

impl Environment {
    fn set(&self, command: &mut Command) {
        match self {
            Self::Only(names) => {
                command.env_clear();
                for name in ALWAYS_PASSED.into_iter().chain(names.iter().map(String::as_str)) {
                    command.envs(std::env::var_os(name).map(|value| (name, value)));
                }
            }
            Self::WithoutOurs => {
                let names = std::env::vars_os().map(|(name, _)| name);
                names.filter(|name| name.to_string_lossy().starts_with(OURS)).for_each(|name| {
                    command.env_remove(name);
                });
            }
        }
    }
}

/// A program that runs. Dropping this ends it, with all that it started.
#[derive(Debug)]
pub struct Running {
    child: Child,
    /// The end of a pipe. When it is closed, also because this process was killed, the program is ended.
    #[cfg(target_os = "linux")]
    _life: io::PipeWriter,
}

impl Running {
    /// Starts a program. `name` stands in front of what is said about it.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn start(
        name: &str,
        (program, arguments): (&str, &[String]),
        environment: &Environment,
        input: Stdio,
    ) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        environment.set(&mut command);
        #[cfg(unix)]
        command.process_group(0);
        #[cfg(target_os = "linux")]
        let (_life, watched) = keeper::place_under(&mut command)?;
        let mut child = command.spawn()?;
        // The keeper has its own copy.
        #[cfg(target_os = "linux")]
        drop(watched);
        if let Some(complaints) = child.stderr.take() {
            tokio::spawn(complaints::pass_on(name.to_owned(), complaints));
        }
        Ok(Self {
            child,
            #[cfg(target_os = "linux")]
            _life,
        })
    }

    /// Returns the standard input of the program, if it has one that nobody took.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Returns the standard output of the program, if nobody took it.
    pub fn take_output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Waits for the end of the program, and of all that it started.
    ///
    /// # Errors
    /// Returns an error if the system does not say how the program ended.
    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
impl Drop for Running {
    fn drop(&mut self) {
        let Some(id) = self.child.id().and_then(|id| i32::try_from(id).ok()) else { return };
        // SAFETY: a plain system call. It fails only if no process of the group is left.
        unsafe { libc::kill(-id, libc::SIGKILL) };
    }
}
