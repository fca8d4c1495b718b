//! Many agents whose machines change all the time, against a plain model: parts die, move and have doubles, clocks are
//! wrong, bodies are large or burst when they are unpacked, tokens are copied and replaced, and the server is killed and
//! stopped meanwhile. In the end each host has what was accepted last, each change is an event once, and nothing that
//! was accepted is lost.
//!
//! `UNDERLAY_TEST_AGENTS` is the number of agents; 3,000 take some minutes. `UNDERLAY_TEST_SEED` repeats a run, apart from
//! the order in which the server gets what agents say at the same time.

mod agent;
mod fleet;

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::join_all;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use self::agent::{Agent, Step};
use self::fleet::{Confirmation, Events, Fleet, Said, name};
use crate::harness::{Client, Server, on_both_databases, until};

const AGENTS: usize = 240;
const ROUNDS: usize = 3;
/// The number of rounds with more agents.
const LONG_ROUNDS: usize = 6;
/// The number of times that the server ends in a round.
const ENDS: usize = 2;
/// The number of agents that talk at a time. The server reads fewer bodies at a time, so some come again.
const TALKING: usize = 96;
/// One of this many agents gets another token in a round.
const AGENTS_PER_TOKEN: usize = 20;
/// The number of tokens in a request: as many as it may have aliases.
const TOKENS_PER_REQUEST: usize = 100;
/// The number of messages that are waited for at a time.
const MESSAGES_PER_WAIT: usize = 500;
/// The number of hosts whose facts are read at a time.
const HOSTS_PER_PAGE: usize = 50;
/// The number of events that are read at a time.
const EVENTS_PER_PAGE: usize = 1_000;

const NOTES: &str = "query($first: Int!, $after: String) { hosts(first: $first, after: $after) { \
    nodes { name facts { system { firmwareDate } } } pageInfo { hasNextPage endCursor } } }";
const FACTS: &str = "query($first: Int!, $after: String) { hosts(first: $first, after: $after) { \
    nodes { name facts { raw } parts { kind serial place } } pageInfo { hasNextPage endCursor } } }";
const EVENTS: &str = "query($first: Int!, $after: String) { hardwareEvents(first: $first, after: $after) { \
    nodes { host { name } fromHost { name } part change place before after } pageInfo { hasNextPage endCursor } } }";

/// The agents that are not finished, those that are, and what they were answered.
#[derive(Default)]
struct Talk {
    waiting: Mutex<VecDeque<Agent>>,
    finished: Mutex<Vec<Agent>>,
    accepted: AtomicUsize,
    refused: AtomicUsize,
    later: AtomicUsize,
}

/// The counts of a whole run.
#[derive(Debug, Default)]
struct Counts {
    kills: usize,
    stops: usize,
    accepted: usize,
    refused: usize,
    later: usize,
}

impl Talk {
    fn of(agents: Vec<Agent>) -> Arc<Self> {
        Arc::new(Self { waiting: Mutex::new(agents.into()), ..Self::default() })
    }

    /// Lets agents talk, one after the other, until all are finished or the server does not answer.
    async fn run(self: Arc<Self>, client: Client) {
        loop {
            let Some(mut agent) = self.waiting.lock().expect("the agents").pop_front() else { return };
            let step = agent.step(&client).await;
            let count = match step {
                Step::Accepted => &self.accepted,
                Step::Refused => &self.refused,
                Step::Later | Step::NoAnswer => &self.later,
            };
            count.fetch_add(1, Ordering::Relaxed);
            match agent.queue.is_empty() {
                true => self.finished.lock().expect("the agents").push(agent),
                false => self.waiting.lock().expect("the agents").push_back(agent),
            }
            if step == Step::NoAnswer {
                return;
            }
        }
    }

