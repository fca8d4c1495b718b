//! Sends one message to a server, and reads what it says of it.
//!
//! Guarantees: an exchange takes a bounded time and a bounded amount of memory. A redirect is not followed, so the
//! token reaches no other server. What a server says is shown as one line of a bounded length.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Certificate, Client, Response, StatusCode, Url, redirect};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use underlay_facts::{Answer, EnrolAnswer, EnrolRequest, MAX_MESSAGE_BYTES, Message};

use crate::error::AgentError;
use crate::server::ServerAddress;
use crate::token::{Token, TokenSource};
use crate::value;

/// The time for a connection, and that for a whole exchange.
const CONNECT: Duration = Duration::from_secs(10);
const EXCHANGE: Duration = Duration::from_secs(30);
/// The most that is read of an answer.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// The most that is shown of what a server says.
const MAX_SHOWN_CHARACTERS: usize = 300;
/// The maximum number of causes of an error that are shown.
const MAX_CAUSES: usize = 8;

/// The way to a server.
#[derive(Debug)]
pub struct Connection {
    http: Client,
    server: ServerAddress,
    token: TokenSource,
}

/// The errors in the body of an answer.
#[derive(Deserialize)]
struct Errors {
    errors: Vec<Complaint>,
}

#[derive(Deserialize)]
struct Complaint {
    message: String,
}

impl Connection {
    /// Prepares the way to a server, and sends nothing yet. With a file of authorities, only their certificates count.
    ///
    /// # Errors
    /// Returns an error if the file of authorities has none.
    pub fn new(server: ServerAddress, token: TokenSource, authorities: Option<&Path>) -> Result<Self, AgentError> {
        let mut builder = Client::builder()
            .connect_timeout(CONNECT)
            .timeout(EXCHANGE)
            .redirect(redirect::Policy::none())
            // Between two messages, a server need not hold the connections of all machines.
            .pool_max_idle_per_host(0)
            .user_agent(concat!("underlay-agent/", env!("CARGO_PKG_VERSION")));
        if server.is_local() {
            builder = builder.no_proxy();
        }
        if let Some(path) = authorities {
            builder = builder.tls_certs_only(certificates(path)?);
        } else if !server.is_encrypted() {
            // Nothing is encrypted, so the authorities of the machine are not needed, if it has any.
            builder = builder.tls_certs_only([]);
        }
        let http = builder.build().map_err(|error| AgentError::Client { reason: causes(&error) })?;
        Ok(Self { http, server, token })
    }

    /// Returns the address of the server.
    pub fn server(&self) -> &ServerAddress {
        &self.server
    }

