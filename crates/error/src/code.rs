//! The error codes of the API, in one table.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Defines [`Code`] from the table of all codes. Each row has the meaning for clients, the name in the code of this
/// server, the text in the API, and the status of HTTP for a request that fails as a whole with this code.
macro_rules! codes {
    ($($(#[doc = $meaning:literal])+ $name:ident = $text:literal, $status:literal;)+) => {
        /// The error codes that clients can branch on (`extensions.code`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Code {
            $($(#[doc = $meaning])+ #[serde(rename = $text)] $name,)+
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// Returns the text of the code in `extensions.code`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// Returns the status of HTTP for a request that fails as a whole with this code.
            pub const fn status(self) -> u16 {
                match self {
                    $(Self::$name => $status,)+
                }
            }

            /// Returns what the code means for a client, as a sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($($meaning),+).trim_ascii(),)+
                }
            }
        }
    };
}

codes! {
    /// The request has no token, or one that the server does not accept.
    Unauthenticated = "UNAUTHENTICATED", 401;
    /// The roles of the caller do not allow this.
    Forbidden = "FORBIDDEN", 403;
    /// An object that the request names does not exist, or the caller cannot see it.
    NotFound = "NOT_FOUND", 404;
    /// The request, or a value in it, is not allowed.
    Invalid = "INVALID", 400;
    /// A field that was set when the object was created cannot change.
    Immutable = "IMMUTABLE", 400;
    /// A reference fits more than one object.
    Ambiguous = "AMBIGUOUS", 400;
    /// A key, an id or another unique value is already taken.
    Duplicate = "DUPLICATE", 409;
    /// The object cannot be deleted, or lose its place, while it is in use or other objects refer to it. A lease cannot
    /// be taken while another holder has one that excludes it.
    InUse = "IN_USE", 400;
    /// Two objects would take the same space or the same interval.
    Overlap = "OVERLAP", 400;
    /// Two objects or values do not fit together. If others do not fit one, a batch that writes all of them may pass.
    Incompatible = "INCOMPATIBLE", 400;
    /// The object has another version than the request expects.
    StaleVersion = "STALE_VERSION", 409;
    /// Another request with the same `requestId` asked for something else within the last day.
    RequestReused = "REQUEST_REUSED", 409;
    /// The caller no longer holds a lease on which the write depends.
    LeaseLost = "LEASE_LOST", 409;
    /// A secret cannot be encrypted or decrypted: the server has no key, or not the one that encrypted it.
    Unreadable = "UNREADABLE", 409;
    /// Another manager holds the field.
    ManagedElsewhere = "MANAGED_ELSEWHERE", 400;
    /// The batch has more items than the server allows.
    BatchTooLarge = "BATCH_TOO_LARGE", 413;
    /// The request needs more work than the server allows.
    TooComplex = "TOO_COMPLEX", 400;
    /// The request was not answered in time. A write may have been committed.
    Timeout = "TIMEOUT", 504;
    /// The server no longer holds the revision or the cursor that the request names.
    RevisionCompacted = "REVISION_COMPACTED", 400;
    /// The server does not know the query with this hash: send the query with the hash.
    PersistedQueryNotFound = "PERSISTED_QUERY_NOT_FOUND", 400;
    /// The server cannot answer now. The request can be sent again later.
    Unavailable = "UNAVAILABLE", 503;
    /// The server has a bug. Its log has the details.
    Internal = "INTERNAL", 500;
}

/// The error for a text that is no code.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not an error code of the API")]
pub struct UnknownCode(pub String);

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        let code = Self::ALL.iter().find(|code| code.as_str() == text);
        code.copied().ok_or_else(|| UnknownCode(text.to_owned()))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_one_text_a_status_of_an_error_and_a_sentence() {
        for (at, code) in Code::ALL.iter().enumerate() {
            assert_eq!(code.as_str().parse(), Ok(*code));
            assert_eq!(serde_json::to_value(code).expect("JSON"), code.as_str());
            assert!((400..600).contains(&code.status()), "{code}");
            let meaning = code.meaning();
            assert!(meaning.ends_with('.') && meaning.starts_with(char::is_uppercase), "{code}: {meaning:?}");
            assert!(!Code::ALL[at + 1..].iter().any(|other| other.as_str() == code.as_str()), "{code} twice");
        }
        assert_eq!("PAYMENT_REQUIRED".parse::<Code>(), Err(UnknownCode("PAYMENT_REQUIRED".to_owned())));
    }
}
