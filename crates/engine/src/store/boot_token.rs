//! The tokens of boots. Each is for one boot of one machine, and dies when the next one begins.
//!
//! Guarantee: the secret of a token is known only to the machine that boots: the database has a digest.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::TryRngCore as _;
use rand::rngs::OsRng;
use sha2::{Digest as _, Sha256};

use super::error::StoreError;

/// The number of random bytes of a token.
const BYTES: usize = 32;

/// A new token.
#[derive(Clone, PartialEq, Eq)]
pub struct BootToken {
    /// The text that stands in the addresses which the machine fetches: 43 characters of base64url.
    pub text: String,
    /// The digest that is stored: SHA-256 in hexadecimal digits.
    pub digest: String,
}

impl BootToken {
    /// Makes up a token.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub fn random() -> Result<Self, StoreError> {
        let mut bytes = [0; BYTES];
        OsRng.try_fill_bytes(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        let text = URL_SAFE_NO_PAD.encode(bytes);
        Ok(Self { digest: Self::digest_of(&text), text })
    }

    /// Returns the digest of a token that a machine sent.
    pub fn digest_of(text: &str) -> String {
        format!("{:x}", Sha256::digest(text.as_bytes()))
    }
}
