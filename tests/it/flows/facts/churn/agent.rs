//! An agent that sends what its machine says until it is accepted, and what others send in its name.

use std::collections::VecDeque;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use rand::Rng as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use serde_json::{Value, json};

use super::super::unchanged;
use super::fleet::Said;
use crate::harness::{Answer, Client};

/// The times by the clocks of machines, which are all accepted.
const CLOCKS: [&str; 3] = ["2026-11-01T10:00:00Z", "1999-12-31T23:59:59Z", "2000-01-01T00:00:00+14:00"];
/// The size of a body that is too large, in bytes, and of one that is when it is unpacked.
const TOO_LARGE: usize = (1 << 20) + 1;
const BOMB: usize = 16 << 20;

/// The agent of a host.
pub(super) struct Agent {
    pub name: String,
    pub token: String,
    /// A token of the host that was replaced.
    pub old_token: Option<String>,
    pub queue: VecDeque<Said>,
    /// The note of the last report that was sent, whether it was accepted or not.
    pub sent: u64,
    pub accepted: Option<Said>,
    pub random: StdRng,
}

/// The end of a step of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A message was accepted.
    Accepted,
    /// A message was refused, as it must be.
    Refused,
    /// The server asked to come later.
    Later,
    /// There is no answer.
    NoAnswer,
}

impl Agent {
    /// Sends a message: what is next, what repeats what was accepted, or what must be refused.
    pub async fn step(&mut self, client: &Client) -> Step {
        let done = match self.random.random_range(0..20) {
            0 => self.misbehave(client).await,
            1..4 => self.repeat(client).await,
            _ => self.report(client).await,
        };
        done.unwrap_or(Step::NoAnswer)
    }

    /// Says that the facts are those that were accepted last. The server must know them, whatever happened to it.
    pub async fn repeat(&mut self, client: &Client) -> Option<Step> {
        // A later report may have been stored, though its answer was lost.
        let Some(accepted) = self.accepted.clone().filter(|accepted| accepted.note == self.sent) else {
            return self.report(client).await;
        };
        let message = unchanged(&self.at_some_time(&accepted));
        let answer = client.post_facts(&self.token, &message).await.ok()?;
        Some(match outcome(&answer) {
            None => Step::Later,
            Some(outcome) => {
                assert_eq!(outcome, "UNCHANGED", "{} was accepted with note {}", self.name, accepted.note);
                Step::Accepted
            }
        })
    }

    /// Sends what is next, at once or after its digest.
    async fn report(&mut self, client: &Client) -> Option<Step> {
        let Some(said) = self.queue.front().cloned() else { return Some(Step::Later) };
        let (body, was_sent) = (self.at_some_time(&said), self.sent == said.note);
        if self.random.random_bool(0.5) {
            let answer = client.post_facts(&self.token, &unchanged(&body)).await.ok()?;
            match outcome(&answer) {
                None => return Some(Step::Later),
                Some(outcome) if outcome == "SEND_ALL" => {}
                Some(outcome) => return Some(self.accept(&outcome, was_sent)),
            }
        }
        self.sent = said.note;
        let answer = self.send(client, &body).await?;
        Some(outcome(&answer).map_or(Step::Later, |outcome| self.accept(&outcome, was_sent)))
    }

    /// Notes that the next report was accepted. Only one that was sent before can be known.
    fn accept(&mut self, outcome: &str, was_sent: bool) -> Step {
        assert!(outcome == "STORED" || (outcome == "UNCHANGED" && was_sent), "{}: {outcome}", self.name);
        self.accepted = self.queue.pop_front();
        Step::Accepted
    }

    /// Sends a report, compressed or not.
    async fn send(&mut self, client: &Client, body: &Value) -> Option<Answer> {
        let text = body.to_string().into_bytes();
        if self.random.random_bool(0.5) {
            self.post(client, &text, None).await
        } else {
            self.post(client, &gzip(&text), Some("gzip")).await
        }
    }

    /// Sends what must be refused: with a wrong clock, too large, or with a token that was replaced.
    async fn misbehave(&mut self, client: &Client) -> Option<Step> {
        let Some(mut said) = self.queue.front().cloned() else { return Some(Step::Later) };
        said.body["disks"]["found"] = json!([]);
        let old_token = self.old_token.clone();
        let (answer, expected) = match (self.random.random_range(0..4), old_token) {
            (0, _) => {
                said.body["observedAt"] = json!("2100-01-01T00:00:00Z");
                (client.post_facts(&self.token, &said.body).await.ok()?, 422)
            }
            (1, _) => match self.post(client, &[b' '; TOO_LARGE], None).await {
                Some(answer) => (answer, 413),
                // The server may close the connection while the rest is being sent.
                None => return Some(Step::Refused),
            },
            (2, Some(old)) => (client.post_facts(&old, &said.body).await.ok()?, 401),
            _ => (self.post(client, &gzip(&vec![b' '; BOMB]), Some("gzip")).await?, 413),
        };
        match answer.status {
            429 | 503 => Some(Step::Later),
            status => {
                assert_eq!(status, expected, "{}: {}", self.name, answer.text());
                Some(Step::Refused)
            }
        }
    }

    async fn post(&self, client: &Client, body: &[u8], coding: Option<&str>) -> Option<Answer> {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let coding = coding.map(|coding| ("content-encoding", coding));
        let headers: Vec<_> = headers.into_iter().chain(coding).collect();
        client.try_post_facts_bytes(&headers, body).await.ok()
    }

    /// Returns the body of a report by the clock of some machine.
    fn at_some_time(&mut self, said: &Said) -> Value {
        let mut body = said.body.clone();
        body["observedAt"] = json!(CLOCKS.choose(&mut self.random));
        body
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).expect("compress");
    encoder.finish().expect("compress")
}

/// Returns the outcome of a message that can be read; none if it is to come later.
fn outcome(answer: &Answer) -> Option<String> {
    match answer.status {
        200 => Some(answer.json()["outcome"].as_str().expect("an outcome").to_owned()),
        // It is slowed down, or the server stops.
        429 | 503 => None,
        status => panic!("{status}: {}", answer.text()),
    }
}
