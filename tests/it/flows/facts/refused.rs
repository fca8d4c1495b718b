//! What is refused: each gets one sentence and a status, and the last facts stay.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::{disk, host, outcome, report, token};
use crate::harness::{Server, on_both_databases};

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).expect("compress");
    encoder.finish().expect("compress")
}

/// A report with a member that is changed.
fn with(member: &str, value: Value) -> Vec<u8> {
    let mut report = report("D2");
    report[member] = value;
    report.to_string().into_bytes()
}

on_both_databases! {
    async fn a_message_that_is_refused_leaves_the_facts_as_they_are(server: Server) {
        let client = server.client();
        let own = host(&client, "a").await;
        let bearer = format!("Bearer {own}");
        outcome(&client, &own, &report("D1")).await;

        let (json_type, plain) = (("content-type", "application/json"), ("content-type", "text/plain"));
        let (token, gzipped) = (("authorization", bearer.as_str()), ("content-encoding", "gzip"));
        let good = report("D2").to_string().into_bytes();
        let interfaces = |count: usize| json!({"complete": true, "found": vec![json!({"name": "e"}); count]});
        let deep = [vec![b'['; 200_000], vec![b']'; 200_000]].concat();
        for (headers, body, status, says) in [
            (vec![token, plain], good.clone(), 415, "the body must be JSON"),
            (vec![token], good.clone(), 415, "the body must be JSON"),
            (vec![json_type], good.clone(), 401, "a report needs the token of an agent"),
            (vec![json_type, ("authorization", "Bearer x.y.z")], good.clone(), 401, "a report needs the token of an agent"),
            (vec![json_type, ("authorization", "Basic YTpi")], good.clone(), 401, "Bearer"),
            (vec![token, json_type], Vec::new(), 400, "the body is no report"),
            (vec![token, json_type], b"no".to_vec(), 400, "the body is no report"),
            (vec![token, json_type], b"{}".to_vec(), 400, "missing field `format`"),
            (vec![token, json_type], good[..good.len() / 2].to_vec(), 400, "the body is no report"),
            (vec![token, json_type], deep, 422, "values; at most 100000 are allowed"),
            (vec![token, json_type], with("format", json!(2)), 422, "format is 2; this server reads 1"),
            (vec![token, json_type], with("format", json!(-1)), 400, "the body is no report"),
            (vec![token, json_type], with("observedAt", json!("2100-01-01T00:00:00Z")), 422, "set the clock of the machine"),
            (vec![token, json_type], with("observedAt", json!("yesterday")), 400, "the body is no report"),
            (vec![token, json_type], with("observedAt", json!("-4800-01-01T00:00:00Z")), 422, "before 1970"),
            (vec![token, json_type], with("disks", json!({"complete": true, "found": [{"name": "a\u{0}"}]})), 422, "U+0000"),
            (vec![token, json_type], with("interfaces", interfaces(5_000)), 422, "interfaces.found has 5000 entries; at most 4096"),
            (vec![token, json_type], with("interfaces", interfaces(60_000)), 422, "values; at most 100000 are allowed"),
            (vec![token, json_type], vec![b' '; (1 << 20) + 1], 413, "larger than 1048576 bytes"),
            (vec![token, json_type, gzipped], gzip(&vec![b' '; 100 << 20]), 413, "larger than 1048576 bytes"),
            (vec![token, json_type, gzipped], good.clone(), 400, "the body is not compressed by gzip"),
            (vec![token, json_type, ("content-encoding", "rot13")], good.clone(), 415, "content-encoding: gzip"),
        ] {
            let answer = client.post_facts_bytes(&headers, body).await;
            assert_eq!(answer.status, status, "{headers:?} {says}: {}", answer.text());
            let message = answer.json()["errors"][0]["message"].as_str().expect("a message").to_owned();
            assert!(message.contains(says) && !message.contains(&own), "{headers:?}: {message}");
        }
        assert_eq!(disk(&client, "a").await, "D1");

        let answer = client.post_facts_bytes(&[token, json_type, gzipped], gzip(&good)).await;
        assert_eq!((answer.status, &answer.json()["outcome"]), (200, &json!("STORED")));
        assert_eq!(disk(&client, "a").await, "D2");
    }

    async fn a_host_whose_facts_always_change_is_slowed_down_and_no_other(server: Server) {
        let client = server.client();
        let (restless, calm) = (host(&client, "a").await, host(&client, "b").await);
        let mut last = 0;
        let refused = loop {
            let answer = client.post_facts(&restless, &report(&format!("D{last}"))).await.expect("an answer");
            if answer.status != 200 {
                break answer;
            }
            last += 1;
            assert!(last < 50, "nothing slows it down");
        };
        assert_eq!(refused.status, 429, "{}", refused.text());
        let seconds: u64 = refused.headers["retry-after"].to_str().expect("a text").parse().expect("seconds");
        assert!((1..=300).contains(&seconds), "{seconds}");
        assert!(refused.text().contains("the facts of this host changed 10 times within 300 s"), "{}", refused.text());
        assert_eq!(disk(&client, "a").await, format!("D{}", last - 1));

        assert_eq!(outcome(&client, &restless, &report(&format!("D{}", last - 1))).await, "UNCHANGED");
        assert_eq!(outcome(&client, &calm, &report("D1")).await, "STORED");
        // A new token does not make the host calmer.
        let renewed = token(&client, "a").await;
        assert_eq!(client.post_facts(&renewed, &report("E")).await.expect("an answer").status, 429);
    }
}
