//! The table `[secrets]`: the keys that encrypt secrets.

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::key::Key;
use super::value::{file, text};
use underlay_engine::secrets::{Keys, KeysError};

/// The configured keys.
#[derive(Clone, Debug, Default)]
pub enum SecretKeys {
    /// There are none.
    #[default]
    None,
    /// The keys themselves.
    Keys(Keys),
    /// The file of the keys.
    File(PathBuf),
}

impl SecretKeys {
    /// Returns the keys, which are read from their file if they are in one.
    ///
    /// # Errors
    /// Returns an error if the file does not hold keys.
    pub fn read(&self) -> Result<Keys, KeysError> {
        match self {
            Self::None => Ok(Keys::none()),
            Self::Keys(keys) => Ok(keys.clone()),
            Self::File(file) => Keys::in_file(file),
        }
    }
}

/// Deserializes where the keys are. They are in a file or in a value, not in both.
pub(super) fn keys<'de, D: Deserializer<'de>>(value: D) -> Result<SecretKeys, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct SecretsTable {
        #[serde(default, deserialize_with = "file")]
        key_file: Option<PathBuf>,
        #[serde(default, deserialize_with = "parsed")]
        keys: Option<Keys>,
    }

    match SecretsTable::deserialize(value)? {
        SecretsTable { key_file: Some(_), keys: Some(_) } => Err(D::Error::custom(format_args!(
            "{} and {} exclude each other: configure one of them",
            Key::SecretsKeyFile.name(),
            Key::SecretsKeys.name()
        ))),
        SecretsTable { key_file: Some(file), keys: None } => Ok(SecretKeys::File(file)),
        SecretsTable { key_file: None, keys: Some(keys) } => Ok(SecretKeys::Keys(keys)),
        SecretsTable { key_file: None, keys: None } => Ok(SecretKeys::None),
    }
}

fn parsed<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Keys>, D::Error> {
    Keys::parse(&text(value)?).map(Some).map_err(D::Error::custom)
}
