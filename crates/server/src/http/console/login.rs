//! The sign-in of people at the console by OpenID Connect: the authorization code flow with PKCE (RFC 7636), which the
//! console runs in the browser.

use axum::http::HeaderValue;
use reqwest::Url;
use serde::Serialize;
use thiserror::Error;

use super::policy::policy_with;

/// The settings with which the console lets people sign in at an OpenID Connect issuer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Login {
    issuer: String,
    client_id: String,
    scopes: String,
    /// The content security policy of a console that signs people in.
    #[serde(skip)]
    policy: HeaderValue,
}

/// A reason why people cannot sign in with such settings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LoginError {
    /// The issuer has no origin that the policy of the console can name.
    #[error("{0:?} must be a URL of the form https://HOST/PATH, or http if the host is a loopback address")]
    Issuer(String),
    /// The client id is empty, or has control characters.
    #[error("{0:?} must be the id of a client that the issuer knows")]
    ClientId(String),
    /// The scopes do not make an OpenID Connect request (OpenID Connect Core 1.0, section 3.1.2.1).
    #[error("{0:?} must be words with spaces between them, and one of them must be openid")]
    Scopes(String),
}

impl Login {
    /// Creates the settings.
    ///
    /// # Errors
    /// Returns an error if one of the settings cannot be used.
    pub fn new(issuer: String, client_id: String, scopes: String) -> Result<Self, LoginError> {
        let policy = origin(&issuer).and_then(|origin| policy_with(&origin));
        let Some(policy) = policy else { return Err(LoginError::Issuer(issuer)) };
        if client_id.trim().is_empty() || client_id.contains(char::is_control) {
            return Err(LoginError::ClientId(client_id));
        }
        if scopes.contains(char::is_control) || !scopes.split(' ').any(|scope| scope == "openid") {
            return Err(LoginError::Scopes(scopes));
        }
        Ok(Self { issuer, client_id, scopes, policy })
    }

    /// Returns the issuer: the value of the claim `iss` of its tokens.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Returns the content security policy of the console, which must be able to reach the issuer.
    pub fn policy(&self) -> &HeaderValue {
        &self.policy
    }
}

/// Returns the origin of a URL, if it can stand in a content security policy, where spaces, commas and semicolons have
/// a meaning.
fn origin(issuer: &str) -> Option<String> {
    let url = Url::parse(issuer).ok()?;
    let host = url.host_str()?;
    let is_loopback = host == "localhost" || host.starts_with("127.") || host == "[::1]";
    let is_plain = host.chars().all(|it| it.is_ascii_alphanumeric() || ".-_[]:".contains(it));
    let is_safe = url.scheme() == "https" || (url.scheme() == "http" && is_loopback);
    (is_plain && is_safe).then(|| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login(issuer: &str, client: &str, scopes: &str) -> Result<Login, LoginError> {
        Login::new(issuer.to_owned(), client.to_owned(), scopes.to_owned())
    }

    #[test]
    fn the_origin_of_the_issuer_is_one_word() {
        for (issuer, origin) in [
            ("https://id.example.org/realms/infra", Some("https://id.example.org")),
            ("https://ID.example.org:8443", Some("https://id.example.org:8443")),
            ("http://127.0.0.1:9000/", Some("http://127.0.0.1:9000")),
            ("http://[::1]:9000/", Some("http://[::1]:9000")),
            ("http://id.example.org", None),
            ("https://id.example.org;script-src", None),
            ("https://a,b/", None),
            ("https://", None),
            ("id.example.org", None),
            ("data:text/plain,x", None),
        ] {
            let found = login(issuer, "console", "openid").ok();
            let policy = found.as_ref().map(|login| login.policy().to_str().expect("text"));
            let allowed = policy.map(|policy| policy.rsplit(' ').next().unwrap_or_default());
            assert_eq!(allowed, origin, "{issuer}");
        }
    }

    #[test]
    fn settings_without_a_client_or_openid_are_rejected() {
        let issuer = "https://id.example.org";
        for (client, scopes, fits) in [
            ("console", "openid", true),
            ("console", "profile openid email", true),
            ("", "openid", false),
            ("a\nb", "openid", false),
            ("console", "", false),
            ("console", "openid2 profile", false),
            ("console", "openid\tprofile", false),
        ] {
            assert_eq!(login(issuer, client, scopes).is_ok(), fits, "{client:?} {scopes:?}");
        }
    }
}
