//! Sends a document by a transport, and reads what of the answer a client relies on.

use reqwest::Method;
use serde_json::{Value, json};

use super::cases::Case;
use crate::harness::{Received, Socket};

/// The way of a document to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    Post,
    Get,
    Socket,
}

/// What a client relies on.
#[derive(Debug, PartialEq)]
pub struct Answer {
    /// The status of an answer over HTTP, or the code with which a WebSocket was closed; `None` for one that was not.
    status: Option<u16>,
    data: Value,
    /// The places of the errors: the path to a field, or null.
    paths: Vec<Value>,
}

impl Transport {
    pub const ALL: [Self; 3] = [Self::Post, Self::Get, Self::Socket];

    pub async fn ask(self, server: &str, case: &Case) -> Answer {
        match self {
            Self::Post => by_http(server, Method::POST, case).await,
            Self::Get => by_http(server, Method::GET, case).await,
            Self::Socket => by_socket(server, case).await,
        }
    }
}

async fn by_http(server: &str, method: Method, case: &Case) -> Answer {
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    let url = reqwest::Url::parse(&format!("{server}/graphql")).expect("an address");
    let request = match method {
        Method::POST => http.post(url).json(&case.request),
        _ => http.get(with_query(url, case)),
    };
    let answer = request.send().await.expect("an answer");
    let status = Some(answer.status().as_u16());
    // What is no JSON, such as a sentence, has neither data nor errors.
    let body = answer.json().await.unwrap_or(Value::Null);
    read(status, &body)
}

/// Puts a request into an address. A request that is a list has no such form.
fn with_query(mut url: reqwest::Url, case: &Case) -> reqwest::Url {
    for (name, value) in case.request.as_object().into_iter().flatten() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        url.query_pairs_mut().append_pair(name, &text);
    }
    url
}

async fn by_socket(server: &str, case: &Case) -> Answer {
    let mut socket = Socket::connect(server).await;
    socket.send(json!({"id": "1", "type": "subscribe", "payload": case.request})).await;
    match socket.receive().await {
        Received::Message(message) if message["type"] == "next" => read(None, &message["payload"]),
        Received::Message(message) if message["type"] == "error" => read(None, &json!({"errors": message["payload"]})),
        Received::Closed(code, _) => read(Some(code), &Value::Null),
        other => panic!("{}: {other:?}", case.name),
    }
}

fn read(status: Option<u16>, body: &Value) -> Answer {
    let errors = body["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
    let paths = errors.iter().map(|error| error["path"].clone()).collect();
    Answer { status, data: body["data"].clone(), paths }
}
