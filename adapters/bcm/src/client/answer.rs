//! Judges the answers of BCM.

pub mod parse;

use std::time::Duration;

use reqwest::{Response, StatusCode};
use underlay_kit::http::{
    BodyError, Bounds, MAX_LIST_VALUES, body_of, is_about_certificates, retry_after, why_unanswered,
};
use underlay_kit::printable;
use underlay_kit::sync::AdapterError;

/// The bounds of an answer.
const BOUNDS: Bounds = Bounds { bytes: 64 << 20, values: MAX_LIST_VALUES };

/// The reason why a call has no answer.
#[derive(Debug)]
pub enum BcmFailure {
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

impl BcmFailure {
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
    Head { status: response.status(), after: retry_after(response.headers()) }
}

/// Reads the body of an answer, within the bound.
///
/// # Errors
/// Returns an error if the answer breaks off, is too long, has too many values, or is no text.
pub async fn read(call: &str, response: Response) -> Result<String, BcmFailure> {
    let body = body_of(response, BOUNDS).await.map_err(|error| match error {
        BodyError::Broken(error) => unreachable(call, &error),
        BodyError::Bounds(expected) => BcmFailure::Final(wrong(call, expected)),
    })?;
    String::from_utf8(body).map_err(|_| BcmFailure::Final(wrong(call, "text in UTF-8".to_owned())))
}

impl Head {
    /// Returns the body of a good answer, or the reason why the answer is none.
    ///
    /// # Errors
    /// Returns an error if the status is an error. BCM reports its own errors with the status 200.
    pub fn finish(self, call: &str, body: Result<String, BcmFailure>) -> Result<String, BcmFailure> {
        let status = self.status;
        let is_passing =
            status.is_server_error() || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        if is_passing {
            let error = AdapterError::Unreachable { call: call.to_owned(), reason: format!("HTTP {status}") };
            return Err(BcmFailure::Passing { error, after: self.after });
        }
        match status {
            status if status.is_success() => body,
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let reason = format!("HTTP {status}; {ACCESS}");
                Err(BcmFailure::Final(AdapterError::Refused { call: call.to_owned(), reason }))
            }
            status => {
                let expected = format!("an answer of BCM, but it is HTTP {status}: check the URL and its port");
                Err(BcmFailure::Final(wrong(call, expected)))
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
pub fn unreachable(call: &str, error: &reqwest::Error) -> BcmFailure {
    let mut reasons = why_unanswered(error);
    let call = call.to_owned();
    // The peer sends this alert when it is the one that refuses a certificate, so it is ours.
    if reasons.contains("received fatal alert") {
        let reason = format!("{}; BCM does not accept the client certificate: {ACCESS}", printable(&reasons));
        return BcmFailure::Final(AdapterError::Refused { call, reason });
    }
    if is_about_certificates(&reasons) {
        let reason = format!(
            "{}; give the certificate of the authority that signed the one of BCM, and use a host name that is in it",
            printable(&reasons)
        );
        return BcmFailure::Final(AdapterError::Unreachable { call, reason });
    }
    if error.is_connect() {
        reasons.push_str("; check the URL, and that BCM is running there");
    }
    let reason = printable(&reasons);
    BcmFailure::Passing { error: AdapterError::Unreachable { call, reason }, after: None }
}
