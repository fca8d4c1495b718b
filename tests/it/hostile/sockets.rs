//! WebSocket messages: after any message the connection continues or is closed, and other connections are not affected.

use proptest::collection::vec;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::{Served, always, are_errors_of_ours, mutation};
use crate::harness::{Received, Socket};

/// More than any of these asks for before the answer to the ping behind them.
const MAX_MESSAGES: usize = 2_000;
/// The payload of the last ping.
const LAST: &str = r#"{"last":true}"#;

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

/// The members of a message of the server. The payload of a ping comes back as it was sent, which can be JSON that no
/// `Value` can hold.
#[derive(Deserialize)]
struct Members {
    #[serde(rename = "type")]
    kind: String,
    payload: Option<Box<RawValue>>,
}

impl Members {
    fn payload(&self) -> &str {
        self.payload.as_deref().map_or("null", RawValue::get)
    }

    /// The payload of a message that the server alone writes.
    fn value(&self) -> Result<Value, TestCaseError> {
        serde_json::from_str(self.payload())
            .map_err(|error| TestCaseError::fail(format!("{error}: {}", self.payload())))
    }
}

/// Reads until the answer to a ping, or until the connection is closed. What comes before is of the protocol.
async fn until_answered(socket: &mut Socket) -> Result<(), TestCaseError> {
    for _ in 0..MAX_MESSAGES {
        let text = match socket.receive_text().await {
            Received::Message(text) => text,
            Received::Closed(code, reason) => {
                prop_assert!((4000..5000).contains(&code) || (1000..=1009).contains(&code), "{} {}", code, reason);
                return Ok(());
            }
            Received::Lost => return Ok(()),
        };
        let no_message = |why: String| TestCaseError::fail(format!("no message of the protocol ({why}): {text}"));
        let message: Members = serde_json::from_str(&text).map_err(|error| no_message(error.to_string()))?;
        match message.kind.as_str() {
            "pong" if message.payload() == LAST => return Ok(()),
            "pong" | "ping" | "complete" | "connection_ack" => {}
            "next" => are_errors_of_ours(&message.value()?["errors"])?,
            "error" => are_errors_of_ours(&message.value()?)?,
            _ => return Err(no_message("another type".to_owned())),
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
            let _closed = socket.try_send_raw(Message::text(format!(r#"{{"type":"ping","payload":{LAST}}}"#))).await;
            until_answered(&mut socket).await?;
            let mut other = Socket::connect(served.server.url()).await;
            other.subscribe("1", "{ revision }", Value::Null).await;
            prop_assert!(other.answer().await["data"]["revision"].is_i64());
            Ok(())
        })
    });
}
