//! Tests subscriptions against a server that behaves as badly as a server can.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::client::Patience;

/// The way in which the server ends the answer and the connection.
enum End {
    HangsUp,
    /// The server keeps the connection open and sends nothing more.
    Waits,
}

/// Returns a client of a server that answers every request with these pieces.
async fn server(head: &'static str, pieces: &'static [&'static [u8]], end: End) -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let is_left_open = matches!(end, End::Waits);
    tokio::spawn(async move {
        loop {
            let (mut connection, _) = listener.accept().await.expect("a connection");
            let mut buffer = vec![0; 65_536];
            let read = connection.read(&mut buffer).await.expect("a request");
            assert!(buffer[..read].starts_with(b"POST /graphql/stream "), "where subscriptions are");
            let response = format!("HTTP/1.1 {head}\r\nconnection: close\r\n\r\n");
            connection.write_all(response.as_bytes()).await.expect("a head");
            for piece in pieces {
                connection.write_all(piece).await.expect("a piece");
                connection.flush().await.expect("a piece");
                tokio::task::yield_now().await;
            }
            if let End::Waits = end {
                std::mem::forget(connection);
            }
        }
    });
    let address = format!("http://{address}").parse().expect("a server address");
    let silence = Duration::from_secs(if is_left_open { 2 } else { 300 });
    // The time limit for an answer does not apply to a subscription.
    let patience = Patience { answer: Duration::from_nanos(1), silence, ..Patience::default() };
    Client::new(address, patience).expect("a client")
}

const STREAM: &str = "200 OK\r\ncontent-type: text/event-stream; charset=utf-8";

#[tokio::test]
async fn answers_are_returned_in_order_until_the_end() {
    let pieces: &[&[u8]] = &[
        b"event: next\nda",
        b"ta: {\"data\":{\"a\":1}}\n\n:\n\nevent: next\ndata: {\"data\":{\"a\":\"\xc3",
        b"\xa9\"}}\n\nevent: complete\ndata:\n\n",
    ];
    let client = server(STREAM, pieces, End::HangsUp).await;
    let mut subscription = client.subscribe("subscription { a }", json!({})).await.expect("it begins");
    assert_eq!(subscription.next().await, Ok(Some(json!({"a": 1}))));
    assert_eq!(subscription.next().await, Ok(Some(json!({"a": "é"}))));
    assert_eq!(subscription.next::<Value>().await, Ok(None));
}

#[tokio::test]
async fn a_stream_that_ends_without_complete_is_lost() {
    let client = server(STREAM, &[b"event: next\ndata: {\"data\":1}\n\nevent: next\nda"], End::HangsUp).await;
    let mut subscription = client.subscribe("subscription { a }", json!({})).await.expect("it begins");
    assert_eq!(subscription.next().await, Ok(Some(json!(1))));
    let lost = subscription.next::<Value>().await.expect_err("lost");
    assert!(matches!(lost, ClientError::Lost { .. }) && lost.is_passing(), "{lost:?}");
}

#[tokio::test]
async fn a_silent_server_counts_as_gone() {
    let client = server(STREAM, &[b":\n\n"], End::Waits).await;
    let mut subscription = client.subscribe("subscription { a }", json!({})).await.expect("it begins");
    let lost = subscription.next::<Value>().await.expect_err("silence").to_string();
    assert!(lost.ends_with("was lost: nothing came for 2 s"), "{lost}");
}

#[tokio::test]
async fn errors_are_distinguished() {
    let refused: &[&[u8]] = &[b"{\"errors\":[{\"message\":\"no\",\"extensions\":{\"code\":\"INVALID\"}}]}"];
    let client = server("400 Bad Request\r\ncontent-type: application/json", refused, End::HangsUp).await;
    let error = client.subscribe("subscription { a }", json!({})).await.expect_err("refused");
    assert!(error.has_code("INVALID") && !error.is_passing(), "{error}");

    let client = server("503 Service Unavailable\r\ncontent-type: application/json", refused, End::HangsUp).await;
    let error = client.subscribe("subscription { a }", json!({})).await.expect_err("no room");
    assert!(error.to_string().ends_with("the HTTP status 503: no") && error.is_passing(), "{error}");

    let client = server("200 OK\r\ncontent-type: text/html", &[b"{\"data\": 1}"], End::HangsUp).await;
    let error = client.subscribe("subscription { a }", json!({})).await.expect_err("no stream");
    assert!(matches!(error, ClientError::NotGraphql { .. }) && !error.is_passing(), "{error}");

    let ends: &[&[u8]] = &[b"event: next\ndata: {\"data\":null,\"errors\":[{\"message\":\"no\",\"extensions\":{\"code\":\"UNAVAILABLE\"}}]}\n\n"];
    let client = server(STREAM, ends, End::HangsUp).await;
    let mut subscription = client.subscribe("subscription { a }", json!({})).await.expect("it begins");
    let error = subscription.next::<Value>().await.expect_err("the end");
    assert!(error.has_code("UNAVAILABLE") && error.is_passing(), "{error}");
}
