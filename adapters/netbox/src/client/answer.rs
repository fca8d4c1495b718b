//! Judges the answers of NetBox.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use underlay_kit::http::{
    BodyError, Bounds, MAX_LIST_VALUES, body_of, is_about_certificates, retry_after, why_unanswered,
};
use underlay_kit::printable;
use underlay_kit::sync::AdapterError;

use super::{Call, OLDEST};

/// The bounds of an answer. A page of 1,000 objects has a few MiB.
const BOUNDS: Bounds = Bounds { bytes: 64 << 20, values: MAX_LIST_VALUES };

/// The reason why a call has no answer.
#[derive(Debug)]
pub enum NetBoxFailure {
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

impl NetBoxFailure {
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
        after: retry_after(response.headers()),
        location: text(LOCATION).map(printable),
    }
}

/// Reads the body of an answer, within the bound.
///
/// # Errors
/// Returns an error if the answer breaks off, is too long, has too many values, or is no text.
pub async fn read(call: &Call, response: Response) -> Result<String, NetBoxFailure> {
    let body = body_of(response, BOUNDS).await.map_err(|error| match error {
        BodyError::Broken(error) => unreachable(call, &error),
        BodyError::Bounds(expected) => wrong(call, expected),
    })?;
    String::from_utf8(body).map_err(|_| wrong(call, "text in UTF-8".to_owned()))
}

impl Head {
    /// Returns the body of a good answer, or the reason why the answer is none.
    ///
    /// # Errors
    /// Returns an error if the status is an error, or the body is no JSON.
    pub fn finish(self, call: &Call, body: Result<String, NetBoxFailure>) -> Result<String, NetBoxFailure> {
        let name = call.text.to_string();
        if self.status.is_redirection() {
            let to = self.location.unwrap_or_else(|| "nowhere".to_owned());
            return Err(wrong(call, format!("an answer, not a redirect to {to}: give the address of NetBox itself")));
        }
        let is_passing = self.status.is_server_error()
            || matches!(self.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        if is_passing {
            let reason = format!("HTTP {}{}", self.status, detail(body.ok().as_deref(), self.is_json));
            return Err(NetBoxFailure::Passing {
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
                Err(NetBoxFailure::Final(AdapterError::Refused { call: name, reason }))
            }
            StatusCode::NOT_FOUND => Err(if self.is_json { NetBoxFailure::NoObject } else { NetBoxFailure::NoPath }),
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

fn wrong(call: &Call, expected: String) -> NetBoxFailure {
    NetBoxFailure::Final(AdapterError::WrongAnswer { call: call.text.to_string(), path: String::new(), expected })
}

/// Returns the failure of a call that got no answer.
pub fn unreachable(call: &Call, error: &reqwest::Error) -> NetBoxFailure {
    let mut reasons = why_unanswered(error);
    let call = call.text.to_string();
    if is_about_certificates(&reasons) {
        let reason =
            format!("{}; give the certificate of the authority that signed the one of NetBox", printable(&reasons));
        return NetBoxFailure::Final(AdapterError::Unreachable { call, reason });
    }
    if error.is_connect() {
        reasons.push_str("; check the URL, and that NetBox is running there");
    }
    let reason = printable(&reasons);
    NetBoxFailure::Passing { error: AdapterError::Unreachable { call, reason }, after: None }
}
