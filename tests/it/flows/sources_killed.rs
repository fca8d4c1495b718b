//! Servers that are killed while sources run, and replicas that write for one run at once: nothing goes that a source
//! still has, nothing counts twice, and the end is that of one clean run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::replicas::servers;
use super::sources::{Synchronizer, call, names, region, regions, source};
use crate::harness::{Client, Database, Server, Sql, on_both_databases};

/// The time limit for one call, with all its repeats.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);

/// Makes a call until it is answered, by whatever server is there, and returns the answer or the error.
async fn persist(servers: &watch::Receiver<Client>, query: &str, variables: Value) -> Result<Value, (String, String)> {
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < CALL_TIMEOUT, "no answer: {query} {variables}");
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
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

const APPLY: &str = "mutation($input: ApplyInput!) { apply(input: $input) { results { status error { message } } } }";
const START: &str = "mutation($source: String!, $id: String!) {
  startRun(input: {source: $source, mode: FULL}, requestId: $id) { run { id } } }";
const REPORT: &str = "mutation($input: ReportRunInput!) { reportRun(input: $input) { resend { kind ids } } }";
const SETTLE: &str = "mutation($run: ID!) { settleRun(input: {run: $run, complete: true}) { run { state } } }";
const FINISH: &str = "mutation($run: ID!) { finishRun(input: {run: $run}) { run { state } } }";
const CANCEL: &str = "mutation($run: ID!) { cancelRun(input: {run: $run}) { run { state } } }";

