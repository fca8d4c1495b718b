//! The errors of tokens that are rejected.

use thiserror::Error;

use super::token::MOST_BYTES;

/// A reason why a token is rejected. It reveals nothing of the token that the bearer must not see.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TokenError {
    #[error("a token is needed, in the header authorization: Bearer TOKEN")]
    Missing,
    #[error("the header authorization must be: Bearer TOKEN")]
    Header,
    #[error("the token has {0} bytes; at most {MOST_BYTES} are read")]
    TooLong(usize),
    #[error("the token is no JWT")]
    NoJwt,
    #[error("nobody who is trusted here issued the token")]
    UnknownIssuer,
    #[error("the token is signed with an algorithm that is not allowed for its issuer")]
    Algorithm,
    #[error("the token is signed with a key that its issuer does not have")]
    UnknownKey,
    #[error("the signature of the token is wrong")]
    Signature,
    #[error("the token has expired")]
    Expired,
    #[error("the token is not good yet")]
    NotYet,
    #[error("the token is for another audience")]
    Audience,
    #[error("the claim {0} of the token is absent, or not what it has to be")]
    Claim(String),
    #[error("the keys of the token's issuer cannot be had now: try again later")]
    IssuerAway,
}

impl TokenError {
    /// Returns true if the token may be valid but cannot be verified now.
    pub fn is_for_now(&self) -> bool {
        *self == Self::IssuerAway
    }
}
