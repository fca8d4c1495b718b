//! A source with its synchronizer, as a test plays them while servers are killed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::harness::{Client, HANG};

/// Makes a call until it is answered, by whatever server is there, and returns the answer or the error.
pub async fn persist(
    servers: &watch::Receiver<Client>,
    query: &str,
    variables: Value,
) -> Result<Value, (String, String)> {
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < HANG, "no answer: {query} {variables}");
        let client = servers.borrow().clone();
        match client.try_execute(query, variables.clone()).await {
            Ok(answer) if answer.errors.is_empty() => return Ok(answer.data),
            Ok(mut answer) => {
                let error = answer.errors.remove(0);
                if !["UNAVAILABLE", "OVERLOADED", "TIMEOUT"].contains(&error.code.as_str()) {
                    return Err((error.code, error.message));
                }
            }
            Err(_) => {}
        }
        // The server is being started again.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

pub const APPLY: &str =
    "mutation($input: ApplyInput!) { apply(input: $input) { results { status error { message } } } }";
pub const START: &str = "mutation($source: String!, $id: String!) {
  startRun(input: {source: $source, mode: FULL}, requestId: $id) { run { id } } }";
pub const REPORT: &str = "mutation($input: ReportRunInput!) { reportRun(input: $input) { resend { kind ids } } }";
pub const SETTLE: &str = "mutation($run: ID!) { settleRun(input: {run: $run, complete: true}) { run { state } } }";
pub const FINISH: &str = "mutation($run: ID!) { finishRun(input: {run: $run}) { run { state } } }";
pub const CANCEL: &str = "mutation($run: ID!) { cancelRun(input: {run: $run}) { run { state } } }";

/// An object of a source. Its only label names the round in which the source last changed it.
pub fn item(source: &str, id: usize, round: usize) -> Value {
    let label = format!("round-{round}");
    json!({"region": {"name": format!("{source}-{id}"), "externalId": id.to_string(), "labels": {label: "yes"}}})
}

/// The reason why a run did not end.
pub struct GivenUp;

/// A source with its synchronizer, as the test plays them.
pub struct Played {
    pub source: String,
    servers: watch::Receiver<Client>,
    calls: Arc<AtomicUsize>,
    random: StdRng,
    /// The ids that the source has, with the round in which each changed.
    pub has: BTreeMap<usize, usize>,
    /// The ids that the server is known to have, with the round in which each was written.
    known: BTreeMap<usize, usize>,
    round: usize,
    pub interrupted: usize,
    pub given_up: usize,
}

impl Played {
    pub fn new(number: usize, servers: watch::Receiver<Client>, calls: Arc<AtomicUsize>) -> Self {
        Self {
            source: format!("s{number}"),
            servers,
            calls,
            random: StdRng::seed_from_u64(number as u64),
            has: (0..25).map(|id| (id, 0)).collect(),
            known: BTreeMap::new(),
            round: 0,
            interrupted: 0,
            given_up: 0,
        }
    }

    /// Runs again and again, and at last once more without a fault.
    pub async fn until(mut self, stopped: watch::Receiver<bool>) -> Self {
        loop {
            let is_last = *stopped.borrow();
            // Objects that the server had, and that the source has before and after the run, must stay.
            let stays: BTreeSet<usize> = self.known.keys().copied().filter(|id| self.has.contains_key(id)).collect();
            match self.run(&stays).await {
                Ok(()) => {
                    self.check(&self.has.keys().copied().collect(), true).await;
                    if is_last {
                        return self;
                    }
                    self.change();
                }
                Err(GivenUp) => self.given_up += 1,
            }
        }
    }

    /// The source changes between two runs.
    fn change(&mut self) {
        self.round += 1;
        for _ in 0..3 {
            let lost = *self.has.keys().nth(self.random.random_range(0..self.has.len())).expect("an id");
            self.has.remove(&lost);
            self.has.insert(100 + self.round * 3 + self.random.random_range(0..3), self.round);
        }
        for id in self.has.keys().copied().filter(|id| (id + self.round).is_multiple_of(4)).collect::<Vec<_>>() {
            self.has.insert(id, self.round);
        }
    }

