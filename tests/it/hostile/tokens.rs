//! Tokens: without the secret, no modified or combined token is accepted.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use underlay_engine::access::{ClaimNames, Trust, VerifyingKey};

use super::{always, mutation};

const SECRET: &[u8; 32] = b"0123456789abcdef0123456789abcdef";
const OTHER: &[u8; 32] = b"fedcba9876543210fedcba9876543210";

fn trust() -> Trust {
    let key = VerifyingKey::secret("it", SECRET, Some("underlay".to_owned())).expect("a key");
    Trust::tokens(vec![key], Vec::new(), ClaimNames::default())
}

fn claims(role: &str) -> Value {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    json!({"sub": "ann", "roles": [role], "aud": "underlay", "exp": now + 3600})
}

fn signed(secret: &[u8], algorithm: Algorithm, role: &str) -> String {
    encode(&Header::new(algorithm), &claims(role), &EncodingKey::from_secret(secret)).expect("a token")
}

fn good() -> Vec<String> {
    let algorithms = [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512];
    algorithms.iter().flat_map(|it| ["viewer", "admin"].map(|role| signed(SECRET, *it, role))).collect()
}

#[test]
fn a_modified_token_is_rejected() {
    let (trust, runtime, good) = (trust(), Runtime::new().expect("start a runtime"), good());
    for token in &good {
        assert!(runtime.block_on(trust.caller(Some(token))).is_ok(), "it is accepted unchanged");
    }
    always(mutation::text(good.clone()), |token| {
        let accepted = runtime.block_on(trust.caller(Some(&token)));
        match good.contains(&token) {
            true => prop_assert!(accepted.is_ok()),
            false => prop_assert!(accepted.is_err(), "accepted: {token}"),
        }
        Ok(())
    });
}

#[test]
fn parts_of_several_tokens_are_rejected() {
    let (trust, runtime, good) = (trust(), Runtime::new().expect("start a runtime"), good());
    let mut all = good.clone();
    all.extend(["viewer", "admin"].map(|role| signed(OTHER, Algorithm::HS256, role)));
    all.push(format!(
        "{}.{}.",
        BASE64_URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#),
        BASE64_URL_SAFE_NO_PAD.encode("{}")
    ));
    let parts: Vec<Vec<String>> = all.iter().map(|token| token.split('.').map(str::to_owned).collect()).collect();
    always([select(parts.clone()), select(parts.clone()), select(parts)], |[header, claims, signature]| {
        let token = [&*header[0], &*claims[1], &*signature[2]].join(".");
        let accepted = runtime.block_on(trust.caller(Some(&token))).is_ok();
        prop_assert_eq!(accepted, good.contains(&token), "{}", token);
        Ok(())
    });
}

#[test]
fn an_unsigned_token_is_rejected() {
    let (trust, runtime) = (trust(), Runtime::new().expect("start a runtime"));
    let headers = ["HS256", "HS512", "none", "ES256", "EdDSA"].map(|algorithm| json!({"alg": algorithm}).to_string());
    let forged = (
        mutation::bytes(headers.to_vec()),
        mutation::bytes(vec![claims("admin").to_string()]),
        vec(any::<u8>(), 0..70),
    );
    let forged = forged.prop_map(|(header, claims, signature)| {
        [header, claims, signature].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part)).join(".")
    });
    always(prop_oneof![forged, any::<String>()], |token| {
        prop_assert!(runtime.block_on(trust.caller(Some(&token))).is_err(), "accepted: {}", token);
        Ok(())
    });
}
