//! Sends operations to a server. Each operation has a time limit.
//!
//! The client retries an operation if the connection was refused, or broke before the answer was complete. It makes at
//! most [`MAX_TRIES`] tries, with growing pauses. Retrying a query is always safe. Retrying a mutation is safe because
//! each carries a request id, the same in every try: the server writes once and returns the first result again. An
//! error answer is never retried, nor is a time-out, because then the server is reachable but busy.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Request, RequestBuilder};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::address::ServerAddress;
use crate::answer::{self, GraphqlAnswer};
use crate::batch::{self, Lines};
use crate::error::ClientError;
use crate::retry::{MAX_TRIES, Pauses};

/// The maximum number of bytes of a request. A server closes the connection while it receives a longer one, which looks
/// like a broken connection.
const MAX_REQUEST_BYTES: usize = 32 << 20;

/// The time limits of a client.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The time limit for establishing a connection.
    pub connect: Duration,
    /// The time limit for a whole answer, from the first byte sent.
    pub answer: Duration,
    /// The time limit for the next data of a subscription. A server sends a comment every 12 s.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), answer: Duration::from_secs(120), silence: Duration::from_secs(30) }
    }
}

/// Returns the token for a server whenever the client needs one, or a sentence that says why there is none.
pub type Tokens = Arc<dyn Fn() -> Result<String, String> + Send + Sync>;

/// A client of one server; cheap to clone.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    server: ServerAddress,
    patience: Patience,
    tokens: Option<Tokens>,
}

// This is written by hand because tokens are secrets.
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

/// A whole answer.
struct Received<B> {
    status: u16,
    /// The time that the server asks to wait before the next try.
    retry_after: Option<Duration>,
    bytes: B,
}

impl Client {
    /// Creates a client of a server. Sends nothing yet.
    pub fn new(server: ServerAddress, patience: Patience) -> Result<Self, ClientError> {
        let mut builder = reqwest::Client::builder()
            .connect_timeout(patience.connect)
            // A redirect would return the answer of another server.
            .redirect(reqwest::redirect::Policy::none());
        if server.is_local() {
            builder = builder.no_proxy();
        }
        let unreachable =
            |error: reqwest::Error| ClientError::Unreachable { server: server.to_string(), reason: reason(&error) };
        let http = builder.build().map_err(unreachable)?;
        Ok(Self { http, server, patience, tokens: None })
    }

    /// Returns the client with a source of tokens to authenticate with.
    pub fn with_tokens(self, tokens: Option<Tokens>) -> Self {
        Self { tokens, ..self }
    }

    /// Returns the address of the server.
    pub fn server(&self) -> &ServerAddress {
        &self.server
    }

    /// Sends a query and returns its data.
    pub async fn query<T: DeserializeOwned>(&self, query: &str, variables: Value) -> Result<T, ClientError> {
        self.execute(&Operation { query, variables, operation_name: None }).await
    }

    /// Sends a mutation and returns its data. `variables` receives the id of the request and must pass it on as
    /// `requestId`, which makes retries safe.
    pub async fn mutate<T: DeserializeOwned, V: Serialize>(
        &self,
        mutation: &str,
        variables: impl FnOnce(String) -> V,
    ) -> Result<T, ClientError> {
        let variables = variables(Uuid::new_v4().to_string());
        self.execute(&Operation { query: mutation, variables, operation_name: None }).await
    }

    /// Posts items to `/apply` with these parameters; returns the result of each. The request has an id of its own, so
    /// that it can be sent again when its connection breaks.
    ///
    /// # Errors
    /// Returns an error if there is no whole answer, or the server refuses the request as a whole.
    pub async fn apply<T: DeserializeOwned>(
        &self,
        parameters: &[(&str, &str)],
        lines: Lines,
    ) -> Result<Vec<T>, ClientError> {
        self.apply_as(&Uuid::new_v4().to_string(), parameters, lines).await
    }

    /// Posts lines as [`Client::apply`] does, as the request with this id. A caller that tries again after a time-out
    /// passes the same id and the same lines: the server writes them once.
    ///
    /// # Errors
    /// Returns an error if there is no whole answer, or the server refuses the request as a whole.
    pub async fn apply_as<T: DeserializeOwned>(
        &self,
        request_id: &str,
        parameters: &[(&str, &str)],
        lines: Lines,
    ) -> Result<Vec<T>, ClientError> {
        let sent = lines.count();
        let lines = lines.into_bytes();
        self.check_size(&lines)?;
        let mut url = self.server.apply();
        url.query_pairs_mut().extend_pairs(parameters).append_pair("requestId", request_id);
        let request = self.with_token(self.http.post(url))?.timeout(self.patience.answer);
        let request = request.header(CONTENT_TYPE, "application/x-ndjson").header(ACCEPT, "application/x-ndjson");
        let request = request.body(lines).build().map_err(|error| self.failure(&error))?;
        let received = self.send_repeatedly(&request).await?;
        match received.status {
            200 => batch::read(&self.server.to_string(), received.bytes.as_ref(), sent),
            _ => self.read(&received),
        }
    }

