//! `POST /apply` is bounded in memory: by the bytes and values of a line, and by those of the lines that are held.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::{StreamExt as _, stream};
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::{Value, json};

use super::secrets::token;
use crate::harness::{Answer, Client, Database, HANG, Server, lines};

/// The most memory that a process of a test can have used at any time, in MiB. A server that reads one of these lines
/// uses 2 GiB.
const MOST_MEBIBYTES: u64 = 600;

/// Returns the most memory that a server has used, in MiB.
fn peak(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).expect("read /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("VmHWM");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1024
}

fn compressed(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).expect("it is compressed");
    encoder.finish().expect("it is compressed")
}

async fn post_compressed(client: &Client, query: &str, body: Vec<u8>) -> Answer {
    let gzip = HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static("gzip"))]);
    client.with_headers(gzip).post_lines(query, body).await
}

/// An item with a list of so many values.
fn item_with(values: usize) -> String {
    let list = format!("[{}1]", "1,".repeat(values - 1));
    format!(
        r#"{{"item":{{"device":{{"name":"d","site":{{"site":"s"}},"role":"SERVER","attributes":{{"x":{list}}}}}}}}}"#
    )
}

/// Returns the code and message of the error of an answer, whether it is a line or the whole answer.
fn error(answer: &Answer) -> (Value, String) {
    let error = match answer.status {
        200 => lines(answer).1["error"].take(),
        _ => answer.json()["errors"][0].take(),
    };
    let code = if error["code"].is_null() { &error["extensions"]["code"] } else { &error["code"] };
    (code.clone(), error["message"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_small_line_of_many_values_is_refused_before_it_is_read() {
    let server = Server::start(Database::Sqlite).await;
    let body = compressed(item_with(15_000_000).as_bytes());
    assert!(body.len() < 40_000, "{} bytes", body.len());
    for query in ["", "mode=ATOMIC", "dryRun=true"] {
        let (code, message) = error(&post_compressed(&server.client(), query, body.clone()).await);
        assert_eq!(code, "TOO_COMPLEX", "{query}: {message}");
        assert!(message.starts_with("line 1 has 150000") && message.contains("limits.values"), "{message}");
    }
    assert!(peak(&server) < MOST_MEBIBYTES, "{} MiB", peak(&server));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_values_of_a_batch_are_bounded() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_VALUES", "1000").await;
    let client = server.client();
    // Each line fits, two of them do not: they are two batches, or too much for one.
    let body = format!("{}\n{}\n", item_with(600), item_with(600));
    for query in ["mode=ATOMIC", "dryRun=true"] {
        let answer = client.post_lines(query, body.clone()).await;
        let (code, message) = error(&answer);
        assert_eq!((answer.status, code), (400, json!("TOO_COMPLEX")), "{query}: {message}");
        assert!(message.contains("up to line 2") && message.contains("1000 (limits.values)"), "{message}");
    }
    let (results, end) = lines(&client.post_lines("", body).await);
    let codes: Vec<&Value> = results.iter().map(|result| &result["error"]["code"]).collect();
    assert_eq!((codes, &end["end"]), (vec![&json!("NOT_FOUND"); 2], &json!(true)), "{results:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn compressed_line_ends_are_refused_early() {
    let server = Server::start(Database::Sqlite).await;
    let ends = compressed(&[b'\n'; 1 << 20]);
    // Members of gzip one after the other. Of three as of three hundred, the first line that is too much ends the reading;
    // the answer to a longer body could be lost, because the connection is closed while it is sent.
    let body = ends.repeat(3);
    for query in ["", "mode=ATOMIC"] {
        let (code, message) = error(&post_compressed(&server.client(), query, body.clone()).await);
        assert_eq!(code, "TOO_COMPLEX", "{query}: {message}");
        assert!(message.contains("limits.values") && message.contains("a blank line counts as one"), "{message}");
    }
    let (_, end) = lines(&post_compressed(&server.client(), "", compressed(&[b'\n'; 1 << 10])).await);
    assert_eq!(end["end"], true, "some blank lines are fine");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_may_not_write_is_refused_before_the_body_arrives() {
    let server = Server::start(Database::Sqlite).asking().await;
    let viewer = token(&server, &["--role", "viewer"]).await;
    // The body begins and never ends.
    let begin = stream::once(async { Ok::<_, std::io::Error>(compressed(item_with(1_000_000).as_bytes())) });
    let body = reqwest::Body::wrap_stream(begin.chain(stream::pending()));
    let request = reqwest::Client::builder().no_proxy().build().expect("a client");
    let request = request.post(format!("{}/apply", server.url())).header(CONTENT_TYPE, "application/x-ndjson");
    let request = request.header(AUTHORIZATION, format!("Bearer {viewer}")).header(CONTENT_ENCODING, "gzip");
    let answer = tokio::time::timeout(HANG, request.body(body).send()).await;
    let answer = answer.expect("it is answered at once").expect("an answer");
    assert_eq!(answer.status(), 403);
}
