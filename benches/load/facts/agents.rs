//! The agents of hosts. Each reports the made-up hardware of its machine with a token and a connection of its own.
//!
//! Guarantee: every message is answered with the outcome that it must have, or there is an error.

use std::collections::VecDeque;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chrono::Utc;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use underlay_demo::hardware::{self, Machine};
use underlay_facts::{Answer, Message, Outcome, Report, Unchanged};

use crate::client::{Connection, Prepared, ask};
use crate::problem::{Doing, LoadError, Result, within};

/// The number of hosts in a batch.
const BATCH_HOSTS: usize = 1_000;
/// The number of tokens in a request: as many as it may have aliases.
const TOKENS_PER_REQUEST: usize = 100;
/// The number of requests for tokens at a time.
const TOKEN_REQUESTS: usize = 8;
/// One of this many messages is a changed report.
const MESSAGES_PER_CHANGE: usize = 20;
/// The time limit of a batch of hosts, and of the reports of all agents.
const TIMEOUT: Duration = Duration::from_secs(300);
/// The time for which agents have messages beyond the planned one.
const GRACE_PERIOD: Duration = Duration::from_secs(5);

/// The agents of all hosts.
pub struct Agents {
    server: SocketAddr,
    agents: Vec<Agent>,
    /// The number of planned messages so far. The agents take turns.
    planned: usize,
    /// The messages that were planned and not sent.
    waiting: VecDeque<Planned>,
}

/// The agent of one host.
struct Agent {
    number: usize,
    token: String,
    /// The number of boots of its machine.
    boots: u64,
    /// The digest of its last report.
    digest: String,
}

/// A message, and the outcome that it must have.
#[derive(Clone)]
struct Planned {
    request: Prepared,
    outcome: Outcome,
}

impl Agents {
    /// Makes hosts, and a token for the agent of each.
    pub async fn of_new_hosts(server: SocketAddr, count: usize) -> Result<Self> {
        let numbers: Vec<usize> = (0..count).collect();
        let mut connection = Connection::open(server).await?;
        for numbers in numbers.chunks(BATCH_HOSTS) {
            let hosts = numbers.iter().map(|number| json!({"host": {"name": name(*number)}}));
            within(TIMEOUT, "a batch of hosts", connection.exchange(&Prepared::lines(hosts))).await?;
        }
        let mut requests: JoinSet<Result<Vec<Agent>>> = JoinSet::new();
        let mut agents = Vec::with_capacity(count);
        for numbers in numbers.chunks(TOKENS_PER_REQUEST) {
            if requests.len() == TOKEN_REQUESTS {
                agents.extend(joined(requests.join_next().await)?.unwrap_or_default());
            }
            requests.spawn(with_tokens(server, numbers.to_vec()));
        }
        while let Some(some) = joined(requests.join_next().await)? {
            agents.extend(some);
        }
        Ok(Self { server, agents, planned: 0, waiting: VecDeque::new() })
    }

    /// Sends the whole report of each agent, `in_flight` at a time. Returns the time in seconds.
    pub async fn report_all(&mut self, in_flight: usize) -> Result<f64> {
        let reports = self.agents.iter_mut().map(Agent::report).collect::<Result<Vec<_>>>()?;
        let (reports, server): (Arc<[Planned]>, _) = (reports.into(), self.server);
        within(TIMEOUT, "the reports of all agents", async {
            let (begin, mut senders) = (Instant::now(), JoinSet::new());
            for first in 0..in_flight {
                let reports = Arc::clone(&reports);
                senders.spawn(async move {
                    for report in reports.iter().skip(first).step_by(in_flight) {
                        report.send(server).await?;
                    }
                    Ok(())
                });
            }
            while joined(senders.join_next().await)?.is_some() {}
            Ok(begin.elapsed().as_secs_f64())
        })
        .await
    }

    /// Measures something of a planned length while agents send messages at a rate per second. Also returns the rate at
    /// which they were sent.
    pub async fn beside<T>(
        &mut self,
        rate: f64,
        length: Duration,
        measuring: impl Future<Output = Result<T>>,
    ) -> Result<(T, f64)> {
        self.plan((rate * (length + GRACE_PERIOD).as_secs_f64()) as usize)?;
        let stop = Arc::new(AtomicBool::new(false));
        let sender = tokio::spawn(send_at(self.server, std::mem::take(&mut self.waiting), rate, Arc::clone(&stop)));
        let measured = measuring.await;
        stop.store(true, Ordering::Relaxed);
        let ended = sender.await.map_err(|error| LoadError::Answer(format!("the agents ended: {error}")))?;
        let (waiting, sent) = ended?;
        self.waiting = waiting;
        Ok((measured?, sent))
    }

