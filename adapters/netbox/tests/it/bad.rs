//! Answers that are wrong, late or none: each fails the scan with a sentence that says what to do.

use std::time::Duration;

use serde_json::json;
use underlay_kit::sync::AdapterError;
use underlay_netbox::{NetBox, Pace, Settings, TokenSource};

use crate::replay::{Fault, Replay, TOKEN};
use crate::{quick, scan, settings, try_scan};

async fn failed(settings: Settings) -> AdapterError {
    let netbox = NetBox::new(settings).expect("an adapter");
    try_scan(&netbox).await.expect_err("the scan fails")
}

#[tokio::test]
async fn every_bad_answer_fails_the_scan() {
    let replay = Replay::demo().await;
    let list = "/api/dcim/regions/?ordering=id&limit=1000&exclude=config_context&id__gt=0";
    let cases = [
        (
            Fault::Forbidden,
            "refuses access: HTTP 403 Forbidden: You do not have permission to perform this action.; give a valid token",
        ),
        (
            Fault::NotFound,
            "wrong answer: expected an answer of the REST API of NetBox 4.1 or later, but it is HTTP 404: check the URL",
        ),
        (Fault::Html, "wrong answer: expected JSON of NetBox's REST API, but the answer is another page (HTTP 200 OK)"),
        (
            Fault::Moved,
            "wrong answer: expected an answer, not a redirect to /login/?next=/api/: give the address of NetBox itself",
        ),
        (Fault::Broken(99), "cannot be reached: HTTP 500 Internal Server Error: database is locked"),
        (Fault::Truncated, "wrong answer: expected a list with count, next and results, but: EOF while parsing"),
        (Fault::Dies, "cannot be reached: "),
        (Fault::Wrong("id", json!("17")), "wrong answer at results[0].id: expected a whole number of at least 0"),
        (Fault::Wrong("name", json!(17)), "wrong answer at results[0].name: expected a text, not 17"),
        (Fault::Wrong("slug", json!(null)), "wrong answer at results[0].slug: expected a text, not null"),
        (Fault::Wrong("parent", json!([])), "wrong answer at results[0].parent: expected an object, not []"),
    ];
    for (fault, expected) in cases {
        replay.heal();
        replay.fail("dcim/regions", fault.clone());
        let error = failed(settings(&replay)).await.to_string();
        assert!(error.contains(expected) && error.contains(list), "{fault:?}: {error}");
        assert!(!error.contains(TOKEN), "{error}");
    }
}

#[tokio::test]
async fn a_page_that_is_not_what_was_asked_for_fails_the_scan() {
    let replay = Replay::demo().await;
    replay.page(20);
    replay.fail("dcim/sites", Fault::Ignores);
    let error = failed(settings(&replay)).await.to_string();
    assert!(error.contains("wrong answer at results[0].id: expected an id above"), "{error}");
    assert!(error.contains("NetBox did not obey ordering=id and id__gt"), "{error}");
    replay.heal();
    replay.fail("dcim/interfaces", Fault::Wrong("type", json!({"value": "virtual", "label": "Virtual"})));
    let error = failed(settings(&replay)).await.to_string();
    assert!(error.contains("wrong answer at results[0].type: expected lag, because NetBox was asked for"), "{error}");
    replay.heal();
    replay.fail("dcim/sites", Fault::Short);
    let error = failed(settings(&replay)).await.to_string();
    assert!(error.contains("expected the 24 objects of count, because there is no next page, not 20"), "{error}");
}

#[tokio::test]
async fn a_temporary_failure_is_retried() {
    let replay = Replay::demo().await;
    replay.fail("dcim/cables", Fault::Broken(2));
    let netbox = NetBox::new(settings(&replay)).expect("an adapter");
    assert_eq!(scan(&netbox).await.items.len(), 4_013 + 720);
}

#[tokio::test]
async fn a_call_without_an_answer_ends() {
    let replay = Replay::demo().await;
    replay.fail("dcim/cables", Fault::Slow);
    let pace = Pace { answer: Duration::from_millis(200), repeats: 1, ..quick() };
    let error = failed(Settings { pace, ..settings(&replay) }).await;
    assert!(error.is_passing() && error.to_string().contains("it did not answer in time"), "{error}");
}

#[tokio::test]
async fn settings_that_do_not_fit_get_one_sentence() {
    let replay = Replay::demo().await;
    let with = |url: &str, token: &str| {
        let token = TokenSource::Text(token.to_owned());
        Settings { pace: quick(), ..Settings::new("netbox", url, token).expect("the word lists") }
    };
    let error = failed(with(&replay.url, "0123456789abcdef")).await.to_string();
    assert!(error.contains("/api/status/: the source refuses access: HTTP 403 Forbidden: Invalid v2 token"), "{error}");
    let error = failed(with(&replay.url, " ")).await.to_string();
    assert!(error.contains("the token is empty: create one in NetBox"), "{error}");
    let error = failed(with(&format!("{}/elsewhere", replay.url), TOKEN)).await.to_string();
    assert!(error.contains("/elsewhere/api/status/: wrong answer") && error.contains("check the URL"), "{error}");
    // Nobody listens on the port of a server that is gone.
    let gone = Replay::empty().await.url.clone();
    let error = failed(with(&gone, TOKEN)).await;
    assert!(error.to_string().contains("check the URL, and that NetBox is running there"), "{error}");
    assert!(error.is_passing() && error.to_string().contains("/api/status/: the source cannot be reached"), "{error}");
    // A server that speaks no TLS.
    let error = failed(with(&replay.url.replace("http:", "https:"), TOKEN)).await;
    assert!(error.to_string().contains("/api/status/: the source cannot be reached"), "{error}");
    for version in ["4.0.11", "3.7.8", "four"] {
        replay.version(version);
        let error = failed(with(&replay.url, TOKEN)).await.to_string();
        let expected = format!("expected version 4.1 or later; upgrade NetBox first, not \"{version}\"");
        assert!(error.contains("/api/status/") && error.contains(&expected), "{error}");
    }
    replay.version("4.1.0");
    let netbox = NetBox::new(with(&replay.url, TOKEN)).expect("an adapter");
    assert_eq!(scan(&netbox).await.items.len(), 4_013 + 720);
}

#[tokio::test]
async fn a_list_that_is_only_counted_does_not_fail_the_scan() {
    let replay = Replay::demo().await;
    replay.fail("ipam/vlans", Fault::Forbidden);
    replay.fail("tenancy/contacts", Fault::NotFound);
    let netbox = NetBox::new(settings(&replay)).expect("an adapter");
    let seen = scan(&netbox).await;
    assert_eq!(seen.items.len(), 4_013 + 720);
    let vlans = seen.report.types().find(|(name, _)| *name == "ipam.vlan").expect("counted").1;
    assert_eq!(vlans.left_out.keys().collect::<Vec<_>>(), ["the token has no right to view it"]);
}

#[tokio::test]
async fn a_scan_stops_with_its_runner() {
    let replay = Replay::demo().await;
    let netbox = NetBox::new(settings(&replay)).expect("an adapter");
    let (mut sink, receiver) = underlay_kit::sync::Sink::new(1);
    drop(receiver);
    let stopped = underlay_kit::sync::Adapter::scan(&netbox, &mut sink).await;
    assert_eq!(stopped, Err(AdapterError::Stopped));
}
