//! The table `[console]`: the way in which people sign in to the web console.

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::Settings;
use super::error::ConfigError;
use super::key::Key;
use super::value::optional_text;
use crate::http::{Login, LoginError};

/// The scopes that the console asks for if the configuration names none.
const SCOPES: &str = "openid";

/// Deserializes the settings of the sign-in. The issuer and the client id must be configured both, or neither.
pub(super) fn login<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Login>, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct ConsoleTable {
        #[serde(default, deserialize_with = "optional_text")]
        issuer: Option<String>,
        #[serde(default, deserialize_with = "optional_text")]
        client_id: Option<String>,
        #[serde(default, deserialize_with = "optional_text")]
        scopes: Option<String>,
    }

    match ConsoleTable::deserialize(value)? {
        ConsoleTable { issuer: Some(issuer), client_id: Some(client_id), scopes } => {
            let login = Login::new(issuer, client_id, scopes.unwrap_or_else(|| SCOPES.to_owned()));
            let name = |error: &LoginError| match error {
                LoginError::Issuer(_) => Key::ConsoleIssuer.name(),
                LoginError::ClientId(_) => Key::ConsoleClientId.name(),
                LoginError::Scopes(_) => Key::ConsoleScopes.name(),
            };
            login.map(Some).map_err(|error| D::Error::custom(format_args!("{}: {error}", name(&error))))
        }
        ConsoleTable { issuer: None, client_id: None, scopes: None } => Ok(None),
        _ => Err(D::Error::custom(format_args!(
            "{} and {} belong together: only one of them is configured, or neither with {}",
            Key::ConsoleIssuer.name(),
            Key::ConsoleClientId.name(),
            Key::ConsoleScopes.name()
        ))),
    }
}

/// Checks that the server accepts the tokens of the issuer at which people sign in.
pub(super) fn check(settings: &Settings) -> Result<(), ConfigError> {
    let Some(login) = &settings.login else { return Ok(()) };
    if settings.auth.issuers.iter().any(|trusted| trusted.issuer == login.issuer()) {
        return Ok(());
    }
    let key = Key::ConsoleIssuer;
    let origin = settings.origin(key).unwrap_or_default().to_owned();
    let reason = format!("{:?} must be one of {}", login.issuer(), Key::AuthIssuers.name());
    Err(ConfigError::Rejected { key, origin, reason })
}
