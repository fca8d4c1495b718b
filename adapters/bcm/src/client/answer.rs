//! Judges the answers of BCM.

pub mod parse;

use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use reqwest::{Response, StatusCode};
use underlay_kit::sync::AdapterError;
use underlay_kit::{MAX_LIST_VALUES, causes, check_values, printable};

/// The maximum length of an answer in bytes.
const MAX_ANSWER_BYTES: usize = 64 << 20;

/// The reason why a call has no answer.
#[derive(Debug)]
pub enum Failure {
    /// The same call can succeed later.
    Passing {
        /// The error if it does not.
        error: AdapterError,
        /// The time after which BCM wants to be asked again.
        after: Option<Duration>,
    },
    /// The same call fails again.
    Final(AdapterError),
}

impl Failure {
    /// Returns the failure as an error.
    pub fn into_error(self) -> AdapterError {
        match self {
            Self::Passing { error, .. } | Self::Final(error) => error,
        }
    }
}

/// The head of an answer, as far as it decides what the answer is.
pub struct Head {
    status: StatusCode,
    after: Option<Duration>,
}

/// Reads the head of an answer.
pub fn judge(response: &Response) -> Head {
    let after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let after = after.and_then(|text| text.trim().parse().ok()).map(Duration::from_secs);
    Head { status: response.status(), after }
}

/// Reads the body of an answer, within the bound.
///
/// # Errors
/// Returns an error if the answer breaks off, is too long, has too many values, or is no text.
pub async fn read(call: &str, mut response: Response) -> Result<String, Failure> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|error| unreachable(call, &error))? {
        if body.len() + piece.len() > MAX_ANSWER_BYTES {
            let expected = format!("at most {} MiB, but the answer is longer", MAX_ANSWER_BYTES >> 20);
            return Err(Failure::Final(wrong(call, expected)));
        }
        body.extend_from_slice(&piece);
    }
    check_values(&body, MAX_LIST_VALUES).map_err(|expected| Failure::Final(wrong(call, expected)))?;
    String::from_utf8(body).map_err(|_| Failure::Final(wrong(call, "text in UTF-8".to_owned())))
}

impl Head {
    /// Returns the body of a good answer, or the reason why the answer is none.
    ///
    /// # Errors
    /// Returns an error if the status is an error. BCM reports its own errors with the status 200.
    pub fn finish(self, call: &str, body: Result<String, Failure>) -> Result<String, Failure> {
        let status = self.status;
        let is_passing =
            status.is_server_error() || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        if is_passing {
            let error = AdapterError::Unreachable { call: call.to_owned(), reason: format!("HTTP {status}") };
            return Err(Failure::Passing { error, after: self.after });
        }
        match status {
            status if status.is_success() => body,
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let reason = format!("HTTP {status}; {ACCESS}");
                Err(Failure::Final(AdapterError::Refused { call: call.to_owned(), reason }))
            }
            status => {
                let expected = format!("an answer of BCM, but it is HTTP {status}: check the URL and its port");
                Err(Failure::Final(wrong(call, expected)))
            }
        }
    }
}

/// The advice about an access that BCM refuses.
const ACCESS: &str = "give the client certificate of a BCM profile that may read devices, categories and racks";

/// Returns the error that BCM reports in an answer with the status 200.
pub fn reported(call: &str, message: &str) -> AdapterError {
    let message = printable(message.trim());
    // BCM has no codes of errors; these words are in the message about every missing right.
    if ["certificate", "does not allow access"].iter().any(|words| message.contains(words)) {
        let reason = format!("{}; {ACCESS}", message.trim_end_matches('.'));
        return AdapterError::Refused { call: call.to_owned(), reason };
    }
    wrong(call, format!("a result, but BCM reports an error: {message}"))
}

/// Returns the error of an answer that is wrong as a whole.
pub fn wrong(call: &str, expected: String) -> AdapterError {
    AdapterError::WrongAnswer { call: call.to_owned(), path: String::new(), expected }
}

/// Returns the failure of a call that got no answer.
pub fn unreachable(call: &str, error: &reqwest::Error) -> Failure {
    let mut reasons = causes(error);
    let call = call.to_owned();
    // The peer sends this alert when it is the one that refuses a certificate, so it is ours.
    if reasons.contains("received fatal alert") {
        let reason = format!("{}; BCM does not accept the client certificate: {ACCESS}", printable(&reasons));
        return Failure::Final(AdapterError::Refused { call, reason });
    }
    if ["certificate", "UnknownIssuer"].iter().any(|word| reasons.contains(word)) {
        let reason = format!(
            "{}; give the certificate of the authority that signed the one of BCM, and use a host name that is in it",
            printable(&reasons)
        );
        return Failure::Final(AdapterError::Unreachable { call, reason });
    }
    if error.is_timeout() {
        reasons = "it did not answer in time".to_owned();
    } else if reasons.is_empty() {
        reasons = "the connection failed".to_owned();
    }
    if error.is_connect() {
        reasons.push_str("; check the URL, and that BCM is running there");
    }
    let reason = printable(&reasons);
    Failure::Passing { error: AdapterError::Unreachable { call, reason }, after: None }
}
