//! Many agents report while the server is killed again and again: nothing that was acknowledged is lost, and each change
//! is an event once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::join_all;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use serde_json::Value;

use super::events::events;
use super::{disk, host, report, unchanged};
use crate::harness::{Client, Server, on_both_databases, until};

const HOSTS: usize = 40;
const KILLS: usize = 4;
/// The number of accepted messages between two kills.
const MESSAGES: usize = 60;

/// An agent of the test: the number of the disk that it reports, and the last one that was acknowledged.
struct Agent {
    name: String,
    token: String,
    sent: usize,
    acknowledged: usize,
    random: StdRng,
}

impl Agent {
    /// Sends a message. Returns true if it was accepted.
    async fn step(&mut self, client: &Client) -> bool {
        // Facts mostly stay as they are.
        if self.acknowledged == self.sent && self.random.random_bool(0.4) {
            self.sent += 1;
        }
        let report = self.report();
        let message = if self.random.random_bool(0.7) { unchanged(&report) } else { report.clone() };
        let outcome = self.send(client, &message).await;
        let outcome = match outcome.as_deref() {
            Some("SEND_ALL") => self.send(client, &report).await,
            _ => outcome,
        };
        if matches!(outcome.as_deref(), Some("STORED" | "UNCHANGED")) {
            self.acknowledged = self.sent;
        }
        outcome.is_some()
    }

    fn report(&self) -> Value {
        report(&format!("{}-{}", self.name, self.sent))
    }

    async fn send(&self, client: &Client, message: &Value) -> Option<String> {
        let answer = client.post_facts(&self.token, message).await.ok()?;
        match answer.status {
            200 => Some(answer.json()["outcome"].as_str().expect("an outcome").to_owned()),
            // It is slowed down, or the server stops.
            429 | 503 => None,
            status => panic!("{status}: {}", answer.text()),
        }
    }
}

on_both_databases! {
    async fn what_was_acknowledged_outlives_kills(mut server: Server) with ["--facts-period", "1s"] {
        let seed = rand::random::<u64>();
        eprintln!("the seed is {seed}");
        let client = server.client();
        let mut agents = Vec::new();
        for number in 0..HOSTS {
            let name = format!("h{number}");
            let token = host(&client, &name).await;
            let random = StdRng::seed_from_u64(seed.wrapping_add(number as u64));
            agents.push(Agent { name, token, sent: 0, acknowledged: 0, random });
        }
        server.keep_port();
        for _ in 0..KILLS {
            let client = server.client();
            let stop = Arc::new(AtomicBool::new(false));
            let (accepted, ended) = (Arc::new(std::sync::atomic::AtomicUsize::new(0)), Arc::clone(&stop));
            let count = Arc::clone(&accepted);
            let running = tokio::spawn(async move {
                let run = async |agent: &mut Agent| {
                    while !ended.load(Ordering::Relaxed) {
                        if agent.step(&client).await {
                            count.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                };
                join_all(agents.iter_mut().map(run)).await;
                agents
            });
            until("enough messages are accepted", async || (accepted.load(Ordering::Relaxed) >= MESSAGES).then_some(())).await;
            server.kill();
            stop.store(true, Ordering::Relaxed);
            agents = running.await.expect("the agents");
            server.restart().await;

            for agent in &agents {
                let shown = disk(&server.client(), &agent.name).await;
                let known = [agent.acknowledged, agent.sent].map(|number| format!("{}-{number}", agent.name));
                let fits = known.iter().any(|it| shown == it.as_str()) || (shown.is_null() && agent.acknowledged == 0);
                assert!(fits, "seed {seed}: {} has {shown}, not one of {known:?}", agent.name);
                let events = events(&server.client(), &agent.name).await;
                let replaced = events.iter().filter(|event| event["change"] == "REPLACED");
                let serials = replaced.map(|event| event["after"]["serial"].as_str().expect("a serial number").to_owned());
                let numbers: Vec<usize> = serials.map(|it| it.rsplit('-').next().unwrap().parse().expect("a number")).collect();
                assert!(numbers.is_sorted_by(|newer, older| newer > older), "seed {seed}: {} {numbers:?}", agent.name);
            }
        }
    }
}
