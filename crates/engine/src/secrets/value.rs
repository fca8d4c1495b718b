//! The value of a secret, which no debug output shows.

use std::fmt;

/// The value of a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretValue(String);

impl SecretValue {
    /// Takes a text for a secret.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the text of the secret.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the text of the secret.
    pub fn into_text(self) -> String {
        self.0
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SecretValue")
    }
}
