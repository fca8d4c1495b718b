//! Receives the answers of a subscription over Server-Sent Events (`/graphql/stream`, one operation per connection).
//!
//! A subscription can last for ever, so its total time is not limited, but silence is: a server sends a comment every
//! few seconds. A server that sends nothing for the time in [`Patience`](crate::Patience) counts as gone. A lost
//! connection is an error and does not end the stream of changes: the caller resumes with another subscription at its
//! last position.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Response, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};

use crate::answer;
use crate::client::{Client, reason};
use crate::error::ClientError;
use crate::events::{Event, Parser, TooLarge};

/// The maximum bytes of an event: a change of the largest object that a server accepts, with its state before and
/// after, fits.
const MAX_EVENT_BYTES: usize = 64 << 20;
/// The number of bytes that are read of an error answer.
const MAX_REFUSAL_BYTES: usize = 1 << 20;
/// The code of the error for a token that the server rejects.
const UNAUTHENTICATED: &str = "UNAUTHENTICATED";
/// The media type of an event stream.
const EVENT_STREAM: &str = "text/event-stream";

/// A running subscription.
#[derive(Debug)]
pub struct Subscription {
    server: String,
    response: Response,
    parser: Parser,
    /// The last received piece of the stream, and the index of its first unread byte.
    piece: (Vec<u8>, usize),
    /// The maximum time without any data.
    silence: Duration,
    /// The deadline for the next data; set while a caller waits.
    until: Option<Instant>,
}

impl Client {
    /// Begins a subscription. Does not retry.
    ///
    /// # Errors
    /// Returns [`ClientError::Graphql`] if the server rejects the subscription. [`ClientError::is_passing`] says which
    /// errors are worth a retry.
    pub async fn subscribe(&self, operation: &str, variables: Value) -> Result<Subscription, ClientError> {
        let body = self.operation(operation, variables)?;
        let request = self.streams()?.header(ACCEPT, EVENT_STREAM).header(CONTENT_TYPE, "application/json").body(body);
        let sent = timeout(self.patience().silence, request.send()).await.map_err(|_| self.silent())?;
        let response = sent.map_err(|error| self.failure(&error))?;
        let media = response.headers().get(CONTENT_TYPE).and_then(|media| media.to_str().ok()).unwrap_or_default();
        if response.status() != StatusCode::OK || !media.starts_with(EVENT_STREAM) {
            return Err(self.refusal(response).await);
        }
        Ok(Subscription {
            server: self.server().to_string(),
            response,
            parser: Parser::new(MAX_EVENT_BYTES),
            piece: (Vec::new(), 0),
            silence: self.patience().silence,
            until: None,
        })
    }

    /// Reads an answer that is not an event stream, and returns it as an error.
    async fn refusal(&self, mut response: Response) -> ClientError {
        let (server, status) = (self.server().to_string(), response.status());
        let mut body = Vec::new();
        let read = timeout(self.patience().silence, async {
            while let Some(piece) = response.chunk().await? {
                let room = MAX_REFUSAL_BYTES.saturating_sub(body.len());
                body.extend_from_slice(&piece[..piece.len().min(room)]);
                if room == 0 {
                    break;
                }
            }
            Ok(())
        });
        match read.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return self.failure(&error),
            Err(_) => return self.silent(),
        }
        match answer::read::<Value>(&server, status.as_u16(), &body) {
            // If the server is overloaded, its status says more than its message.
            Err(ClientError::Graphql(errors)) if status.is_server_error() => {
                let messages: Vec<String> = errors.into_iter().map(|error| error.message).collect();
                ClientError::Http { server, status: status.as_u16(), body: messages.join("; "), retry_after: None }
            }
            Err(error) => error,
            Ok(_) => ClientError::NotGraphql { server, reason: format!("what it sends is no {EVENT_STREAM}") },
        }
    }

    fn silent(&self) -> ClientError {
        ClientError::TimedOut { server: self.server().to_string(), seconds: self.patience().silence.as_secs() }
    }
}

impl Subscription {
    /// Returns the data of the next answer, or `None` if the server completes the operation. Cancelling the wait loses
    /// no answer.
    ///
    /// # Errors
    /// Returns [`ClientError::Lost`] if the connection is lost, and [`ClientError::Graphql`] if the server ends the
    /// operation with an error. Nothing more follows after either.
    pub async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, ClientError> {
        // Silence is measured only while a caller waits here; data that arrived in the meantime is read first.
        let mut until = *self.until.get_or_insert_with(|| Instant::now() + self.silence);
        loop {
            if let Some(Event { name, data }) = self.read()? {
                match name.as_slice() {
                    b"next" => {
                        self.until = None;
                        let answer = answer::read(&self.server, StatusCode::OK.as_u16(), &data);
                        return answer.map(Some).map_err(|error| match error.has_code(UNAUTHENTICATED) {
                            // The server accepted the token when the subscription began, so a new subscription with a
                            // new token can resume.
                            true => self.lost("the token has expired".to_owned()),
                            false => error,
                        });
                    }
                    b"complete" => return Ok(None),
                    _ => continue,
                }
            }
            let piece = match timeout_at(until, self.response.chunk()).await {
                Ok(Ok(Some(piece))) => piece,
                Ok(Ok(None)) => return Err(self.lost("the server ended it".to_owned())),
                Ok(Err(error)) => return Err(self.lost(reason(&error))),
                Err(_) => return Err(self.lost(format!("nothing came for {} s", self.silence.as_secs()))),
            };
            self.piece = (piece.into(), 0);
            until = Instant::now() + self.silence;
            self.until = Some(until);
        }
    }

    /// Returns the next event from the data received so far.
    fn read(&mut self) -> Result<Option<Event>, ClientError> {
        let (bytes, at) = &mut self.piece;
        let mut rest = &bytes[*at..];
        let read = self.parser.next(&mut rest);
        *at = bytes.len() - rest.len();
        read.map_err(|TooLarge { most }| ClientError::EventTooLarge { server: self.server.clone(), most })
    }

    fn lost(&self, reason: String) -> ClientError {
        ClientError::Lost { server: self.server.clone(), reason }
    }
}

#[cfg(test)]
#[path = "subscription_tests.rs"]
mod tests;
