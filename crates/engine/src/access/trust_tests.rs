//! Tests of valid tokens, of all kinds of invalid tokens, and of issuers that rotate keys, stall or lie.

use std::sync::atomic::Ordering;
use std::time::{Duration, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, encode};
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_ED25519, PKCS_RSA_SHA256};
use serde_json::json;
use underlay_testing::{HANG, until};

use super::super::issuer::{Issuer, Pace};
use super::*;

#[path = "trust_tests/idp.rs"]
mod idp;

use self::idp::{Idp, Mood, pace};

const SECRET: &[u8; 32] = b"0123456789abcdef0123456789abcdef";

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs()
}

/// Returns valid claims with some changes. A null removes the claim.
fn claims(changes: Value) -> Value {
    let mut claims = json!({"sub": "ann", "roles": ["viewer"], "aud": "underlay", "exp": now() + 600});
    for (name, value) in changes.as_object().expect("an object") {
        claims[name] = value.clone();
    }
    claims.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
    claims
}

fn header(algorithm: Algorithm, kid: Option<&str>) -> Header {
    Header { kid: kid.map(str::to_owned), ..Header::new(algorithm) }
}

fn by_secret(secret: &[u8], algorithm: Algorithm, claims: &Value) -> String {
    encode(&header(algorithm, None), claims, &EncodingKey::from_secret(secret)).expect("a token")
}

/// Assembles a token from its parts, without signing it.
fn of_parts(header: &Value, claims: &Value, signature: &str) -> String {
    let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.{signature}", part(header), part(claims))
}

fn believing(key: VerifyingKey) -> Trust {
    Trust::tokens(vec![key], Vec::new(), ClaimNames::default())
}

fn with_secret() -> Trust {
    believing(VerifyingKey::secret("it", SECRET, Some("underlay".to_owned())).expect("a key"))
}

async fn refused(trust: &Trust, token: &str) -> TokenError {
    let error = trust.caller(Some(token)).await.expect_err("refused");
    assert_eq!(trust.caller(Some(token)).await, Err(error.clone()), "the same once more");
    error
}

#[tokio::test]
async fn tokens_of_a_shared_secret_are_for_this_server_and_of_now() {
    let trust = with_secret();
    for algorithm in [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512] {
        let token = by_secret(SECRET, algorithm, &claims(json!({"nbf": now() + 30, "exp": now() - 30})));
        let caller = trust.caller(Some(&token)).await.expect("clocks may differ by a minute");
        assert_eq!(caller.actor(), "ann");
        let again = trust.caller(Some(&token)).await.expect("remembered");
        assert!(Arc::ptr_eq(&caller, &again));
    }
    for (changes, expected) in [
        (json!({"exp": now() - 90}), TokenError::Expired),
        (json!({"exp": null}), TokenError::Claim("exp".to_owned())),
        (json!({"nbf": now() + 90}), TokenError::NotYet),
        (json!({"aud": "others"}), TokenError::Audience),
        (json!({"aud": null}), TokenError::Claim("aud".to_owned())),
        (json!({"sub": null}), TokenError::Claim("sub".to_owned())),
        (json!({"tenant": ""}), TokenError::Claim("tenant".to_owned())),
    ] {
        let token = by_secret(SECRET, Algorithm::HS256, &claims(changes.clone()));
        assert_eq!(refused(&trust, &token).await, expected, "{changes}");
    }
    let others = by_secret(b"another secret of 32 bytes......", Algorithm::HS256, &claims(json!({})));
    assert_eq!(refused(&trust, &others).await, TokenError::Signature);
    assert_eq!(trust.caller(None).await, Err(TokenError::Missing));
}

