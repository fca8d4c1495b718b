//! Following the changes over lost connections and servers that come and go.
//!
//! Guarantee: after what was given last comes what is next, whatever happens between; a refusal ends it.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};
use underlay_client::{Client, ClientError, Subscription, pause};

use super::event::{Event, Place};
use underlay_kit::printable;

/// A server drops who takes nothing for about a minute. Whoever was busy for longer than this comes back without a word.
const BUSY: Duration = Duration::from_secs(10);

/// What becomes of a watch that finds no server when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtStart {
    /// It fails, as every command does.
    Fail,
    /// It waits for one: nobody is there to start it again.
    Wait,
}

/// The way to the events.
pub(super) struct Follower<'a> {
    client: &'a Client,
    subscription: String,
    filter: Value,
    place: Place,
    at_start: AtStart,
    connection: Option<Subscription>,
    /// How often a connection was tried since something came.
    tried: u32,
    /// When it may be tried again.
    not_before: Option<Instant>,
    /// Whether it was said that there is no connection.
    is_told: bool,
    /// When something was given last.
    given: Option<Instant>,
    /// Whether who follows was busy for so long that the server may have dropped it.
    was_busy: bool,
}

#[derive(Deserialize)]
struct Answer {
    changes: Event,
}

impl<'a> Follower<'a> {
    /// Follows what comes after a place. Nothing is sent yet.
    pub(super) fn new(
        client: &'a Client,
        subscription: String,
        filter: Value,
        place: Place,
        at_start: AtStart,
    ) -> Self {
        Self {
            client,
            subscription,
            filter,
            place,
            at_start,
            connection: None,
            tried: 0,
            not_before: None,
            is_told: false,
            given: None,
            was_busy: false,
        }
    }

    /// The next event. Nothing is lost when it is not waited for to the end.
    ///
    /// # Errors
    /// When the server refuses it, or is not there at the start and that is not waited for.
    pub(super) async fn next(&mut self) -> Result<Event, ClientError> {
        if let Some(given) = self.given.take() {
            self.was_busy = given.elapsed() > BUSY;
        }
        loop {
            let error = match self.connection.take() {
                None => match self.connect().await {
                    Ok(connection) => {
                        self.connected(connection);
                        continue;
                    }
                    Err(error) => error,
                },
                Some(connection) => match self.connection.insert(connection).next::<Answer>().await {
                    Ok(Some(Answer { changes: event })) => {
                        self.place = event.place();
                        (self.tried, self.was_busy, self.given) = (0, false, Some(Instant::now()));
                        return Ok(event);
                    }
                    Ok(None) => ClientError::Lost {
                        server: self.client.server().to_string(),
                        reason: "the server says that there is nothing more".to_owned(),
                    },
                    Err(error) => error,
                },
            };
            self.connection = None;
            self.failed(error)?;
        }
    }

    async fn connect(&mut self) -> Result<Subscription, ClientError> {
        if let Some(time) = self.not_before {
            sleep_until(time).await;
        }
        let variables = json!({ "filter": self.filter, "after": self.place.cursor });
        self.client.subscribe(&self.subscription, variables).await
    }

    fn connected(&mut self, connection: Subscription) {
        self.connection = Some(connection);
        self.at_start = AtStart::Wait;
        if std::mem::take(&mut self.is_told) {
            eprintln!("note: connected to {}; going on after {}", self.client.server(), self.place);
        }
    }

    /// Takes note of a connection that is not there.
    fn failed(&mut self, error: ClientError) -> Result<(), ClientError> {
        if !error.is_passing() || self.at_start == AtStart::Fail {
            return Err(error);
        }
        if std::mem::take(&mut self.was_busy) {
            return Ok(());
        }
        self.tried = self.tried.saturating_add(1);
        self.not_before = Some(Instant::now() + pause(self.tried));
        if !std::mem::replace(&mut self.is_told, true) {
            eprintln!("note: {}; trying again until it is there", printable(&error.to_string()));
        }
        Ok(())
    }
}
