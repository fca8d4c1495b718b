//! Facts get stale when no report comes, and the facts of deleted hosts go away. Both take minutes, so these tests run
//! the engine with times of their own.

use std::time::Duration;

use underlay_engine::facts::{Facts, FactsTimes};
use underlay_engine::store::{FactsStore, Retention};
use underlay_entity::facts::FactsOrigin;
use underlay_facts::Report;
use uuid::Uuid;

use super::report;
use crate::harness::inside::{Inside, sqlite};
use crate::harness::{postgres, until};

const HOST: Uuid = Uuid::from_u128(7);

async fn open(inside: &Inside, url: &str, times: FactsTimes) -> Facts {
    let store = FactsStore::open(&inside.store, &url.parse().expect("a URL")).await.expect("open the facts");
    let (facts, writer) = Facts::load(store, inside.store.clone(), times).await.expect("load the facts");
    tokio::spawn(writer.run(inside.current.clone(), Retention::ForEver));
    facts
}

fn read(disk: &str) -> Report {
    serde_json::from_value(report(disk)).expect("a report")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_does_not_report_is_stale() {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    let quick = FactsTimes { period: Duration::from_millis(1), ..FactsTimes::default() };
    let (quick, slow) = (open(&inside, &url, quick).await, open(&inside, &url, FactsTimes::default()).await);
    assert!(!quick.is_stale(HOST), "nothing is expected of it");

    quick.issue_token(HOST, "ada").await.expect("a token");
    until("a host that never reported is stale", async || quick.is_stale(HOST).then_some(())).await;
    assert_eq!(quick.expected().len(), 1);

    slow.issue_token(HOST, "ada").await.expect("a token");
    assert!(!slow.is_stale(HOST), "three periods are not over");
    slow.accept(HOST, FactsOrigin::Agent, &read("D1")).await.expect("accepted");
    slow.revoke_token(HOST).await.expect("revoked");
    assert!(slow.expected().len() == 1 && !slow.is_stale(HOST));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_origin_is_overdue_after_its_own_time() {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    let facts = open(&inside, &url, FactsTimes { period: Duration::from_millis(1), ..FactsTimes::default() }).await;
    for origin in FactsOrigin::ALL {
        facts.accept(HOST, origin, &read("D1")).await.expect("accepted");
    }
    let latest = |origin| facts.latest(HOST, origin).expect("a report");
    let aged = |origin, hours| {
        let mut latest = latest(origin);
        latest.received_at -= chrono::TimeDelta::hours(hours);
        facts.is_overdue(HOST, origin, &latest)
    };
    until("three periods are over", async || aged(FactsOrigin::Agent, 0).then_some(())).await;
    assert!(!aged(FactsOrigin::Recorder, 10_000), "it reports once");
    assert!(!aged(FactsOrigin::Bmc, 71) && aged(FactsOrigin::Bmc, 73), "it is read once a day");
}

/// The host of these facts is in no snapshot. A host that was just made may not have reached this process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn facts_of_a_host_that_is_not_there_are_kept_for_a_minute() {
    let (url, _folder) = sqlite();
    let inside = Inside::open(&url).await;
    let facts = open(&inside, &url, FactsTimes::default()).await;
    facts.accept(HOST, FactsOrigin::Agent, &read("D1")).await.expect("accepted");
    assert!(facts.latest(HOST, FactsOrigin::Agent).is_some());
    facts.forget_deleted(&inside.current, chrono::Utc::now()).await.expect("a search");
    assert!(facts.latest(HOST, FactsOrigin::Agent).is_some(), "it is young");
    let later = chrono::Utc::now() + chrono::TimeDelta::minutes(2);
    facts.forget_deleted(&inside.current, later).await.expect("a search");
    assert!(facts.latest(HOST, FactsOrigin::Agent).is_none());
    assert_eq!(facts.reports(&[HOST]).await.expect("reports").len(), 0);
}

/// A database that was restored under a server has other facts and tokens than the server knows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn what_a_restored_database_lacks_is_forgotten() {
    let url = postgres::create_database().await;
    let inside = Inside::open(&url).await;
    let facts = open(&inside, &url, FactsTimes::default()).await;
    let issued = facts.issue_token(HOST, "ada").await.expect("a token");
    facts.accept(HOST, FactsOrigin::Agent, &read("D1")).await.expect("accepted");
    let later = chrono::Utc::now() + chrono::TimeDelta::minutes(2);
    facts.forget_missing(later).await.expect("a look");
    assert!(facts.latest(HOST, FactsOrigin::Agent).is_some() && facts.host_of_token(&issued.text).is_ok());

    let store = FactsStore::open(&inside.store, &url.parse().expect("a URL")).await.expect("open the facts");
    store.forget(&[HOST]).await.expect("deleted");
    inside.store.forget_agent_tokens(&[HOST]).await.expect("deleted");
    facts.forget_missing(chrono::Utc::now()).await.expect("a look");
    assert!(facts.latest(HOST, FactsOrigin::Agent).is_some(), "it may be new");
    facts.forget_missing(later).await.expect("a look");
    assert!(facts.latest(HOST, FactsOrigin::Agent).is_none() && facts.host_of_token(&issued.text).is_err());
    drop((facts, inside));
    postgres::drop_database(&url).await;
}
