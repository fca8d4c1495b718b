//! The client: one operation after the other, each with a bounded patience.
//!
//! What is tried again: an operation whose connection was refused, or broke before the answer was there, at most
//! [`TRIES`] times with growing pauses. For queries that is always safe. Mutations are tried again only because each
//! carries a request id, the same in every try: the server writes once and gives the first result to a repeat.
//! A refusal is an answer and never tried again, nor is a time-out: the server is there and busy.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Request, RequestBuilder};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::address::ServerAddress;
use crate::answer::{self, Answer};
use crate::error::ClientError;
use crate::retry::{TRIES, pause};

/// How many bytes a request may have. A server hangs up on more of them while they are sent, which looks like a broken
/// connection.
const MOST_BYTES: usize = 32 << 20;

/// How long a client waits.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For a connection.
    pub connect: Duration,
    /// For a whole answer, from the first byte that is sent.
    pub answer: Duration,
    /// For anything at all where answers keep coming. A server sends a comment every 12 s.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), answer: Duration::from_secs(120), silence: Duration::from_secs(30) }
    }
}

/// Gives the token to show a server, whenever one is needed, or a sentence that says why there is none.
pub type Tokens = Arc<dyn Fn() -> Result<String, String> + Send + Sync>;

/// A client of one server; cheap to clone.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    server: ServerAddress,
    patience: Patience,
    tokens: Option<Tokens>,
}

// Written by hand: tokens are secrets.
impl fmt::Debug for Client {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Client").field("server", &self.server).finish_non_exhaustive()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Operation<'a, V> {
    query: &'a str,
    variables: V,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation_name: Option<&'a str>,
}

impl Client {
    /// A client of a server. Nothing is sent yet.
    pub fn new(server: ServerAddress, patience: Patience) -> Result<Self, ClientError> {
        let mut builder = reqwest::Client::builder()
            .connect_timeout(patience.connect)
            // An answer from elsewhere would be an answer of somebody else.
            .redirect(reqwest::redirect::Policy::none());
        if server.is_local() {
            builder = builder.no_proxy();
        }
        let unreachable =
            |error: reqwest::Error| ClientError::Unreachable { server: server.to_string(), reason: reason(&error) };
        let http = builder.build().map_err(unreachable)?;
        Ok(Self { http, server, patience, tokens: None })
    }

    /// The same with tokens to show.
    pub fn with_tokens(self, tokens: Option<Tokens>) -> Self {
        Self { tokens, ..self }
    }

    /// The server that it talks to.
    pub fn server(&self) -> &ServerAddress {
        &self.server
    }

    /// Asks something.
    pub async fn query<T: DeserializeOwned>(&self, query: &str, variables: Value) -> Result<T, ClientError> {
        self.execute(&Operation { query, variables, operation_name: None }).await
    }

    /// Writes something. The variables are made with the id of the request, and must hand it on as `requestId`: that is
    /// what makes it safe to try again.
    pub async fn mutate<T: DeserializeOwned, V: Serialize>(
        &self,
        mutation: &str,
        variables: impl FnOnce(String) -> V,
    ) -> Result<T, ClientError> {
        let variables = variables(Uuid::new_v4().to_string());
        self.execute(&Operation { query: mutation, variables, operation_name: None }).await
    }

    /// Sends any operation, once: whether it writes is not known. The answer may have data and errors.
    pub async fn ask(
        &self,
        operation: &str,
        variables: Value,
        operation_name: Option<&str>,
    ) -> Result<Answer, ClientError> {
        let body = self.body(&Operation { query: operation, variables, operation_name })?;
        let request = self.request(body)?;
        match self.send(request).await {
            Ok((status, bytes)) => answer::read_whole(&self.server.to_string(), status, bytes.as_ref()),
            Err(error) => Err(self.failure(&error)),
        }
    }

    /// The body of an operation.
    pub(crate) fn operation(&self, query: &str, variables: Value) -> Result<Vec<u8>, ClientError> {
        self.body(&Operation { query, variables, operation_name: None })
    }

    /// A request for answers that keep coming: it has no limit of time.
    pub(crate) fn streams(&self) -> Result<RequestBuilder, ClientError> {
        self.with_token(self.http.post(self.server.stream()))
    }

    fn with_token(&self, request: RequestBuilder) -> Result<RequestBuilder, ClientError> {
        match &self.tokens {
            None => Ok(request),
            Some(tokens) => Ok(request.bearer_auth(tokens().map_err(ClientError::NoToken)?)),
        }
    }

    /// How long it waits.
    pub(crate) fn patience(&self) -> Patience {
        self.patience
    }

    fn body<V: Serialize>(&self, operation: &Operation<'_, V>) -> Result<Vec<u8>, ClientError> {
        let body = serde_json::to_vec(operation).map_err(|error| ClientError::NotGraphql {
            server: self.server.to_string(),
            reason: format!("the operation cannot be written as JSON: {error}"),
        })?;
        match body.len() > MOST_BYTES {
            true => Err(ClientError::TooLarge { bytes: body.len(), most: MOST_BYTES }),
            false => Ok(body),
        }
    }

    async fn execute<T: DeserializeOwned, V: Serialize>(&self, operation: &Operation<'_, V>) -> Result<T, ClientError> {
        let body = self.body(operation)?;
        let request = self.request(body)?;
        let mut tried = 1;
        loop {
            // The body is shared by all tries, not copied: it may be large.
            let Some(next) = request.try_clone() else { return Err(self.unsendable()) };
            match self.send(next).await {
                Ok((status, bytes)) => return answer::read(&self.server.to_string(), status, bytes.as_ref()),
                Err(error) if tried < TRIES && is_worth_another_try(&error) => {
                    tokio::time::sleep(pause(tried)).await;
                    tried += 1;
                }
                Err(error) => return Err(self.failure(&error)),
            }
        }
    }

    fn request(&self, body: Vec<u8>) -> Result<Request, ClientError> {
        self.with_token(self.http.post(self.server.graphql()))?
            .timeout(self.patience.answer)
            .header(ACCEPT, "application/graphql-response+json, application/json;q=0.9")
            .header(CONTENT_TYPE, "application/json")
            .body(body)
            .build()
            .map_err(|error| self.failure(&error))
    }

    async fn send(&self, request: Request) -> Result<(u16, impl AsRef<[u8]> + use<>), reqwest::Error> {
        let response = self.http.execute(request).await?;
        let status = response.status().as_u16();
        Ok((status, response.bytes().await?))
    }

    fn unsendable(&self) -> ClientError {
        ClientError::Unreachable {
            server: self.server.to_string(),
            reason: "the request cannot be sent twice".to_owned(),
        }
    }

    /// Why an operation has no answer.
    pub(crate) fn failure(&self, error: &reqwest::Error) -> ClientError {
        let server = self.server.to_string();
        if error.is_timeout() && !error.is_connect() {
            return ClientError::TimedOut { server, seconds: self.patience.answer.as_secs() };
        }
        ClientError::Unreachable { server, reason: reason(error) }
    }
}

/// Whether the connection could not be made, or broke before the whole answer was there.
fn is_worth_another_try(error: &reqwest::Error) -> bool {
    error.is_connect() || (!error.is_timeout() && !error.is_builder() && !error.is_status())
}

/// What the operating system says: the innermost reason.
pub(crate) fn reason(error: &reqwest::Error) -> String {
    let mut innermost: &dyn Error = error;
    while let Some(inner) = innermost.source() {
        innermost = inner;
    }
    match error.is_timeout() {
        true => "no connection in time".to_owned(),
        false => innermost.to_string(),
    }
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;
