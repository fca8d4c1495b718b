//! Answers that are wrong, late or none, and peers that do not trust each other: each fails the scan with a sentence
//! that says what to do.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use underlay_bcm::simulator::{Fault, Fleet};
use underlay_bcm::{Bcm, HostName, Pace, Settings, SettingsError};
use underlay_kit::sync::AdapterError;

use crate::{Running, bcm, quick, scan, settings, start, start_at, try_scan};

async fn failed(settings: Settings) -> AdapterError {
    let bcm = Bcm::new(settings).expect("an adapter");
    try_scan(&bcm).await.expect_err("the scan fails")
}

#[tokio::test]
async fn every_bad_answer_fails_the_scan() {
    let running = start(Fleet::of(3)).await;
    let url = running.simulator.url();
    let call = format!("POST {url}/json cmdevice.getDevices: ");
    let cases = [
        (
            Fault::forbidden("getDevices"),
            "the source refuses access: Your certificate (profile:) does not allow access to CMDevice::getDevices; give \
             the client certificate of a BCM profile",
        ),
        (
            Fault::Message("No such service: '(cm)fake'\n".to_owned()),
            "wrong answer: expected a result, but BCM reports an error: No such service: '(cm)fake'",
        ),
        (Fault::Instead(json!(null)), "wrong answer: expected a list, not null"),
        (Fault::Instead(json!({"devices": []})), "wrong answer: expected a list, not an object"),
        (Fault::Instead(json!({"errormessage": ""})), "wrong answer: expected a list, not an object"),
        (Fault::Instead(json!("secret")), "wrong answer: expected a list, not a text"),
        (Fault::Instead(json!([{"uuid": "a"}])), "wrong answer at [0].childType: expected the type of the device"),
        (
            Fault::Instead(json!([{"childType": "LiteNode", "hostname": "a"}])),
            "wrong answer at [0].uuid: expected the id",
        ),
        (Fault::Instead(json!(["secret"])), "wrong answer at [0]: expected an object, not a text"),
        (Fault::Truncated, "wrong answer: expected JSON, but: EOF while parsing"),
        (Fault::Status(500, 99), "the source cannot be reached: HTTP 500 Internal Server Error"),
        (
            Fault::Status(404, 99),
            "wrong answer: expected an answer of BCM, but it is HTTP 404 Not Found: check the URL",
        ),
        (Fault::Status(403, 99), "the source refuses access: HTTP 403 Forbidden; give the client certificate"),
    ];
    for (fault, expected) in cases {
        running.simulator.heal();
        running.simulator.fail("getDevices", fault.clone());
        let error = failed(settings(&running)).await.to_string();
        assert!(error.starts_with(&call) && error.contains(expected), "{fault:?}: {error}");
        assert!(!error.contains("secret") && !error.contains("simulated-"), "{error}");
    }
}

#[tokio::test]
async fn every_list_must_be_one() {
    let running = start(Fleet::of(3)).await;
    for call in ["getCategories", "getRacksByUuids", "getDevices"] {
        running.simulator.heal();
        running.simulator.fail(call, Fault::Instead(json!(null)));
        let error = failed(settings(&running)).await.to_string();
        assert!(error.contains(&format!(".{call}: wrong answer: expected a list, not null")), "{error}");
    }
}

#[tokio::test]
async fn only_temporary_failures_are_retried() {
    let running = start(Fleet::of(3)).await;
    running.simulator.fail("getDevices", Fault::Status(503, 2));
    assert_eq!(scan(&bcm(&running)).await.items.len(), 3 * 3 + 3);
    assert_eq!(running.simulator.calls("getDevices"), 3);
    running.simulator.fail("getRacksByUuids", Fault::Status(503, 99));
    let error = failed(settings(&running)).await;
    assert!(error.is_passing(), "{error}");
    assert_eq!(running.simulator.calls("getRacksByUuids"), 1 + 4);
    running.simulator.heal();
    running.simulator.fail("getCategories", Fault::forbidden("getCategories"));
    let error = failed(settings(&running)).await;
    assert!(matches!(error, AdapterError::Refused { .. }), "{error}");
    assert_eq!(running.simulator.calls("getCategories"), 2 + 1);
}

#[tokio::test]
async fn a_call_without_an_answer_ends() {
    let running = start(Fleet::of(3)).await;
    running.simulator.fail("getDevices", Fault::Slow(Duration::from_secs(600)));
    let pace = Pace { answer: Duration::from_millis(300), repeats: 1, ..quick() };
    let error = failed(Settings { pace, ..settings(&running) }).await;
    assert!(error.is_passing() && error.to_string().contains("it did not answer in time"), "{error}");
}