    /// Waits until a number of messages is accepted, or nobody has anything to say. Many of them take longer than a wait may.
    async fn reach(&self, enough: usize) {
        let steps = (MESSAGES_PER_WAIT..enough).step_by(MESSAGES_PER_WAIT).chain([enough]);
        for step in steps {
            until(format!("{step} messages are accepted"), async || {
                let is_over = self.waiting.lock().expect("the agents").is_empty();
                (is_over || self.accepted.load(Ordering::Relaxed) >= step).then_some(())
            })
            .await;
        }
    }

    /// Returns the agents that are not finished, and those that are.
    fn end(&self) -> [Vec<Agent>; 2] {
        let waiting = std::mem::take(&mut *self.waiting.lock().expect("the agents"));
        [waiting.into(), std::mem::take(&mut *self.finished.lock().expect("the agents"))]
    }
}

/// Makes hosts, and an agent for each.
async fn agents(client: &Client, seed: u64, count: usize) -> Vec<Agent> {
    let numbers: Vec<usize> = (0..count).collect();
    let mut agents = Vec::new();
    for numbers in numbers.chunks(TOKENS_PER_REQUEST) {
        client.apply_all(numbers.iter().map(|number| json!({"host": {"name": name(*number)}})).collect()).await;
        let tokens = tokens(client, &numbers.iter().map(|number| name(*number)).collect::<Vec<_>>()).await;
        agents.extend(numbers.iter().zip(tokens).map(|(number, token)| Agent {
            name: name(*number),
            token,
            old_token: None,
            queue: VecDeque::new(),
            sent: 0,
            accepted: None,
            random: StdRng::seed_from_u64(seed.wrapping_add(*number as u64)),
        }));
    }
    agents
}

/// Issues a token for each of these hosts.
async fn tokens(client: &Client, hosts: &[String]) -> Vec<String> {
    let field = |(at, host): (usize, &String)| format!("t{at}: issueAgentToken(host: \"host/{host}\") {{ token }} ");
    let fields: String = hosts.iter().enumerate().map(field).collect();
    let issued = client.ok(&format!("mutation {{ {fields} }}"), json!({})).await;
    let token = |at: usize| issued[format!("t{at}")]["token"].as_str().expect("a token").to_owned();
    (0..hosts.len()).map(token).collect()
}

/// Gives some agents another token.
async fn renew_tokens(client: &Client, agents: &mut [Agent], random: &mut StdRng) {
    let first = random.random_range(0..AGENTS_PER_TOKEN);
    let mut chosen: Vec<&mut Agent> = agents.iter_mut().skip(first).step_by(AGENTS_PER_TOKEN).collect();
    for some in chosen.chunks_mut(TOKENS_PER_REQUEST) {
        let hosts: Vec<String> = some.iter().map(|agent| agent.name.clone()).collect();
        for (agent, token) in some.iter_mut().zip(tokens(client, &hosts).await) {
            agent.old_token = Some(std::mem::replace(&mut agent.token, token));
        }
    }
}

/// Lets all agents say what they have to, while the server ends several times.
async fn talk(server: &mut Server, mut agents: Vec<Agent>, random: &mut StdRng, counts: &mut Counts) -> Vec<Agent> {
    let messages: usize = agents.iter().map(|agent| agent.queue.len()).sum();
    let mut finished = Vec::new();
    for end in (0..ENDS).map(Some).chain([None]) {
        let talk = Talk::of(agents);
        let mut talking = JoinSet::new();
        (0..TALKING).for_each(|_| drop(talking.spawn(Arc::clone(&talk).run(server.client()))));
        if end.is_some() {
            let enough = random.random_range(1..=messages / ENDS);
            talk.reach(enough).await;
        }
        match end {
            Some(0) => {
                server.kill();
                counts.kills += 1;
            }
            Some(_) => {
                server.stop().await;
                counts.stops += 1;
            }
            None => {}
        }
        while let Some(ended) = talking.join_next().await {
            ended.expect("an agent");
        }
        let [waiting, done] = talk.end();
        for (all, some) in [
            (&mut counts.accepted, &talk.accepted),
            (&mut counts.refused, &talk.refused),
            (&mut counts.later, &talk.later),
        ] {
            *all += some.load(Ordering::Relaxed);
        }
        agents = waiting;
        finished.extend(done);
        if end.is_some() {
            server.restart().await;
            check_notes(&server.client(), agents.iter().chain(&finished)).await;
        }
    }
    assert!(agents.is_empty(), "the server did not answer {} agents, though it ran", agents.len());
    finished
}

