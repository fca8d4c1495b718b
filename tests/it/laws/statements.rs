//! Queries of the inventory run no statement. Queries of the change log run a number of statements that does not depend
//! on the number of objects.

use std::sync::Arc;
use std::time::Duration;

use async_graphql::dataloader::DataLoader;
use serde_json::{Value, json};
use underlay_engine::access::Caller;
use underlay_kinds::changes::{ChangeLoader, MAX_LOADED_OBJECTS};
use underlay_kinds::request::Request;
use underlay_kinds::runs::SourceLoader;
use underlay_server::api;

use underlay_engine::sources::StartRun;
use underlay_engine::write::Fields;
use underlay_entity::source_run::RunMode;

use crate::harness::inside::{Inside, batch, items, sqlite};
use crate::harness::postgres;

/// One rack with its devices in unit order, the ports of each, the cable on each port and the device at the other end,
/// and the site, region and provider.
const DASHBOARD: &str = "query($rack: RackFilter) {
  racks(first: 1, filter: $rack) { nodes {
    name heightU
    site { name region { name } provider { name } }
    devices(first: 100, orderBy: { by: START_UNIT }) { nodes {
      name role placement { startUnit unitHeight face }
      ports(first: 100) { nodes {
        name type
        cable { name media status }
        peers { __typename ... on Port { name device { name } } }
      } }
    } }
  } }
}";

/// Answers a query as the server does; with how many statements that took.
async fn ask(inside: &Inside, api: &api::Api, query: &str, variables: Value) -> (Value, u64) {
    let request =
        Request::new(inside.current.get(), Arc::new(Caller::anybody()), Arc::new(inside.view()), inside.sources());
    // Loads within this time share a statement; a busy machine takes longer than the usual millisecond.
    let together = Duration::from_millis(200);
    let loader = DataLoader::new(ChangeLoader(inside.store.clone()), tokio::spawn);
    let loader = loader.max_batch_size(MAX_LOADED_OBJECTS).delay(together);
    let sources = DataLoader::new(SourceLoader(inside.store.clone()), tokio::spawn);
    let sources = sources.max_batch_size(MAX_LOADED_OBJECTS).delay(together);
    let asked = async_graphql::Request::new(query).variables(async_graphql::Variables::from_json(variables));
    let before = inside.store.statements();
    let answer = api.execute(asked.data(Arc::new(request)).data(loader).data(sources)).await;
    assert!(answer.errors.is_empty(), "{:?}", answer.errors);
    (answer.data.into_json().expect("JSON"), inside.store.statements() - before)
}

async fn law(url: &str) {
    let (inside, api) = (Inside::open(url).await, api::build());
    let loaded = inside.store.statements();
    assert!(loaded > 15, "statements are counted: every table was read");
    let fleet = batch(items(underlay_demo::items(&underlay_demo::Options::default())));
    let answer = inside.writer.write(fleet).await.expect("the demo is written");
    assert!(answer.revision.is_some());
    assert!(inside.store.statements() > loaded + 15, "statements of transactions are counted too");

    let rack = answer.snapshot.registry().named("Rack").expect("a kind").id;
    let names = answer.snapshot.table(rack).rows(0).map(|(_, row)| row.common().name.to_owned());
    let (mut devices, mut peers) = (0, 0);
    for name in names {
        let (data, statements) = ask(&inside, &api, DASHBOARD, json!({ "rack": { "name": { "eq": name } } })).await;
        assert_eq!(statements, 0, "the dashboard query of rack {name}");
        let found = data["racks"]["nodes"][0]["devices"]["nodes"].as_array().expect("devices");
        devices += found.len();
        peers += data.to_string().matches("\"__typename\":\"Port\"").count();
        let units: Vec<f64> = found.iter().filter_map(|it| it["placement"]["startUnit"].as_f64()).collect();
        assert!(units.is_sorted() || units.iter().rev().is_sorted(), "in unit order: {units:?}");
    }
    assert!(devices > 100 && peers > 500, "the racks hold something: {devices} devices, {peers} far ends");

    let changes = "query($first: Int) { devices(first: $first) { nodes { name
        changes(first: 3) { nodes { revision operation object { id } } } } } }";
    let mut counts = Vec::new();
    for first in [1, 10, 50, 200] {
        let (data, statements) = ask(&inside, &api, changes, json!({ "first": first })).await;
        let found = data["devices"]["nodes"].as_array().expect("devices");
        assert_eq!(found.len(), first);
        assert!(found.iter().all(|device| device["changes"]["nodes"][0]["operation"] == "CREATED"), "{found:?}");
        counts.push(statements);
    }
    assert!(counts[0] >= 1 && counts.iter().all(|count| *count == counts[0]), "statements: {counts:?}");
    runs_of_many_sources(&inside, &api).await;
}

async fn runs_of_many_sources(inside: &Inside, api: &api::Api) {
    let runs = inside.sources();
    for number in 0..40 {
        let start = |mode| StartRun {
            actor: "test".to_owned(),
            source: format!("s{number}"),
            mode,
            request_id: None,
            creates: true,
            new_source: Fields::default(),
        };
        for mode in [RunMode::Full, RunMode::Partial, RunMode::Partial] {
            runs.start(&start(mode)).await.expect("a run");
        }
    }
    let query = "query($first: Int) { sources(first: $first) { nodes { name lastSuccessAt suspectCount heldCount
        lastRun { id mode } lastEndedRun(mode: FULL) { id } holdingRuns(first: 5) { id }
        runs(first: 2) { totalCount pageInfo { hasNextPage } nodes { mode heldCount held { name } } } } } }";
    let mut counts = Vec::new();
    for first in [1, 10, 40] {
        let (data, statements) = ask(inside, api, query, json!({ "first": first })).await;
        let found = data["sources"]["nodes"].as_array().expect("sources");
        assert_eq!(found.len(), first);
        for source in found {
            let runs = &source["runs"];
            assert_eq!((&runs["totalCount"], &runs["pageInfo"]["hasNextPage"]), (&json!(3), &json!(true)), "{source}");
            assert_eq!(runs["nodes"].as_array().map(Vec::len), Some(2), "{source}");
        }
        counts.push(statements);
    }
    assert!(counts[0] >= 1 && counts.iter().all(|count| *count == counts[0]), "statements: {counts:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_runs_no_statement_on_sqlite() {
    let (url, _folder) = sqlite();
    law(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn reading_runs_no_statement_on_postgres() {
    law(&postgres::create_database().await).await;
}
