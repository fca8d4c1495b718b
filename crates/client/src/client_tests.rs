//! Tests the client against a server that fails in many ways.

use std::sync::{Arc, Mutex};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

/// The behaviour of the server on a connection.
#[derive(Clone, Copy)]
enum Play {
    /// Closes the connection after it has received the request.
    HangUp,
    /// Begins an answer and closes the connection.
    BreakOff,
    /// Never answers.
    Wait,
    /// Answers with this body.
    Answer(&'static str),
    /// Answers that there is no room now, and that it may be tried after so many seconds.
    Busy(&'static str),
}

const GOOD: Play = Play::Answer(r#"{"data": {"revision": 7}}"#);

const REFUSED: Play =
    Play::Answer(r#"{"errors": [{"message": "no", "extensions": {"code": "UNAVAILABLE", "field": "x"}}]}"#);

/// Starts a server that plays these in order and repeats the last one for ever. Returns its client and the requests
/// received. The client waits for an answer for longer than a slow machine takes.
async fn server(plays: &'static [Play]) -> (Client, Arc<Mutex<Vec<String>>>) {
    server_for(plays, Duration::from_secs(300)).await
}

/// Does the same with a client that waits so long for an answer.
async fn server_for(plays: &'static [Play], answer: Duration) -> (Client, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    tokio::spawn(async move {
        for number in 0.. {
            let (mut connection, _) = listener.accept().await.expect("a connection");
            let mut buffer = vec![0; 65_536];
            let read = connection.read(&mut buffer).await.expect("a request");
            seen.lock().expect("a lock").push(String::from_utf8_lossy(&buffer[..read]).into_owned());
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length:";
            let response = match plays[number.min(plays.len() - 1)] {
                Play::HangUp => continue,
                Play::BreakOff => format!("{head} 1000\r\n\r\n{{\"data\""),
                Play::Answer(body) => format!("{head} {}\r\n\r\n{body}", body.len()),
                Play::Busy(seconds) => format!(
                    "HTTP/1.1 503 Busy\r\nretry-after: {seconds}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
                ),
                Play::Wait => {
                    std::mem::forget(connection);
                    continue;
                }
            };
            connection.write_all(response.as_bytes()).await.expect("an answer");
        }
    });
    let patience = Patience { answer, ..Patience::default() };
    let address = format!("http://{address}").parse().expect("a server address");
    (Client::new(address, patience).expect("a client"), requests)
}

#[tokio::test]
async fn a_broken_connection_is_retried_with_the_same_request_id() {
    let (client, requests) = server(&[Play::HangUp, Play::BreakOff, GOOD]).await;
    let answer: Value = client.mutate("mutation", |id| json!({"requestId": id})).await.expect("an answer");
    assert_eq!(answer, json!({"revision": 7}));
    let requests = requests.lock().expect("a lock");
    let ids: Vec<&str> = requests.iter().filter_map(|it| it.split("requestId").nth(1)).collect();
    assert_eq!(ids.len(), 3, "{requests:?}");
    assert!(ids.iter().all(|id| *id == ids[0] && id.len() > 30), "{ids:?}");
}

#[tokio::test]
async fn the_time_that_a_busy_server_asks_for_is_known() {
    for (seconds, expected) in [("7", Some(Duration::from_secs(7))), ("soon", None)] {
        let (client, _) = server(Box::leak(Box::new([Play::Busy(seconds)]))).await;
        let error = client.query::<Value>("{ revision }", json!({})).await.expect_err("busy");
        assert_eq!((error.is_passing(), error.retry_after()), (true, expected), "{error}");
    }
}

#[tokio::test]
async fn two_requests_have_two_ids() {
    let (client, requests) = server(&[GOOD]).await;
    for _ in 0..2 {
        client.mutate::<Value, _>("mutation", |id| json!({"requestId": id})).await.expect("an answer");
    }
    let requests = requests.lock().expect("a lock");
    assert_ne!(requests[0].split("requestId").nth(1), requests[1].split("requestId").nth(1));
}

#[tokio::test]
async fn tries_are_limited() {
    let (client, requests) = server(&[Play::HangUp]).await;
    let error = client.query::<Value>("query", json!({})).await.expect_err("no answer");
    assert!(matches!(error, ClientError::Unreachable { .. }), "{error:?}");
    assert_eq!(requests.lock().expect("a lock").len(), MAX_TRIES);
}

#[tokio::test]
async fn a_rejection_and_a_time_out_are_not_retried() {
    let (client, requests) = server(&[REFUSED]).await;
    match client.query::<Value>("query", json!({})).await {
        Err(ClientError::Graphql(errors)) => {
            assert_eq!((errors[0].code(), errors[0].field()), (Some("UNAVAILABLE"), Some("x")));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(requests.lock().expect("a lock").len(), 1);

    let (client, requests) = server_for(&[Play::Wait], Duration::from_secs(1)).await;
    let error = client.query::<Value>("query", json!({})).await.expect_err("no answer");
    assert!(error.to_string().contains("did not answer within 1 s"), "{error}");
    assert_eq!(requests.lock().expect("a lock").len(), 1);
}

#[tokio::test]
async fn any_operation_is_sent_once_and_answered_as_it_is() {
    let (client, requests) = server(&[Play::Answer(r#"{"data": {"a": null}, "errors": [{"message": "no"}]}"#)]).await;
    let answer = client.ask("mutation Any { a }", json!({"b": 1}), Some("Any")).await.expect("an answer");
    assert_eq!((answer.data, answer.errors.len()), (json!({"a": null}), 1));
    assert!(requests.lock().expect("a lock")[0].contains("\"operationName\":\"Any\""));

    let (client, requests) = server(&[Play::HangUp]).await;
    let error = client.ask("mutation Any { a }", json!({}), None).await.expect_err("no answer");
    assert!(matches!(error, ClientError::Unreachable { .. }), "{error:?}");
    assert_eq!(requests.lock().expect("a lock").len(), 1);
}

#[tokio::test]
async fn a_request_that_is_too_large_is_not_sent() {
    let (client, requests) = server(&[GOOD]).await;
    let error = client.query::<Value>("query", json!("x".repeat(MAX_REQUEST_BYTES))).await.expect_err("too large");
    assert!(error.to_string().ends_with("a server takes at most 33554432"), "{error}");
    assert!(requests.lock().expect("a lock").is_empty());
}

#[tokio::test]
async fn an_unreachable_server_is_reported_with_its_address() {
    let address = TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("an address");
    let server = format!("http://{address}").parse().expect("a server address");
    let client = Client::new(server, Patience::default()).expect("a client");
    let error = client.query::<Value>("query", json!({})).await.expect_err("nobody").to_string();
    assert!(
        error.starts_with(&format!("the server http://{address} cannot be reached: Connection refused")),
        "{error}"
    );
}
