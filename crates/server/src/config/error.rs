//! The errors that prevent the configuration from being loaded. Each names the key, the origin of the value and what is
//! allowed. None shows a value that may contain a secret.

use std::fmt;
use std::io;

use figment::error::{Actual, Kind};
use thiserror::Error;

use super::key::{FILE, Key, OF_CLIENTS};

/// An error that prevents the configuration from being loaded.
#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("the configuration file {file} cannot be read: {error}")]
    Unreadable { file: String, error: io::Error },
    #[error("{file} is not TOML: {reason}")]
    NotToml { file: String, reason: String },
    #[error("{origin}: there is no key {key:?}; allowed: {}", names())]
    UnknownKey { origin: String, key: String },
    #[error("there is no variable {name}; allowed: {}, {FILE}, {}", variables(), OF_CLIENTS.join(", "))]
    UnknownVariable { name: String },
    #[error("the variable {name} is not valid UTF-8")]
    NotUnicode { name: String },
    /// The value of a key has the wrong type or is out of bounds.
    #[error("{} ({origin}) must be {allowed}{found}", key.name())]
    Invalid { key: Key, origin: String, allowed: String, found: FoundValue },
    /// The value of a key has the right type, but something in it is wrong.
    #[error("{} ({origin}): {reason}", key.name())]
    Rejected { key: Key, origin: String, reason: String },
    /// The values of several keys do not fit together.
    #[error("{reason}")]
    Combination { reason: String },
    #[error("{key} has no value; every configuration must set it")]
    Missing { key: String },
    #[error("there is no home directory; use --data-dir DIR to set the directory that holds the data")]
    NoHome,
}

/// The wrong value in an error message. It is empty if the value may contain a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundValue(Option<String>);

impl FoundValue {
    fn of(key: Key, value: &Actual) -> Self {
        let text = match value {
            Actual::Str(text) => format!("{text:?}"),
            Actual::Bool(flag) => flag.to_string(),
            Actual::Unsigned(number) => number.to_string(),
            Actual::Signed(number) => number.to_string(),
            Actual::Float(number) => number.to_string(),
            Actual::Seq => "a list".to_owned(),
            Actual::Map => "a table".to_owned(),
            other => other.to_string(),
        };
        Self(Some(text).filter(|_| !key.may_hold_a_secret()))
    }
}

impl fmt::Display for FoundValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(text) => write!(out, ", not {text}"),
            None => Ok(()),
        }
    }
}

/// An error of the extraction names the path of its value. This conversion finds the key on the path.
impl From<figment::Error> for ConfigError {
    fn from(error: figment::Error) -> Self {
        let origin = error.metadata.map(|metadata| metadata.name.into_owned()).unwrap_or_default();
        let path = error.path.join(".");
        let Some(key) = Key::on_path(&error.path) else {
            return match error.kind {
                Kind::MissingField(field) => Self::Missing { key: join(&path, &field) },
                Kind::Message(reason) => Self::Combination { reason },
                _ => Self::UnknownKey { origin, key: path },
            };
        };
        match error.kind {
            // A part of the list of issuers has a message of its own.
            kind if path != key.name() => Self::Rejected { key, origin, reason: kind.to_string() },
            Kind::InvalidType(found, allowed) | Kind::InvalidValue(found, allowed) => {
                Self::Invalid { key, origin, allowed, found: FoundValue::of(key, &found) }
            }
            kind => Self::Rejected { key, origin, reason: kind.to_string() },
        }
    }
}

fn join(table: &str, field: &str) -> String {
    if table.is_empty() { field.to_owned() } else { format!("{table}.{field}") }
}

fn names() -> String {
    Key::ALL.iter().map(|key| key.name()).collect::<Vec<_>>().join(", ")
}

fn variables() -> String {
    Key::ALL.iter().filter_map(|key| key.variable()).collect::<Vec<_>>().join(", ")
}
