//! Sends reports to a server: the whole report where it changed, and otherwise the digest of it.
//!
//! Guarantee: a server that lost what it had gets the whole report at once. One that asks for it again and again gets it
//! once for each report.

use std::path::Path;

use underlay_facts::{Answer, Message, Outcome, Report, Unchanged};

use crate::connection::Connection;
use crate::error::AgentError;
use crate::server::ServerAddress;
use crate::token::TokenSource;

/// Sends reports to one server.
#[derive(Debug)]
pub struct Sender {
    connection: Connection,
    /// The digest of the report that the server has, as far as this process knows.
    stored: Option<String>,
}

impl Sender {
    /// Returns a sender to a server, which has sent nothing yet. With a file of authorities, only their certificates
    /// count.
    ///
    /// # Errors
    /// Returns an error if the file of authorities has none.
    pub fn new(server: ServerAddress, token: TokenSource, authorities: Option<&Path>) -> Result<Self, AgentError> {
        Ok(Self { connection: Connection::new(server, token, authorities)?, stored: None })
    }

    /// Returns the address of the server.
    #[must_use]
    pub fn server(&self) -> &ServerAddress {
        self.connection.server()
    }

    /// Checks that there is a token.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn check_token(&self) -> Result<(), AgentError> {
        self.connection.check_token()
    }

    /// Sends a report.
    ///
    /// # Errors
    /// Returns an error if the server does not accept it.
    pub async fn send(&mut self, report: Report) -> Result<Answer, AgentError> {
        let digest = report.digest()?;
        if self.stored.as_ref() == Some(&digest) {
            let answer = self.connection.exchange(&unchanged(&report, digest.clone())).await?;
            if answer.outcome != Outcome::SendAll {
                return Ok(answer);
            }
            self.stored = None;
        }

        let answer = self.connection.exchange(&Message::Report(Box::new(report))).await?;
        if answer.outcome == Outcome::SendAll {
            return Err(AgentError::AskedAgain { server: self.server().to_string() });
        }
        self.stored = Some(digest);
        Ok(answer)
    }
}

fn unchanged(report: &Report, digest: String) -> Message {
    let Report { format, agent, observed_at, .. } = report;
    Message::Unchanged(Unchanged { format: *format, agent: agent.clone(), observed_at: *observed_at, digest })
}