#[tokio::test]
async fn an_unsigned_token_is_refused() {
    let trust = with_secret();
    let good = claims(json!({"roles": ["admin"]}));
    let signed = by_secret(SECRET, Algorithm::HS256, &claims(json!({})));
    let (_, signature) = signed.rsplit_once('.').expect("a signature");
    let unsigned = |algorithm: &str| of_parts(&json!({"alg": algorithm, "typ": "JWT"}), &good, "");
    for token in [
        unsigned("none"),
        unsigned("None"),
        unsigned("nOnE"),
        unsigned("HS256"),
        of_parts(&json!({"alg": "HS256"}), &good, signature),
        of_parts(&json!({"alg": "HS256", "crit": ["b64"], "b64": false}), &good, signature),
        of_parts(&json!({}), &good, signature),
        of_parts(&json!({"alg": "ES256"}), &good, signature),
        signed.replace('.', ""),
        format!("{signed}.{signature}"),
        signed[..signed.len() - 2].to_owned(),
        "..".to_owned(),
        String::new(),
        "\u{e4}.\u{e4}.\u{e4}".to_owned(),
    ] {
        refused(&trust, &token).await;
    }
    let long = format!("{signed}{}", "A".repeat(1 << 20));
    assert_eq!(refused(&trust, &long).await, TokenError::TooLong(long.len()));
}

#[tokio::test]
async fn a_public_key_is_no_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("key.pem");
    for (kind, algorithm) in [
        (&PKCS_RSA_SHA256, Algorithm::RS256),
        (&PKCS_ECDSA_P256_SHA256, Algorithm::ES256),
        (&PKCS_ED25519, Algorithm::EdDSA),
    ] {
        let pair = KeyPair::generate_for(kind).expect("a key");
        std::fs::write(&file, pair.public_key_pem()).expect("write");
        let trust = believing(VerifyingKey::public_in(&file, None).expect("a public key"));
        let good = claims(json!({"aud": null}));
        let own = encode(&header(algorithm, None), &good, &signing(&pair, algorithm)).expect("a token");
        assert!(trust.caller(Some(&own)).await.is_ok(), "{algorithm:?}");
        // Everybody knows the public key, so an attacker can use it as a secret.
        for secret in [pair.public_key_pem().as_bytes(), pair.public_key_pem().trim().as_bytes(), pair.public_key_raw()]
        {
            let forged = by_secret(secret, Algorithm::HS256, &good);
            assert_eq!(refused(&trust, &forged).await, TokenError::Algorithm);
        }
        std::fs::write(&file, pair.serialize_pem()).expect("write");
        assert!(VerifyingKey::public_in(&file, None).is_err(), "a secret key has no business here");
    }
}

fn signing(pair: &KeyPair, algorithm: Algorithm) -> EncodingKey {
    let pem = pair.serialize_pem();
    let read = match algorithm {
        Algorithm::RS256 => EncodingKey::from_rsa_pem,
        Algorithm::ES256 => EncodingKey::from_ec_pem,
        _ => EncodingKey::from_ed_pem,
    };
    read(pem.as_bytes()).expect("a key")
}

#[test]
fn short_secrets_are_refused() {
    assert!(
        VerifyingKey::secret("it", b"hunter2", None)
            .is_err_and(|error| error.to_string().contains("at least 32 bytes"))
    );
}

#[tokio::test]
async fn an_issuer_rotates_its_keys() {
    let idp = Idp::start().await;
    let trust = idp.trusted();
    let first = idp.token(Some("one"), json!({}));
    assert_eq!(trust.caller(Some(&first)).await.expect("a caller").actor(), "corp:ann");
    assert!(trust.caller(Some(&idp.token(None, json!({})))).await.is_ok(), "there is one key only");
    assert_eq!(idp.asked.load(Ordering::SeqCst), 2, "asked where the keys are, and for them");

    idp.rotate("two");
    assert!(trust.caller(Some(&first)).await.is_ok(), "the withdrawal of the key is not known yet");
    let second = idp.token(Some("two"), json!({}));
    assert!(trust.caller(Some(&second)).await.is_ok(), "an unknown key is asked for");
    assert_eq!(refused(&trust, &first).await, TokenError::UnknownKey, "also of a token that was accepted before");
}

