//! One call over HTTP: the request, the bound of its answer, and the sentence if it fails.

use std::time::Duration;

use reqwest::header::{ETAG, HeaderMap, LOCATION};
use reqwest::{Method, RequestBuilder, StatusCode, Url};
use serde_json::{Map, Value};
use underlay_kit::http::{BodyError, Bounds, body_of};
use underlay_kit::{causes, printable};

use crate::failure::RedfishError;
use crate::resource::{Resource, member, object, text};

/// The bounds of an answer. The longest of BMCs, collections of log entries, have about a MiB.
const BOUNDS: Bounds = Bounds { bytes: 4 << 20, values: 500_000 };

/// The effect of a call, which decides what an answer that does not come means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The call changes nothing.
    Reads,
    /// The call changes the power.
    Power,
    /// The call changes the boot device.
    Boot,
}

impl Effect {
    /// Returns the reason for which a BMC refuses such a call, as one word.
    const fn word(self) -> &'static str {
        match self {
            Self::Reads => "BmcRefused",
            Self::Power => "PowerRefused",
            Self::Boot => "BootRefused",
        }
    }
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    pub method: Method,
    pub url: Url,
    pub body: Option<Value>,
    /// The version that the resource must still have.
    pub if_match: Option<String>,
    pub effect: Effect,
}

/// The answer to a call.
#[derive(Debug)]
pub struct RedfishAnswer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// The body, if it is an object of JSON.
    pub members: Option<Map<String, Value>>,
}

impl Call {
    /// Returns a call that reads a resource.
    pub const fn read(url: Url) -> Self {
        Self { method: Method::GET, url, body: None, if_match: None, effect: Effect::Reads }
    }

    /// Returns a call that changes something.
    pub const fn change(method: Method, url: Url, body: Value, effect: Effect) -> Self {
        Self { method, url, body: Some(body), if_match: None, effect }
    }

    /// Returns the call for messages. Bodies can contain passwords, so they are not shown.
    pub fn text(&self) -> String {
        printable(&format!("{} {}", self.method, self.url))
    }

