//! The account by which a command calls an Ironic. The flags of commands differ by a prefix alone.

use std::path::PathBuf;

use clap::ValueEnum;
use serde::Deserialize;
use thiserror::Error;
use underlay_ironic::client::{Auth, Keystone, KeystoneMethod, Scope, SecretSource};

/// The environment variable that can hold the password.
const PASSWORD: &str = "IRONIC_PASSWORD";
/// The usual domain of Keystone.
pub const DOMAIN: &str = "Default";

/// The kinds of authentication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum AuthKind {
    /// Ironic asks for none.
    #[default]
    None,
    /// A user name and a password.
    HttpBasic,
    /// A token of Keystone, fetched with a password or an application credential.
    Keystone,
}

/// An account, as flags describe it.
#[derive(Debug)]
pub struct Account {
    /// The way in which Ironic authenticates its callers.
    pub kind: AuthKind,
    /// The user name.
    pub username: Option<String>,
    pub password_file: Option<PathBuf>,
    /// The address of Keystone.
    pub keystone_url: Option<String>,
    /// The id of an application credential, instead of a user name.
    pub application_credential: Option<String>,
    pub user_domain: String,
    /// The project of the token; `None` for a token for the system as a whole.
    pub project: Option<String>,
    pub project_domain: String,
}

/// The reason why there is no account.
#[derive(Debug, Error)]
pub enum AccountError {
    /// The flags do not describe an account.
    #[error("{0}")]
    Flags(String),
    /// There is no password.
    #[error("there is no password for Ironic: name its file by --{prefix}password-file, or set {PASSWORD}")]
    Password {
        /// The beginning of the names of the flags.
        prefix: String,
    },
}

impl Account {
    /// Returns the authentication. `prefix` is the beginning of the names of the flags, which errors name.
    ///
    /// # Errors
    /// Returns an error if a flag or the password is missing.
    pub fn authentication(self, prefix: &str) -> Result<Auth, AccountError> {
        let needs =
            |kind: &str, flag: &str| AccountError::Flags(format!("--{prefix}auth {kind} needs --{prefix}{flag}"));
        match self.kind {
            AuthKind::None if self.username.is_some() || self.keystone_url.is_some() => {
                Err(AccountError::Flags(format!(
                    "there is an account for Ironic, so say by --{prefix}auth how it authenticates: http-basic or \
                     keystone"
                )))
            }
            AuthKind::None => Ok(Auth::None),
            AuthKind::HttpBasic => {
                let password = self.password(prefix);
                let username = self.username.ok_or_else(|| needs("http-basic", "username"))?;
                Ok(Auth::Basic { username, password: password? })
            }
            AuthKind::Keystone => {
                let url = self.keystone_url.clone().ok_or_else(|| needs("keystone", "keystone-url"))?;
                let missing = || needs("keystone", &format!("username or --{prefix}application-credential"));
                Ok(Auth::Keystone(Keystone { url, method: self.method(prefix, missing)? }))
            }
        }
    }

    fn method(self, prefix: &str, missing: impl FnOnce() -> AccountError) -> Result<KeystoneMethod, AccountError> {
        let password = self.password(prefix);
        if let Some(id) = self.application_credential {
            return Ok(KeystoneMethod::ApplicationCredential { id, secret: password? });
        }
        let scope = self.project.map_or(Scope::System, |name| Scope::Project { name, domain: self.project_domain });
        let username = self.username.ok_or_else(missing)?;
        Ok(KeystoneMethod::Password { username, domain: self.user_domain, password: password?, scope })
    }

    fn password(&self, prefix: &str) -> Result<SecretSource, AccountError> {
        match (self.password_file.clone(), std::env::var(PASSWORD)) {
            (Some(file), _) => Ok(SecretSource::File(file)),
            (None, Ok(password)) => Ok(SecretSource::Text(password)),
            (None, Err(_)) => Err(AccountError::Password { prefix: prefix.to_owned() }),
        }
    }
}
