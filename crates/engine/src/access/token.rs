//! This module creates the tokens that a server signs with its own key. They are JWTs (RFC 7519).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde::Serialize;

use underlay_error::Role;

/// The most bytes that a token may have.
pub(super) const MAX_TOKEN_BYTES: usize = 16 * 1024;
/// The issuer and the audience of tokens that a server signs with its own key.
pub(super) const OWN: &str = "underlay";
/// The longest lifetime of a token that a server signs with its own key.
pub const MAX_TOKEN_LIFETIME: Duration = Duration::from_secs(400 * 24 * 3600);

/// The content of a token that is to be signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The name of the bearer.
    pub actor: String,
    /// The roles of the bearer.
    pub roles: Vec<Role>,
    /// The source in whose name the bearer writes batches.
    pub source: Option<String>,
    /// The tenant of the bearer. If there is one, the bearer sees only what the tenant sees.
    pub tenant: Option<String>,
    /// The lifetime of the token, which is cut to [`MAX_TOKEN_LIFETIME`].
    pub life: Duration,
}

impl Grant {
    /// Returns a grant of the role `admin` to the user that runs this process.
    pub fn of_user(life: Duration) -> Self {
        Self { actor: user(), roles: vec![Role::Admin], source: None, tenant: None, life }
    }

    /// Returns a grant of one role to the user that runs this process, for the page in the user's browser.
    pub fn of_page(role: Role, life: Duration) -> Self {
        Self { roles: vec![role], ..Self::of_user(life) }
    }
}

/// Returns the name of the user that runs this process, as it appears in tokens for that user.
pub fn user() -> String {
    let named = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    named.filter(|name| !name.is_empty()).unwrap_or_else(|| "local".to_owned())
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    aud: &'a str,
    sub: &'a str,
    iat: u64,
    exp: u64,
    roles: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tenant: Option<&'a str>,
}

/// Signs a token, which is valid from now on.
pub(super) fn sign(grant: &Grant, key: &EncodingKey) -> Result<String, jsonwebtoken::errors::Error> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let claims = Claims {
        iss: OWN,
        aud: OWN,
        sub: &grant.actor,
        iat: now,
        exp: now.saturating_add(grant.life.min(MAX_TOKEN_LIFETIME).as_secs()),
        roles: grant.roles.iter().map(|role| role.name()).collect(),
        source: grant.source.as_deref(),
        tenant: grant.tenant.as_deref(),
    };
    encode(&Header::new(Algorithm::HS256), &claims, key)
}
