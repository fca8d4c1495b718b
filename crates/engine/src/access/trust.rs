//! This module authenticates requests: it verifies tokens and returns their callers.
//!
//! Verified tokens are cached, because verifying a signature costs more than a small query. A cached token is trusted
//! until it expires, until the keys of its issuer change, or until those keys are too old. Connections that last ask
//! again for each operation, and while operations run.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{DecodingKey, Header, Validation, dangerous, decode, decode_header};
use lru::LruCache;
use rand::rngs::OsRng;
use rand::{Rng as _, TryRngCore as _};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use tokio::time::sleep;

use super::caller::Caller;
use super::claims::{self, ClaimNames, MAX_CLOCK_SKEW};
use super::error::TokenError;
use super::issuer::Trusted;
use super::key::{KeyError, VerifyingKey, token_error};
use super::token::MAX_TOKEN_BYTES;
use underlay_error::Role;

/// The most tokens that are cached.
const MAX_CACHED_TOKENS: NonZeroUsize = NonZeroUsize::new(4096).expect("more than none");

/// The authentication of a server, with its cache of verified tokens.
pub struct Trust {
    way: Believing,
    /// The token of a part of this process, and its caller.
    own: Vec<OwnToken>,
    remembered: Mutex<LruCache<Box<str>, Remembered>>,
}

/// A random token that a part of this process sends over loopback. It is never shown, and ends with the process.
#[derive(Clone)]
pub struct OwnToken {
    token: Arc<str>,
    caller: Arc<Caller>,
}

impl OwnToken {
    /// Makes up a token for a caller with these roles.
    ///
    /// # Errors
    /// Returns an error if the operating system has no random numbers.
    pub fn of(actor: &str, roles: &[Role]) -> Result<Self, KeyError> {
        let mut bytes = [0; 32];
        OsRng.try_fill_bytes(&mut bytes).map_err(|error| KeyError::NoChance(error.to_string()))?;
        let caller = Caller {
            actor: actor.to_owned(),
            roles: roles.iter().copied().collect(),
            source: None,
            tenant: None,
            until: None,
        };
        Ok(Self { token: BASE64_URL_SAFE_NO_PAD.encode(bytes).into(), caller: Arc::new(caller) })
    }

    /// Returns the token to send.
    pub fn token(&self) -> &str {
        &self.token
    }
}

enum Believing {
    /// Every client may do everything.
    Anybody(Arc<Caller>),
    /// A request needs a token that one of these keys or issuers verifies.
    Tokens { keys: Vec<VerifyingKey>, issuers: Vec<Arc<Trusted>>, names: ClaimNames },
}

/// A cached token that was verified.
#[derive(Clone)]
struct Remembered {
    caller: Arc<Caller>,
    /// The index of the issuer, and the generation of its keys that verified the token.
    issuer: Option<(usize, u64)>,
}

impl Trust {
    /// Creates a trust without authentication.
    pub fn anybody() -> Self {
        Self::new(Believing::Anybody(Arc::new(Caller::anybody())))
    }

    /// Creates a trust that accepts tokens signed with one of these keys or by one of these issuers.
    pub fn tokens(keys: Vec<VerifyingKey>, issuers: Vec<Trusted>, names: ClaimNames) -> Self {
        let issuers = issuers.into_iter().map(Arc::new).collect();
        Self::new(Believing::Tokens { keys, issuers, names })
    }

    fn new(way: Believing) -> Self {
        Self { way, own: Vec::new(), remembered: Mutex::new(LruCache::new(MAX_CACHED_TOKENS)) }
    }

    /// Returns the trust that also accepts the tokens of parts of this process.
    #[must_use]
    pub fn with_own(self, own: Vec<OwnToken>) -> Self {
        Self { own, ..self }
    }

    /// Returns true if requests need a token.
    pub fn asks(&self) -> bool {
        matches!(self.way, Believing::Tokens { .. })
    }

