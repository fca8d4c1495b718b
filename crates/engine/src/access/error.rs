//! The errors of tokens that are rejected.

use thiserror::Error;

use super::token::MAX_TOKEN_BYTES;
use underlay_error::Code;

/// A reason why a token is rejected. It reveals nothing of the token that the bearer must not see.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TokenError {
    #[error("the request has no token; send one in the header authorization: Bearer TOKEN")]
    Missing,
    #[error("the header authorization must have the form: Bearer TOKEN")]
    Header,
    #[error("the token has {0} bytes; at most {MAX_TOKEN_BYTES} are allowed")]
    TooLong(usize),
    #[error("the token is not a JWT")]
    NoJwt,
    #[error("the token's issuer is not trusted by this server")]
    UnknownIssuer,
    #[error("the token is signed with an algorithm that is not allowed for its issuer")]
    Algorithm,
    #[error("the token is signed with a key that its issuer does not have")]
    UnknownKey,
    #[error("the signature of the token is invalid")]
    Signature,
    #[error("the token has expired")]
    Expired,
    #[error("the token is not valid yet")]
    NotYet,
    #[error("the token is for another audience")]
    Audience,
    #[error("the claim {0} of the token is missing or invalid")]
    Claim(String),
    #[error("the keys of the token's issuer cannot be fetched now; try again later")]
    IssuerAway,
}

impl TokenError {
    /// Returns the error code for clients. A token that cannot be verified now may be valid later.
    pub fn code(&self) -> Code {
        match self {
            Self::IssuerAway => Code::Unavailable,
            _ => Code::Unauthenticated,
        }
    }
}
