//! The reasons why a call of Ironic fails.

use reqwest::StatusCode;
use thiserror::Error;

use super::version::Microversion;

/// The reason why a call failed. `call` is the method and the URL; `message` is Ironic's own sentence, empty if it has
/// none. No variant holds a secret.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IronicError {
    /// A call was not sent, or one that changes nothing got no answer.
    #[error("{call}: Ironic cannot be reached: {reason}")]
    Unreachable {
        call: String,
        /// The reason, and what to do.
        reason: String,
    },
    /// The certificate of Ironic is not trusted, so nothing was sent.
    #[error(
        "{call}: the certificate of the server is not trusted: {reason}; give the certificate of the authority that signed it"
    )]
    Certificate {
        call: String,
        /// The reason that the library gives.
        reason: String,
    },
    /// A call that changes something got no answer, so nobody knows if it was done.
    #[error("{call}: {reason}; nobody knows if it was done: look at the node")]
    Unanswered { call: String, reason: String },
    /// Ironic was too busy to accept a call, and did nothing.
    #[error("{call}: Ironic cannot answer now (HTTP {status}){}", colon(.message))]
    Busy {
        call: String,
        status: StatusCode,
        /// The sentence of Ironic.
        message: String,
    },
    /// A conductor has locked the node, so nothing was done. The lock passes.
    #[error("{call}: the node is locked{}", colon(.message))]
    Locked {
        call: String,
        /// The sentence of Ironic.
        message: String,
    },
    /// The user name, password or token is not accepted, or has not the right.
    #[error("{call}: access is refused (HTTP {status}){}; {advice}", colon(.message))]
    Access {
        call: String,
        status: StatusCode,
        /// The sentence of Ironic or Keystone.
        message: String,
        /// The advice: the end of the sentence.
        advice: &'static str,
    },
    /// The password cannot be read where the settings say that it is, so nothing was sent.
    #[error("{call}: {reason}")]
    Secret {
        call: String,
        /// The reason, as a sentence that never holds the secret.
        reason: String,
    },
    /// Ironic does not have the thing.
    #[error("{call}: there is no such thing (HTTP 404){}", colon(.message))]
    NotFound {
        call: String,
        /// The sentence of Ironic.
        message: String,
    },
    /// The call contradicts what Ironic has, such as a MAC address that another port has.
    #[error("{call}: it is in conflict with what Ironic has (HTTP 409){}", colon(.message))]
    Conflict {
        call: String,
        /// The sentence of Ironic.
        message: String,
    },
    /// Ironic refuses the call, such as a verb that the state of the node does not allow.
    #[error("{call}: Ironic refuses with HTTP {status}{}", colon(.message))]
    Rejected {
        call: String,
        status: StatusCode,
        /// The sentence of Ironic.
        message: String,
    },
    /// Ironic failed with a call that changes something, so nobody knows how far it got.
    #[error("{call}: Ironic failed with HTTP {status}{}; nobody knows if it was done: look at the node", colon(.message))]
    Failed {
        call: String,
        status: StatusCode,
        /// The sentence of Ironic.
        message: String,
    },
    /// Ironic speaks other microversions.
    #[error(
        "{call}: Ironic must offer a microversion between {} and {}, and it offers {offered}; {advice}",
        Microversion::OLDEST,
        Microversion::NEWEST
    )]
    Version {
        call: String,
        /// The microversions that it offers.
        offered: String,
        /// The advice: the end of the sentence.
        advice: &'static str,
    },
    /// The answer breaks the contract of the API.
    #[error("{call}: wrong answer{}: expected {expected}", at(.path))]
    WrongAnswer {
        call: String,
        /// The path in the document, such as `nodes[3].uuid`; empty for the answer as a whole.
        path: String,
        /// The answer that the contract demands, and the one that came instead.
        expected: String,
    },
}

fn at(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" at {path}") }
}

fn colon(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}

impl IronicError {
    /// Returns true if the call certainly did nothing and can succeed a little later without anybody doing anything.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Busy { .. } | Self::Locked { .. })
    }

    /// Returns true if nobody knows if the call had an effect.
    pub const fn is_unknown(&self) -> bool {
        matches!(self, Self::Unanswered { .. } | Self::Failed { .. })
    }

    /// Returns true if Ironic does not have the thing that the call named.
    pub const fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// Returns the status of the answer, `None` if there was none, or the answer was a good one of a wrong form.
    pub const fn status(&self) -> Option<StatusCode> {
        match self {
            Self::Busy { status, .. }
            | Self::Access { status, .. }
            | Self::Rejected { status, .. }
            | Self::Failed { status, .. } => Some(*status),
            Self::Locked { .. } | Self::Conflict { .. } => Some(StatusCode::CONFLICT),
            Self::NotFound { .. } => Some(StatusCode::NOT_FOUND),
            Self::Unreachable { .. }
            | Self::Certificate { .. }
            | Self::Unanswered { .. }
            | Self::Secret { .. }
            | Self::Version { .. }
            | Self::WrongAnswer { .. } => None,
        }
    }

    /// Returns Ironic's own sentence; empty if it has none.
    pub fn message(&self) -> &str {
        match self {
            Self::Busy { message, .. }
            | Self::Locked { message, .. }
            | Self::Access { message, .. }
            | Self::NotFound { message, .. }
            | Self::Conflict { message, .. }
            | Self::Rejected { message, .. }
            | Self::Failed { message, .. } => message,
            Self::Unreachable { .. }
            | Self::Certificate { .. }
            | Self::Unanswered { .. }
            | Self::Secret { .. }
            | Self::Version { .. }
            | Self::WrongAnswer { .. } => "",
        }
    }
}
