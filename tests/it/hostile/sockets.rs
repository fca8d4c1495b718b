//! WebSocket messages: after any message the connection continues or is closed, and other connections are not affected.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::{Served, always, are_errors_of_ours, mutation};
use crate::harness::{Received, Socket};

/// More than any of these asks for before the answer to the ping behind them.
const MAX_MESSAGES: usize = 2_000;

fn good() -> Vec<String> {
    let subscribe = |query: &str| json!({"id": "1", "type": "subscribe", "payload": {"query": query}});
    let messages = [
        json!({"type": "connection_init", "payload": {"Authorization": "Bearer x"}}),
        json!({"type": "ping", "payload": {"a": [1]}}),
        json!({"type": "pong"}),
        json!({"id": "1", "type": "complete"}),
        subscribe("subscription { changes { cursor } }"),
        subscribe("subscription { changes(after: \"0\") { cursor revision } }"),
        subscribe("{ sites { nodes { name } } }"),
        subscribe("mutation { updateSite(id: \"x\", patch: {}) { revision } }"),
    ];
    messages.map(|message| message.to_string()).to_vec()
}

/// The messages of a connection, each as text or as bytes.
fn messages() -> impl Strategy<Value = Vec<Message>> {
    let message = (mutation::bytes(good()), any::<bool>()).prop_map(|(bytes, is_text)| match is_text {
        true => Message::text(String::from_utf8_lossy(&bytes).into_owned()),
        false => Message::binary(bytes),
    });
    vec(message, 1..5)
}

/// Reads until the answer to a ping, or until the connection is closed. What comes before is of the protocol.
async fn until_answered(socket: &mut Socket) -> Result<(), TestCaseError> {
    for _ in 0..MAX_MESSAGES {
        let message = match socket.receive().await {
            Received::Message(message) => message,
            Received::Closed(code, reason) => {
                prop_assert!((4000..5000).contains(&code) || (1000..=1009).contains(&code), "{} {}", code, reason);
                return Ok(());
            }
            Received::Lost => return Ok(()),
        };
        match message["type"].as_str() {
            Some("pong") if message["payload"] == json!({"last": true}) => return Ok(()),
            Some("pong" | "ping" | "complete" | "connection_ack") => {}
            Some("next") => are_errors_of_ours(&message["payload"]["errors"])?,
            Some("error") => are_errors_of_ours(&message["payload"])?,
            _ => return Err(TestCaseError::fail(format!("no message of the protocol: {message}"))),
        }
    }
    Err(TestCaseError::fail("no end"))
}

#[test]
fn every_message_is_answered_or_ends_the_connection() {
    let served = Served::start();
    always(messages(), |messages| {
        served.runtime.block_on(async {
            let mut socket = Socket::connect(served.server.url()).await;
            for message in messages {
                // Once it is closed nothing more can be sent, which is seen below.
                if socket.try_send_raw(message).await.is_err() {
                    break;
                }
            }
            // The answer says that it is the one to this ping if the payload comes back.
            let _closed = socket.try_send(json!({"type": "ping", "payload": {"last": true}})).await;
            until_answered(&mut socket).await?;
            let mut other = Socket::connect(served.server.url()).await;
            other.subscribe("1", "{ revision }", Value::Null).await;
            prop_assert!(other.answer().await["data"]["revision"].is_i64());
            Ok(())
        })
    });
}
