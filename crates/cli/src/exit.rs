//! The exit codes of commands.

use std::process::ExitCode;

/// The section about exit codes in `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  success, also if there was nothing to do
  1  rejected, failed, or no such object: nothing was written. Exceptions: apply --per-item, apply of an export and a
     demo of several batches, which print what was written before, and the mutations of a query that succeeded
  2  the arguments or the configuration are wrong
  3  the server cannot be reached or does not answer in time";

/// The section in `diff --help`. As with other programs that compare, 1 means that there is a difference.
pub const EXIT_CODES_OF_DIFF: &str = "\
Exit codes:
  0  nothing would change
  1  something would change
  2  the arguments are wrong
  3  the server cannot be reached or does not answer in time
  4  the manifests cannot be read, or the server rejects them, so they cannot be compared";

/// The section in `cabling --help`. As with `diff`, 1 means that there is a difference.
pub const EXIT_CODES_OF_CHECK: &str = "\
Exit codes:
  0  nothing that is heard differs from what is recorded
  1  something that is heard is not recorded, or is not in the inventory
  2  the arguments are wrong
  3  the server cannot be reached or does not answer in time
  4  there is no such object, or the server refuses, so the cabling cannot be compared";

/// The section in `watch --help`. A watch ends only when it is asked to or cannot continue.
pub const EXIT_CODES_OF_WATCH: &str = "\
Exit codes:
  0  ended by SIGINT (Ctrl+C) or SIGTERM, or its output was closed; with --state the position is saved
  1  rejected, failed, or no such object
  2  the arguments are wrong, or the state file belongs to another filter
  3  the server cannot be reached at the start, and there is no --state
  5  the server cannot resume at the position: it is older than what the server holds, or of another history
  6  CMD cannot be started, or failed as often as --tries allows; the position stays before that event";

/// The section in `doctor --help`.
pub const EXIT_CODES_OF_DOCTOR: &str = "\
Exit codes:
  0  no problem, at most warnings
  1  there is a problem, or something could not be checked
  2  the arguments or the configuration are wrong";

/// The section in the help of commands that work on the database itself.
pub const EXIT_CODES_OF_FILES: &str = "\
Exit codes:
  0  success
  1  rejected or failed: nothing was changed
  2  the arguments or the configuration are wrong";

/// The result of a command, which determines its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The command succeeded.
    Done,
    /// The command was rejected or failed.
    Failed,
    /// There is a difference.
    Different,
    /// The comparison was not possible.
    NotCompared,
    /// The configuration is invalid, or the arguments are, in a way that the argument parser cannot detect.
    Usage,
    /// No server answers.
    Unreachable,
    /// The server no longer holds the position to resume at.
    Compacted,
    /// The command of the user could not be started, or failed.
    CommandFailed,
}

impl Exit {
    /// Returns the result of a command that compares, for which the exit code 1 means a difference.
    pub const fn compared(self) -> Self {
        match self {
            Self::Failed => Self::NotCompared,
            exit => exit,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed | Exit::Different => 1,
            Exit::Usage => 2,
            Exit::Unreachable => 3,
            Exit::NotCompared => 4,
            Exit::Compacted => 5,
            Exit::CommandFailed => 6,
        })
    }
}
