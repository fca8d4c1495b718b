//! A subscription: answers as they come, over Server-Sent Events (`/graphql/stream`, one operation a connection).
//!
//! It may last for ever, so there is no limit to its time, but one to silence: a server says something every few
//! seconds, and who says nothing for as long as [`Patience`](crate::Patience) says is not there. A connection that is lost is an error, not the end: whoever
//! follows begins another subscription where this one was.

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

/// The largest event, in bytes: one change of the largest object that a server takes, before and after it, fits.
const MOST_BYTES: usize = 64 << 20;
/// How much of a refusal is read, in bytes.
const MOST_OF_REFUSAL: usize = 1 << 20;
/// The code for a token that is not taken.
const UNAUTHENTICATED: &str = "UNAUTHENTICATED";
/// What an event stream is.
const EVENT_STREAM: &str = "text/event-stream";

/// A subscription that has begun.
#[derive(Debug)]
pub struct Subscription {
    server: String,
    response: Response,
    parser: Parser,
    /// What came and was not read yet, from this place on.
    piece: (Vec<u8>, usize),
    /// For how long nothing may come.
    silence: Duration,
    /// Until when something must come; set when it is waited for.
    until: Option<Instant>,
}

impl Client {
    /// Begins a subscription, once.
    ///
    /// # Errors
    /// [`ClientError::Graphql`] when the server refuses it; [`ClientError::is_passing`] tells what is worth another try.
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
            parser: Parser::new(MOST_BYTES),
            piece: (Vec::new(), 0),
            silence: self.patience().silence,
            until: None,
        })
    }

    /// Why the answer is no stream of events.
    async fn refusal(&self, mut response: Response) -> ClientError {
        let (server, status) = (self.server().to_string(), response.status());
        let mut body = Vec::new();
        let read = timeout(self.patience().silence, async {
            while let Some(piece) = response.chunk().await? {
                let room = MOST_OF_REFUSAL.saturating_sub(body.len());
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
            // That a server has no room says its status, which is more than the sentence with it.
            Err(ClientError::Graphql(errors)) if status.is_server_error() => {
                let said: Vec<String> = errors.into_iter().map(|error| error.message).collect();
                ClientError::Http { server, status: status.as_u16(), body: said.join("; ") }
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
    /// The data of the next answer; `None` when the server says that the operation is over. Nothing is lost when it is not
    /// waited for to the end.
    ///
    /// # Errors
    /// [`ClientError::Lost`] when the connection is lost, [`ClientError::Graphql`] when the server ends the operation
    /// with an error. There is nothing more after either.
    pub async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, ClientError> {
        // Only while somebody waits here does silence count: what came meanwhile is read first.
        let mut until = *self.until.get_or_insert_with(|| Instant::now() + self.silence);
        loop {
            if let Some(Event { name, data }) = self.read()? {
                match name.as_slice() {
                    b"next" => {
                        self.until = None;
                        let answer = answer::read(&self.server, StatusCode::OK.as_u16(), &data);
                        return answer.map(Some).map_err(|error| match error.has_code(UNAUTHENTICATED) {
                            // It was taken when this began: with another one it goes on.
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

    /// The next event of what has come.
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