on_both_databases! {
    async fn a_server_killed_while_it_settles_goes_on_where_it_was(mut server: Server) {
        const ALL_OBJECTS: usize = 1_300;
        const KEPT_OBJECTS: usize = 100;
        let client = server.client();
        source(&client, json!({"prune": "DELETE", "limits": {"share": 1.0, "count": 100_000}})).await;
        Synchronizer::full(&client, regions(0..ALL_OBJECTS)).await;
        let it = Synchronizer::start(&client, "FULL").await;
        let ids: Vec<String> = (0..KEPT_OBJECTS).map(|id| id.to_string()).collect();
        it.report(json!({"seenIds": [{"kind": "Region", "ids": ids}]})).await;

        let sql = Sql::connect(&server.database_url()).await;
        const COUNT_QUERY: &str = "SELECT count(*) FROM region";
        let (mut killed, mut there) = (0, ALL_OBJECTS as i64);
        let settled = loop {
            let (client, run) = (server.client(), it.run.clone());
            let settling = tokio::spawn(async move { client.try_execute(SETTLE, json!({"run": run})).await });
            // It is killed as soon as it removed something more, and at last it is let alone.
            while killed < 4 && !settling.is_finished() && sql.number(COUNT_QUERY).await == there {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let is_killed = killed < 4 && !settling.is_finished();
            if is_killed {
                server.kill();
                killed += 1;
            }
            let answer = settling.await.expect("a task");
            if is_killed {
                server.restart().await;
            }
            there = sql.number(COUNT_QUERY).await;
            assert!(there >= KEPT_OBJECTS as i64, "{there} are left");
            if let Ok(answer) = answer {
                break answer;
            }
        };
        assert!(killed > 1, "it was killed {killed} times");
        assert!(settled.errors.is_empty(), "{:?}", settled.errors);
        let it = Synchronizer { client: server.client(), ..it };
        let run = it.finish().await;
        let counts = ["seen", "deleted", "failed"].map(|name| run[name].as_i64().expect("a number"));
        let expected = [KEPT_OBJECTS as i64, (ALL_OBJECTS - KEPT_OBJECTS) as i64, 0];
        assert_eq!((&run["state"], counts), (&json!("SUCCEEDED"), expected), "{run:#}");
        let expected: BTreeSet<String> = (0..KEPT_OBJECTS).map(|id| format!("r{id}")).collect();
        assert_eq!(names(&server.client()).await.into_iter().collect::<BTreeSet<_>>(), expected);
        let ledger = "SELECT CAST(sum(removed) AS BIGINT) FROM source_ledger";
        let removed = (ALL_OBJECTS - KEPT_OBJECTS) as i64;
        assert_eq!(sql.number(ledger).await, removed, "every removal counts once against the limits");
        sql.close().await;
    }

    async fn a_settling_that_goes_on_is_judged_as_it_was_begun(mut server: Server) {
        // Just as many as the default limits permit.
        const ALL_OBJECTS: usize = 3_000;
        const KEPT_OBJECTS: usize = 2_700;
        let client = server.client();
        source(&client, json!({"prune": "DELETE"})).await;
        Synchronizer::full(&client, regions(0..ALL_OBJECTS)).await;
        let it = Synchronizer::start(&client, "FULL").await;
        let ids: Vec<String> = (0..KEPT_OBJECTS).map(|id| id.to_string()).collect();
        it.report(json!({"seenIds": [{"kind": "Region", "ids": ids}]})).await;
        let sql = Sql::connect(&server.database_url()).await;
        const COUNT_QUERY: &str = "SELECT count(*) FROM region";
        let run = it.run.clone();
        let settling = tokio::spawn(async move { client.try_execute(SETTLE, json!({"run": run})).await });
        // It is killed between the two batches in which it removes them.
        while !settling.is_finished() && sql.number(COUNT_QUERY).await == ALL_OBJECTS as i64 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        server.kill();
        let answer = settling.await.expect("a task");
        server.restart().await;
        if answer.is_err() {
            assert!(sql.number(COUNT_QUERY).await > KEPT_OBJECTS as i64, "it was killed in the middle");
        }
        let it = Synchronizer { client: server.client(), ..it };
        let run = it.settle(true).await;
        let removed = json!(ALL_OBJECTS - KEPT_OBJECTS);
        assert_eq!((&run["state"], &run["deleted"]), (&json!("RUNNING"), &removed), "{run:#}");
        assert_eq!(it.finish().await["state"], "SUCCEEDED");
        assert_eq!(sql.number(COUNT_QUERY).await, KEPT_OBJECTS as i64);
        sql.close().await;
    }

    async fn servers_killed_at_random_points_lose_nothing(mut server: Server) {
        const SOURCES: usize = 4;
        const KILLS: usize = 25;
        let (client, current) = watch::channel(server.client());
        for number in 0..SOURCES {
            let input = json!({"name": format!("s{number}"), "type": "test", "prune": "DELETE",
                "limits": {"share": 1.0, "count": 100_000}});
            let create = "mutation($input: SourceInput!) { createSource(input: $input) { revision } }";
            server.client().ok(create, json!({"input": input})).await;
        }
        let calls = Arc::new(AtomicUsize::new(0));
        let (stop, stopped) = watch::channel(false);
        let sources = (0..SOURCES).map(|number| {
            let played = Played::new(number, current.clone(), Arc::clone(&calls));
            tokio::spawn(played.until(stopped.clone()))
        });
        let sources: Vec<_> = sources.collect();
        let mut random = StdRng::seed_from_u64(41);
        for _ in 0..KILLS {
            let wanted = calls.load(Ordering::Relaxed) + random.random_range(1..4 * SOURCES);
            while calls.load(Ordering::Relaxed) < wanted {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            tokio::time::sleep(Duration::from_millis(random.random_range(0..10))).await;
            server.kill();
            server.restart().await;
            client.send_replace(server.client());
        }
        stop.send_replace(true);
        let ended: Vec<Played> = join_all(sources).await.into_iter().map(|ended| ended.expect("a source")).collect();
        let interrupted: usize = ended.iter().map(|played| played.interrupted).sum();
        eprintln!("{interrupted} runs were interrupted, {} were given up", ended.iter().map(|it| it.given_up).sum::<usize>());
        assert!(interrupted >= KILLS, "only {interrupted} runs were interrupted");

        // The end is that of one clean run of each source.
        let clean = Server::start(Database::Sqlite).await;
        for played in &ended {
            let input = json!({"name": played.source, "type": "test"});
            let create = "mutation($input: SourceInput!) { createSource(input: $input) { revision } }";
            clean.client().ok(create, json!({"input": input})).await;
            let started = clean.client().ok(START, json!({"source": played.source, "id": played.source})).await;
            let run = &started["startRun"]["run"]["id"];
            let items: Vec<Value> = played.has.iter().map(|(id, round)| item(&played.source, *id, *round)).collect();
            clean.client().ok(APPLY, json!({"input": {"run": run, "items": items}})).await;
        }
        assert_eq!(objects(&server.client()).await, objects(&clean.client()).await);
    }
}

/// All regions: their labels and references by name.
async fn objects(client: &Client) -> BTreeMap<String, Value> {
    let query = "{ regions(first: 1000) { nodes { name labels externalRefs { source externalId } managers { field manager } } } }";
    let data = client.ok(query, json!({})).await;
    let nodes = data["regions"]["nodes"].as_array().expect("nodes").iter();
    let by_name = |node: &Value| {
        let mut node = node.clone();
        // The order tells which revision wrote a field, which is of no interest.
        let managers = node["managers"].as_array_mut().expect("managers");
        managers.sort_by_key(ToString::to_string);
        (node["name"].as_str().expect("a name").to_owned(), node)
    };
    nodes.map(by_name).collect()
}

/// An object of a source. Its only label names the round in which the source last changed it.
fn item(source: &str, id: usize, round: usize) -> Value {
    let label = format!("round-{round}");
    json!({"region": {"name": format!("{source}-{id}"), "externalId": id.to_string(), "labels": {label: "yes"}}})
}

/// The reason why a run did not end.
struct GivenUp;

/// A source with its synchronizer, as the test plays them.
struct Played {
    source: String,
    servers: watch::Receiver<Client>,
    calls: Arc<AtomicUsize>,
    random: StdRng,
    /// The ids that the source has, with the round in which each changed.
    has: BTreeMap<usize, usize>,
    /// The ids that the server is known to have, with the round in which each was written.
    known: BTreeMap<usize, usize>,
    round: usize,
    interrupted: usize,
    given_up: usize,
}

impl Played {
    fn new(number: usize, servers: watch::Receiver<Client>, calls: Arc<AtomicUsize>) -> Self {
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
    async fn until(mut self, stopped: watch::Receiver<bool>) -> Self {
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn replicas_that_write_for_one_run_at_once_count_exactly() {
    let (url, servers) = servers(2).await;
    let clients: Vec<Client> = servers.iter().map(Server::client).collect();
    source(&clients[0], json!({"prune": "DELETE", "limits": {"share": 1.0, "count": 1_000}})).await;
    // Both start the same run.
    let start = async |client: &Client| client.ok(START, json!({"source": "nb", "id": "r1"})).await;
    let (one, two) = tokio::join!(start(&clients[0]), start(&clients[1]));
    assert_eq!(one, two, "one request starts one run, wherever it arrives");
    let run = one["startRun"]["run"]["id"].as_str().expect("an id").to_owned();

    let write = async |number: usize| {
        let (_keep, current) = watch::channel(clients[number].clone());
        for id in number * 10..number * 10 + 20 {
            let input = json!({"run": run, "items": [region(id)], "requestId": format!("{number}-{id}")});
            let applied = persist(&current, APPLY, json!({"input": input})).await.expect("it is written");
            assert_ne!(applied["apply"]["results"][0]["status"], "FAILED", "{applied}");
            let report = json!({"run": run, "seenIds": [{"kind": "Region", "ids": [id.to_string()]}]});
            persist(&current, REPORT, json!({"input": report})).await.expect("it is reported");
        }
    };
    tokio::join!(write(0), write(1));
    let it = Synchronizer { client: clients[1].clone(), run };
    let settled = it.settle(true).await;
    let counts = ["seen", "created", "unchanged"].map(|name| settled[name].as_i64().expect("a number"));
    assert_eq!(counts, [30, 30, 10], "{settled:#}");
    assert_eq!(it.finish().await["state"], "SUCCEEDED");

    // Both settle the next one: what is gone is removed and counted once.
    let it = Synchronizer::start(&clients[0], "FULL").await;
    it.apply(regions(0..10)).await;
    let settle = async |number: usize| {
        let (_keep, current) = watch::channel(clients[number].clone());
        persist(&current, SETTLE, json!({"run": it.run})).await.expect("it is settled")
    };
    tokio::join!(settle(0), settle(1));
    let run = call(&clients[1], "finishRun", json!({"run": it.run})).await["run"].take();
    assert_eq!((&run["state"], &run["deleted"]), (&json!("SUCCEEDED"), &json!(20)), "{run:#}");
    assert_eq!(names(&clients[1]).await.len(), 10);
    let sql = Sql::connect(&url).await;
    assert_eq!(sql.number("SELECT CAST(sum(removed) AS BIGINT) FROM source_ledger").await, 20);
    sql.close().await;
}
