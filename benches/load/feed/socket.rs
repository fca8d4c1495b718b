//! A subscriber over `graphql-transport-ws` that costs next to nothing: thousands of them share the cores with the
//! server.
//!
//! Of a message, only its end, its success and its position are read. The client knows only the WebSocket (RFC 6455)
//! that these servers speak: each message in one frame.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::problem::{Doing, LoadError, Result, within};

/// The time limit until the subscription of a connection has started.
const SUBSCRIBE_TIMEOUT: Duration = Duration::from_secs(60);
/// The maximum size of a message.
const MAX_MESSAGE_BYTES: usize = 1024 * 1024;
/// The number of bytes that are read at once.
const READ_BYTES: usize = 16 * 1024;
/// Any key is valid for the handshake.
const KEY: &str = "AAAAAAAAAAAAAAAAAAAAAA==";

const TEXT: u8 = 0x81;
const CLOSE: u8 = 0x88;
const PING: u8 = 0x89;
const PONG: u8 = 0x8a;

/// A connection with one subscription.
#[derive(Debug)]
pub struct Socket {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// The index in the buffer where the next frame begins.
    next: usize,
    /// The number of received bytes.
    received: u64,
}

/// A frame: its type, and the range of its content in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    kind: u8,
    from: usize,
    to: usize,
}

impl Socket {
    /// Connects and subscribes.
    pub async fn subscribe(server: SocketAddr, query: &str, variables: &Value) -> Result<Self> {
        within(SUBSCRIBE_TIMEOUT, "a subscription", async {
            let mut socket = Self::upgrade(server).await?;
            socket.send(TEXT, br#"{"type":"connection_init"}"#).await?;
            let answer = socket.message().await?;
            if answer != br#"{"type":"connection_ack"}"# {
                let response = String::from_utf8_lossy(answer).into_owned();
                return Err(LoadError::Answer(format!("a connection was not acknowledged: {response}")));
            }
            let payload = json!({"query": query, "variables": variables});
            let message = json!({"id": "1", "type": "subscribe", "payload": payload}).to_string();
            socket.send(TEXT, message.as_bytes()).await?;
            Ok(socket)
        })
        .await
    }

