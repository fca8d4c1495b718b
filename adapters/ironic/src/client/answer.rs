//! One exchange over HTTP: the answer within its bounds, and the error that a status means.

use std::time::Duration;

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{RequestBuilder, Response, StatusCode};
use serde_json::{Map, Value};
use underlay_kit::http::{BodyError, Bounds, MAX_LIST_VALUES, body_of, retry_after, why_unanswered};
use underlay_kit::printable;

use super::error::IronicError;
use super::request::{Call, Effect};

/// The bounds of an answer. A page of 1,000 nodes with all details has about 10 MiB.
const BOUNDS: Bounds = Bounds { bytes: 64 << 20, values: MAX_LIST_VALUES };
/// The header with the oldest microversion that Ironic offers, and the one with the newest.
pub const VERSIONS: [&str; 2] = ["x-openstack-ironic-api-minimum-version", "x-openstack-ironic-api-maximum-version"];

/// A good answer.
#[derive(Debug)]
pub struct IronicAnswer {
    pub headers: HeaderMap,
    body: Vec<u8>,
}

/// The reason why there is no good answer.
#[derive(Debug)]
pub struct IronicFailure {
    pub error: IronicError,
    /// The time after which the server wants to be asked again.
    pub after: Option<Duration>,
}

impl From<IronicError> for IronicFailure {
    fn from(error: IronicError) -> Self {
        Self { error, after: None }
    }
}

impl IronicAnswer {
    /// Sends a request, and returns its answer.
    pub async fn of(call: &Call, request: RequestBuilder) -> Result<Self, IronicFailure> {
        let response = request.send().await.map_err(|error| unanswered(call, &error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = read(call, response).await;
        if status.is_success() {
            return Ok(Self { headers, body: body? });
        }
        let error = judge(call, status, &headers, message(&body.unwrap_or_default()));
        Err(IronicFailure { error, after: retry_after(&headers) })
    }

    /// Returns the body as an object of JSON.
    pub fn object(&self, call: &Call) -> Result<Map<String, Value>, IronicError> {
        // The error of the library has a position and nothing of the text.
        let value = serde_json::from_slice(&self.body)
            .map_err(|error| call.wrong("", format!("JSON, but: {error}; check that the URL is that of Ironic")))?;
        match value {
            Value::Object(members) => Ok(members),
            _ => Err(call.wrong("", "an object; check that the URL is that of Ironic".to_owned())),
        }
    }
}

async fn read(call: &Call, response: Response) -> Result<Vec<u8>, IronicError> {
    body_of(response, BOUNDS).await.map_err(|error| match error {
        BodyError::Broken(error) => unanswered(call, &error),
        BodyError::Bounds(expected) => call.wrong("", expected),
    })
}

/// Returns the error that a status means.
fn judge(call: &Call, status: StatusCode, headers: &HeaderMap, message: Option<String>) -> IronicError {
    let (is_ours, message) = (message.is_some(), message.unwrap_or_default());
    let name = call.text.to_string();
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            IronicError::Access { call: name, status, message, advice: advice(call.effect, status) }
        }
        StatusCode::NOT_ACCEPTABLE => {
            let advice = "its versions changed: try again, or upgrade the older of both";
            IronicError::Version { call: name, offered: offered(headers), advice }
        }
        StatusCode::CONFLICT if message.contains("locked") => IronicError::Locked { call: name, message },
        StatusCode::CONFLICT => IronicError::Conflict { call: name, message },
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
            IronicError::Busy { call: name, status, message }
        }
        status if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT => match call.effect {
            Effect::Reads | Effect::Fetches => IronicError::Busy { call: name, status, message },
            Effect::Changes => IronicError::Failed { call: name, status, message },
        },
        StatusCode::NOT_FOUND if is_ours => IronicError::NotFound { call: name, message },
        status if status.is_redirection() => {
            let to =
                headers.get(LOCATION).and_then(|value| value.to_str().ok()).map_or("nowhere".to_owned(), printable);
            call.wrong("", format!("an answer, not a redirect to {to}: give the address of the service itself"))
        }
        status if !is_ours => {
            call.wrong("", format!("an answer of the API, but it is another page (HTTP {status}): check the URL"))
        }
        status => IronicError::Rejected { call: name, status, message },
    }
}

