//! The authentication of calls: none, HTTP basic, or a token of Keystone.
//!
//! A token is kept until Ironic refuses it, and then a new one is fetched. Passwords are read again from their files each
//! time, so that they can be changed without a restart.

use std::fmt;
use std::path::PathBuf;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::address::{ConnectionError, base};
use super::answer::IronicAnswer;
use super::error::IronicError;
use super::request::{Call, Effect};

/// The maximum length of the file of a password in bytes.
const MAX_PASSWORD_FILE_BYTES: usize = 4_096;
/// The header of a token.
const TOKEN: HeaderName = HeaderName::from_static("x-auth-token");

/// The authentication of calls.
#[derive(Clone, Debug)]
pub enum Auth {
    /// Ironic asks for none (`noauth`).
    None,
    /// A user name and a password (`http_basic`).
    Basic {
        /// The user name.
        username: String,
        password: SecretSource,
    },
    /// Tokens of Keystone (`keystone`).
    Keystone(Keystone),
}

impl Auth {
    /// Checks that the secret can be read.
    ///
    /// # Errors
    /// Returns a sentence that never holds the secret.
    pub async fn check(&self) -> Result<(), String> {
        let secret = match self {
            Self::None => return Ok(()),
            Self::Basic { password, .. } => password,
            Self::Keystone(Keystone { method: KeystoneMethod::Password { password, .. }, .. }) => password,
            Self::Keystone(Keystone { method: KeystoneMethod::ApplicationCredential { secret, .. }, .. }) => secret,
        };
        secret.read().await.map(drop)
    }
}

/// The account by which tokens are fetched from Keystone.
#[derive(Clone, Debug)]
pub struct Keystone {
    /// The address of Keystone, such as `https://keystone.example.com:5000`, without `/v3`.
    pub url: String,
    /// The way in which the account authenticates.
    pub method: KeystoneMethod,
}

/// The way in which an account authenticates at Keystone.
#[derive(Clone, Debug)]
pub enum KeystoneMethod {
    /// A user with a password.
    Password {
        /// The user name.
        username: String,
        /// The domain of the user, by its name.
        domain: String,
        password: SecretSource,
        /// The scope of the token.
        scope: Scope,
    },
    /// An application credential. It has its scope within itself.
    ApplicationCredential {
        /// The id of the credential.
        id: String,
        /// The secret of the credential.
        secret: SecretSource,
    },
}

/// The scope of a token of Keystone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The system as a whole.
    System,
    Project {
        /// The project, by its name.
        name: String,
        /// The domain of the project, by its name.
        domain: String,
    },
}

/// The place where a secret is.
#[derive(Clone)]
pub enum SecretSource {
    /// A file that holds nothing else. White space at its end does not count.
    File(PathBuf),
    /// The secret itself, which the environment gave.
    Text(String),
}

impl fmt::Debug for SecretSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(out, "the file {}", path.display()),
            Self::Text(_) => out.write_str("a secret"),
        }
    }
}

impl SecretSource {
    /// Reads the secret. An error is a sentence that never holds it.
    async fn read(&self) -> Result<String, String> {
        let text = match self {
            Self::Text(text) => text.clone(),
            Self::File(path) => {
                let bytes = tokio::fs::read(path).await;
                let bytes =
                    bytes.map_err(|error| format!("the password file {} cannot be read: {error}", path.display()))?;
                let text = String::from_utf8(bytes).ok().filter(|text| text.len() <= MAX_PASSWORD_FILE_BYTES);
                text.ok_or_else(|| format!("the password file {} must hold one password", path.display()))?
            }
        };
        let secret = text.trim_end();
        if secret.is_empty() { Err("the password is empty".to_owned()) } else { Ok(secret.to_owned()) }
    }
}

/// Makes the headers that authenticate calls.
#[derive(Debug)]
pub struct Authenticator {
    auth: Auth,
    /// The address for tokens, if there is a Keystone.
    tokens: Option<Url>,
    token: Mutex<Option<HeaderValue>>,
}

impl Authenticator {
    pub fn new(auth: Auth) -> Result<Self, ConnectionError> {
        let tokens = match &auth {
            Auth::Keystone(keystone) => {
                let base = base("Keystone", &keystone.url, "/v3", "https://keystone.example.com:5000")?;
                let mut url = base.clone();
                url.set_path(&format!("{}v3/auth/tokens", base.path()));
                Some(url)
            }
            Auth::None | Auth::Basic { .. } => None,
        };
        Ok(Self { auth, tokens, token: Mutex::new(None) })
    }

