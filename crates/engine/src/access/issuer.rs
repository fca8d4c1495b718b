//! Issuers whose keys are fetched, by OpenID Connect Discovery 1.0 and JWK sets (RFC 7517).
//!
//! Keys are fetched when a token first needs them. Later they are renewed in the background, while requests use the
//! cached keys. A request waits for the renewal only if the keys are overdue. If a token names an unknown key, the keys
//! are fetched again. There is a pause between any two fetches, so tokens cannot make this server ask an issuer more
//! often. An issuer that is unreachable does no harm while its cached keys are valid.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use reqwest::Url;
use reqwest::redirect::Policy;
use serde::Deserialize;
use thiserror::Error;
use tracing::{info, warn};

use super::error::TokenError;
use crate::runtime::BackOff;

/// The most bytes in a response of an issuer.
const MAX_RESPONSE_BYTES: usize = 1 << 20;
/// The most keys of an issuer that are kept.
const MAX_KEYS: usize = 100;
/// The intervals at which an issuer is asked for its keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The time-out of a request to the issuer.
    pub patience: Duration,
    /// The age from which keys are renewed.
    pub fresh: Duration,
    /// The age from which a request waits until the keys are renewed, if the last fetch succeeded.
    pub overdue: Duration,
    /// The age from which keys are no longer valid, in case the issuer is unreachable for that long.
    pub oldest: Duration,
    /// The pause after a fetch that succeeded.
    pub pause: Duration,
    /// The least pause after the first fetch that failed, and that after many. A random part of up to as much is added.
    pub failed: [Duration; 2],
}

impl Default for Pace {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            patience: seconds(5),
            fresh: seconds(600),
            overdue: seconds(1200),
            oldest: seconds(24 * 3600),
            pause: seconds(10),
            failed: [Duration::from_millis(500), seconds(30)],
        }
    }
}

/// The settings of a trusted issuer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// The value of the claim `iss`. It is a URL, below which the discovery document says where the keys are.
    pub issuer: String,
    /// The audience of the issuer's tokens for this server.
    pub audience: String,
    /// The algorithms that the issuer may sign with. If the list is empty, all algorithms with a public key are
    /// allowed.
    pub algorithms: Vec<String>,
    /// The URL of the keys, if the discovery document is not to be used.
    pub jwks_url: Option<String>,
    /// The prefix of the names of the issuer's actors.
    pub prefix: String,
}

/// A reason why an issuer cannot be trusted.
#[derive(Debug, Error)]
pub enum IssuerError {
    #[error("{0:?} must be a URL of the form https://HOST/PATH, or http if the host is a loopback address")]
    Url(String),
    #[error("the algorithm {name:?} is not allowed; allowed: {}", allowed.join(", "))]
    Algorithm { name: String, allowed: Vec<String> },
    #[error("the HTTP client cannot be created: {0}")]
    Client(reqwest::Error),
}

/// A reason why keys could not be fetched.
#[derive(Debug, Error)]
enum FetchError {
    #[error("{0}")]
    Http(#[from] reqwest::Error),
    #[error("the answer has more than {MAX_RESPONSE_BYTES} bytes")]
    TooLarge,
    #[error("the answer is invalid: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the discovery document is that of another issuer, {0:?}")]
    Other(String),
    #[error("the URL of the keys, {0:?}, is neither HTTPS nor a loopback address")]
    Url(String),
}

/// A trusted issuer with its cached keys.
pub struct Trusted {
    pub(super) issuer: Issuer,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) pace: Pace,
    http: reqwest::Client,
    keys: Mutex<Known>,
    /// The lock that a task holds while it fetches the keys.
    fetching: tokio::sync::Mutex<()>,
}

/// The cached keys of an issuer, with the state of their renewal.
struct Known {
    keys: Arc<Vec<Verifying>>,
    at: Option<Instant>,
    /// The time before which no fetch is started.
    not_before: Option<Instant>,
    /// The pauses since the last fetch that succeeded; `None` if none failed since.
    failures: Option<BackOff>,
    /// The number of times that the keys have changed.
    generation: u64,
}

/// A public key that verifies tokens.
struct Verifying {
    jwk: Jwk,
    key: DecodingKey,
}

#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: String,
}

