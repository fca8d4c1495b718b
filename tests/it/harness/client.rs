//! A GraphQL client whose failures name the line of the test.

use std::future::Future;
use std::panic::Location;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::{Value, json};
use underlay_testing::HANG;

/// The mutation that `Client::apply` sends, for tests that send it themselves.
pub const APPLY: &str = "mutation($input: ApplyInput!) {
  apply(input: $input) {
    revision
    results { status id kind name skipped { field manager } error { code field message } }
  }
}";

/// A client of one server; cheap to clone.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    server: String,
    headers: HeaderMap,
}

/// The answer to an operation.
#[derive(Clone, Debug)]
pub struct Response {
    pub data: Value,
    pub errors: Vec<GraphqlError>,
    pub extensions: Value,
}

/// An error in an answer.
#[derive(Clone, Debug)]
pub struct GraphqlError {
    pub message: String,
    /// The code, `extensions.code`; empty if the error has none.
    pub code: String,
    /// The field, `extensions.field`.
    pub field: Option<String>,
    /// The path of the error, or null.
    pub path: Value,
    pub extensions: Value,
}

/// The answer to any other request.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("not JSON ({error}), status {}: {}", self.status, self.text()))
    }
}

impl Client {
    pub fn new(server: &str) -> Self {
        // A proxy of the developer must not be used for local connections.
        let http = reqwest::Client::builder().no_proxy().timeout(HANG).build().expect("make a client");
        Self { http, server: server.to_owned(), headers: HeaderMap::new() }
    }

    /// Returns the client with a token.
    pub fn bearing(&self, token: &str) -> Self {
        let value = HeaderValue::from_str(&format!("Bearer {token}")).expect("a header");
        self.with_headers(HeaderMap::from_iter([(AUTHORIZATION, value)]))
    }

    /// Returns the client with these headers.
    pub fn with_headers(&self, headers: HeaderMap) -> Self {
        let mut all = self.headers.clone();
        all.extend(headers);
        Self { headers: all, ..self.clone() }
    }

    /// Sends an operation and returns the answer.
    #[track_caller]
    pub fn execute(&self, query: &str, variables: Value) -> impl Future<Output = Response> + Send {
        let caller = Location::caller();
        let answer = self.try_execute(query, variables);
        async move { answer.await.unwrap_or_else(|error| panic!("{caller}: no answer: {error:?}")) }
    }

    /// Sends an operation to a server that can be killed meanwhile.
    pub fn try_execute(
        &self,
        query: &str,
        variables: Value,
    ) -> impl Future<Output = Result<Response, reqwest::Error>> + Send + use<> {
        let body = json!({"query": query, "variables": variables});
        let request = self
            .http
            .post(format!("{}/graphql", self.server))
            .header(ACCEPT, "application/graphql-response+json, application/json;q=0.9")
            .headers(self.headers.clone())
            .json(&body);
        async move { Ok(response(&answer(request).await?)) }
    }

    /// Returns the data of an operation that must succeed.
    #[track_caller]
    pub fn ok(&self, query: &str, variables: Value) -> impl Future<Output = Value> + Send {
        let caller = Location::caller();
        let answer = self.execute(query, variables);
        async move {
            let response = answer.await;
            assert!(response.errors.is_empty(), "{caller}: refused: {:#?}", response.errors);
            response.data
        }
    }

    /// Returns the errors of an operation that must be rejected.
    #[track_caller]
    pub fn refused(&self, query: &str, variables: Value) -> impl Future<Output = Vec<GraphqlError>> + Send {
        let caller = Location::caller();
        let answer = self.execute(query, variables);
        async move {
            let response = answer.await;
            assert!(!response.errors.is_empty(), "{caller}: not refused: {:#}", response.data);
            response.errors
        }
    }

    /// Applies items as one batch. Returns the payload, in which items can have failed.
    #[track_caller]
    pub fn apply(&self, items: Vec<Value>) -> impl Future<Output = Value> + Send {
        self.apply_input(json!({"items": items}))
    }

    /// Applies an input: `{items, mode, conflicts, source, dryRun, requestId}`.
    #[track_caller]
    pub fn apply_input(&self, input: Value) -> impl Future<Output = Value> + Send {
        let answer = self.ok(APPLY, json!({"input": input}));
        async move { answer.await["apply"].take() }
    }

    /// Applies items, none of which may fail.
    #[track_caller]
    pub fn apply_all(&self, items: Vec<Value>) -> impl Future<Output = Value> + Send {
        let caller = Location::caller();
        let answer = self.apply(items);
        async move {
            let payload = answer.await;
            let results = payload["results"].as_array().unwrap_or_else(|| panic!("{caller}: no results: {payload:#}"));
            let failed: Vec<_> = results.iter().filter(|result| result["status"] == "FAILED").collect();
            assert!(failed.is_empty(), "{caller}: not applied: {failed:#?}");
            payload
        }
    }

