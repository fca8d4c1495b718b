//! A server that keeps what it gets, and answers as a test wants.

use std::collections::VecDeque;
use std::io::Read as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Response, header};
use flate2::read::GzDecoder;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use underlay_facts::{EnrolRequest, Message};

/// The time between two messages that the server wants, in seconds.
pub const EVERY: u32 = 100;

/// The answer to an agent that is enrolled.
const ENROLLED: &str = r#"{"host": {"id": "1", "name": "gpu-7"}, "everySeconds": 100}"#;

/// A message that the server got.
#[derive(Clone, Debug)]
pub struct Call {
    /// The method, the path, and the headers that say what the body is.
    pub head: String,
    /// The header with the token.
    pub authorization: String,
    pub message: Message,
}

impl Call {
    /// Returns the digest of the facts that the message is about.
    pub fn digest(&self) -> String {
        match &self.message {
            Message::Unchanged(unchanged) => unchanged.digest.clone(),
            Message::Report(report) => report.digest().expect("a digest"),
        }
    }

    /// Returns true if the message has all facts.
    pub fn is_whole(&self) -> bool {
        matches!(self.message, Message::Report(_))
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    status: u16,
    headers: Vec<(header::HeaderName, String)>,
    body: String,
}

impl Reply {
    pub fn outcome(outcome: &str) -> Self {
        Self::text(200, json!({"outcome": outcome, "everySeconds": EVERY}).to_string())
    }

    pub fn error(status: u16, message: &str) -> Self {
        Self::text(status, json!({"errors": [{"message": message, "extensions": {"code": "CODE"}}]}).to_string())
    }

    pub fn text(status: u16, body: impl Into<String>) -> Self {
        Self { status, headers: Vec::new(), body: body.into() }
    }

    pub fn with(mut self, name: header::HeaderName, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

/// A running server. Without an answer of the test it answers that it stored all facts, and has those of all digests.
pub struct Played {
    pub url: String,
    data: Shared,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Data {
    calls: Vec<Call>,
    enrolments: Vec<(String, EnrolRequest)>,
    replies: VecDeque<Reply>,
}

type Shared = Arc<Mutex<Data>>;

impl Played {
    pub async fn start() -> Self {
        Self::at(0).await
    }

    pub async fn at(port: u16) -> Self {
        let data = Shared::default();
        let router = Router::new().fallback(answer).with_state(Arc::clone(&data));
        let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.expect("to serve") });
        Self { url, data, task }
    }

    /// Adds an answer to the next message that has none yet.
    pub fn reply(&self, reply: Reply) {
        lock(&self.data).replies.push_back(reply);
    }

    pub fn calls(&self) -> Vec<Call> {
        lock(&self.data).calls.clone()
    }

    /// Returns the requests to be enrolled, each with the header with its token.
    pub fn enrolments(&self) -> Vec<(String, EnrolRequest)> {
        lock(&self.data).enrolments.clone()
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock(data: &Shared) -> MutexGuard<'_, Data> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(State(data): State<Shared>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1 << 20).await.expect("a body");
    let mut text = Vec::new();
    GzDecoder::new(&body[..]).read_to_end(&mut text).expect("gzip");
    let of = |name| value(&head.headers, name);
    if head.uri.path().ends_with("/facts/enrol") {
        let request = EnrolRequest::read(&text).expect("a request");
        let mut data = lock(&data);
        data.enrolments.push((of(header::AUTHORIZATION), request));
        return response(data.replies.pop_front().unwrap_or_else(|| Reply::text(200, ENROLLED)));
    }
    let call = Call {
        head: format!("{} {} {} {}", head.method, head.uri, of(header::CONTENT_TYPE), of(header::CONTENT_ENCODING)),
        authorization: of(header::AUTHORIZATION),
        message: Message::read(&text).expect("a message"),
    };

    let mut data = lock(&data);
    let usual = || Reply::outcome(if call.is_whole() { "STORED" } else { "UNCHANGED" });
    let reply = data.replies.pop_front().unwrap_or_else(usual);
    data.calls.push(call);
    response(reply)
}

fn response(reply: Reply) -> Response<Body> {
    let mut response = Response::builder().status(reply.status);
    for (name, value) in reply.headers {
        response = response.header(name, value);
    }
    response.body(Body::from(reply.body)).expect("an answer")
}

fn value(headers: &HeaderMap, name: header::HeaderName) -> String {
    headers.get(name).map(|value| value.to_str().expect("text").to_owned()).unwrap_or_default()
}