    async fn run(&mut self, stays: &BTreeSet<usize>) -> Result<(), GivenUp> {
        let id = format!("{}-{}-{}", self.source, self.round, self.random.random::<u64>());
        let started = self.call(START, json!({"source": self.source, "id": id}), stays, None).await?;
        let run = started["startRun"]["run"]["id"].as_str().expect("an id").to_owned();
        let is_known = |id: &usize| self.known.get(id) == self.has.get(id);
        let (same, differs): (Vec<usize>, Vec<usize>) = self.has.keys().copied().partition(is_known);
        for ids in differs.chunks(5) {
            self.apply(&run, ids, stays).await?;
        }
        let ids: Vec<String> = same.iter().map(ToString::to_string).collect();
        let input = json!({"run": run, "seenIds": [{"kind": "Region", "ids": ids}]});
        let report = self.call(REPORT, json!({"input": input}), stays, Some(&run)).await?;
        let resend = report["reportRun"]["resend"][0]["ids"].as_array().cloned().unwrap_or_default();
        let resend: Vec<usize> = resend.iter().map(|id| id.as_str().expect("an id").parse().expect("an id")).collect();
        self.apply(&run, &resend, stays).await?;
        let settled = self.call(SETTLE, json!({"run": run}), stays, Some(&run)).await?;
        assert_eq!(settled["settleRun"]["run"]["state"], "RUNNING", "{settled}");
        self.known = self.has.clone();
        self.call(FINISH, json!({"run": run}), stays, Some(&run)).await?;
        Ok(())
    }

    async fn apply(&mut self, run: &str, ids: &[usize], stays: &BTreeSet<usize>) -> Result<(), GivenUp> {
        if ids.is_empty() {
            return Ok(());
        }
        // Until it is answered, nobody knows what the server has of these.
        self.known.retain(|id, _| !ids.contains(id));
        let items: Vec<Value> = ids.iter().map(|id| item(&self.source, *id, self.has[id])).collect();
        let request = format!("{run}-{}", self.random.random::<u64>());
        let input = json!({"run": run, "mode": "PER_ITEM", "items": items, "requestId": request});
        let applied = self.call(APPLY, json!({"input": input}), stays, Some(run)).await?;
        let results = applied["apply"]["results"].as_array().expect("results");
        assert!(results.iter().all(|result| result["status"] != "FAILED"), "{results:?}");
        self.known.extend(ids.iter().map(|id| (*id, self.has[id])));
        Ok(())
    }

    /// Makes a call. If the server dies meanwhile, the call is repeated at the next one, or the synchronizer dies too:
    /// it gives the run up.
    async fn call(
        &mut self,
        query: &str,
        variables: Value,
        stays: &BTreeSet<usize>,
        run: Option<&str>,
    ) -> Result<Value, GivenUp> {
        let client = self.servers.borrow_and_update().clone();
        self.calls.fetch_add(1, Ordering::Relaxed);
        if let Ok(answer) = client.try_execute(query, variables.clone()).await
            && answer.errors.is_empty()
        {
            return Ok(answer.data);
        }
        self.interrupted += 1;
        self.check(stays, false).await;
        if let Some(run) = run.filter(|_| self.random.random_bool(0.4)) {
            // The run may have ended already.
            let cancelled = persist(&self.servers, CANCEL, json!({"run": run})).await;
            assert!(
                cancelled.is_ok() || cancelled.as_ref().is_err_and(|(code, _)| code == "INCOMPATIBLE"),
                "{cancelled:?}"
            );
            return Err(GivenUp);
        }
        match persist(&self.servers, query, variables).await {
            Ok(data) => Ok(data),
            // The answer to the first try was lost.
            Err((code, message)) if query == FINISH && code == "INCOMPATIBLE" && message.contains("is SUCCEEDED") => {
                Ok(Value::Null)
            }
            Err(error) => panic!("{query}: {error:?}"),
        }
    }

    /// Checks that the server has at least these objects of the source, or exactly these.
    async fn check(&self, ids: &BTreeSet<usize>, exactly: bool) {
        let query = "query($source: String!) { regions(first: 1000, filter: {externalRef: {source: $source}}) {
            nodes { externalRefs { externalId } labels } } }";
        let found = persist(&self.servers, query, json!({"source": self.source})).await.expect("an answer");
        let nodes = found["regions"]["nodes"].as_array().expect("nodes");
        let id = |node: &Value| node["externalRefs"][0]["externalId"].as_str().expect("an id").parse().expect("an id");
        let found: BTreeSet<usize> = nodes.iter().map(id).collect();
        match exactly {
            true => assert_eq!(found, *ids, "{} after a whole run", self.source),
            false => assert!(found.is_superset(ids), "{} lost {:?}", self.source, ids - &found),
        }
        for node in nodes.iter().filter(|_| exactly) {
            assert_eq!(node["labels"].as_object().map(|labels| labels.len()), Some(1), "{node}");
        }
    }
}
