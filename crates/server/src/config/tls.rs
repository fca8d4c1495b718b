//! The table `[tls]`: the files of the certificates and of their private key.

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::key::Key;
use super::value::file;
use crate::http::Files;

/// Deserializes the files for TLS. Both or none must be configured.
pub(super) fn files<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Files>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct TlsTable {
        #[serde(default, deserialize_with = "file")]
        certificates: Option<PathBuf>,
        #[serde(default, deserialize_with = "file")]
        key: Option<PathBuf>,
    }

    match TlsTable::deserialize(value)? {
        TlsTable { certificates: Some(certificates), key: Some(key) } => Ok(Some(Files { certificates, key })),
        TlsTable { certificates: None, key: None } => Ok(None),
        _ => Err(D::Error::custom(format_args!(
            "{} and {} belong together: only one of them is configured",
            Key::TlsCertificates.name(),
            Key::TlsKey.name()
        ))),
    }
}