    /// Returns the header that authenticates a call, `None` if none is asked for.
    pub async fn header(
        &self,
        http: &reqwest::Client,
        call: &Call,
    ) -> Result<Option<(HeaderName, HeaderValue)>, IronicError> {
        let failed = |reason| IronicError::Secret { call: call.text.to_string(), reason };
        match (&self.auth, &self.tokens) {
            (Auth::Basic { username, password }, _) => {
                let password = password.read().await.map_err(failed)?;
                let request = http.get(call.url.clone()).basic_auth(username, Some(password)).build();
                let request = request.map_err(|_| failed("the user name and password cannot be sent".to_owned()))?;
                Ok(request.headers().get(AUTHORIZATION).map(|value| (AUTHORIZATION, value.clone())))
            }
            (Auth::Keystone(keystone), Some(url)) => {
                let mut token = self.token.lock().await;
                if let Some(token) = &*token {
                    return Ok(Some((TOKEN, token.clone())));
                }
                let fetched = fetch(http, url, &keystone.method).await?;
                *token = Some(fetched.clone());
                Ok(Some((TOKEN, fetched)))
            }
            (Auth::None | Auth::Keystone(_), _) => Ok(None),
        }
    }

    /// Forgets a token that was refused, and returns true if a new one can be fetched.
    pub async fn renew(&self, refused: Option<&HeaderValue>) -> bool {
        let mut token = self.token.lock().await;
        // Another call may have fetched a new one already.
        if token.as_ref() == refused {
            *token = None;
        }
        matches!(self.auth, Auth::Keystone(_)) && refused.is_some()
    }
}

/// Fetches a token from Keystone.
async fn fetch(http: &reqwest::Client, url: &Url, method: &KeystoneMethod) -> Result<HeaderValue, IronicError> {
    let call = Call::new(reqwest::Method::POST, url.clone(), Effect::Fetches);
    let body = match request(method).await {
        Ok(body) => body,
        Err(reason) => return Err(IronicError::Secret { call: call.text.to_string(), reason }),
    };
    let answer = IronicAnswer::of(&call, http.post(url.clone()).json(&body)).await.map_err(|failure| failure.error)?;
    let token = answer.headers.get("x-subject-token").cloned();
    let mut token = token.ok_or_else(|| call.wrong("", "a token in the header X-Subject-Token".to_owned()))?;
    token.set_sensitive(true);
    Ok(token)
}

/// Returns the body of a request for a token. An error is a sentence that never holds a secret.
async fn request(method: &KeystoneMethod) -> Result<Value, String> {
    Ok(match method {
        KeystoneMethod::Password { username, domain, password, scope } => {
            let password = password.read().await?;
            let user = json!({ "name": username, "domain": { "name": domain }, "password": password });
            let scope = match scope {
                Scope::System => json!({ "system": { "all": true } }),
                Scope::Project { name, domain } => {
                    json!({ "project": { "name": name, "domain": { "name": domain } } })
                }
            };
            json!({ "auth": {
                "identity": { "methods": ["password"], "password": { "user": user } },
                "scope": scope,
            } })
        }
        KeystoneMethod::ApplicationCredential { id, secret } => {
            let credential = json!({ "id": id, "secret": secret.read().await? });
            json!({ "auth": { "identity": {
                "methods": ["application_credential"],
                "application_credential": credential,
            } } })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_secret_is_read_and_never_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("password");
        std::fs::write(&file, "hunter2\n").expect("written");
        for source in [SecretSource::File(file), SecretSource::Text("hunter2".to_owned())] {
            assert_eq!(source.read().await.as_deref(), Ok("hunter2"));
            let auth = Auth::Basic { username: "admin".to_owned(), password: source };
            assert!(!format!("{auth:?}").contains("hunter2"));
        }
        let empty = SecretSource::Text(" \n".to_owned()).read().await.expect_err("empty");
        assert_eq!(empty, "the password is empty");
        let missing = SecretSource::File("/nowhere/password".into()).read().await.expect_err("missing");
        assert!(missing.contains("/nowhere/password"), "{missing}");
    }
}