#[tokio::test]
async fn an_old_version_is_not_read() {
    let running = start(Fleet::of(3)).await;
    running.simulator.set_version("10.25");
    let error = failed(settings(&running)).await.to_string();
    let expected =
        "/rest/v1/version: wrong answer at cm_version: expected version 10.25.03 or later; upgrade BCM first";
    assert!(error.contains(expected), "{error}");
    assert_eq!(running.simulator.calls("getCategories"), 0);
    for version in ["10.25.03", "10.26", "11.0"] {
        running.simulator.set_version(version);
        scan(&bcm(&running)).await;
    }
}

/// Returns settings with the client certificate of one simulator, the authority of another, and the address of a third.
fn mixed(client: &Running, authority: &Running, at: &Running) -> Settings {
    let (client, authority) = (client.simulator.files().clone(), authority.simulator.files().authority.clone());
    let (certificate, key) = (client.certificate, client.key);
    Settings { certificate, key, authority: Some(authority), ..settings(at) }
}

#[tokio::test]
async fn both_sides_must_trust_each_other() {
    let (one, other) = (start(Fleet::of(1)).await, start(Fleet::of(1)).await);
    let error = failed(mixed(&other, &one, &one)).await;
    assert!(matches!(error, AdapterError::Refused { .. }), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("/rest/v1/version: ") && text.contains("BCM does not accept the client certificate"),
        "{text}"
    );
    let error = failed(mixed(&one, &other, &one)).await;
    let text = error.to_string();
    assert!(matches!(error, AdapterError::Unreachable { .. }), "{text}");
    assert!(text.contains("give the certificate of the authority that signed the one of BCM"), "{text}");
    let error = failed(Settings { authority: None, ..settings(&one) }).await.to_string();
    assert!(error.contains("give the certificate of the authority"), "{error}");
    let gone = settings(&other);
    drop(other);
    let error = failed(gone_without_files(gone, &one)).await.to_string();
    assert!(error.contains("check the URL, and that BCM is running there"), "{error}");
}

#[tokio::test]
async fn a_certificate_without_the_host_name_is_taken_only_on_request() {
    // Its certificate is for 0.0.0.0, and it is asked for at another address.
    let running = start_at(Ipv4Addr::UNSPECIFIED, Fleet::of(1)).await;
    let url = running.simulator.url().replace("0.0.0.0", "127.0.0.1");
    let with = |host_name| Settings { url: url.clone(), host_name, ..settings(&running) };
    let error = failed(with(HostName::Checked)).await.to_string();
    assert!(error.contains("and use a host name that is in it"), "{error}");
    let any = Bcm::new(with(HostName::Any)).expect("an adapter");
    assert_eq!(scan(&any).await.items.len(), 6);
    // The authority still counts.
    let other = start(Fleet::of(1)).await;
    let authority = Some(other.simulator.files().authority.clone());
    let error = failed(Settings { authority, ..with(HostName::Any) }).await.to_string();
    assert!(error.contains("give the certificate of the authority"), "{error}");
    let refused = Bcm::new(Settings { authority: None, ..with(HostName::Any) }).expect_err("refused").to_string();
    assert!(refused.contains("any host name is allowed only with a file of authorities"), "{refused}");
}

/// Returns the settings of a simulator that is gone, with files that are still there.
fn gone_without_files(gone: Settings, there: &Running) -> Settings {
    Settings { url: gone.url, ..settings(there) }
}

#[tokio::test]
async fn settings_that_do_not_fit_get_one_sentence() {
    let running = start(Fleet::of(1)).await;
    let good = || settings(&running);
    let text = running.folder.path().join("text.pem");
    std::fs::write(&text, "no certificate").expect("a file");
    let missing = PathBuf::from("/nowhere/admin.pem");
    for (settings, expected) in [
        (
            Settings { certificate: missing.clone(), ..good() },
            "the file /nowhere/admin.pem cannot be used: No such file",
        ),
        (Settings { key: missing.clone(), ..good() }, "the file /nowhere/admin.pem cannot be used"),
        (Settings { certificate: text.clone(), ..good() }, "it must hold a certificate in PEM"),
        (Settings { key: text.clone(), ..good() }, "must hold its private key, without a passphrase"),
        (Settings { authority: Some(text.clone()), ..good() }, "it must hold certificates of authorities in PEM"),
        (Settings { site: " ".to_owned(), ..good() }, "the site is empty"),
        (Settings { url: "http://head:8081".to_owned(), ..good() }, "it must begin with https://"),
    ] {
        let refused: SettingsError = Bcm::new(settings).expect_err("refused");
        assert!(refused.to_string().contains(expected), "{expected}: {refused}");
    }
}