    /// Connects without sending a message.
    pub async fn upgrade(server: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(server).await.doing(|| format!("connect to {server}"))?;
        stream.set_nodelay(true).doing(|| format!("connect to {server}"))?;
        let mut socket = Self { stream, buffer: Vec::new(), next: 0, received: 0 };
        let request = format!(
            "GET /graphql/ws HTTP/1.1\r\nhost: {server}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: {KEY}\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n"
        );
        socket.stream.write_all(request.as_bytes()).await.doing(|| "ask for a WebSocket".to_owned())?;
        loop {
            if let Some(end) = socket.buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                socket.next = end + 4;
                break;
            }
            socket.read().await?;
        }
        match socket.buffer.starts_with(b"HTTP/1.1 101 ") {
            true => Ok(socket),
            false => {
                let response = String::from_utf8_lossy(&socket.buffer).into_owned();
                Err(LoadError::Answer(format!("no WebSocket was made: {response}")))
            }
        }
    }

    /// Returns the next message. Answers pings.
    pub async fn message(&mut self) -> Result<&[u8]> {
        loop {
            let Some(frame) = Frame::of(&self.buffer, self.next)? else {
                self.read().await?;
                continue;
            };
            self.next = frame.to;
            match frame.kind {
                TEXT => return Ok(&self.buffer[frame.from..frame.to]),
                PING => {
                    let content = self.buffer[frame.from..frame.to].to_vec();
                    self.send(PONG, &content).await?;
                }
                CLOSE => return Err(LoadError::Answer("the server closed a subscription".to_owned())),
                _ => {}
            }
        }
    }

    /// Returns the number of received bytes.
    pub fn received(&self) -> u64 {
        self.received
    }

    async fn read(&mut self) -> Result<()> {
        // The processed bytes are removed to make room.
        self.buffer.drain(..self.next);
        self.next = 0;
        self.buffer.reserve(READ_BYTES);
        match self.stream.read_buf(&mut self.buffer).await.doing(|| "read an event".to_owned())? {
            0 => Err(LoadError::Answer("the server closed the connection of a subscriber".to_owned())),
            read => {
                self.received += read as u64;
                Ok(())
            }
        }
    }

    /// Sends the beginning of a message whose header announces twice the length.
    pub async fn begin_message(&mut self, content: &[u8]) -> Result<()> {
        let length = (content.len() as u64 * 2).to_be_bytes();
        let frame = [&[TEXT, 0x80 | 127][..], &length, &[0; 4], content].concat();
        self.stream.write_all(&frame).await.doing(|| "send a message".to_owned())
    }

    /// Waits until the server closes the connection, up to a time limit.
    pub async fn closed_within(&mut self, time: Duration) {
        let ended = async { while self.read().await.is_ok() {} };
        let _still_open = tokio::time::timeout(time, ended).await;
    }

    /// Sends a short frame. Clients must mask frames; a mask of zeros changes nothing.
    async fn send(&mut self, kind: u8, content: &[u8]) -> Result<()> {
        let length = u16::try_from(content.len()).map_err(|_| LoadError::Answer("a message is too long".to_owned()))?;
        let mut frame = vec![kind];
        match length {
            0..126 => frame.push(0x80 | length as u8),
            _ => {
                frame.push(0x80 | 126);
                frame.extend(length.to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(content);
        self.stream.write_all(&frame).await.doing(|| "send a message".to_owned())
    }
}

impl Frame {
    /// Returns the frame that begins at an index, or `None` while it is incomplete.
    fn of(bytes: &[u8], at: usize) -> Result<Option<Self>> {
        let bytes_left = &bytes[at..];
        let &[kind, length, ref rest @ ..] = bytes_left else { return Ok(None) };
        let (head, length) = match (length, rest) {
            (0..126, _) => (2, usize::from(length)),
            (126, &[a, b, ..]) => (4, usize::from(u16::from_be_bytes([a, b]))),
            (127, &[a, b, c, d, e, f, g, h, ..]) => {
                (10, usize::try_from(u64::from_be_bytes([a, b, c, d, e, f, g, h])).unwrap_or(usize::MAX))
            }
            (126 | 127, _) => return Ok(None),
            _ => return Err(LoadError::Answer("the server masks what it sends".to_owned())),
        };
        if length > MAX_MESSAGE_BYTES {
            return Err(LoadError::Answer(format!(
                "a message has {length} bytes, at most {MAX_MESSAGE_BYTES} are read"
            )));
        }
        let frame = Self { kind, from: at + head, to: at + head + length };
        Ok((frame.to <= bytes.len()).then_some(frame))
    }
}

/// Returns true if a message is an answer without errors.
pub fn is_answer(message: &[u8]) -> bool {
    message.starts_with(br#"{"id":"1","type":"next","payload":{"data":{"#) && !message.ends_with(b"]}}")
}

/// Returns the number after the first of these members in a message.
pub fn number(message: &[u8], member: &str) -> Option<i64> {
    let member = format!("\"{member}\":");
    let from = message.windows(member.len()).position(|part| part == member.as_bytes())? + member.len();
    let digits = message[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&message[from..from + digits]).ok()?.parse().ok()
}

/// Returns the text after the first of these members in a message. It must have no escapes, like a cursor.
pub fn text<'a>(message: &'a [u8], member: &str) -> Option<&'a str> {
    let member = format!("\"{member}\":\"");
    let from = message.windows(member.len()).position(|part| part == member.as_bytes())? + member.len();
    let length = message[from..].iter().position(|byte| *byte == b'"')?;
    std::str::from_utf8(&message[from..from + length]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_says_where_it_ends() {
        let short = [b"\x81\x02hi".as_slice(), b"\x89\x00"].concat();
        let first = Frame { kind: TEXT, from: 2, to: 4 };
        assert_eq!(Frame::of(&short, 0).expect("a frame"), Some(first));
        assert_eq!(Frame::of(&short, 4).expect("a frame"), Some(Frame { kind: PING, from: 6, to: 6 }));
        for end in 0..4 {
            assert_eq!(Frame::of(&short[..end], 0).expect("a part"), None, "{end} bytes");
        }
        let long = [b"\x81\x7e\x01\x00".as_slice(), &[b'x'; 256]].concat();
        assert_eq!(Frame::of(&long, 0).expect("a frame"), Some(Frame { kind: TEXT, from: 4, to: 260 }));
        assert_eq!(Frame::of(&long[..3], 0).expect("a part"), None);
        for odd in [b"\x81\x82\0\0\0\0hi".as_slice(), b"\x81\x7f\0\0\0\0\xff\0\0\0"] {
            assert!(Frame::of(odd, 0).is_err(), "{odd:?}");
        }
    }

    #[test]
    fn a_message_says_its_place_and_whether_it_is_one() {
        let message =
            br#"{"id":"1","type":"next","payload":{"data":{"changes":{"revision":42,"change":{"position":7}}}}}"#;
        assert!(is_answer(message));
        assert_eq!((number(message, "revision"), number(message, "position")), (Some(42), Some(7)));
        assert_eq!(number(message, "absent"), None);
        assert_eq!(
            (text(br#"{"a":1,"cursor":"xyz"}"#, "cursor"), text(br#"{"cursor":null}"#, "cursor")),
            (Some("xyz"), None)
        );
        assert!(!is_answer(br#"{"id":"1","type":"error","payload":[]}"#));
        assert!(!is_answer(br#"{"id":"1","type":"next","payload":{"data":{"a":null},"errors":[{}]}}"#));
    }
}