impl Trusted {
    /// Creates an issuer. Nothing is fetched yet, so the server also starts without the issuer.
    ///
    /// # Errors
    /// Returns an error if a URL is not safe, an algorithm is not allowed, or no HTTP client can be created.
    pub fn new(issuer: Issuer) -> Result<Self, IssuerError> {
        for url in [Some(&issuer.issuer), issuer.jwks_url.as_ref()].into_iter().flatten() {
            is_safe(url).then_some(()).ok_or_else(|| IssuerError::Url(url.clone()))?;
        }
        let http = reqwest::Client::builder().redirect(Policy::none());
        Ok(Self {
            algorithms: algorithms(&issuer.algorithms)?,
            pace: Pace::default(),
            http: http.build().map_err(IssuerError::Client)?,
            issuer,
            keys: Mutex::new(Known { keys: Arc::default(), at: None, not_before: None, failures: None, generation: 0 }),
            fetching: tokio::sync::Mutex::new(()),
        })
    }

    /// Returns the key that the token names, or the only key there is, with the generation of the keys.
    pub(super) async fn key(
        self: &Arc<Self>,
        kid: Option<&str>,
        algorithm: Algorithm,
    ) -> Result<(DecodingKey, u64), TokenError> {
        if self.find(kid, algorithm).is_some() {
            self.refresh().await;
        }
        if let Some(found) = self.find(kid, algorithm) {
            return Ok(found);
        }
        self.renew().await;
        match self.find(kid, algorithm) {
            Some(found) => Ok(found),
            None if self.are_good() => Err(TokenError::UnknownKey),
            None => Err(TokenError::IssuerAway),
        }
    }

    /// Returns true if a token that was verified with the keys of this generation can still be trusted. That is so if
    /// the keys have not changed since then and are still valid. This renews the keys too, because a server may receive
    /// nothing but cached tokens.
    pub(super) async fn confirms(self: &Arc<Self>, generation: u64) -> bool {
        self.refresh().await;
        self.known().generation == generation && self.are_good()
    }

    fn find(&self, kid: Option<&str>, algorithm: Algorithm) -> Option<(DecodingKey, u64)> {
        let (keys, generation) = {
            let known = self.known();
            known.at.filter(|at| at.elapsed() < self.pace.oldest)?;
            (Arc::clone(&known.keys), known.generation)
        };
        let fits = |key: &&Verifying| {
            let common = &key.jwk.common;
            key.key.family() == algorithm.family()
                && common.key_algorithm.is_none_or(|named| named.to_string() == format!("{algorithm:?}"))
        };
        let found = match kid {
            Some(kid) => keys.iter().filter(|key| key.jwk.common.key_id.as_deref() == Some(kid)).find(fits),
            None if keys.len() == 1 => keys.first().filter(fits),
            None => None,
        };
        found.map(|key| (key.key.clone(), generation))
    }

    /// Returns true if the keys are young enough to be used.
    fn are_good(&self) -> bool {
        self.known().at.is_some_and(|at| at.elapsed() < self.pace.oldest)
    }

    /// Renews keys that are due: first in the background, and once they are overdue, before the request continues. A
    /// request does not wait for an issuer that did not answer the last time.
    async fn refresh(self: &Arc<Self>) {
        if !self.is_stale() {
            return;
        }
        let is_overdue = {
            let known = self.known();
            known.failures.is_none() && known.at.is_some_and(|at| at.elapsed() > self.pace.overdue)
        };
        if is_overdue {
            self.renew().await;
        } else if self.fetching.try_lock().is_ok() {
            let issuer = Arc::clone(self);
            tokio::spawn(async move { issuer.renew().await });
        }
    }

    fn is_stale(&self) -> bool {
        let known = self.known();
        let waits = known.not_before.is_some_and(|time| Instant::now() < time);
        !waits && known.at.is_none_or(|at| at.elapsed() > self.pace.fresh)
    }

