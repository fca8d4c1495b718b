//! The number of times that facts are written: counts, not times.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use underlay_engine::facts::{Facts, FactsTimes};
use underlay_engine::store::{FactsStore, Retention};
use underlay_entity::facts::FactsOrigin;
use underlay_facts::{Outcome, Report, Unchanged};
use uuid::Uuid;

use super::report;
use crate::harness::inside::{Inside, sqlite};
use crate::harness::postgres;

const HOSTS: u128 = 1_000;
/// The most commits in which a thousand reports may be stored.
const MAX_COMMITS: usize = 20;

fn read(disk: u128) -> Report {
    serde_json::from_value(report(&format!("D{disk}"))).expect("a report")
}

async fn a_thousand_reports_take_few_commits_and_heartbeats_none(url: &str) {
    let inside = Inside::open(url).await;
    let store = FactsStore::open(&inside.store, &url.parse().expect("a URL")).await.expect("open the facts");
    // Nothing is heard within the test, so a statement would be one of a message.
    let times = FactsTimes { hearing: Duration::from_secs(3_600), ..FactsTimes::default() };
    let (facts, writer) = Facts::load(store.clone(), inside.store.clone(), times).await.expect("load the facts");
    let writing = tokio::spawn(writer.run(inside.current.clone(), Retention::ForEver));

    let hosts = || (1..=HOSTS).map(Uuid::from_u128);
    let accepted = join_all(hosts().map(|host| {
        let facts = facts.clone();
        async move { facts.accept(host, FactsOrigin::Agent, &read(host.as_u128())).await }
    }));
    for outcome in accepted.await {
        assert_eq!(outcome.expect("accepted"), Outcome::Stored);
    }
    let rows = store.rows_since(None).await.expect("rows");
    let commits: BTreeSet<_> = rows.iter().map(|row| row.written_at).collect();
    assert_eq!(rows.len(), HOSTS as usize);
    assert!(commits.len() <= MAX_COMMITS, "{} commits", commits.len());

    let before = (store.store().statements(), inside.store.statements());
    for host in hosts() {
        let Report { format, agent, observed_at, .. } = read(host.as_u128());
        let digest = read(host.as_u128()).digest().expect("a digest");
        let message = Unchanged { format, agent, observed_at, digest };
        assert_eq!(facts.hear(host, FactsOrigin::Agent, &message), Outcome::Unchanged);
    }
    // With PostgreSQL, the process looks every second for what others wrote.
    let after = (store.store().statements(), inside.store.statements());
    let made = (after.0 - before.0) + (after.1 - before.1);
    assert!(made < HOSTS as u64 / 10, "{made} statements: a message makes one");
    writing.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_reports_take_few_commits_on_sqlite() {
    let (url, _folder) = sqlite();
    a_thousand_reports_take_few_commits_and_heartbeats_none(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_thousand_reports_take_few_commits_on_postgres() {
    let url = postgres::create_database().await;
    a_thousand_reports_take_few_commits_and_heartbeats_none(&url).await;
    postgres::drop_database(&url).await;
}
