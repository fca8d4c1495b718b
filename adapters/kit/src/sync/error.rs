//! The reasons why a source cannot be read, and why a run fails.

use thiserror::Error;
use underlay_client::ClientError;

use super::messages::RunState;
use super::state::StateError;

/// The reason why a scan or a look failed. A single thing that cannot be mapped is not an error of this kind; it is
/// reported by [`super::Sink::bad`].
///
/// `call` says what the adapter asked the source for, such as `GET /api/dcim/devices/?limit=1000`. No variant may hold
/// a secret.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AdapterError {
    /// The source does not answer. The same call can succeed later.
    #[error("{call}: the source cannot be reached: {reason}")]
    Unreachable {
        /// The call that got no answer.
        call: String,
        /// The reason, as the operating system or the protocol names it.
        reason: String,
    },
    /// The source refuses the credentials, or does not give them the right to read.
    #[error("{call}: the source refuses access: {reason}")]
    Refused {
        /// The call that was refused.
        call: String,
        /// The reason that the source gives, and what to do.
        reason: String,
    },
    /// The source cannot even be asked, as its settings are. Somebody must mend that.
    #[error("{call}: {reason}")]
    Unusable {
        /// The call that cannot be made.
        call: String,
        /// The fault, as a sentence.
        reason: String,
    },
    /// The answer breaks the contract of the source, so nothing in it can be trusted.
    #[error("{call}: wrong answer{}: expected {expected}", at(path))]
    WrongAnswer {
        /// The call with this answer.
        call: String,
        /// The path in the document, such as `results[3].id`; empty if the whole answer is wrong.
        path: String,
        /// The answer that the contract demands, and the one that came instead.
        expected: String,
    },
    /// The source changed while it was read, so what was read may be of no time at all. The same call can succeed
    /// later.
    #[error("{call}: the source changed while it was read: {reason}")]
    Changing {
        /// The call that did not end before the change.
        call: String,
        /// The number of tries, or what was done with the part that was read.
        reason: String,
    },
    /// The runner does not take items any more, because it stops. An adapter passes this error on.
    #[error("the scan was stopped")]
    Stopped,
}

impl AdapterError {
    /// Returns true if the same call can succeed a little later without anybody doing anything.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Changing { .. })
    }
}

fn at(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" at {path}") }
}

/// The reason why a run failed.
#[derive(Debug, Error)]
pub enum SyncError {
    /// The source cannot be read.
    #[error(transparent)]
    Adapter(#[from] AdapterError),
    /// The server cannot be reached, or refuses a call.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The state file cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// The server is of another major version.
    #[error("the server {server} is of version {version}: use the synchronizer of that version")]
    Version {
        /// The address of the server.
        server: String,
        /// The version that the server reports.
        version: String,
    },
    /// The server knows no sources.
    #[error("the server {server} knows no sources: it is older than this synchronizer; upgrade the server first")]
    TooOld {
        /// The address of the server.
        server: String,
    },
    /// Some things could not be read and named, so it is not known what is gone.
    #[error(
        "{count} things of the source could not be read, so nothing was judged as gone; the first is {first}: {reason}"
    )]
    Incomplete {
        /// The number of things.
        count: u64,
        /// The id of the first one.
        first: String,
        /// The reason for the first one.
        reason: String,
    },
    /// The synchronizer cannot begin, because something that its settings name is missing or wrong.
    #[error("{reason}")]
    NotReady {
        /// The missing thing, and what to do.
        reason: String,
    },
    /// The server ended the run with this state.
    #[error("the server ended the run as {state:?}")]
    Ended {
        /// The state of the run.
        state: RunState,
    },
}

impl SyncError {
    /// Returns true if the source or the server can succeed a little later without anybody doing anything.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Adapter(error) => error.is_passing(),
            Self::Client(error) => error.is_passing(),
            _ => false,
        }
    }

    /// Returns true if the source or the server cannot be reached.
    pub const fn is_unreachable(&self) -> bool {
        match self {
            Self::Adapter(AdapterError::Unreachable { .. }) => true,
            Self::Client(error) => matches!(
                error,
                ClientError::Unreachable { .. } | ClientError::TimedOut { .. } | ClientError::Lost { .. }
            ),
            _ => false,
        }
    }
}