/// Checks that each host has the report that was accepted last, or one that was sent after it.
async fn check_notes(client: &Client, agents: impl Iterator<Item = &Agent>) {
    let shown: BTreeMap<String, Value> =
        hosts(client, NOTES).await.into_iter().map(|mut host| (text(&host["name"]), host["facts"].take())).collect();
    for agent in agents {
        let note = shown[&agent.name][0]["system"]["firmwareDate"].as_str().map(|note| note.parse().expect("a number"));
        let accepted = agent.accepted.as_ref().map(|said| said.note);
        let is_kept = note == accepted || note == Some(agent.sent);
        assert!(is_kept, "{} has {note:?}, accepted was {accepted:?}, and {} was sent", agent.name, agent.sent);
    }
}

/// Returns all hosts as a query reads them.
async fn hosts(client: &Client, query: &str) -> Vec<Value> {
    pages(client, query, "hosts", HOSTS_PER_PAGE).await
}

async fn pages(client: &Client, query: &str, list: &str, first: usize) -> Vec<Value> {
    let (mut all, mut after) = (Vec::new(), Value::Null);
    loop {
        let mut page = client.ok(query, json!({"first": first, "after": after})).await[list].take();
        all.append(page["nodes"].as_array_mut().expect("nodes"));
        if page["pageInfo"]["hasNextPage"] != true {
            return all;
        }
        after = page["pageInfo"]["endCursor"].take();
    }
}

#[track_caller]
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// Returns the events of all hosts in the words of the model.
async fn events(client: &Client) -> Events {
    let mut events = Events::new();
    for event in pages(client, EVENTS, "hardwareEvents", EVENTS_PER_PAGE).await.into_iter().rev() {
        let (part, change) = (text(&event["part"]), text(&event["change"]));
        let serial = |side: &str| event[side]["serial"].as_str().unwrap_or_default().to_owned();
        let (before, after) = (serial("before"), serial("after"));
        let words = match change.as_str() {
            "REPLACED" => format!("{part} {change} {before} {after}"),
            "MOVED" => format!("{part} {change} {after} from {}", text(&event["fromHost"]["name"])),
            "REMOVED" => format!("{part} {change} {before}"),
            "ADDED" => format!("{part} {change} {after}"),
            "FAILING" => format!("{part} {change} {}", text(&event["place"])),
            _ => format!("{part} {change}"),
        };
        let of_host = events.entry(text(&event["host"]["name"])).or_default();
        of_host[usize::from(part != "MEMORY")].push(words);
    }
    events
}

fn count(events: &Events) -> usize {
    events.values().flatten().map(Vec::len).sum()
}

/// Takes some texts out of others, each once. Returns those that were not among them.
fn take(from: &mut Vec<String>, texts: &[String]) -> Vec<String> {
    let mut lacking = Vec::new();
    for text in texts {
        match from.iter().position(|other| other == text) {
            Some(at) => drop(from.swap_remove(at)),
            None => lacking.push(text.clone()),
        }
    }
    lacking
}

/// Returns true if there are all events that are expected.
fn is_complete(found: &Events, expected: &Events) -> bool {
    expected.iter().all(|(host, expected)| {
        let mut found = found.get(host).cloned().unwrap_or_default();
        found.iter_mut().zip(expected).all(|(found, expected)| take(found, expected).is_empty())
    })
}

/// Waits until there are all events that are expected, while the agents say that nothing has changed.
async fn settle(client: &Client, agents: &mut [Agent], expected: &Events) -> Events {
    until("all events are stored", async || {
        for some in agents.chunks_mut(TALKING) {
            join_all(some.iter_mut().map(|agent| agent.repeat(client))).await;
        }
        let found = events(client).await;
        is_complete(&found, expected).then_some(found)
    })
    .await
}