    /// Authenticates a request by its token, and returns the caller.
    ///
    /// # Errors
    /// Returns an error if a token is needed, and it is missing or rejected.
    pub async fn caller(&self, token: Option<&str>) -> Result<Arc<Caller>, TokenError> {
        let (keys, issuers, names) = match &self.way {
            Believing::Anybody(caller) => return Ok(Arc::clone(caller)),
            Believing::Tokens { keys, issuers, names } => (keys, issuers, names),
        };
        let token = token.ok_or(TokenError::Missing)?;
        // Digests are compared, so that the time shows nothing about the token.
        if let Some(own) = self.own.iter().find(|own| Sha256::digest(&*own.token) == Sha256::digest(token)) {
            return Ok(Arc::clone(&own.caller));
        }
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenError::TooLong(token.len()));
        }
        if let Some(caller) = self.recall(token, issuers).await {
            return Ok(caller);
        }
        let header = decode_header(token).map_err(|error| token_error(&error))?;
        // A token with a critical header must be rejected if the header is not understood (RFC 7515, section 4.1.11).
        if header.crit.is_some() {
            return Err(TokenError::NoJwt);
        }
        let issuer = issuer(token);
        let named = issuers.iter().position(|trusted| Some(&trusted.issuer.issuer) == issuer.as_ref());
        let (caller, issuer) = match named {
            Some(index) => {
                // The generation comes with the key. If the keys change meanwhile, the cached entry is not used.
                let (caller, generation) = issued(token, &header, &issuers[index], names).await?;
                (caller, Some((index, generation)))
            }
            None => (signed(token, &header, keys, names)?, None),
        };
        // The library counts whole seconds, so it may accept a token that expired a moment ago.
        if caller.until().is_some_and(|until| until <= SystemTime::now()) {
            return Err(TokenError::Expired);
        }
        let caller = Arc::new(caller);
        self.remember(token, Remembered { caller: Arc::clone(&caller), issuer });
        Ok(caller)
    }

    /// Waits until a token of a caller is no longer accepted, and returns the reason: it expires, or its key is
    /// withdrawn. The keys are checked with pauses of at most `check_interval`.
    pub async fn refusal(&self, token: Option<&str>, caller: &Caller, check_interval: Duration) -> TokenError {
        if !self.asks() {
            return std::future::pending().await;
        }
        loop {
            // Connections that began together do not check together.
            let pause = check_interval.mul_f64(rand::rng().random_range(0.5..1.0));
            tokio::select! {
                () = expired(caller) => return TokenError::Expired,
                () = sleep(pause) => {}
            }
            if let Err(error) = self.caller(token).await {
                return error;
            }
        }
    }

    /// The caller of a cached token. An entry does not outlive the keys that verified its token.
    async fn recall(&self, token: &str, issuers: &[Arc<Trusted>]) -> Option<Arc<Caller>> {
        let Remembered { caller, issuer } = self.remembered().get(token).cloned()?;
        let is_confirmed = match issuer {
            Some((index, generation)) => issuers[index].confirms(generation).await,
            None => true,
        };
        match is_confirmed && caller.until().is_none_or(|until| SystemTime::now() < until) {
            true => Some(caller),
            false => {
                self.remembered().pop(token);
                None
            }
        }
    }

    fn remembered(&self) -> MutexGuard<'_, LruCache<Box<str>, Remembered>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, token: &str, known: Remembered) {
        self.remembered().put(token.into(), known);
    }
}

/// Waits until the authentication of a caller expires.
async fn expired(caller: &Caller) {
    /// The longest wait for a clock, because clocks can be set.
    const MAX_CLOCK_CHECK_INTERVAL: Duration = Duration::from_secs(60);
    let Some(until) = caller.until() else { return std::future::pending().await };
    while let Ok(left) = until.duration_since(SystemTime::now()).map(|left| left.min(MAX_CLOCK_CHECK_INTERVAL)) {
        sleep(left.max(Duration::from_millis(1))).await;
    }
}

/// Returns the issuer that a token names, without verifying the token. It only selects the keys to try.
fn issuer(token: &str) -> Option<String> {
    let claims: Map<String, Value> = dangerous::insecure_decode_claims(token).ok()?;
    claims.get("iss").and_then(Value::as_str).map(str::to_owned)
}

/// Verifies a token of an issuer. Returns the caller, with the generation of the keys that verified the token.
async fn issued(
    token: &str,
    header: &Header,
    trusted: &Arc<Trusted>,
    names: &ClaimNames,
) -> Result<(Caller, u64), TokenError> {
    if !trusted.algorithms.contains(&header.alg) {
        return Err(TokenError::Algorithm);
    }
    let (key, generation) = trusted.key(header.kid.as_deref(), header.alg).await?;
    let mut wanted = Validation::new(header.alg);
    wanted.set_issuer(&[&trusted.issuer.issuer]);
    wanted.set_audience(&[&trusted.issuer.audience]);
    wanted.set_required_spec_claims(&["exp", "iss", "aud"]);
    let claims = verified(token, &key, wanted)?;
    Ok((claims::caller(&claims, names, &trusted.issuer.prefix)?, generation))
}

/// Verifies a token with the configured keys, and returns the caller.
fn signed(token: &str, header: &Header, keys: &[VerifyingKey], names: &ClaimNames) -> Result<Caller, TokenError> {
    if keys.is_empty() {
        return Err(TokenError::UnknownIssuer);
    }
    let mut failed = TokenError::Algorithm;
    for key in keys.iter().filter(|key| key.algorithms.contains(&header.alg)) {
        let mut wanted = Validation::new(header.alg);
        let mut required = vec!["exp"];
        if let Some(issuer) = &key.issuer {
            wanted.set_issuer(&[issuer]);
            required.push("iss");
        }
        match &key.audience {
            Some(audience) => {
                wanted.set_audience(&[audience]);
                required.push("aud");
            }
            None => wanted.validate_aud = false,
        }
        wanted.set_required_spec_claims(&required);
        match verified(token, &key.key, wanted) {
            Ok(claims) => return claims::caller(&claims, names, ""),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

fn verified(token: &str, key: &DecodingKey, mut wanted: Validation) -> Result<Map<String, Value>, TokenError> {
    wanted.validate_nbf = true;
    wanted.leeway = MAX_CLOCK_SKEW.as_secs();
    decode(token, key, &wanted).map(|token| token.claims).map_err(|error| token_error(&error))
}

#[cfg(test)]
#[path = "trust_tests.rs"]
mod tests;
