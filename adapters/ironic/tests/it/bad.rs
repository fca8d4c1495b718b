//! Answers that are wrong, late or none.

use std::time::Duration;

use serde_json::json;
use underlay_ironic::client::{Auth, Connection, Pace, SecretSource};
use underlay_ironic::{Ironic, Settings, SettingsError};
use underlay_kit::sync::{Adapter as _, AdapterError, Sink};

use crate::replay::{Asks, Fault, PASSWORD, Replay};
use crate::{connection, ironic, quick, scan, settings, try_scan};

async fn failed(settings: Settings) -> AdapterError {
    let ironic = Ironic::new(settings).expect("an adapter");
    try_scan(&ironic).await.expect_err("the scan fails")
}

#[tokio::test]
async fn every_bad_answer_fails_the_scan() {
    let replay = Replay::start().await;
    replay.node("n1", json!({}));
    for (fault, expected) in [
        (Fault::Forbidden, "refuses access: HTTP 403 Forbidden: Access was denied; give the user"),
        (Fault::Html, "wrong answer: expected JSON, but: expected value at line 1 column 1; check that the URL"),
        (Fault::Moved, "wrong answer: expected an answer, not a redirect to /login"),
        (
            Fault::Busy(99),
            "cannot be reached: Ironic cannot answer now (HTTP 503 Service Unavailable): Requested action",
        ),
        (Fault::Locked(99), "cannot be reached: the node is locked: Node 7 is locked by host test"),
        (Fault::Truncated, "wrong answer: expected JSON, but: EOF while parsing"),
        (Fault::Text("[]"), "wrong answer: expected an object"),
        (Fault::Text("{}"), "wrong answer at nodes: expected a list, not nothing"),
        (Fault::Text(r#"{"nodes": {}}"#), "wrong answer at nodes: expected a list, not an object"),
        (Fault::Text(r#"{"nodes": [7]}"#), "wrong answer at nodes[0]: expected an object, not a number"),
        (Fault::Text(r#"{"nodes": [{"name": "x"}]}"#), "wrong answer at nodes[0].uuid: expected the id"),
        (Fault::Text(r#"{"nodes": [], "next": "x"}"#), "wrong answer at nodes: expected objects that were not listed"),
    ] {
        replay.heal();
        replay.fail("nodes", fault.clone());
        let error = failed(settings(&replay)).await.to_string();
        assert!(error.contains(expected) && error.contains("/v1/nodes?"), "{fault:?}: {error}");
    }
}

#[tokio::test]
async fn an_ironic_that_ignores_markers_fails_the_scan() {
    let replay = Replay::start().await;
    (0..5).for_each(|number| drop(replay.node(&format!("n{number}"), json!({}))));
    replay.page(2);
    replay.fail("nodes", Fault::Endless);
    let error = failed(settings(&replay)).await.to_string();
    assert!(error.contains("expected objects that were not listed before"), "{error}");
}

#[tokio::test]
async fn retries_failures_that_pass() {
    let replay = Replay::start().await;
    replay.node("n1", json!({}));
    for fault in [Fault::Locked(2), Fault::Busy(2)] {
        replay.fail("nodes", fault);
        assert_eq!(scan(&ironic(&replay)).await.count("host"), 1);
    }
}

#[tokio::test]
async fn a_call_without_an_answer_ends() {
    let replay = Replay::start().await;
    replay.fail("ports", Fault::Slow);
    let pace = Pace { answer: Duration::from_millis(200), repeats: 1, ..quick() };
    let connection = Connection { pace, ..connection(&replay.url, Auth::None) };
    let error = failed(Settings { connection, ..settings(&replay) }).await;
    assert!(error.is_passing() && error.to_string().contains("it did not answer in time"), "{error}");
}

#[tokio::test]
async fn another_version_is_refused_in_words() {
    let replay = Replay::start().await;
    replay.node("n1", json!({}));
    for (versions, expected) in [
        (("1.1", "1.80"), "it offers 1.1 to 1.80; upgrade Ironic first"),
        (("1.120", "1.130"), "it offers 1.120 to 1.130; upgrade Underlay first"),
    ] {
        replay.versions(versions.0, versions.1);
        let error = failed(settings(&replay)).await.to_string();
        assert!(error.contains("a microversion between 1.81 and 1.115") && error.contains(expected), "{error}");
    }
    replay.versions("1.1", "1.81");
    let ironic = ironic(&replay);
    assert_eq!(scan(&ironic).await.count("host"), 1);
    // It is upgraded while the synchronizer runs.
    replay.versions("1.90", "1.100");
    assert_eq!(scan(&ironic).await.count("host"), 1);
    let elsewhere =
        failed(Settings { connection: connection(&format!("{}/x", replay.url), Auth::None), ..settings(&replay) });
    let error = elsewhere.await.to_string();
    assert!(error.contains("/x/v1: wrong answer"), "{error}");
}

#[tokio::test]
async fn a_wrong_password_is_refused_in_words() {
    let replay = Replay::start().await;
    replay.ask(Asks::Basic);
    let with = |password: &str| {
        let auth = Auth::Basic { username: "admin".to_owned(), password: SecretSource::Text(password.to_owned()) };
        Settings { connection: connection(&replay.url, auth), ..settings(&replay) }
    };
    let error = failed(with("guess")).await;
    assert!(matches!(error, AdapterError::Refused { .. }), "{error}");
    let error = error.to_string();
    assert!(error.contains("Incorrect username or password; check the kind of authentication"), "{error}");
    assert!(!error.contains("guess"), "{error}");
    let error = failed(with(" ")).await.to_string();
    assert!(error.contains("the password is empty"), "{error}");
    assert_eq!(scan(&Ironic::new(with(PASSWORD)).expect("an adapter")).await.items.len(), 0);
}

#[tokio::test]
async fn a_node_or_port_that_cannot_be_read_is_reported_alone() {
    let replay = Replay::start().await;
    let good = replay.node("good", json!({}));
    let garbage = replay.node("garbage", json!({"driver_info": "hunter2"}));
    let port = replay.port(&garbage, "52:54:00:00:00:01", json!({}));
    let no_mac = replay.port(&good, "garbage", json!({}));
    let no_node = replay.port(&good, "52:54:00:00:00:02", json!({"pxe_enabled": "often"}));
    let seen = scan(&ironic(&replay)).await;
    let mut bad: Vec<(&str, &str)> =
        seen.bad.iter().map(|it| (it.kind.as_deref().unwrap_or_default(), it.external_id.as_str())).collect();
    bad.sort_unstable();
    let mut expected = vec![
        ("credential", garbage.as_str()),
        ("device", &garbage),
        ("host", &garbage),
        ("port", &port),
        ("port", &no_mac),
        ("port", &no_node),
    ];
    expected.sort_unstable();
    assert_eq!(bad, expected);
    assert!(!format!("{:?}", seen.bad).contains("hunter2"), "{:?}", seen.bad);
    // A port of this node may be missing, so its boot address stays as it is.
    assert!(seen.fields("host", &good).get("bootMac").is_none());
}

#[tokio::test]
async fn settings_that_do_not_fit_get_one_sentence() {
    let with = |url: &str, site: &str| Settings::new("ironic", connection(url, Auth::None), site);
    let refused = Ironic::new(with("http://ironic:6385", " ")).expect_err("no site");
    assert!(matches!(refused, SettingsError::Site), "{refused}");
    let refused = Ironic::new(with("ironic", "ams1")).expect_err("no URL").to_string();
    assert!(refused.contains("write it like https://ironic.example.com:6385"), "{refused}");
    let refused = Ironic::new(Settings { rack_units: 0, ..with("http://ironic:6385", "ams1") }).expect_err("no units");
    assert_eq!(refused.to_string(), "a rack has 1 to 100 units, not 0");
    // Nobody listens on the port of a server that is gone.
    let gone = Replay::start().await.url.clone();
    let error = failed(with(&gone, "ams1")).await;
    assert!(error.is_passing() && error.to_string().contains("/v1: the source cannot be reached"), "{error}");
}

#[tokio::test]
async fn a_scan_stops_with_its_runner() {
    let replay = Replay::start().await;
    replay.node("n1", json!({}));
    let (mut sink, receiver) = Sink::new(1);
    drop(receiver);
    assert_eq!(ironic(&replay).scan(&mut sink).await, Err(AdapterError::Stopped));
}
