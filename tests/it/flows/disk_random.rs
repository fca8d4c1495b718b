//! Random disk faults and crashes: acknowledged writes exist, and writes that were rejected as not written do not.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::json;

use super::replicas::{Written, agree, site, sites, write};
use crate::harness::Client;
use crate::harness::faults::{Call, Faults, LOG};

const FAULT_ROUNDS: usize = 8;
const CLIENTS: usize = 3;
const WRITES: usize = 12;

/// The answers that clients got for the sites that they wrote.
#[derive(Default)]
struct Answers {
    written: BTreeSet<String>,
    refused: BTreeSet<String>,
    unknown: usize,
}

impl Answers {
    fn note(&mut self, name: String, answer: Written) {
        match answer {
            Written::Yes(_) => drop(self.written.insert(name)),
            Written::No(why) => {
                assert!(why.starts_with("UNAVAILABLE") && why.contains("nothing was written"), "{why}");
                self.refused.insert(name);
            }
            Written::Unknown => self.unknown += 1,
        }
    }

    /// Checks that an inventory agrees with the answers.
    fn holds(&self, there: &BTreeSet<String>) {
        let missing: Vec<_> = self.written.difference(there).collect();
        assert!(missing.is_empty(), "acknowledged, and not there: {missing:?}");
        let wrong: Vec<_> = self.refused.intersection(there).collect();
        assert!(wrong.is_empty(), "refused, and there: {wrong:?}");
    }
}

/// Writes sites one after the other, some with a text that does not fit into one page.
async fn write_many(client: Client, round: usize, number: usize, seed: u64) -> Vec<(String, Written)> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut answers = Vec::new();
    for count in 0..WRITES {
        let name = format!("{round} {number} {count}");
        let mut item = site(&name);
        item["site"]["description"] = json!("x".repeat(random.random_range(0..4_000)));
        answers.push((name, write(&client, vec![item], None).await));
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_answer_to_a_write_is_true_after_a_crash() {
    let seed = rand::random();
    eprintln!("seed {seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let (faults, start) = Faults::server();
    let mut server = start.await;
    let mut answers = Answers::default();
    for round in 0..FAULT_ROUNDS {
        let calls = [Call::Write, Call::Sync, Call::Any];
        let call = calls[random.random_range(0..calls.len())];
        let error = [libc::EIO, libc::ENOSPC][random.random_range(0..2)];
        let file = [LOG, "test.db"][usize::from(random.random_bool(0.2))];
        let percent = [5, 20, 50][random.random_range(0..3)];
        eprintln!("round {round}: {call:?} fails with {error} on {file}, {percent} of a hundred");
        faults.on(call, error, file, percent);
        let many = (0..CLIENTS).map(|number| write_many(server.client(), round, number, random.random()));
        let writing = tokio::spawn(join_all(many.collect::<Vec<_>>()));
        if random.random_bool(0.5) {
            // In the midst of it. The moment is the test: whatever is hit must be whole.
            tokio::time::sleep(Duration::from_millis(random.random_range(0..400))).await;
            server.kill();
        }
        for (name, answer) in writing.await.expect("clients do not panic").concat() {
            answers.note(name, answer);
        }
        if random.random_bool(0.5) {
            server.kill();
            faults.off();
            server.restart().await;
        } else {
            faults.off();
        }
        if server.client().try_execute("{ revision }", json!({})).await.is_err() {
            server.kill();
            server.restart().await;
        }
        let name = format!("{round} after");
        let answer = write(&server.client(), vec![site(&name)], None).await;
        assert!(matches!(answer, Written::Yes(_)), "it writes again at once: {answer:?}");
        answers.note(name, answer);
        answers.holds(&sites(&server.client()).await.1.into_keys().collect());
    }
    server.kill();
    server.restart().await;
    answers.holds(&agree(&server.database_url(), std::slice::from_ref(&server)).await.into_keys().collect());
    eprintln!("{} written, {} refused, {} not known", answers.written.len(), answers.refused.len(), answers.unknown);
    assert!(answers.written.len() >= FAULT_ROUNDS, "something was written");
}