    /// Prepares messages until this number of them waits.
    fn plan(&mut self, count: usize) -> Result<()> {
        while self.waiting.len() < count {
            let at = self.planned % self.agents.len();
            let agent = &mut self.agents[at];
            self.waiting.push_back(match self.planned.is_multiple_of(MESSAGES_PER_CHANGE) {
                true => agent.boot()?,
                false => agent.unchanged()?,
            });
            self.planned += 1;
        }
        Ok(())
    }
}

impl Agent {
    fn read(&self) -> Report {
        let serial = name(self.number);
        let machine = Machine { serial: &serial, number: self.number, before: None, server: None };
        let mut report = hardware::report(machine, 0, Utc::now());
        if let Some(system) = &mut report.sections.system {
            system.found.boot_id = Some(format!("{serial}-{}", self.boots));
        }
        report
    }

    /// Returns the whole report, which the server does not have.
    fn report(&mut self) -> Result<Planned> {
        let report = self.read();
        self.digest = report.digest()?;
        self.planned(&Message::Report(Box::new(report)), Outcome::Stored)
    }

    /// Returns the report after one more boot of the machine.
    fn boot(&mut self) -> Result<Planned> {
        self.boots += 1;
        self.report()
    }

    /// Returns the message that the hardware is as it was.
    fn unchanged(&self) -> Result<Planned> {
        let Report { format, agent, observed_at, .. } = self.read();
        let message = Unchanged { format, agent, observed_at, digest: self.digest.clone() };
        self.planned(&Message::Unchanged(message), Outcome::Unchanged)
    }

    fn planned(&self, message: &Message, outcome: Outcome) -> Result<Planned> {
        let text = serde_json::to_vec(message)?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        let compressed = encoder.write_all(&text).and_then(|()| encoder.finish());
        let compressed = compressed.doing(|| "compress a message".to_owned())?;
        Ok(Planned { request: Prepared::facts(&self.token, &compressed), outcome })
    }
}

impl Planned {
    /// Sends the message over a connection of its own, as agents do.
    async fn send(&self, server: SocketAddr) -> Result<()> {
        let mut connection = Connection::open(server).await?;
        let answer: Answer = serde_json::from_slice(connection.exchange(&self.request).await?)?;
        match answer.outcome == self.outcome {
            true => Ok(()),
            false => Err(LoadError::Answer(format!("a message must be {:?}, and was {answer:?}", self.outcome))),
        }
    }
}

/// Sends messages at a rate per second until it is stopped. Returns those that were not sent, and the rate at which the
/// others were sent.
async fn send_at(
    server: SocketAddr,
    mut messages: VecDeque<Planned>,
    rate: f64,
    stop: Arc<AtomicBool>,
) -> Result<(VecDeque<Planned>, f64)> {
    let mut ticks = interval(Duration::from_secs_f64(1.0 / rate));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let (begin, mut sent, mut answers) = (Instant::now(), 0_u32, JoinSet::new());
    while !stop.load(Ordering::Relaxed) {
        let message = messages.pop_front();
        let message = message.ok_or_else(|| LoadError::Answer("the agents have no messages left".to_owned()))?;
        answers.spawn(async move { message.send(server).await });
        sent += 1;
        ticks.tick().await;
    }
    let sent = f64::from(sent) / begin.elapsed().as_secs_f64();
    while joined(answers.join_next().await)?.is_some() {}
    Ok((messages, sent))
}

/// Makes tokens for these hosts in one request. Returns their agents.
async fn with_tokens(server: SocketAddr, numbers: Vec<usize>) -> Result<Vec<Agent>> {
    let field = |number: &usize| format!("t{number}: issueAgentToken(host: \"host/{}\") {{ token }} ", name(*number));
    let query: String = numbers.iter().map(field).collect();
    let made = ask(server, &format!("mutation {{ {query}}}"), Value::Null).await?;
    let agent = |number: usize| match made[format!("t{number}")]["token"].as_str() {
        Some(token) => Ok(Agent { number, token: token.to_owned(), boots: 0, digest: String::new() }),
        None => Err(LoadError::Answer(format!("there is no token for the host {}", name(number)))),
    };
    numbers.into_iter().map(agent).collect()
}

/// Returns the name of a host, which is also the serial number of its machine.
fn name(number: usize) -> String {
    format!("reporting-{number:05}")
}

/// Returns the result of a client that ended; none if all of them have.
fn joined<T>(ended: Option<std::result::Result<Result<T>, tokio::task::JoinError>>) -> Result<Option<T>> {
    let ended = ended.map(|ended| ended.map_err(|error| LoadError::Answer(format!("a client ended: {error}")))?);
    ended.transpose()
}
