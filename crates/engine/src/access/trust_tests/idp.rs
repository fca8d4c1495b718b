//! An issuer of tokens that runs in the process of the test. It rotates keys, stalls or lies.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, encode};
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256};
use serde_json::json;

use super::*;

/// The way in which an issuer answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mood {
    Well,
    Failing,
    Stalling,
    Rubbish,
    Huge,
    /// The issuer claims to be another one.
    Lying,
    /// The issuer sends a shared secret as its key.
    Secret,
}

/// An issuer that runs in this process.
pub(super) struct Idp {
    pub url: String,
    pub keys: Mutex<Vec<(String, KeyPair)>>,
    mood: Mutex<Mood>,
    pub asked: AtomicUsize,
}

impl Idp {
    pub async fn start() -> Arc<Self> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let idp =
            Arc::new(Self { url, keys: Mutex::default(), mood: Mutex::new(Mood::Well), asked: AtomicUsize::new(0) });
        idp.rotate("one");
        let routes = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(keys))
            .with_state(Arc::clone(&idp));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        idp
    }

    pub fn rotate(&self, kid: &str) {
        let pair = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).expect("a key");
        *self.keys.lock().expect("keys") = vec![(kid.to_owned(), pair)];
    }

    pub fn feels(&self, mood: Mood) {
        *self.mood.lock().expect("a mood") = mood;
    }

    pub fn set(&self) -> Value {
        let jwk = |(kid, pair): &(String, KeyPair)| {
            let mut jwk = Jwk::from_encoding_key(&signing(pair, Algorithm::ES256), Algorithm::ES256).expect("a jwk");
            jwk.common.key_id = Some(kid.clone());
            jwk.common.public_key_use = Some(PublicKeyUse::Signature);
            jwk
        };
        let keys = self.keys.lock().expect("keys").iter().map(jwk).collect();
        serde_json::to_value(JwkSet { keys }).expect("plain values")
    }

    pub fn token(&self, kid: Option<&str>, changes: Value) -> String {
        let keys = self.keys.lock().expect("keys");
        let mut content = claims(json!({"iss": self.url}));
        content.as_object_mut().expect("an object").extend(claims(changes).as_object().expect("an object").clone());
        encode(&header(Algorithm::ES256, kid), &content, &signing(&keys[0].1, Algorithm::ES256)).expect("a token")
    }

    /// Returns a server that trusts this issuer, and asks it without pauses.
    pub fn trusted(&self) -> Trust {
        self.trusted_at(pace())
    }

    pub fn trusted_at(&self, pace: Pace) -> Trust {
        Trust::tokens(Vec::new(), vec![self.issuer_at(pace)], ClaimNames::default())
    }

    pub fn issuer_at(&self, pace: Pace) -> Trusted {
        let issuer = Issuer {
            issuer: self.url.clone(),
            audience: "underlay".to_owned(),
            algorithms: vec!["ES256".to_owned()],
            jwks_url: None,
            prefix: "corp:".to_owned(),
        };
        let mut trusted = Trusted::new(issuer).expect("an issuer");
        trusted.pace = pace;
        trusted
    }
}

/// Returns a pace without pauses, at which keys stay fresh, and an issuer is waited for, for longer than a test takes.
pub(super) fn pace() -> Pace {
    let none = Duration::ZERO;
    Pace { patience: HANG, pause: none, failed: [none, none], ..Pace::default() }
}

async fn answered(idp: &Idp, well: Value) -> Response {
    idp.asked.fetch_add(1, Ordering::SeqCst);
    let mood = *idp.mood.lock().expect("a mood");
    match mood {
        Mood::Well | Mood::Lying | Mood::Secret => axum::Json(well).into_response(),
        Mood::Failing => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Mood::Stalling => std::future::pending().await,
        Mood::Rubbish => "<html>".into_response(),
        Mood::Huge => " ".repeat(2 << 20).into_response(),
    }
}

async fn discovery(State(idp): State<Arc<Idp>>) -> Response {
    let lies = *idp.mood.lock().expect("a mood") == Mood::Lying;
    let issuer = if lies { "https://elsewhere.example.org" } else { &idp.url };
    answered(&idp, json!({"issuer": issuer, "jwks_uri": format!("{}/keys", idp.url)})).await
}

async fn keys(State(idp): State<Arc<Idp>>) -> Response {
    let secret = *idp.mood.lock().expect("a mood") == Mood::Secret;
    let set = match secret {
        true => json!({"keys": [{"kty": "oct", "kid": "one", "k": BASE64_URL_SAFE_NO_PAD.encode(SECRET)}]}),
        false => idp.set(),
    };
    answered(&idp, set).await
}