/// Checks that the events are those that are expected, each once. Those of modules depend on which of two hosts reports
/// first; the others have an order. Returns how many are there that need not be.
fn check_events(mut found: Events, fleet: &Fleet) -> usize {
    let mut further = 0;
    for machine in &fleet.machines {
        let host = machine.name();
        let [mut modules, others] = found.remove(&host).unwrap_or_default();
        let [expected, expected_others] = fleet.expected.get(&host).cloned().unwrap_or_default();
        assert_eq!(others, expected_others, "{host}");

        let all = modules.clone();
        let lacking = take(&mut modules, &expected);
        assert!(lacking.is_empty(), "{host} lacks {lacking:?} of {expected:?}; it has {all:?}");
        let mut allowed = fleet.allowed.get(&host).cloned().unwrap_or_default();
        let wrong = take(&mut allowed, &modules);
        assert!(wrong.is_empty(), "{host} has {wrong:?} besides {expected:?}");
        further += modules.len();
    }
    assert_eq!(found, Events::new(), "events of other hosts");
    further
}

/// Checks that each host has what was accepted last, and each module is where it is.
async fn check_facts(client: &Client, agents: &[Agent], fleet: &Fleet) {
    let shown = hosts(client, FACTS).await;
    assert_eq!(shown.len(), agents.len());
    let accepted: BTreeMap<&String, &Said> =
        agents.iter().map(|it| (&it.name, it.accepted.as_ref().expect("a report"))).collect();
    let mut places = fleet.places();
    for host in shown {
        let name = text(&host["name"]);
        let raw = &host["facts"][0]["raw"];
        for section in ["agent", "system", "memory", "disks", "interfaces", "lamps"] {
            assert_eq!(raw[section], accepted[&name].body[section], "{name}, {section}");
        }
        let modules = host["parts"].as_array().expect("parts").iter().filter(|part| part["kind"] == "MEMORY");
        let place = |part: &Value| (text(&part["serial"]), part["place"].as_str().map(str::to_owned));
        let mut modules: Vec<(String, Option<String>)> = modules.map(place).collect();
        modules.sort();
        assert_eq!(Some(modules), places.remove(&name), "{name}");
    }
}

/// Returns a number that a variable of the environment sets.
fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is {text}, which is no number")))
}

on_both_databases! {
    async fn each_change_is_an_event_once_and_nothing_is_lost(mut server: Server) with ["--facts-period", "1s"] {
        let seed = number("UNDERLAY_TEST_SEED").unwrap_or_else(rand::random);
        eprintln!("the seed is {seed}");
        let (size, rounds) = number("UNDERLAY_TEST_AGENTS").map_or((AGENTS, ROUNDS), |size| (size as usize, LONG_ROUNDS));
        let (mut fleet, mut random) = (Fleet::new(seed, size), StdRng::seed_from_u64(seed));
        let (mut agents, mut counts) = (agents(&server.client(), seed, size).await, Counts::default());
        let mut reports = fleet.first_reports();
        for left in (0..=rounds).rev() {
            agents.sort_unstable_by(|one, other| one.name.cmp(&other.name));
            agents.iter_mut().zip(reports).for_each(|(agent, said)| agent.queue = said.into());
            agents = talk(&mut server, agents, &mut random, &mut counts).await;
            let found = settle(&server.client(), &mut agents, &fleet.expected).await;
            let further = check_events(found, &fleet);
            check_facts(&server.client(), &agents, &fleet).await;

            if left == 0 {
                let events = count(&fleet.expected);
                eprintln!("{size} agents, {rounds} rounds, {events} events and {further} removals before moves, {counts:?}");
                return;
            }
            renew_tokens(&server.client(), &mut agents, &mut random).await;
            reports = fleet.next_reports(if left == 1 { Confirmation::ByHeartbeat } else { Confirmation::ByReport });
        }
    }
}
