//! An HTTP client that costs next to nothing, because it shares the cores with the server that it measures.
//!
//! A connection has one request in flight. Requests are built before the clock starts. Of an answer, only its end and
//! its success are read. The client knows only the HTTP that these servers speak: HTTP/1.1, keep-alive, with a content
//! length.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::problem::{Doing, LoadError, Result, within};

/// The time limit of an answer outside of a measurement.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);
/// The maximum size of the head of an answer.
const MAX_HEAD_BYTES: usize = 16 * 1024;
/// The maximum size of an answer.
const MAX_BODY_BYTES: usize = 64 * 1024 * 1024;

/// A request in its form on the wire.
#[derive(Clone, Debug)]
pub struct Prepared {
    bytes: Vec<u8>,
    head: usize,
}

impl Prepared {
    /// Returns the request for a GraphQL operation.
    pub fn graphql(query: &str, variables: &Value) -> Self {
        let body = json!({"query": query, "variables": variables}).to_string();
        let head = format!(
            "POST /graphql HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        Self { head: head.len(), bytes: [head.as_bytes(), body.as_bytes()].concat() }
    }

    /// Returns the request for a path, after whose answer the connection ends.
    pub fn get(path: &str) -> Self {
        let bytes = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").into_bytes();
        Self { head: bytes.len(), bytes }
    }

    /// Returns the request for an atomic batch of `POST /apply` with one item in each line.
    pub fn lines(items: impl IntoIterator<Item = Value>) -> Self {
        let body: String = items.into_iter().map(|item| format!("{}\n", json!({"item": item}))).collect();
        let head = format!(
            "POST /apply?mode=ATOMIC HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n\
             content-length: {}\r\n\r\n",
            body.len()
        );
        Self { head: head.len(), bytes: [head.as_bytes(), body.as_bytes()].concat() }
    }

    /// Returns the request in which an agent sends a message with its token. The message is compressed by gzip.
    pub fn facts(token: &str, message: &[u8]) -> Self {
        let head = format!(
            "POST /facts HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n\
             authorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n",
            message.len()
        );
        Self { head: head.len(), bytes: [head.as_bytes(), message].concat() }
    }

    /// Returns the request with a token.
    pub fn bearing(&self, token: &str) -> Self {
        let head = String::from_utf8_lossy(&self.bytes[..self.head - 2]);
        let head = format!("{head}authorization: Bearer {token}\r\n\r\n");
        Self { head: head.len(), bytes: [head.as_bytes(), self.body()].concat() }
    }

    /// Returns the whole request.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the body.
    pub fn body(&self) -> &[u8] {
        &self.bytes[self.head..]
    }
}

/// A connection to a server.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    /// The received part of the answer. It is reused, so that nothing is allocated for the next one.
    buffer: Vec<u8>,
}

impl Connection {
    /// Connects.
    pub async fn open(server: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(server).await.doing(|| format!("connect to {server}"))?;
        stream.set_nodelay(true).doing(|| format!("connect to {server}"))?;
        Ok(Self { stream, buffer: Vec::with_capacity(64 * 1024) })
    }

    /// Sends a request and waits for the body of its answer. Has no time limit of its own, because a timer for each
    /// request would cost as much as the request.
    ///
    /// # Errors
    /// Returns an error if the connection breaks, or if the answer contains errors.
    pub async fn exchange(&mut self, request: &Prepared) -> Result<&[u8]> {
        self.stream.write_all(&request.bytes).await.doing(|| "send a request".to_owned())?;
        self.buffer.clear();
        let head = loop {
            self.read().await?;
            if let Some(head) = Head::of(&self.buffer)? {
                break head;
            }
        };
        while self.buffer.len() < head.length + head.body {
            self.read().await?;
        }
        let body = &self.buffer[head.length..];
        match head.ok && is_whole(body) {
            true => Ok(body),
            false => {
                let excerpt: String = String::from_utf8_lossy(body).chars().rev().take(600).collect();
                let excerpt: String = excerpt.chars().rev().collect();
                Err(LoadError::Answer(format!("a request was refused: …{excerpt}")))
            }
        }
    }

