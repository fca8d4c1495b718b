//! Reads the answers of outside systems over HTTP within bounds, and says why a call got none.
//!
//! Guarantee: an answer that is returned takes a bounded amount of memory once it is read as JSON.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use crate::{causes, check_values};

/// The maximum number of values in an answer that lists objects. A list of 64 MiB, the longest that adapters read, has
/// about half as many.
pub const MAX_LIST_VALUES: usize = 4_000_000;

/// The bounds of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The maximum number of bytes: a multiple of 1 MiB.
    pub bytes: usize,
    /// The maximum number of values of JSON.
    pub values: usize,
}

/// The reason why the body of an answer is not read to its end.
#[derive(Debug)]
pub enum BodyError {
    /// The answer breaks off.
    Broken(reqwest::Error),
    /// It is beyond a bound. The text is what is expected instead, such as `at most 64 MiB, but the answer is longer`.
    Bounds(String),
}

/// Reads the body of an answer.
///
/// # Errors
/// Returns an error if the answer breaks off, or is beyond the bounds.
pub async fn body_of(mut response: Response, bounds: Bounds) -> Result<Vec<u8>, BodyError> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(BodyError::Broken)? {
        if body.len() + piece.len() > bounds.bytes {
            return Err(BodyError::Bounds(format!("at most {} MiB, but the answer is longer", bounds.bytes >> 20)));
        }
        body.extend_from_slice(&piece);
    }
    check_values(&body, bounds.values).map_err(BodyError::Bounds)?;
    Ok(body)
}

/// Returns the time after which a server wants to be asked again, if it says so in seconds.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}

/// Returns why a call got no answer: the causes of an error, or the words for one that has none.
pub fn why_unanswered(error: &reqwest::Error) -> String {
    let reasons = causes(error);
    if error.is_timeout() {
        "it did not answer in time".to_owned()
    } else if reasons.is_empty() {
        "the connection failed".to_owned()
    } else {
        reasons
    }
}

/// Returns true if the certificate of the peer is the reason.
pub fn is_about_certificates(reasons: &str) -> bool {
    ["certificate", "UnknownIssuer"].iter().any(|word| reasons.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_body_is_read_up_to_its_bound() {
        let of = |text: String| Response::from(axum::http::Response::new(text));
        let bounds = Bounds { bytes: 1 << 20, values: 10 };
        let read = body_of(of("[1,2]".to_owned()), bounds).await;
        assert_eq!(read.expect("a body"), b"[1,2]");
        match body_of(of(" ".repeat((1 << 20) + 1)), bounds).await {
            Err(BodyError::Bounds(expected)) => assert_eq!(expected, "at most 1 MiB, but the answer is longer"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_time_to_ask_again_is_given_in_seconds() {
        let headers = |text: &str| HeaderMap::from_iter([(RETRY_AFTER, text.parse().expect("a value"))]);
        assert_eq!(retry_after(&headers(" 7 ")), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(&headers("Fri, 31 Dec 1999 23:59:59 GMT")), None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
