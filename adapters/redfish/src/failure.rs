//! The reasons why a call over Redfish fails. Each is a sentence that names the call, its host and what to do.

use reqwest::StatusCode;
use thiserror::Error;
use underlay_hosts::machine::{CallError, WRONG_MACHINE};

/// The reason why a call failed.
#[derive(Debug, Error)]
pub enum RedfishError {
    /// The address cannot be used.
    #[error("{url} {reason}")]
    Address {
        /// The address.
        url: String,
        /// The end of the sentence.
        reason: String,
    },
    /// The trusted certificates of the host cannot be read.
    #[error("bmcTrustedCas cannot be read: {reason}; give certificates in PEM")]
    Authorities { reason: String },
    /// There is no connection, so nothing was sent.
    #[error("{call}: {reason}")]
    NoConnection {
        call: String,
        /// The reason, and what to do.
        reason: String,
    },
    /// The certificate of the BMC is not trusted, so nothing was sent.
    #[error("{call}: {reason}")]
    Certificate {
        call: String,
        /// The reason, and what to do.
        reason: String,
    },
    /// A call that changes nothing got no answer, or a part of one.
    #[error("{call}: {reason}")]
    ReadUnanswered { call: String, reason: String },
    /// A call that changes something got no answer, so nobody knows if it was made.
    #[error("{call}: {reason}; nobody knows if it was done: look at the machine")]
    Unanswered { call: String, reason: String },
    /// The BMC is too busy to answer a call, and did nothing.
    #[error("{call}: the BMC cannot answer now (HTTP {status}){message}")]
    Busy {
        call: String,
        status: StatusCode,
        /// The message of the BMC, with a colon before it; empty if it has none.
        message: String,
    },
    /// The BMC does not accept the credential, or not for this call.
    #[error("{call}: HTTP {status}{message}; {advice}")]
    Credential {
        call: String,
        status: StatusCode,
        /// The message of the BMC, with a colon before it; empty if it has none.
        message: String,
        /// The advice: the end of the sentence.
        advice: &'static str,
    },
    /// The BMC refuses a call.
    #[error("{call}: the BMC refuses with HTTP {status}{message}; {advice}")]
    Rejected {
        /// The reason, as one word.
        word: &'static str,
        call: String,
        status: StatusCode,
        /// The message of the BMC, with a colon before it; empty if it has none.
        message: String,
        /// The advice: the end of the sentence.
        advice: &'static str,
    },
    /// The BMC sends the client elsewhere.
    #[error("{call}: the answer is a redirect to {to}, which is not followed; give the address of the BMC itself")]
    Redirect {
        call: String,
        /// The URL to which it redirects.
        to: String,
    },
    /// The answer is none of Redfish, or lacks what the call needs.
    #[error("{call}: the answer must have {expected}{}; check that the address is that of a BMC with Redfish", at(.path))]
    WrongAnswer {
        call: String,
        /// The path in the answer; empty for the answer as a whole.
        path: String,
        /// The thing that should be there.
        expected: String,
    },
    /// The BMC has no system that is the machine.
    #[error("{call}: {reason}")]
    NoSystem {
        /// The call that listed the systems.
        call: String,
        /// The reason, and what to do.
        reason: String,
    },
    /// The system is another machine than the host.
    #[error(
        "{call}: the system has {found}, and the host has the uid {expected}: it is another machine, and was left alone; \
         correct bmcUrl or uid"
    )]
    WrongMachine {
        /// The call that read the system.
        call: String,
        /// The thing that identifies the system: `the UUID X` or `the serial number X`.
        found: String,
        /// The `uid` of the host.
        expected: String,
    },
    /// The system does not offer what is asked of it.
    #[error("{call}: {reason}")]
    NotOffered {
        /// The reason, as one word.
        word: &'static str,
        /// The call that read the system.
        call: String,
        /// The reason, and what to do.
        reason: String,
    },
}

fn at(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" at {path}") }
}

impl RedfishError {
    /// Returns true if the same call can succeed soon.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::NoConnection { .. } | Self::ReadUnanswered { .. } | Self::Busy { .. })
    }

    /// Returns the reason as one word, if the same call would be refused again.
    const fn word(&self) -> Option<&'static str> {
        match self {
            Self::Address { .. } | Self::Redirect { .. } => Some("WrongAddress"),
            Self::Authorities { .. } | Self::Certificate { .. } => Some("WrongCertificate"),
            Self::Credential { .. } => Some("WrongCredential"),
            Self::Rejected { word, .. } | Self::NotOffered { word, .. } => Some(word),
            Self::NoSystem { .. } => Some("NoSystem"),
            Self::WrongMachine { .. } => Some(WRONG_MACHINE),
            Self::NoConnection { .. }
            | Self::ReadUnanswered { .. }
            | Self::Unanswered { .. }
            | Self::Busy { .. }
            | Self::WrongAnswer { .. } => None,
        }
    }
}

impl From<RedfishError> for CallError {
    fn from(failure: RedfishError) -> Self {
        let text = failure.to_string();
        match (failure.word(), failure) {
            (Some(word), _) => Self::Refused { reason: word.to_owned(), message: text },
            (None, RedfishError::Unanswered { .. }) => Self::Unanswered { reason: text },
            // A BMC that restarts answers all kinds of things for a while.
            (None, _) => Self::NotMade { reason: text },
        }
    }
}
