//! Judges the answers of NetBox.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use underlay_kit::sync::AdapterError;
use underlay_kit::{MAX_LIST_VALUES, causes, check_values, printable};

use super::{Call, OLDEST};

/// The maximum length of an answer in bytes. A page of 1,000 objects has a few MiB.
const MAX_ANSWER_BYTES: usize = 64 << 20;

/// The reason why a call has no answer.
#[derive(Debug)]
pub enum Failure {
    /// The same call can succeed later.
    Passing {
        /// The error if it does not.
        error: AdapterError,
        /// The time after which NetBox wants to be asked again.
        after: Option<Duration>,
    },
    /// NetBox does not have the object.
    NoObject,
    /// NetBox does not have such a path.
    NoPath,
    /// The same call fails again.
    Final(AdapterError),
}

impl Failure {
    /// Returns the failure as an error of a call that must have an answer.
    pub fn into_error(self, call: &Call) -> AdapterError {
        match self {
            Self::Passing { error, .. } | Self::Final(error) => error,
            Self::NoObject | Self::NoPath => AdapterError::WrongAnswer {
                call: call.text.to_string(),
                path: String::new(),
                expected: format!(
                    "an answer of the REST API of NetBox {}.{} or later, but it is HTTP 404: check the URL, and the version of NetBox",
                    OLDEST.0, OLDEST.1
                ),
            },
        }
    }
}

/// The head of an answer, as far as it decides what the answer is.
pub struct Head {
    status: StatusCode,
    is_json: bool,
    after: Option<Duration>,
    location: Option<String>,
}

/// Reads the head of an answer.
pub fn judge(response: &Response) -> Head {
    let text = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let essence = text(CONTENT_TYPE).unwrap_or_default().split(';').next().unwrap_or_default().trim().to_owned();
    Head {
        status: response.status(),
        is_json: essence.eq_ignore_ascii_case("application/json"),
        after: text(RETRY_AFTER).and_then(|text| text.trim().parse().ok()).map(Duration::from_secs),
        location: text(LOCATION).map(printable),
    }
}

/// Reads the body of an answer, within the bound.
///
/// # Errors
/// Returns an error if the answer breaks off, is too long, has too many values, or is no text.
pub async fn read(call: &Call, mut response: Response) -> Result<String, Failure> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|error| unreachable(call, &error))? {
        if body.len() + piece.len() > MAX_ANSWER_BYTES {
            return Err(wrong(call, format!("at most {} MiB, but the answer is longer", MAX_ANSWER_BYTES >> 20)));
        }
        body.extend_from_slice(&piece);
    }
    check_values(&body, MAX_LIST_VALUES).map_err(|expected| wrong(call, expected))?;
    String::from_utf8(body).map_err(|_| wrong(call, "text in UTF-8".to_owned()))
}

impl Head {
    /// Returns the body of a good answer, or the reason why the answer is none.
    ///
    /// # Errors
    /// Returns an error if the status is an error, or the body is no JSON.
    pub fn finish(self, call: &Call, body: Result<String, Failure>) -> Result<String, Failure> {
        let name = call.text.to_string();
        if self.status.is_redirection() {
            let to = self.location.unwrap_or_else(|| "nowhere".to_owned());
            return Err(wrong(call, format!("an answer, not a redirect to {to}: give the address of NetBox itself")));
        }
        let is_passing = self.status.is_server_error()
            || matches!(self.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        if is_passing {
            let reason = format!("HTTP {}{}", self.status, detail(body.ok().as_deref(), self.is_json));
            return Err(Failure::Passing {
                error: AdapterError::Unreachable { call: name, reason },
                after: self.after,
            });
        }
        let body = body?;
        let detail = detail(Some(&body), self.is_json);
        match self.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let reason = format!(
                    "HTTP {}{detail}; give a valid token, and give its user the right to view all objects of this list",
                    self.status
                );
                Err(Failure::Final(AdapterError::Refused { call: name, reason }))
            }
            StatusCode::NOT_FOUND => Err(if self.is_json { Failure::NoObject } else { Failure::NoPath }),
            status if !self.is_json => {
                let expected = format!(
                    "JSON of NetBox's REST API, but the answer is another page (HTTP {status}): check the URL and the version of NetBox"
                );
                Err(wrong(call, expected))
            }
            status if status.is_success() => Ok(body),
            status => Err(wrong(call, format!("an answer, but it is HTTP {status}{detail}"))),
        }
    }
}

/// Returns what NetBox says about an error.
fn detail(body: Option<&str>, is_json: bool) -> String {
    let body = body.filter(|_| is_json).and_then(|body| serde_json::from_str::<Value>(body).ok());
    let Some(body) = body else { return String::new() };
    let text = ["detail", "error"].iter().find_map(|name| body.get(name)?.as_str());
    text.map_or_else(String::new, |text| format!(": {}", printable(text)))
}

fn wrong(call: &Call, expected: String) -> Failure {
    Failure::Final(AdapterError::WrongAnswer { call: call.text.to_string(), path: String::new(), expected })
}

/// Returns the failure of a call that got no answer.
pub fn unreachable(call: &Call, error: &reqwest::Error) -> Failure {
    let mut reasons = causes(error);
    if error.is_timeout() {
        reasons = "it did not answer in time".to_owned();
    } else if reasons.is_empty() {
        reasons = "the connection failed".to_owned();
    }
    let is_certificate = ["certificate", "UnknownIssuer"].iter().any(|word| reasons.contains(word));
    let call = call.text.to_string();
    if is_certificate {
        let reason =
            format!("{}; give the certificate of the authority that signed the one of NetBox", printable(&reasons));
        return Failure::Final(AdapterError::Unreachable { call, reason });
    }
    if error.is_connect() {
        reasons.push_str("; check the URL, and that NetBox is running there");
    }
    let reason = printable(&reasons);
    Failure::Passing { error: AdapterError::Unreachable { call, reason }, after: None }
}
