//! Tokens of this server's own: JWT (RFC 7519), signed with its key.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde::Serialize;

use super::role::Role;

/// How many bytes a token may have.
pub(super) const MOST_BYTES: usize = 16 * 1024;
/// Who signs the tokens of a server's own key, and for whom they are.
pub(super) const OWN: &str = "underlay";
/// The longest life of a token of one's own.
pub const LONGEST_LIFE: Duration = Duration::from_secs(400 * 24 * 3600);

/// What a token is to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Who the bearer is.
    pub actor: String,
    /// What they may do.
    pub roles: Vec<Role>,
    /// In whose name they write batches.
    pub source: Option<String>,
    /// Of which tenant they are, if they are to see no more than that sees.
    pub tenant: Option<String>,
    /// How long it is good.
    pub life: Duration,
}

impl Grant {
    /// That the user whose process this is may do everything.
    pub fn of_user(life: Duration) -> Self {
        Self { actor: user(), roles: vec![Role::Admin], source: None, tenant: None, life }
    }

    /// A grant of one role to the user whose process this is, for the page in their browser.
    pub fn of_page(role: Role, life: Duration) -> Self {
        Self { roles: vec![role], ..Self::of_user(life) }
    }
}

/// The name of the user whose process this is, as tokens for the user themselves have it.
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

/// Signs a token.
pub(super) fn sign(grant: &Grant, key: &EncodingKey) -> Result<String, jsonwebtoken::errors::Error> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let claims = Claims {
        iss: OWN,
        aud: OWN,
        sub: &grant.actor,
        iat: now,
        exp: now.saturating_add(grant.life.min(LONGEST_LIFE).as_secs()),
        roles: grant.roles.iter().map(|role| role.name()).collect(),
        source: grant.source.as_deref(),
        tenant: grant.tenant.as_deref(),
    };
    encode(&Header::new(Algorithm::HS256), &claims, key)
}