    /// Sends the call.
    ///
    /// # Errors
    /// Returns an error if there is no complete answer. A status that is an error is an answer.
    pub async fn send(&self, request: RequestBuilder, within: Duration) -> Result<RedfishAnswer, RedfishError> {
        let request = match &self.body {
            Some(body) => request.json(body),
            None => request,
        };
        let response = request.timeout(within).send().await.map_err(|error| self.unanswered(&error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = body_of(response, BOUNDS).await.map_err(|error| match error {
            BodyError::Broken(error) => self.unanswered(&error),
            BodyError::Bounds(expected) => self.lost(format!("there must be {expected}")),
        })?;
        let members = match serde_json::from_slice(&body) {
            Ok(Value::Object(members)) => Some(members),
            _ => None,
        };
        Ok(RedfishAnswer { status, headers, members })
    }

    /// Returns the failure of a call that got no answer.
    fn unanswered(&self, error: &reqwest::Error) -> RedfishError {
        let reasons = causes(error);
        let reasons = if reasons.is_empty() { "the connection failed".to_owned() } else { printable(&reasons) };
        if let Some(reason) = certificate(&reasons) {
            return RedfishError::Certificate { call: self.text(), reason };
        }
        if error.is_connect() || error.is_builder() {
            let reason = match error.is_timeout() {
                true => {
                    "the BMC does not accept a connection; check bmcUrl, and that the controller reaches it".to_owned()
                }
                false => format!("{reasons}; check bmcUrl, and that the controller reaches it"),
            };
            return RedfishError::NoConnection { call: self.text(), reason };
        }
        self.lost(if error.is_timeout() { "the BMC did not answer in time".to_owned() } else { reasons })
    }

    /// Returns the failure of a call that was sent and got no complete answer.
    fn lost(&self, reason: String) -> RedfishError {
        match self.effect {
            Effect::Reads => RedfishError::ReadUnanswered { call: self.text(), reason },
            Effect::Power | Effect::Boot => RedfishError::Unanswered { call: self.text(), reason },
        }
    }

    /// Returns the resource of an answer.
    ///
    /// # Errors
    /// Returns an error if the answer is none that has a resource.
    pub fn resource(&self, answer: RedfishAnswer) -> Result<Resource, RedfishError> {
        self.check(&answer)?;
        let etag = answer.headers.get(ETAG).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let call = self.text();
        let Some(members) = answer.members else {
            return Err(RedfishError::WrongAnswer {
                call,
                path: String::new(),
                expected: "an object of JSON".to_owned(),
            });
        };
        let etag = etag.or_else(|| text(&members, "@odata.etag").map(str::to_owned));
        Ok(Resource { call: call.into(), url: self.url.clone(), etag, members })
    }

    /// Checks that an answer is a good one.
    ///
    /// # Errors
    /// Returns an error that says what the status means for the call.
    pub fn check(&self, answer: &RedfishAnswer) -> Result<(), RedfishError> {
        let (call, status) = (self.text(), answer.status);
        let message = message(answer.members.as_ref());
        match status {
            _ if status.is_success() => Ok(()),
            _ if status.is_redirection() => {
                let to = answer.headers.get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or("nowhere");
                Err(RedfishError::Redirect { call, to: printable(to) })
            }
            StatusCode::UNAUTHORIZED => {
                let advice = "give bmcCredential the user name and password of an account of the BMC";
                Err(RedfishError::Credential { call, status, message, advice })
            }
            StatusCode::FORBIDDEN => {
                let advice = "give the account of bmcCredential the right to configure and switch systems";
                Err(RedfishError::Credential { call, status, message, advice })
            }
            StatusCode::TOO_MANY_REQUESTS => Err(RedfishError::Busy { call, status, message }),
            _ if status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED => match self.effect {
                Effect::Reads => Err(RedfishError::Busy { call, status, message }),
                Effect::Power | Effect::Boot => Err(RedfishError::Unanswered {
                    call,
                    reason: format!("the BMC failed with HTTP {status}{message}"),
                }),
            },
            _ => Err(RedfishError::Rejected {
                word: self.effect.word(),
                call,
                status,
                message,
                advice: self.advice(status),
            }),
        }
    }

    /// Returns what to do about a call that is refused.
    fn advice(&self, status: StatusCode) -> &'static str {
        match (self.effect, status) {
            (_, StatusCode::CONFLICT) => "the system is in a state in which it cannot: look at its console, and retry",
            (Effect::Reads, StatusCode::NOT_FOUND) => {
                "check the path in bmcUrl, or leave it out, so that the system is found by uid or bootMac"
            }
            (Effect::Reads, _) => "check that the address is that of a BMC with Redfish",
            (Effect::Power, _) => "try it in the web page of the BMC to see why",
            (Effect::Boot, _) => "try it in the web page of the BMC to see why; bootMode can be another one",
        }
    }
}

/// Returns what a BMC says about an error, with a colon before it. DSP0266 has it in `error.@Message.ExtendedInfo`.
fn message(members: Option<&Map<String, Value>>) -> String {
    let Some(error) = members.and_then(|members| object(members, "error")) else { return String::new() };
    let extended = member(error, "@Message.ExtendedInfo").and_then(Value::as_array);
    let first = extended.and_then(|list| list.iter().filter_map(Value::as_object).find_map(|it| text(it, "Message")));
    let message = first.or_else(|| text(error, "message"));
    message.map_or_else(String::new, |message| format!(": {}", printable(message.trim_end_matches('.'))))
}

/// Returns the sentence for a certificate that is not trusted; `None` if the causes are others.
fn certificate(reasons: &str) -> Option<String> {
    let (_, reason) = reasons.split_once("invalid peer certificate: ")?;
    Some(if reason.contains("not valid for") {
        format!("its {reason}: use that name in bmcUrl, or set bmcInsecure")
    } else if reason.contains("expired") {
        "its certificate has expired: renew it at the BMC, or set bmcInsecure".to_owned()
    } else {
        format!(
            "its certificate is not trusted ({reason}): put the certificate of the authority that signed it into \
             bmcTrustedCas, or set bmcInsecure"
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_status_says_what_the_call_means() {
        let url = Url::parse("https://10.0.0.7/redfish/v1/Systems/1").unwrap();
        for (effect, status, expected) in [
            (Effect::Reads, 200, ""),
            (Effect::Power, 204, ""),
            (Effect::Power, 202, ""),
            (Effect::Reads, 301, "is a redirect to https://elsewhere/"),
            (Effect::Reads, 401, "give bmcCredential the user name and password"),
            (Effect::Power, 403, "the right to configure and switch systems"),
            (Effect::Reads, 404, "check the path in bmcUrl"),
            (Effect::Power, 409, "refuses with HTTP 409 Conflict: No way; the system is in a state"),
            (Effect::Boot, 400, "bootMode can be another one"),
            (Effect::Reads, 503, "cannot answer now (HTTP 503 Service Unavailable): No way"),
            (Effect::Power, 503, "failed with HTTP 503 Service Unavailable: No way; nobody knows if it was done"),
            (Effect::Power, 501, "refuses with HTTP 501"),
            (Effect::Power, 429, "cannot answer now (HTTP 429"),
        ] {
            let call = Call { method: Method::GET, url: url.clone(), body: None, if_match: None, effect };
            let body = json!({"error": {"message": "General", "@Message.ExtendedInfo": [{"Message": "No way."}]}});
            let mut headers = HeaderMap::new();
            headers.insert(LOCATION, "https://elsewhere/".parse().unwrap());
            let Value::Object(members) = body else { unreachable!() };
            let answer =
                RedfishAnswer { status: StatusCode::from_u16(status).unwrap(), headers, members: Some(members) };
            let found = call.check(&answer).err().map(|failure| failure.to_string()).unwrap_or_default();
            assert_eq!(found.is_empty(), expected.is_empty(), "{effect:?} {status}: {found}");
            assert!(found.contains(expected), "{effect:?} {status}: {found}");
            assert!(found.is_empty() || found.contains("GET https://10.0.0.7/redfish/v1/Systems/1"), "{found}");
        }
    }

    #[test]
    fn a_certificate_that_is_not_trusted_becomes_a_sentence() {
        for (reasons, expected) in [
            ("client error (Connect): invalid peer certificate: UnknownIssuer", "put the certificate of the authority"),
            (
                "x: invalid peer certificate: certificate not valid for name \"10.0.0.7\"; certificate is only valid for DnsName(\"bmc\")",
                "use that name in bmcUrl",
            ),
            ("invalid peer certificate: certificate expired: verification time", "renew it at the BMC"),
        ] {
            let found = certificate(reasons).unwrap();
            assert!(found.contains(expected) && found.ends_with("or set bmcInsecure"), "{found}");
        }
        assert!(certificate("connection refused").is_none());
    }
}
