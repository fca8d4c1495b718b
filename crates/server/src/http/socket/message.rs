//! The messages of `graphql-transport-ws`, to the letter:
//! <https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md>.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::meter::MAX_UNACKNOWLEDGED_BYTES;
use crate::http::identity;
use underlay_engine::access::TokenError;

/// The longest id of an operation, in bytes.
const MAX_ID_BYTES: usize = 256;

/// A message that a client sends over `graphql-transport-ws`.
#[derive(Debug, PartialEq)]
pub enum ClientMessage {
    /// The client opens the session.
    ConnectionInit { payload: Option<Value> },
    /// The client checks that the server is there. The payload is JSON, which is sent back as it is.
    Ping { payload: Option<String> },
    /// The client answers a ping.
    Pong,
    /// The client begins an operation. The payload is the JSON of a request, which is read like the body of a POST.
    Subscribe { id: String, payload: String },
    /// The client ends an operation.
    Complete { id: String },
}

/// The members of all messages.
#[derive(Deserialize)]
struct Members<'a> {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

impl ClientMessage {
    /// Reads a message.
    ///
    /// # Errors
    /// Returns a sentence if the text is not a message of the protocol.
    pub fn read(text: &str) -> Result<Self, String> {
        let Members { kind, id, payload } = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let payload = payload.map(RawValue::get);
        if payload.is_some_and(|payload| !payload.starts_with('{')) {
            return Err("payload must be an object".to_owned());
        }
        let value = || payload.map(serde_json::from_str).transpose().map_err(|error| error.to_string());
        let id = || match id {
            Some(id) if !id.is_empty() && id.len() <= MAX_ID_BYTES => Ok(id),
            _ => Err(format!("id must be 1 to {MAX_ID_BYTES} bytes")),
        };
        match kind.as_str() {
            "connection_init" => match payload {
                Some(payload) if payload.len() > MAX_UNACKNOWLEDGED_BYTES => {
                    Err(format!("the payload of connection_init has at most {MAX_UNACKNOWLEDGED_BYTES} bytes"))
                }
                _ => Ok(Self::ConnectionInit { payload: value()? }),
            },
            "ping" => Ok(Self::Ping { payload: payload.map(str::to_owned) }),
            "pong" => Ok(Self::Pong),
            "subscribe" => {
                let payload = payload.ok_or("subscribe must have a payload, which is an object")?;
                Ok(Self::Subscribe { id: id()?, payload: payload.to_owned() })
            }
            "complete" => Ok(Self::Complete { id: id()? }),
            _ => Err("type must be one of connection_init, ping, pong, subscribe, complete".to_owned()),
        }
    }
}

/// Returns the token in the payload of `connection_init`: under `authorization` in the form of the header, or alone
/// under `token`.
///
/// # Errors
/// Returns an error if one of these members has another form.
pub fn token(payload: Option<&Value>) -> Result<Option<&str>, TokenError> {
    let members = payload.and_then(Value::as_object).into_iter().flatten();
    for (name, value) in members {
        let text = || value.as_str().ok_or(TokenError::Header);
        match name.to_ascii_lowercase().as_str() {
            "authorization" => return identity::token(text()?).map(Some),
            "token" => return text().map(Some),
            _ => {}
        }
    }
    Ok(None)
}

/// The answer to `connection_init`.
pub const ACKNOWLEDGED: &str = r#"{"type":"connection_ack"}"#;