    /// Posts bytes to /graphql. Returns an error if the server closes the connection instead of answering.
    pub async fn post_bytes(&self, content_type: &str, body: impl Into<Vec<u8>>) -> Result<Answer, reqwest::Error> {
        let url = format!("{}/graphql", self.server);
        answer(self.http.post(url).headers(self.headers.clone()).header(CONTENT_TYPE, content_type).body(body.into()))
            .await
    }

    /// Posts a body to `/apply` with this query string.
    #[track_caller]
    pub fn post_lines(&self, query: &str, body: impl Into<Vec<u8>>) -> impl Future<Output = Answer> + Send {
        let caller = Location::caller();
        let request = self.http.post(format!("{}/apply?{query}", self.server)).headers(self.headers.clone());
        let request = request.header(CONTENT_TYPE, "application/x-ndjson").body(body.into());
        async move { answer(request).await.unwrap_or_else(|error| panic!("{caller}: no answer: {error:?}")) }
    }

    /// Posts what the agent of a host says to `/facts`. Returns an error if there is no answer.
    pub async fn post_facts(&self, token: &str, message: &Value) -> Result<Answer, reqwest::Error> {
        let request = self.http.post(format!("{}/facts", self.server)).bearer_auth(token);
        answer(request.header(CONTENT_TYPE, "application/json").body(message.to_string())).await
    }

    /// Posts bytes to `/facts` with these headers.
    #[track_caller]
    pub fn post_facts_bytes(
        &self,
        headers: &[(&str, &str)],
        body: impl Into<Vec<u8>>,
    ) -> impl Future<Output = Answer> + Send {
        self.post_with("/facts", headers, body.into())
    }

    /// Posts bytes to `/facts` with these headers. Returns an error if there is no answer.
    pub async fn try_post_facts_bytes(&self, headers: &[(&str, &str)], body: &[u8]) -> Result<Answer, reqwest::Error> {
        let request = self.http.post(format!("{}/facts", self.server)).body(body.to_vec());
        answer(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
    }

    /// Posts bytes to `/facts/enrol` with these headers.
    #[track_caller]
    pub fn post_enrolment(
        &self,
        headers: &[(&str, &str)],
        body: impl Into<Vec<u8>>,
    ) -> impl Future<Output = Answer> + Send {
        self.post_with("/facts/enrol", headers, body.into())
    }

    /// Posts what a recorder says, with the token of the agent in the path.
    #[track_caller]
    pub fn post_recording(
        &self,
        token: &str,
        headers: &[(&str, &str)],
        body: impl Into<Vec<u8>>,
    ) -> impl Future<Output = Answer> + Send {
        self.post_with(&format!("/facts/recorder/{token}"), headers, body.into())
    }

    #[track_caller]
    fn post_with(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> impl Future<Output = Answer> + Send + use<> {
        let caller = Location::caller();
        let request = self.http.post(format!("{}{path}", self.server)).body(body);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        async move { answer(request).await.unwrap_or_else(|error| panic!("{caller}: no answer: {error:?}")) }
    }

    /// Posts items to `/apply`. Returns the answer to each item, and the last line.
    #[track_caller]
    pub fn apply_lines(&self, query: &str, items: &[Value]) -> impl Future<Output = (Vec<Value>, Value)> + Send {
        let caller = Location::caller();
        let body: String = items.iter().map(|item| format!("{}\n", json!({"item": item}))).collect();
        let (answer, count) = (self.post_lines(query, body), items.len());
        async move {
            let answer = answer.await;
            assert_eq!(answer.status, 200, "{caller}: {}", answer.text());
            let (results, end) = lines(&answer);
            assert_eq!((results.len(), &end["end"]), (count, &json!(true)), "{caller}: {end}");
            (results, end)
        }
    }

    /// Gets a path, such as `/healthz`.
    #[track_caller]
    pub fn get(&self, path: &str) -> impl Future<Output = Answer> + Send {
        let caller = Location::caller();
        let request = self.http.get(format!("{}{path}", self.server)).headers(self.headers.clone());
        async move { answer(request).await.unwrap_or_else(|error| panic!("{caller}: no answer: {error:?}")) }
    }
}

/// Returns the lines of an answer of `/apply`, and separately the last one.
#[track_caller]
pub fn lines(answer: &Answer) -> (Vec<Value>, Value) {
    let text = answer.text();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let end = lines.pop().unwrap_or_default();
    (lines, end)
}

async fn answer(request: reqwest::RequestBuilder) -> Result<Answer, reqwest::Error> {
    let response = request.send().await?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Ok(Answer { status, headers, body: response.bytes().await?.to_vec() })
}

fn response(answer: &Answer) -> Response {
    let mut body = answer.json();
    let errors = match body["errors"].take() {
        Value::Array(errors) => errors.into_iter().map(error).collect(),
        _ => Vec::new(),
    };
    Response { data: body["data"].take(), errors, extensions: body["extensions"].take() }
}

fn error(mut error: Value) -> GraphqlError {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let extensions = error["extensions"].take();
    GraphqlError {
        message: text(&error["message"]).unwrap_or_default(),
        code: text(&extensions["code"]).unwrap_or_default(),
        field: text(&extensions["field"]),
        path: error["path"].take(),
        extensions,
    }
}
