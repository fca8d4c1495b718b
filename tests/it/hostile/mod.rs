//! Hostile input, generated at random from valid texts. Nothing panics, everything ends, and rejected input gets a
//! readable error.
//!
//! Each property is tried on 256 cases; `PROPTEST_CASES` sets another number.

mod bodies;
mod cursors;
mod documents;
mod filters;
mod fragments;
mod labels;
pub mod mutation;
mod sockets;
mod tokens;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::harness::{Answer, Client, Database, Server};

/// Checks that a property holds for any input. A failing case is reduced as far as possible, and printed.
fn always<S: Strategy>(cases: S, check: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    // A failure is put into a test of its own, not into a file beside the tests.
    let config = Config { failure_persistence: None, max_shrink_iters: 1_000, ..Config::default() };
    if let Err(failure) = TestRunner::new(config).run(&cases, check) {
        panic!("{failure}");
    }
}

/// A server with a small inventory, and what runs its clients.
struct Served {
    runtime: Runtime,
    server: Server,
    client: Client,
}

impl Served {
    fn start() -> Self {
        let runtime = Runtime::new().expect("start a runtime");
        let server = runtime.block_on(async { Server::start(Database::Sqlite).await });
        let client = server.client();
        runtime.block_on(client.apply_all(small()));
        Self { runtime, server, client }
    }

    /// Returns the answer to a body, which must be an answer of GraphQL: data, or errors with codes and sentences.
    fn answer(&self, body: impl Into<Vec<u8>>) -> Result<Value, TestCaseError> {
        let answer = self.runtime.block_on(self.client.post_bytes("application/json", body));
        let answer = answer.map_err(|error| TestCaseError::fail(format!("no answer: {error:?}")))?;
        of_graphql(&answer)
    }

    /// It is as well as at its start.
    fn is_well(&self) {
        let health = self.runtime.block_on(self.client.get("/healthz"));
        assert_eq!(health.status, 200, "{}", health.text());
        let sites = self.runtime.block_on(self.client.ok("{ sites(first: 1) { nodes { id } } }", Value::Null));
        assert_eq!(sites["sites"]["nodes"].as_array().map(Vec::len), Some(1), "{sites}");
        let log = self.server.log();
        assert!(!log.contains("panic"), "something panicked:\n{log}");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // The server ends with its field; that it was still there is seen here, also after a failure.
        if !std::thread::panicking() {
            self.is_well();
        }
    }
}

fn of_graphql(answer: &Answer) -> Result<Value, TestCaseError> {
    let text = answer.text();
    prop_assert!(answer.status < 500, "{}: {text}", answer.status);
    let body: Value = match serde_json::from_str(&text) {
        Ok(body) => body,
        Err(error) => return Err(TestCaseError::fail(format!("no JSON ({error}): {text}"))),
    };
    are_errors_of_ours(&body["errors"])?;
    prop_assert!(body["errors"].is_array() || body["data"].is_object(), "neither data nor errors: {text}");
    Ok(body)
}

/// Each has a code and a sentence. None at all is good too.
fn are_errors_of_ours(errors: &Value) -> Result<(), TestCaseError> {
    let Some(list) = errors.as_array() else {
        prop_assert!(errors.is_null(), "errors that are no list: {errors}");
        return Ok(());
    };
    prop_assert!(!list.is_empty(), "a list of no errors");
    for error in list {
        let code = error["extensions"]["code"].as_str().unwrap_or_default();
        prop_assert!(!code.is_empty() && code != "INTERNAL", "no code that says what is wrong: {error}");
        prop_assert!(error["message"].as_str().is_some_and(|text| !text.is_empty()), "no sentence: {error}");
    }
    Ok(())
}

/// A few objects of several kinds.
fn small() -> Vec<Value> {
    let rack =
        |name: &str| json!({"rack": {"name": name, "site": {"site": "ams1"}, "heightU": 42, "labels": {"row": name}}});
    let device = |name: &str, rack: &str, unit: u8| {
        json!({"device": {
            "name": name, "site": {"site": "ams1"}, "role": "SERVER", "labels": {"env": "prod"},
            "placement": {"rack": {"site": "ams1", "rack": rack}, "startUnit": unit, "unitHeight": 1},
        }})
    };
    let port = |device: &str, name: &str| json!({"port": {"name": name, "device": {"site": "ams1", "device": device}, "type": "ETHERNET"}});
    vec![
        json!({"region": {"name": "ams-metro"}}),
        json!({"site": {"name": "ams1", "type": "EDGE", "region": {"region": "ams-metro"}, "displayName": "Amsterdam 1"}}),
        rack("A14"),
        rack("A15"),
        device("ams1-a14-hv-01", "A14", 1),
        device("ams1-a14-hv-02", "A14", 4),
        port("ams1-a14-hv-01", "ens1"),
        port("ams1-a14-hv-02", "ens1"),
        json!({"cable": {"name": "c1", "aEnds": [{"port": {"site": "ams1", "device": "ams1-a14-hv-01", "port": "ens1"}}],
            "bEnds": [{"port": {"site": "ams1", "device": "ams1-a14-hv-02", "port": "ens1"}}]}}),
    ]
}
