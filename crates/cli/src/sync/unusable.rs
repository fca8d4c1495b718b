//! The reasons why the adapter of a source cannot be made.

use std::fmt::Display;

use thiserror::Error;

/// The reason why an adapter cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum Unusable {
    /// The settings are wrong, whatever is done to other files.
    #[error("{0}")]
    Settings(String),
    /// A file, a token or a certificate is missing or wrong, and can be given later.
    #[error("{0}")]
    Lacking(String),
}

impl Unusable {
    /// Returns the reason that the settings are wrong.
    pub(super) fn settings(error: &dyn Display) -> Self {
        Self::Settings(error.to_string())
    }

    /// Returns the reason that something is missing.
    pub(super) fn lacking(error: &dyn Display) -> Self {
        Self::Lacking(error.to_string())
    }
}