#[tokio::test]
async fn a_withdrawn_key_ends_the_tokens_that_are_cached() {
    let idp = Idp::start().await;
    // Overdue keys are renewed before a request continues. These keys are overdue at once.
    let none = Duration::ZERO;
    let trust = idp.trusted_at(Pace { fresh: none, overdue: none, ..pace() });
    let token = idp.token(Some("one"), json!({}));
    for _ in 0..2 {
        assert!(trust.caller(Some(&token)).await.is_ok(), "the key is good");
    }
    idp.rotate("two");
    assert_eq!(refused(&trust, &token).await, TokenError::UnknownKey);

    // Keys that are due but not overdue are renewed in the background.
    let trust = idp.trusted_at(Pace { fresh: none, ..pace() });
    let token = idp.token(Some("two"), json!({}));
    assert!(trust.caller(Some(&token)).await.is_ok());
    idp.rotate("three");
    // Cached tokens alone make the server look for new keys.
    let refused = until("the token is refused", async || trust.caller(Some(&token)).await.err()).await;
    assert_eq!(refused, TokenError::UnknownKey);
}

#[tokio::test]
async fn what_lasts_ends_when_its_key_is_withdrawn() {
    let idp = Idp::start().await;
    let none = Duration::ZERO;
    let trust = idp.trusted_at(Pace { fresh: none, overdue: none, ..pace() });
    let token = idp.token(Some("one"), json!({}));
    let caller = trust.caller(Some(&token)).await.expect("the key is good");
    let look = Duration::from_millis(10);
    let mut refusal = Box::pin(trust.refusal(Some(&token), &caller, look));
    let early = tokio::time::timeout(look * 20, &mut refusal).await;
    assert!(early.is_err(), "the key is good: {early:?}");
    idp.rotate("two");
    let refused = tokio::time::timeout(HANG, refusal).await;
    assert_eq!(refused, Ok(TokenError::UnknownKey));
    // A token that expires ends what lasts, whatever the pause between two looks is.
    // Clocks may differ by a minute, so it is good for some seconds: on a slow machine, perhaps not for the first look.
    let begin = async || {
        let soon = idp.token(Some("two"), json!({"exp": now() - 55}));
        trust.caller(Some(&soon)).await.map(|caller| (soon, caller))
    };
    let (soon, caller) = until("the token is good", begin).await;
    let long = Duration::from_secs(3_600);
    let refused = tokio::time::timeout(HANG, trust.refusal(Some(&soon), &caller, long)).await;
    assert_eq!(refused, Ok(TokenError::Expired));
    let anybody = Trust::anybody();
    let caller = anybody.caller(None).await.expect("nobody is asked");
    assert!(tokio::time::timeout(look * 20, anybody.refusal(None, &caller, look)).await.is_err());
}

#[tokio::test]
async fn a_cached_token_is_worth_no_more_than_the_keys_that_verified_it() {
    let idp = Idp::start().await;
    let oldest = Duration::from_millis(100);
    let trust = idp.trusted_at(Pace { oldest, ..pace() });
    let token = idp.token(Some("one"), json!({}));
    // On a slow machine the keys can be too old again before they are used.
    let verified = async || trust.caller(Some(&token)).await.map(drop);
    until("the token is verified while its key is valid", verified).await;
    idp.feels(Mood::Failing);
    tokio::time::sleep(oldest).await;
    assert_eq!(refused(&trust, &token).await, TokenError::IssuerAway, "nobody knows whether the key was withdrawn");
    idp.feels(Mood::Well);
    until("the token is verified again", verified).await;
}

#[tokio::test]
async fn a_rotation_between_verifying_and_caching_is_noticed() {
    let idp = Idp::start().await;
    let issuer = Arc::new(idp.issuer_at(pace()));
    let (_, generation) = issuer.key(Some("one"), Algorithm::ES256).await.expect("a key");
    // The token is verified with that key here. Before it is cached, another request fetches new keys.
    idp.rotate("two");
    assert!(issuer.key(Some("two"), Algorithm::ES256).await.is_ok());
    assert!(!issuer.confirms(generation).await, "the entry is of keys that were withdrawn");
}

