//! How a command ends.

use std::process::ExitCode;

/// What `--help` says of it.
pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0  done; also when there was nothing to do
  1  refused, failed, or there is no such object: nothing was written, except by apply --per-item, by apply of an
     export and by a demo of several batches, which say what was written before, and by the mutations of a query that
     succeeded
  2  the arguments or the configuration are wrong
  3  the server cannot be reached, or does not answer in time";

/// What `diff --help` says of it: as of other programs that compare, 1 means that there is a difference.
pub(super) const EXIT_CODES_OF_DIFF: &str = "\
Exit codes:
  0  nothing would change
  1  something would change
  2  the arguments are wrong
  3  the server cannot be reached, or does not answer in time
  4  the manifests cannot be read, or the server refuses them: there is nothing to compare";

/// What `watch --help` says of it: it ends only when it is told to, or cannot go on.
pub(super) const EXIT_CODES_OF_WATCH: &str = "\
Exit codes:
  0  ended by SIGINT (Ctrl+C) or SIGTERM, or nobody reads its output any more; with --state the place is kept
  1  refused, failed, or there is no such object
  2  the arguments are wrong, or the state file belongs to another filter
  3  the server cannot be reached at the start, and there is no --state
  5  what comes next cannot be told any more: the place is older than what the server holds, or of another history
  6  CMD cannot be started, or failed as often as --tries allows; the place is still before that event";

/// What `doctor --help` says of it.
pub(super) const EXIT_CODES_OF_DOCTOR: &str = "\
Exit codes:
  0  all is well, or there are warnings only
  1  there is a problem, or something could not be looked at
  2  the arguments or the configuration are wrong";

/// What the help of commands says that work on the database itself.
pub(super) const EXIT_CODES_OF_FILES: &str = "\
Exit codes:
  0  done
  1  refused or failed: nothing was changed
  2  the arguments or the configuration are wrong";

/// How a command ended, as its exit code says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// What was asked for is so.
    Done,
    /// It was refused, or failed on the way.
    Failed,
    /// There is a difference.
    Different,
    /// It cannot be said whether there is a difference.
    NotCompared,
    /// The arguments are wrong in a way that the parser of arguments cannot see, or the configuration is.
    Usage,
    /// There is no server that answers.
    Unreachable,
    /// The place to go on from is not held any more.
    Compacted,
    /// A command that was to be run cannot be, or failed.
    CommandFailed,
}

impl Exit {
    /// As a command ends that compares: 1 is taken by a difference.
    pub(super) const fn compared(self) -> Self {
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
