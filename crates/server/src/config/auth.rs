//! The table `[auth]`: the keys and issuers whose tokens the server accepts.

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::value::{file, optional_text, role, text};
use underlay_engine::access::{ClaimNames, Issuer, Role};

/// The authentication settings of a server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Auth {
    /// The file of the shared secret with which tokens are signed.
    #[serde(default, deserialize_with = "file")]
    pub secret_file: Option<PathBuf>,
    /// The file of the public key that verifies tokens.
    #[serde(default, deserialize_with = "file")]
    pub public_key_file: Option<PathBuf>,
    /// The audience of tokens that the secret or the public key verifies.
    #[serde(default, deserialize_with = "optional_text")]
    pub audience: Option<String>,
    /// The name of the claim that holds the roles.
    #[serde(deserialize_with = "text")]
    pub roles_claim: String,
    /// The name of the claim that holds the actor.
    #[serde(deserialize_with = "text")]
    pub actor_claim: String,
    /// The role of the token that the web page gets.
    #[serde(deserialize_with = "role")]
    pub page_role: Role,
    /// The issuers whose keys the server fetches.
    #[serde(default, deserialize_with = "issuers")]
    pub issuers: Vec<Issuer>,
}

/// Describes how an [`Issuer`] is written.
#[derive(Deserialize)]
#[serde(remote = "Issuer", rename_all = "camelCase", deny_unknown_fields)]
struct IssuerTable {
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

    /// Returns the names of the claims that hold the actor and the roles.
    pub fn claims(&self) -> ClaimNames {
        ClaimNames { roles: self.roles_claim.clone(), actor: self.actor_claim.clone() }
    }
}

/// Deserializes the list of issuers. No two may have the same URL or the same prefix.
fn issuers<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<Issuer>, D::Error> {
    #[derive(Deserialize)]
    struct Listed(#[serde(with = "IssuerTable")] Issuer);

    let listed = Vec::<Listed>::deserialize(value)?;
    let issuers: Vec<Issuer> = listed.into_iter().map(|Listed(issuer)| issuer).collect();
    for (index, issuer) in issuers.iter().enumerate() {
        let before = &issuers[..index];
        if before.iter().any(|other| other.issuer == issuer.issuer) {
            return Err(D::Error::custom(format!("{:?} is listed twice", issuer.issuer)));
        }
        // Actors of both issuers would have the same names, in the change log and as owners of fields.
        if before.iter().any(|other| other.prefix == issuer.prefix) {
            let reason = format!("{:?} needs a prefix of its own for its actors", issuer.issuer);
            return Err(D::Error::custom(reason));
        }
    }
    Ok(issuers)
}