#[tokio::test]
async fn tokens_of_an_issuer_are_judged_by_what_it_may_say() {
    let idp = Idp::start().await;
    let trust = idp.trusted();
    for (changes, expected) in [
        (json!({"aud": "others"}), TokenError::Audience),
        (json!({"exp": now() - 90}), TokenError::Expired),
        (json!({"nbf": now() + 90}), TokenError::NotYet),
        (json!({"iss": "https://elsewhere.example.org"}), TokenError::UnknownIssuer),
    ] {
        let token = idp.token(Some("one"), changes.clone());
        assert_eq!(refused(&trust, &token).await, expected, "{changes}");
    }
    let unknown = idp.token(Some("three"), json!({}));
    assert_eq!(refused(&trust, &unknown).await, TokenError::UnknownKey);
    let own = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).expect("a key");
    let forged = claims(json!({"iss": idp.url}));
    let forged = encode(&header(Algorithm::ES256, Some("one")), &forged, &signing(&own, Algorithm::ES256));
    assert_eq!(refused(&trust, &forged.expect("a token")).await, TokenError::Signature);
    let public = idp.set()["keys"][0].to_string();
    let forged = by_secret(public.as_bytes(), Algorithm::HS256, &claims(json!({"iss": idp.url})));
    assert_eq!(refused(&trust, &forged).await, TokenError::Algorithm);
    let rsa = KeyPair::generate_for(&PKCS_RSA_SHA256).expect("a key");
    let other = encode(
        &header(Algorithm::RS256, Some("one")),
        &claims(json!({"iss": idp.url})),
        &signing(&rsa, Algorithm::RS256),
    );
    assert_eq!(refused(&trust, &other.expect("a token")).await, TokenError::Algorithm, "not in its list");
}

#[tokio::test]
async fn an_issuer_that_is_away_does_no_harm_while_its_keys_are_known() {
    for mood in [Mood::Failing, Mood::Stalling, Mood::Rubbish, Mood::Huge, Mood::Lying, Mood::Secret] {
        let idp = Idp::start().await;
        // A slow machine can take longer for an answer.
        let patience = if mood == Mood::Stalling { Duration::from_millis(300) } else { HANG };
        let trust = idp.trusted_at(Pace { patience, ..pace() });
        idp.feels(mood);
        let token = idp.token(Some("one"), json!({}));
        // A key set without a usable key is still a valid key set.
        let expected = if mood == Mood::Secret { TokenError::UnknownKey } else { TokenError::IssuerAway };
        assert_eq!(refused(&trust, &token).await, expected, "{mood:?}");
        let forged = by_secret(SECRET, Algorithm::HS256, &claims(json!({"iss": idp.url})));
        assert_eq!(refused(&trust, &forged).await, TokenError::Algorithm, "{mood:?}");
        idp.feels(Mood::Well);
        let recovers = async || trust.caller(Some(&token)).await.map(drop);
        match mood {
            Mood::Stalling => until("it recovers by itself", recovers).await,
            _ => assert_eq!(recovers().await, Ok(()), "{mood:?}: it recovers by itself"),
        }
        if mood != Mood::Secret {
            idp.feels(mood);
            let other = idp.token(Some("one"), json!({"sub": "bob"}));
            assert!(trust.caller(Some(&other)).await.is_ok(), "{mood:?}: its keys are known");
        }
    }
}