    async fn read(&mut self) -> Result<()> {
        match self.stream.read_buf(&mut self.buffer).await.doing(|| "read an answer".to_owned())? {
            0 => Err(LoadError::Answer("the server closed the connection in the middle of an answer".to_owned())),
            _ => Ok(()),
        }
    }
}

/// Returns true if an answer has no errors. The library writes the errors last, so an answer with errors ends with
/// their list, and reading the end is enough. The last line of an answer to `/apply` tells its success, and an answer to
/// `/facts` begins with the outcome.
fn is_whole(body: &[u8]) -> bool {
    let body = body.trim_ascii_end();
    let is_lines = || body.rsplit(|byte| *byte == b'\n').next().is_some_and(|last| last.starts_with(b"{\"end\":true"));
    let is_outcome = body.starts_with(b"{\"outcome\":");
    body.starts_with(b"{\"data\":{") && !body.ends_with(b"]}") || is_outcome || is_lines()
}

/// The relevant parts of the head of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    /// The length of the head.
    length: usize,
    /// The length of the body.
    body: usize,
    /// True if the status is 200.
    ok: bool,
}

impl Head {
    /// Parses the head. Returns `None` while it is incomplete.
    fn of(bytes: &[u8]) -> Result<Option<Self>> {
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
            return match bytes.len() > MAX_HEAD_BYTES {
                true => Err(LoadError::Answer("the head of an answer has no end".to_owned())),
                false => Ok(None),
            };
        };
        let text = String::from_utf8_lossy(&bytes[..end]);
        let body = text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
        });
        match body {
            Some(body) if body <= MAX_BODY_BYTES => {
                Ok(Some(Self { length: end + 4, body, ok: text.starts_with("HTTP/1.1 200 ") }))
            }
            Some(body) => {
                Err(LoadError::Answer(format!("an answer has {body} bytes, at most {MAX_BODY_BYTES} are read")))
            }
            None => Err(LoadError::Answer(format!("an answer does not say how long it is: {text}"))),
        }
    }
}

/// Returns the data of one operation, outside of a measurement.
pub async fn ask(server: SocketAddr, query: &str, variables: Value) -> Result<Value> {
    let request = Prepared::graphql(query, &variables);
    within(ANSWER_TIMEOUT, "an answer", async {
        let mut connection = Connection::open(server).await?;
        let mut answer: Value = serde_json::from_slice(connection.exchange(&request).await?)?;
        Ok(answer["data"].take())
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_says_where_an_answer_ends() {
        let text = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"data\":{}}";
        let head = Head { length: text.len() - 11, body: 12, ok: true };
        assert_eq!(Head::of(text).expect("a head"), Some(head));
        assert_eq!(Head::of(&text[..40]).expect("half a head"), None);
        let refused = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(Head::of(refused).expect("a head").map(|head| head.ok), Some(false));
        for odd in [&b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"[..], &[b'x'; MAX_HEAD_BYTES + 1]] {
            assert!(Head::of(odd).is_err(), "an answer whose end nobody knows");
        }
    }

    #[test]
    fn an_answer_with_errors_is_none() {
        for (body, whole) in [
            (r#"{"data":{"a":[{"b":1}]}}"#, true),
            (r#"{"data":{"a":1},"extensions":{"revision":5}}"#, true),
            (r#"{"data":{"a":null},"extensions":{"revision":5},"errors":[{"message":"x"}]}"#, false),
            (r#"{"data":null,"errors":[{"message":"x"}]}"#, false),
            (r#"{"outcome":"STORED","everySeconds":300}"#, true),
            (r#"{"errors":[{"message":"x"}]}"#, false),
            ("", false),
        ] {
            assert_eq!(is_whole(body.as_bytes()), whole, "{body}");
        }
    }

    #[test]
    fn a_request_is_what_http_wants() {
        let request = Prepared::graphql("{ a }", &Value::Null);
        assert_eq!(request.body(), br#"{"query":"{ a }","variables":null}"#);
        let head = String::from_utf8_lossy(&request.bytes[..request.head]).into_owned();
        assert!(
            head.starts_with("POST /graphql HTTP/1.1\r\n") && head.ends_with("content-length: 34\r\n\r\n"),
            "{head}"
        );
    }
}
