//! How a command ends.

use std::process::ExitCode;

/// What `--help` says of it.
pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0  done; also when there was nothing to do
  1  refused, failed, or there is no such object: nothing was written, except by apply --per-item, by a demo of
     several batches, and by the mutations of a query that succeeded
  2  the arguments or the configuration are wrong
  3  the server cannot be reached, or does not answer in time";

/// How a command ended, as its exit code says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// What was asked for is so.
    Done,
    /// It was refused, or failed on the way.
    Failed,
    /// The arguments are wrong in a way that the parser of arguments cannot see, or the configuration is.
    Usage,
    /// There is no server that answers.
    Unreachable,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Unreachable => 3,
        })
    }
}