const fn advice(effect: Effect, status: StatusCode) -> &'static str {
    match (effect, status) {
        (Effect::Fetches, _) => "check the user, its domain, its password and its project at Keystone",
        (_, StatusCode::FORBIDDEN) => "give the user the right to do this in Ironic",
        _ => "check the kind of authentication, the user name and the password",
    }
}

/// Returns the microversions that a server offers, for messages.
pub fn offered(headers: &HeaderMap) -> String {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map_or("?".to_owned(), printable);
    let [oldest, newest] = VERSIONS.map(text);
    format!("{oldest} to {newest}")
}

/// Returns the sentence of an error, `None` if the body is not an error of Ironic or Keystone.
///
/// Ironic has it within a text that is JSON itself, in one of two forms, and Keystone in `error.message`.
fn message(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let sentence = |value: &Value| -> Option<String> {
        let text = |name: &str| value.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        text("faultstring").or_else(|| text("description")).or_else(|| text("title")).map(str::to_owned)
    };
    let message = match (body.get("error_message"), body.get("error")) {
        (Some(Value::String(inner)), _) => match serde_json::from_str::<Value>(inner) {
            Ok(inner @ Value::Object(_)) => sentence(&inner).unwrap_or_default(),
            _ => inner.clone(),
        },
        (Some(inner), _) => sentence(inner).unwrap_or_default(),
        (None, Some(error)) => error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
        (None, None) => return None,
    };
    Some(printable(message.trim().trim_end_matches('.')))
}

/// Returns the error of a call that got no answer.
fn unanswered(call: &Call, error: &reqwest::Error) -> IronicError {
    let name = call.text.to_string();
    let reasons = why_unanswered(error);
    if ["invalid peer certificate", "UnknownIssuer"].iter().any(|word| reasons.contains(word)) {
        return IronicError::Certificate { call: name, reason: printable(&reasons) };
    }
    let reason = printable(&reasons);
    if error.is_connect() || error.is_builder() {
        let reason = format!("{reason}; check the URL, and that the service is running there");
        return IronicError::Unreachable { call: name, reason };
    }
    match call.effect {
        Effect::Reads | Effect::Fetches => IronicError::Unreachable { call: name, reason },
        Effect::Changes => IronicError::Unanswered { call: name, reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(effect: Effect, status: u16, body: &str) -> IronicError {
        let call = Call::new(reqwest::Method::GET, "http://ironic/v1/nodes".parse().expect("a URL"), effect);
        let status = StatusCode::from_u16(status).expect("a status");
        judge(&call, status, &HeaderMap::new(), message(body.as_bytes()))
    }

    #[test]
    fn a_status_says_what_it_means_for_the_call() {
        let fault =
            r#"{"error_message": "{\"faultcode\": \"Client\", \"faultstring\": \"Node 7 is locked by host a.\"}"}"#;
        let title =
            r#"{"error_message": "{\"code\": 404, \"title\": \"Not Found\", \"description\": \"No node 7.\"}"}"#;
        let plain = r#"{"error_message": "A port with this MAC address exists."}"#;
        for (effect, status, body, expected) in [
            (Effect::Changes, 409, fault, "the node is locked: Node 7 is locked by host a"),
            (Effect::Changes, 409, plain, "in conflict with what Ironic has (HTTP 409): A port with this MAC"),
            (Effect::Reads, 404, title, "there is no such thing (HTTP 404): No node 7"),
            (Effect::Reads, 404, "<html>", "check the URL"),
            (Effect::Reads, 500, title, "cannot answer now (HTTP 500 Internal Server Error): No node 7"),
            (Effect::Changes, 500, title, "nobody knows if it was done"),
            (Effect::Changes, 503, "", "cannot answer now (HTTP 503"),
            (Effect::Changes, 400, title, "refuses with HTTP 400 Bad Request: No node 7"),
            (Effect::Reads, 401, "", "check the kind of authentication, the user name and the password"),
            (Effect::Reads, 403, "", "give the user the right"),
            (
                Effect::Fetches,
                401,
                r#"{"error": {"message": "Wrong."}}"#,
                "(HTTP 401 Unauthorized): Wrong; check the user",
            ),
            (Effect::Reads, 406, "", "between 1.81 and 1.115"),
            (Effect::Reads, 302, "", "not a redirect to nowhere"),
        ] {
            let found = error_of(effect, status, body).to_string();
            assert!(found.starts_with("GET http://ironic/v1/nodes: ") && found.contains(expected), "{found}");
        }
    }
}