    /// Fetches the keys, unless the pause after the last fetch is not over. Concurrent requests wait for the one that
    /// fetches.
    async fn renew(&self) {
        let _fetching = self.fetching.lock().await;
        if self.known().not_before.is_some_and(|time| Instant::now() < time) {
            return;
        }
        let fetched = self.fetch().await;
        let mut known = self.known();
        match fetched {
            Ok(keys) => {
                let changed = !keys.iter().map(|key| &key.jwk).eq(known.keys.iter().map(|key| &key.jwk));
                info!(issuer = self.issuer.issuer, keys = keys.len(), changed, "fetched keys");
                known.generation += u64::from(changed);
                known.keys = Arc::new(keys);
                known.at = Some(Instant::now());
                known.failures = None;
                known.not_before = Some(Instant::now() + self.pace.pause);
            }
            Err(error) => {
                warn!(issuer = self.issuer.issuer, %error, "the keys of the issuer cannot be fetched");
                let [first, longest] = self.pace.failed;
                let pause = known.failures.get_or_insert_with(|| BackOff::new(first, longest)).failed();
                known.not_before = Some(Instant::now() + pause);
            }
        }
    }

    async fn fetch(&self) -> Result<Vec<Verifying>, FetchError> {
        let url = match &self.issuer.jwks_url {
            Some(url) => url.clone(),
            None => self.discover().await?,
        };
        let set: JwkSet = serde_json::from_slice(&self.get(&url).await?)?;
        let verifies = |jwk: &Jwk| {
            let symmetric = matches!(jwk.algorithm, AlgorithmParameters::OctetKey(_));
            !symmetric && jwk.common.public_key_use.as_ref().is_none_or(|is_for| *is_for == PublicKeyUse::Signature)
        };
        let keys = set.keys.into_iter().filter(verifies).take(MAX_KEYS);
        Ok(keys.filter_map(|jwk| DecodingKey::from_jwk(&jwk).ok().map(|key| Verifying { jwk, key })).collect())
    }

    /// Reads the URL of the keys from the issuer's discovery document.
    async fn discover(&self) -> Result<String, FetchError> {
        let own = self.issuer.issuer.as_str();
        let url = format!("{}/.well-known/openid-configuration", own.trim_end_matches('/'));
        let discovery: Discovery = serde_json::from_slice(&self.get(&url).await?)?;
        if discovery.issuer != own {
            return Err(FetchError::Other(discovery.issuer));
        }
        match is_safe(&discovery.jwks_uri) {
            true => Ok(discovery.jwks_uri),
            false => Err(FetchError::Url(discovery.jwks_uri)),
        }
    }

    async fn get(&self, url: &str) -> Result<Vec<u8>, FetchError> {
        let mut response = self.http.get(url).timeout(self.pace.patience).send().await?.error_for_status()?;
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if bytes.len() + chunk.len() > MAX_RESPONSE_BYTES {
                return Err(FetchError::TooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns true if a response from this URL is protected from others on the way: by HTTPS, or by a loopback address.
fn is_safe(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    let is_near = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    !host.is_empty() && (url.scheme() == "https" || url.scheme() == "http" && is_near)
}

/// Reads the names of the algorithms that an issuer may use. Shared secrets are not allowed, because an issuer
/// publishes its keys.
fn algorithms(named: &[String]) -> Result<Vec<Algorithm>, IssuerError> {
    use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};
    let all = [RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, EdDSA];
    if named.is_empty() {
        return Ok(all.to_vec());
    }
    let find = |name: &String| {
        all.into_iter().find(|algorithm| format!("{algorithm:?}") == *name).ok_or_else(|| IssuerError::Algorithm {
            name: name.clone(),
            allowed: all.iter().map(|algorithm| format!("{algorithm:?}")).collect(),
        })
    };
    named.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_from_where_nobody_can_change_them() {
        for (url, safe) in [
            ("https://id.example.org/realm", true),
            ("http://127.0.0.1:9000", true),
            ("http://[::1]:9000/x", true),
            ("http://localhost/", true),
            ("http://id.example.org", false),
            ("http://127.0.0.1.example.org", false),
            ("file:///etc/passwd", false),
            ("id.example.org", false),
            ("", false),
        ] {
            assert_eq!(is_safe(url), safe, "{url}");
        }
    }

    #[test]
    fn issuers_sign_with_public_keys_only() {
        assert_eq!(algorithms(&[]).expect("all").len(), 9);
        assert_eq!(algorithms(&["ES256".to_owned()]).expect("one"), [Algorithm::ES256]);
        for name in ["HS256", "none", "es256", ""] {
            let message = algorithms(&[name.to_owned()]).expect_err("refused").to_string();
            assert!(message.contains("allowed: RS256"), "{message}");
        }
    }
}