    /// Checks that there is a token.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn check_token(&self) -> Result<(), AgentError> {
        self.token.read().map(|_| ())
    }

    /// Sends a message.
    ///
    /// # Errors
    /// Returns an error if the message cannot be made, or the server does not accept it.
    pub async fn exchange(&self, message: &Message) -> Result<Answer, AgentError> {
        self.post(self.server.facts(), message, None).await
    }

    /// Asks the server to accept a token for the host that this machine is.
    ///
    /// # Errors
    /// Returns an error if the request cannot be made, or the server does not accept it.
    pub async fn enrol(&self, request: &EnrolRequest, own: &Token) -> Result<EnrolAnswer, AgentError> {
        self.post(self.server.enrolment(), request, Some(own)).await
    }

    /// Posts something. `secret` is a token in it, which is never shown.
    async fn post<A: DeserializeOwned>(
        &self,
        address: Url,
        content: &impl Serialize,
        secret: Option<&Token>,
    ) -> Result<A, AgentError> {
        let token = self.token.read()?;
        let request = self.http.post(address).header(AUTHORIZATION, token.header());
        let request = request.header(CONTENT_TYPE, "application/json").header(CONTENT_ENCODING, "gzip");
        let response = request.body(compressed(content)?).send().await.map_err(|error| self.unreachable(&error))?;

        let (status, pause) = (response.status(), retry_after(response.headers()));
        let body = body_of(response).await.map_err(|error| self.unreachable(&error))?;
        if status == StatusCode::OK {
            return self.answer(body.as_deref());
        }
        let message = token.hidden_in(&said(status, body.as_deref()));
        let message = secret.map_or_else(|| message.clone(), |secret| secret.hidden_in(&message));
        Err(self.refusal(status, pause, message.chars().take(MAX_SHOWN_CHARACTERS).collect()))
    }

    fn answer<A: DeserializeOwned>(&self, body: Option<&[u8]>) -> Result<A, AgentError> {
        let wrong = |reason| AgentError::NoAnswer { server: self.server.to_string(), reason };
        let body = body.ok_or_else(|| wrong(format!("the answer is larger than {} KiB", MAX_ANSWER_BYTES / 1024)))?;
        // What the parser says may repeat parts of the answer.
        serde_json::from_slice(body).map_err(|_| wrong("the answer is not the one to a report".to_owned()))
    }

    fn refusal(&self, status: StatusCode, pause: Option<Duration>, message: String) -> AgentError {
        let server = self.server.to_string();
        let is_failure = status.is_server_error();
        match pause {
            Some(retry_after) if is_failure || status == StatusCode::TOO_MANY_REQUESTS => {
                AgentError::Busy { server, retry_after }
            }
            _ if is_failure => AgentError::Failed { server, status: status.as_u16(), message },
            _ => AgentError::Refused { server, status: status.as_u16(), message },
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> AgentError {
        let reason = if error.is_timeout() { "it did not answer in time".to_owned() } else { causes(error) };
        AgentError::Unreachable { server: self.server.to_string(), reason }
    }
}

/// Reads the certificates of authorities.
fn certificates(path: &Path) -> Result<Vec<Certificate>, AgentError> {
    let text = fs::read(path).map_err(|source| AgentError::AuthorityFile { path: path.to_owned(), source })?;
    let certificates = Certificate::from_pem_bundle(&text).unwrap_or_default();
    if certificates.is_empty() { Err(AgentError::NoAuthority { path: path.to_owned() }) } else { Ok(certificates) }
}

fn compressed(message: &impl Serialize) -> Result<Vec<u8>, AgentError> {
    let text = serde_json::to_vec(message)?;
    if text.len() > MAX_MESSAGE_BYTES {
        return Err(AgentError::TooLarge { bytes: text.len(), most: MAX_MESSAGE_BYTES });
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&text).and_then(|()| encoder.finish()).map_err(AgentError::Compress)
}

/// Reads the body of an answer, unless it is too long.
async fn body_of(mut response: Response) -> reqwest::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await? {
        if body.len() + piece.len() > MAX_ANSWER_BYTES {
            return Ok(None);
        }
        body.extend_from_slice(&piece);
    }
    Ok(Some(body))
}

/// Returns what a server says of a message that it does not accept as one line, or the words for the status.
fn said(status: StatusCode, body: Option<&[u8]>) -> String {
    let errors = body.and_then(|body| serde_json::from_slice::<Errors>(body).ok());
    let message = errors.and_then(|body| body.errors.into_iter().next()).map(|complaint| complaint.message);
    let message = message.map(|text| value::clean(text.as_bytes())).filter(|text| !text.is_empty());
    message.unwrap_or_else(|| status.canonical_reason().unwrap_or("it does not say why").to_owned())
}

/// Returns the time after which a server wants to be asked again, if it says so in seconds.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}

/// Returns the causes of an error, each once: the error itself only says that a request failed.
fn causes(error: &reqwest::Error) -> String {
    let mut reasons: Vec<String> = Vec::new();
    for cause in std::iter::successors(error.source(), |&cause| cause.source()).take(MAX_CAUSES) {
        let text = value::clean(cause.to_string().as_bytes());
        if !reasons.iter().any(|reason| reason.contains(&text)) {
            reasons.push(text);
        }
    }
    if reasons.is_empty() { "the connection failed".to_owned() } else { reasons.join(": ") }
}
