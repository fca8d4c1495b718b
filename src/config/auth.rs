//! This module reads the authentication settings from the configuration.

use std::path::PathBuf;

use figment::Figment;
use serde::Deserialize;

use super::{ConfigError, Key, text};
use crate::access::{ClaimNames, Issuer};

/// The authentication settings of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Auth {
    /// The file of the shared secret with which tokens are signed.
    pub secret_file: Option<PathBuf>,
    /// The file of the public key that verifies tokens.
    pub public_key_file: Option<PathBuf>,
    /// The audience of tokens that the secret or the public key verifies.
    pub audience: Option<String>,
    /// The names of the claims that hold the actor and the roles.
    pub claims: ClaimNames,
    /// The issuers whose keys the server fetches.
    pub issuers: Vec<Issuer>,
}

/// An issuer, as a configuration file describes it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Given {
    issuer: String,
    audience: String,
    #[serde(default)]
    algorithms: Vec<String>,
    jwks_url: Option<String>,
    #[serde(default)]
    prefix: String,
}

impl Auth {
    /// Returns true if the server accepts tokens that its own key has not signed.
    pub fn is_configured(&self) -> bool {
        self.secret_file.is_some() || self.public_key_file.is_some() || !self.issuers.is_empty()
    }

    pub(super) fn read(figment: &Figment) -> Result<Self, ConfigError> {
        let said = |key: Key| Ok(text(figment, key)?.map(|(text, _)| text));
        let names = ClaimNames::default();
        Ok(Self {
            secret_file: said(Key::AuthSecretFile)?.map(PathBuf::from),
            public_key_file: said(Key::AuthPublicKeyFile)?.map(PathBuf::from),
            audience: said(Key::AuthAudience)?,
            claims: ClaimNames {
                roles: said(Key::AuthRolesClaim)?.unwrap_or(names.roles),
                actor: said(Key::AuthActorClaim)?.unwrap_or(names.actor),
            },
            issuers: issuers(figment)?,
        })
    }
}

fn issuers(figment: &Figment) -> Result<Vec<Issuer>, ConfigError> {
    let name = Key::AuthIssuers.name();
    let Ok(value) = figment.find_value(name) else { return Ok(Vec::new()) };
    let origin = figment.get_metadata(value.tag()).map_or_else(String::new, |metadata| metadata.name.to_string());
    let invalid = |reason: String| ConfigError::Issuers { origin: origin.clone(), reason };
    let given: Vec<Given> = figment.extract_inner(name).map_err(|error| invalid(error.kind.to_string()))?;
    let issuer = |given: Given| Issuer {
        issuer: given.issuer,
        audience: given.audience,
        algorithms: given.algorithms,
        jwks_url: given.jwks_url,
        prefix: given.prefix,
    };
    let issuers: Vec<Issuer> = given.into_iter().map(issuer).collect();
    for (place, issuer) in issuers.iter().enumerate() {
        let before = &issuers[..place];
        if before.iter().any(|other| other.issuer == issuer.issuer) {
            return Err(invalid(format!("{:?} stands there twice", issuer.issuer)));
        }
        // Actors of both issuers would have the same names, in the change log and as owners of fields.
        if before.iter().any(|other| other.prefix == issuer.prefix) {
            return Err(invalid(format!("{:?} needs a prefix of its own for its actors", issuer.issuer)));
        }
    }
    Ok(issuers)
}