    /// Sends an operation of any type once, because it may be a mutation. The answer can have both data and errors.
    pub async fn ask(
        &self,
        operation: &str,
        variables: Value,
        operation_name: Option<&str>,
    ) -> Result<GraphqlAnswer, ClientError> {
        let body = self.body(&Operation { query: operation, variables, operation_name })?;
        let request = self.request(body)?;
        match self.send(request).await {
            Ok(received) => answer::read_whole(&self.server.to_string(), received.status, received.bytes.as_ref())
                .map_err(|error| error.with_retry_after(received.retry_after)),
            Err(error) => Err(self.failure(&error)),
        }
    }

    /// Returns the request body of an operation.
    pub(crate) fn operation(&self, query: &str, variables: Value) -> Result<Vec<u8>, ClientError> {
        self.body(&Operation { query, variables, operation_name: None })
    }

    /// Returns a request for a subscription, which has no time limit.
    pub(crate) fn streams(&self) -> Result<RequestBuilder, ClientError> {
        self.with_token(self.http.post(self.server.stream()))
    }

    fn with_token(&self, request: RequestBuilder) -> Result<RequestBuilder, ClientError> {
        match &self.tokens {
            None => Ok(request),
            Some(tokens) => Ok(request.bearer_auth(tokens().map_err(ClientError::NoToken)?)),
        }
    }

    /// Returns the time limits of the client.
    pub(crate) fn patience(&self) -> Patience {
        self.patience
    }

    fn body<V: Serialize>(&self, operation: &Operation<'_, V>) -> Result<Vec<u8>, ClientError> {
        let body = serde_json::to_vec(operation).map_err(|error| ClientError::NotGraphql {
            server: self.server.to_string(),
            reason: format!("the operation cannot be written as JSON: {error}"),
        })?;
        self.check_size(&body).map(|()| body)
    }

    fn check_size(&self, body: &[u8]) -> Result<(), ClientError> {
        match body.len() > MAX_REQUEST_BYTES {
            true => Err(ClientError::TooLarge { bytes: body.len(), most: MAX_REQUEST_BYTES }),
            false => Ok(()),
        }
    }

    async fn execute<T: DeserializeOwned, V: Serialize>(&self, operation: &Operation<'_, V>) -> Result<T, ClientError> {
        let body = self.body(operation)?;
        let request = self.request(body)?;
        self.read(&self.send_repeatedly(&request).await?)
    }

    fn read<T: DeserializeOwned>(&self, received: &Received<impl AsRef<[u8]>>) -> Result<T, ClientError> {
        answer::read(&self.server.to_string(), received.status, received.bytes.as_ref())
            .map_err(|error| error.with_retry_after(received.retry_after))
    }

    /// Sends a request that can be repeated until it is answered, at most [`MAX_TRIES`] times.
    async fn send_repeatedly(&self, request: &Request) -> Result<Received<impl AsRef<[u8]> + use<>>, ClientError> {
        let (mut tried, mut pauses) = (1, Pauses::default());
        loop {
            // All tries share the body instead of copying it, because it can be large.
            let Some(next) = request.try_clone() else { return Err(self.unsendable()) };
            match self.send(next).await {
                Ok(answer) => return Ok(answer),
                Err(error) if tried < MAX_TRIES && is_worth_another_try(&error) => {
                    tokio::time::sleep(pauses.next_pause()).await;
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

    async fn send(&self, request: Request) -> Result<Received<impl AsRef<[u8]> + use<>>, reqwest::Error> {
        let response = self.http.execute(request).await?;
        let (status, retry_after) = (response.status().as_u16(), retry_after(response.headers()));
        Ok(Received { status, retry_after, bytes: response.bytes().await? })
    }

    fn unsendable(&self) -> ClientError {
        ClientError::Unreachable {
            server: self.server.to_string(),
            reason: "the request cannot be sent twice".to_owned(),
        }
    }

    /// Converts a transport error to the reason why an operation has no answer.
    pub(crate) fn failure(&self, error: &reqwest::Error) -> ClientError {
        let server = self.server.to_string();
        if error.is_timeout() && !error.is_connect() {
            return ClientError::TimedOut { server, seconds: self.patience.answer.as_secs() };
        }
        ClientError::Unreachable { server, reason: reason(error) }
    }
}

/// Returns the time that an answer asks to wait. The form with a date is not read: servers of ours send seconds.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}

/// Returns true if the connection could not be established, or broke before the answer was complete.
fn is_worth_another_try(error: &reqwest::Error) -> bool {
    error.is_connect() || (!error.is_timeout() && !error.is_builder() && !error.is_status())
}

/// Returns the innermost reason of an error, which comes from the operating system.
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