#[tokio::test]
async fn each_of_several_issuers_speaks_for_itself() {
    let (one, other) = (Idp::start().await, Idp::start().await);
    let trusted = |idp: &Idp, prefix: &str| {
        let issuer = Issuer {
            issuer: idp.url.clone(),
            audience: "underlay".to_owned(),
            algorithms: Vec::new(),
            jwks_url: None,
            prefix: prefix.to_owned(),
        };
        Trusted::new(issuer).expect("an issuer")
    };
    let secret = VerifyingKey::secret("it", SECRET, Some("underlay".to_owned())).expect("a key");
    let trust =
        Trust::tokens(vec![secret], vec![trusted(&one, "one:"), trusted(&other, "other:")], ClaimNames::default());
    let actor_of = async |token: String| trust.caller(Some(&token)).await.map(|caller| caller.actor().to_owned());
    assert_eq!(actor_of(one.token(Some("one"), json!({}))).await.as_deref(), Ok("one:ann"));
    assert_eq!(actor_of(other.token(Some("one"), json!({}))).await.as_deref(), Ok("other:ann"));
    let forged = one.token(Some("one"), json!({"iss": other.url}));
    assert_eq!(actor_of(forged).await, Err(TokenError::Signature), "in the name of the other one");
    let by_secret = by_secret(SECRET, Algorithm::HS256, &claims(json!({"iss": one.url})));
    assert_eq!(actor_of(by_secret).await, Err(TokenError::Algorithm), "a secret does not speak for an issuer");
}

#[tokio::test]
async fn an_issuer_is_asked_for_keys_at_intervals() {
    let idp = Idp::start().await;
    let issuer = Issuer {
        issuer: idp.url.clone(),
        audience: "underlay".to_owned(),
        algorithms: Vec::new(),
        jwks_url: Some(format!("{}/keys", idp.url)),
        prefix: String::new(),
    };
    let trusted = Trusted::new(issuer).expect("an issuer");
    let trust = Arc::new(Trust::tokens(Vec::new(), vec![trusted], ClaimNames::default()));
    let many = (0..50).map(|n| {
        let (trust, token) = (Arc::clone(&trust), idp.token(Some(&format!("unknown {n}")), json!({})));
        tokio::spawn(async move { trust.caller(Some(&token)).await })
    });
    for asked in many.collect::<Vec<_>>() {
        assert_eq!(asked.await.expect("it ended"), Err(TokenError::UnknownKey));
    }
    assert_eq!(idp.asked.load(Ordering::SeqCst), 1);
}

#[test]
fn the_key_of_a_server_is_for_its_user_only() {
    use super::super::{Grant, KeyError, Role, SigningKey};
    let folder = tempfile::tempdir().expect("a folder");
    let key = SigningKey::of(folder.path()).expect("a key");
    let file = SigningKey::file(folder.path());
    let grant = Grant {
        actor: "ann".to_owned(),
        roles: vec![Role::Viewer],
        source: None,
        tenant: None,
        life: Duration::from_secs(60),
    };
    let token = key.sign(&grant).expect("a token");
    let again = SigningKey::of(folder.path()).expect("the same key");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let caller = runtime.block_on(believing(again.verifying()).caller(Some(&token))).expect("a caller");
    assert_eq!((caller.actor(), caller.tenant()), ("ann", None));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("chmod");
        assert_eq!(std::fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
        mode(0o640);
        assert!(matches!(SigningKey::of(folder.path()), Err(KeyError::Open { .. })));
        mode(0o600);
    }
    std::fs::write(&file, "").expect("write");
    assert!(matches!(SigningKey::of(folder.path()), Err(KeyError::Damaged { .. })));
}

#[tokio::test]
async fn a_part_of_the_process_has_a_token_of_its_own() {
    let own = super::OwnToken::of("controller", &[Role::Reconciler]).expect("random numbers");
    let other = super::OwnToken::of("controller", &[Role::Admin]).expect("random numbers");
    let trust = with_secret().with_own(vec![own.clone()]);
    let caller = trust.caller(Some(own.token())).await.expect("its own");
    assert_eq!((caller.actor(), caller.until()), ("controller", None));
    assert!(caller.permit(crate::access::WriteKind::Report).is_ok());
    assert_eq!(refused(&trust, other.token()).await, TokenError::NoJwt);
    assert_eq!(refused(&trust, &own.token()[1..]).await, TokenError::NoJwt);
}