/// Returns the answer to a ping, with the payload of the ping.
pub fn pong(payload: Option<&str>) -> String {
    match payload {
        Some(payload) => format!(r#"{{"type":"pong","payload":{payload}}}"#),
        None => r#"{"type":"pong"}"#.to_owned(),
    }
}

/// Returns the message with an answer of an operation. The payload is JSON.
pub fn next(id: &str, payload: &[u8]) -> String {
    with_payload("next", id, payload)
}

/// Returns the parts of such a message before and after the payload.
pub fn around_next(id: &str) -> (String, &'static str) {
    around("next", id)
}

/// Returns the message with the errors that end an operation, which are a JSON list.
pub fn error(id: &str, errors: &[u8]) -> String {
    with_payload("error", id, errors)
}

/// Returns the message that ends an operation.
pub fn complete(id: &str) -> String {
    format!(r#"{{"id":{},"type":"complete"}}"#, Value::from(id))
}

fn with_payload(kind: &str, id: &str, payload: &[u8]) -> String {
    // The JSON that serde_json writes is UTF-8.
    let payload = std::str::from_utf8(payload).unwrap_or("null");
    let (begin, end) = around(kind, id);
    [&begin, payload, end].concat()
}

fn around(kind: &str, id: &str) -> (String, &'static str) {
    (format!(r#"{{"id":{},"type":"{kind}","payload":"#, Value::from(id)), "}")
}

/// The reason why the server closes a connection, with the close codes of the protocol and of WebSocket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closing {
    /// The server stops. The client should reconnect.
    Restart,
    /// A message is too large.
    TooLarge(usize),
    /// There is no room for the message. The client should reconnect later.
    Busy(String),
    /// A message is not one of the protocol.
    Invalid(String),
    /// An operation began before the connection was acknowledged.
    Unauthorized,
    /// The token is not accepted, or has expired. Client libraries reconnect with another one.
    Forbidden(String),
    /// The client does not offer the protocol of this server.
    Protocol,
    /// No `connection_init` arrived in time.
    InitTimeout,
    /// An operation began with the id of a running one.
    Subscribed(String),
    /// A second `connection_init` arrived.
    InitAgain,
}

impl Closing {
    /// Returns the close code.
    pub fn code(&self) -> u16 {
        match self {
            Self::Restart => 1012,
            Self::TooLarge(_) => 1009,
            Self::Busy(_) => 1013,
            Self::Invalid(_) => 4400,
            Self::Unauthorized => 4401,
            Self::Forbidden(_) => 4403,
            Self::Protocol => 4406,
            Self::InitTimeout => 4408,
            Self::Subscribed(_) => 4409,
            Self::InitAgain => 4429,
        }
    }

    /// Returns the reason. A close frame can hold at most 123 bytes of it.
    pub fn reason(&self) -> String {
        let reason = match self {
            Self::Restart => "the server stops: connect again".to_owned(),
            Self::TooLarge(most) => format!("a message has at most {most} bytes; send large requests by POST"),
            Self::Busy(what) => what.clone(),
            Self::Invalid(what) => format!("Invalid message: {what}"),
            Self::Unauthorized => "Unauthorized".to_owned(),
            Self::Forbidden(what) => format!("Forbidden: {what}"),
            Self::Protocol => "Subprotocol not acceptable".to_owned(),
            Self::InitTimeout => "Connection initialisation timeout".to_owned(),
            Self::Subscribed(id) => format!("Subscriber for {id} already exists"),
            Self::InitAgain => "Too many initialisation requests".to_owned(),
        };
        let end = (0..=reason.len().min(123)).rev().find(|end| reason.is_char_boundary(*end));
        reason[..end.unwrap_or_default()].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_read_to_the_letter() {
        let payload = Some(json!({"a": 1}));
        for (text, expected) in [
            (r#"{"type":"connection_init"}"#, ClientMessage::ConnectionInit { payload: None }),
            (r#"{"type":"connection_init","payload":{"a":1}}"#, ClientMessage::ConnectionInit { payload }),
            (r#"{"type":"ping"}"#, ClientMessage::Ping { payload: None }),
            // JSON by its grammar, though no number and no string of ours can hold it.
            (
                r#"{"type":"ping","payload":{"a": [1e999, "\ud800"]}}"#,
                ClientMessage::Ping { payload: Some(r#"{"a": [1e999, "\ud800"]}"#.to_owned()) },
            ),
            (r#"{"type":"pong","payload":{"a":1}}"#, ClientMessage::Pong),
            (r#"{"type":"complete","id":"x"}"#, ClientMessage::Complete { id: "x".to_owned() }),
            (
                r#"{"id":"x","payload":{"query":"{a}"},"type":"subscribe"}"#,
                ClientMessage::Subscribe { id: "x".to_owned(), payload: r#"{"query":"{a}"}"#.to_owned() },
            ),
        ] {
            assert_eq!(ClientMessage::read(text), Ok(expected), "{text}");
        }
        let long = format!(r#"{{"type":"complete","id":"{}"}}"#, "x".repeat(257));
        for bad in [
            "",
            "{",
            "null",
            "[]",
            r#"{"type":"start"}"#,
            r#"{"type":"next","id":"x"}"#,
            r#"{"type":"subscribe","payload":{}}"#,
            r#"{"type":"subscribe","id":"x"}"#,
            r#"{"type":"subscribe","id":"","payload":{}}"#,
            r#"{"type":"subscribe","id":"x","payload":"q"}"#,
            r#"{"type":"ping","payload":7}"#,
            r#"{"type":"complete"}"#,
            &long,
        ] {
            assert!(ClientMessage::read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn messages_are_written_to_the_letter() {
        assert_eq!(next("a\"b", b"{}"), r#"{"id":"a\"b","type":"next","payload":{}}"#);
        assert_eq!(error("a", b"[]"), r#"{"id":"a","type":"error","payload":[]}"#);
        assert_eq!(complete("a"), r#"{"id":"a","type":"complete"}"#);
        assert_eq!(pong(Some(r#"{"a": 1}"#)), r#"{"type":"pong","payload":{"a": 1}}"#);
    }

    #[test]
    fn a_reason_fits_a_close_frame() {
        let long = Closing::Subscribed("ä".repeat(200));
        assert!(long.reason().len() <= 123 && long.reason().starts_with("Subscriber for ä"));
    }
}
