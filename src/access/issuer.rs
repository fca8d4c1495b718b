//! Issuers whose keys are fetched: OpenID Connect Discovery 1.0 and JWK sets (RFC 7517).
//!
//! Keys are fetched when a token first needs them, renewed behind the requests that go on with those that are there, and
//! looked for again when a token names one that is not among them, with a pause between any two tries: nobody makes this
//! server ask an issuer more often by sending it tokens. One that is away does no harm as long as its keys are known.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use rand::Rng as _;
use reqwest::Url;
use reqwest::redirect::Policy;
use serde::Deserialize;
use thiserror::Error;
use tracing::{info, warn};

use super::error::TokenError;

/// How many bytes it may have.
const MOST_BYTES: usize = 1 << 20;
/// How many keys of an issuer are kept.
const MOST_KEYS: usize = 100;
/// How often an issuer is asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// How long it may take for an answer.
    pub patience: Duration,
    /// From which age on keys are renewed.
    pub fresh: Duration,
    /// From which age on a request waits until keys are renewed, if the issuer answered the last time.
    pub overdue: Duration,
    /// The age at which keys are no longer good, for the case that the issuer is away for that long.
    pub oldest: Duration,
    /// The pause after keys were fetched.
    pub pause: Duration,
    /// The shortest and the longest pause after they could not be.
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
            failed: [seconds(1), seconds(60)],
        }
    }
}

/// An issuer that is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// As in the claim `iss`; what is below it says where its keys are.
    pub issuer: String,
    /// Which of its tokens are for this server.
    pub audience: String,
    /// What it may sign with; all that have a public key, where none are named.
    pub algorithms: Vec<String>,
    /// Where its keys are, if that is not to be asked.
    pub jwks_url: Option<String>,
    /// What stands before the names of its actors.
    pub prefix: String,
}

/// Why an issuer cannot be trusted.
#[derive(Debug, Error)]
pub enum IssuerError {
    #[error("{0:?} is no URL: https://HOST/PATH, or http where the host is a loopback address")]
    Url(String),
    #[error("the algorithm {name:?} is not allowed; allowed: {}", allowed.join(", "))]
    Algorithm { name: String, allowed: Vec<String> },
    #[error("no client can be made: {0}")]
    Client(reqwest::Error),
}

/// Why keys could not be fetched.
#[derive(Debug, Error)]
enum FetchError {
    #[error("{0}")]
    Http(#[from] reqwest::Error),
    #[error("the answer has more than {MOST_BYTES} bytes")]
    TooLarge,
    #[error("it is not what it should be: {0}")]
    Json(#[from] serde_json::Error),
    #[error("it says it is {0:?}")]
    Other(String),
    #[error("{0:?} is where its keys should be")]
    Url(String),
}

/// An issuer with its keys.
pub struct Trusted {
    pub(super) issuer: Issuer,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) pace: Pace,
    http: reqwest::Client,
    keys: Mutex<Known>,
    /// Held by the one who fetches.
    fetching: tokio::sync::Mutex<()>,
}

/// What is known of its keys.
struct Known {
    keys: Arc<Vec<Verifying>>,
    at: Option<Instant>,
    /// Before this nobody asks again.
    not_before: Option<Instant>,
    failures: u32,
    /// Counts changes of the keys.
    generation: u64,
}

/// A key.
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
    /// An issuer. Nothing is fetched yet: a server starts without it.
    ///
    /// # Errors
    /// When it cannot be one.
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
            keys: Mutex::new(Known { keys: Arc::default(), at: None, not_before: None, failures: 0, generation: 0 }),
            fetching: tokio::sync::Mutex::new(()),
        })
    }

    /// The key that a token names, or the only one there is, with the generation of the keys that it is from.
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

    /// Says if a token that was verified with the keys of a generation can still be trusted: the keys have not changed
    /// since and are still good. Keys are renewed here too, because a server can be asked with cached tokens only.
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

    /// Says if the keys are young enough to be used.
    fn are_good(&self) -> bool {
        self.known().at.is_some_and(|at| at.elapsed() < self.pace.oldest)
    }

    /// Renews keys that are due: in the background at first, and before the request goes on when they are overdue. A
    /// request does not wait for an issuer that did not answer the last time.
    async fn refresh(self: &Arc<Self>) {
        if !self.is_stale() {
            return;
        }
        let is_overdue = {
            let known = self.known();
            known.failures == 0 && known.at.is_some_and(|at| at.elapsed() > self.pace.overdue)
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

    /// Fetches the keys, unless that was tried just now. Who comes meanwhile waits for the one who does.
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
                known.failures = 0;
                known.not_before = Some(Instant::now() + self.pace.pause);
            }
            Err(error) => {
                warn!(issuer = self.issuer.issuer, %error, "the keys of the issuer cannot be fetched");
                let [shortest, longest] = self.pace.failed;
                let longest = shortest.saturating_mul(1 << known.failures.min(10)).min(longest);
                known.failures += 1;
                // With chance in it, so that several servers do not ask together.
                known.not_before = Some(Instant::now() + longest.mul_f64(rand::rng().random_range(0.5..1.0)));
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
        let keys = set.keys.into_iter().filter(verifies).take(MOST_KEYS);
        Ok(keys.filter_map(|jwk| DecodingKey::from_jwk(&jwk).ok().map(|key| Verifying { jwk, key })).collect())
    }

    /// Asks the issuer where its keys are.
    async fn discover(&self) -> Result<String, FetchError> {
        let own = self.issuer.issuer.as_str();
        let url = format!("{}/.well-known/openid-configuration", own.trim_end_matches('/'));
        let said: Discovery = serde_json::from_slice(&self.get(&url).await?)?;
        if said.issuer != own {
            return Err(FetchError::Other(said.issuer));
        }
        match is_safe(&said.jwks_uri) {
            true => Ok(said.jwks_uri),
            false => Err(FetchError::Url(said.jwks_uri)),
        }
    }

    async fn get(&self, url: &str) -> Result<Vec<u8>, FetchError> {
        let mut response = self.http.get(url).timeout(self.pace.patience).send().await?.error_for_status()?;
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if bytes.len() + chunk.len() > MOST_BYTES {
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

/// Whether what comes from a URL can be trusted to come from there.
fn is_safe(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    let is_near = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    !host.is_empty() && (url.scheme() == "https" || url.scheme() == "http" && is_near)
}

/// What an issuer may sign with. A secret that is shared with it is none that it publishes.
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
            let said = algorithms(&[name.to_owned()]).expect_err("refused").to_string();
            assert!(said.contains("allowed: RS256"), "{said}");
        }
    }
}
