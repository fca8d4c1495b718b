//! This module writes answers as JSON. An answer has at most as many bytes as its budget allows, and counts until it
//! was sent. Long answers are written by threads with a lower priority.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use async_graphql::{Response as GraphqlResponse, ServerError, Value};
use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use hyper::body::{Frame, SizeHint};
use serde::Serialize;

use super::encoding::{encoding, gzip};
use super::limits::Limit;
use super::refusal::Refused;
use underlay_engine::runtime::run_in_background;
use underlay_error::Code;
use underlay_read::{Budget, Over};

/// The number of bytes from which an answer is long. Writing a long answer takes longer than a time slice.
const LONG_ANSWER_BYTES: usize = 64 * 1024;
/// The number of bytes of a long answer that are handed over at a time, to be sent.
const PART_BYTES: usize = 64 * 1024;

/// A computed answer with its budget.
#[derive(Debug)]
pub struct Answered {
    pub answer: GraphqlResponse,
    budget: Arc<Budget>,
}

/// An answer as bytes, which count until this value and its clones are dropped.
#[derive(Clone, Debug)]
pub struct Written {
    pub bytes: Bytes,
    budget: Option<Arc<Budget>>,
}

impl Answered {
    /// Creates an answer that was computed within a budget.
    pub fn new(answer: GraphqlResponse, budget: Arc<Budget>) -> Self {
        Self { answer, budget }
    }

    /// Returns true if the request was rejected before any field was resolved. Its answer then has no data, not even
    /// null.
    pub fn is_refusal(&self) -> bool {
        let GraphqlResponse { data, errors, .. } = &self.answer;
        *data == Value::Null && !errors.is_empty() && errors.iter().all(|error| error.path.is_empty())
    }

    /// Writes only the errors as JSON.
    pub fn errors(self) -> Written {
        let Self { answer, budget } = self;
        write(budget, answer.errors, |error| vec![error])
    }

    /// Writes the whole answer as JSON.
    pub fn json(self) -> Written {
        let Self { answer, budget } = self;
        write(budget, answer, |error| GraphqlResponse::from_errors(vec![error]))
    }

    /// Writes the whole answer as JSON, unless that is too much.
    ///
    /// # Errors
    /// Returns an error if the answer exceeds a limit.
    pub fn try_json(self) -> Result<Written, Refused> {
        let Self { answer, budget } = self;
        try_write(budget, answer).map_err(refused_for)
    }
}

/// Runs work on an answer. If the answer is long, a thread with a lower priority does the work.
pub fn with_long<T: Send>(budget: &Budget, work: impl FnOnce() -> T + Send) -> T {
    if budget.used() < LONG_ANSWER_BYTES { work() } else { run_in_background(work) }
}

/// Writes a value as JSON. If that has too many bytes, writes the error from `instead` in its place.
fn write<T: Serialize + Send + Sync>(budget: Arc<Budget>, value: T, instead: impl FnOnce(ServerError) -> T) -> Written {
    let written = try_write(budget, value);
    written.unwrap_or_else(|over| Written { bytes: json(&instead(too_much(over))), budget: None })
}

/// Writes a value as JSON, unless that has too many bytes.
fn try_write<T: Serialize + Send + Sync>(budget: Arc<Budget>, value: T) -> Result<Written, Over> {
    let most = budget.max_of_one();
    let written = with_long(&budget, || {
        let written = within(&value, most);
        // Dropping a long answer takes as long as writing it.
        drop(value);
        written
    });
    Written::new(written.ok_or(Over::One(most))?, budget)
}

/// Returns a value as JSON.
pub fn json(value: &impl Serialize) -> Bytes {
    // Answers and errors are plain values, which can always be serialized.
    serde_json::to_vec(value).unwrap_or_else(|_| b"null".to_vec()).into()
}

/// Returns a value as JSON, or `None` if that has more than `most` bytes.
fn within(value: &impl Serialize, most: usize) -> Option<Vec<u8>> {
    let mut bounded = Bounded { bytes: Vec::new(), most };
    serde_json::to_writer(&mut bounded, value).ok()?;
    Some(bounded.bytes)
}

/// Returns the error for an answer with too many bytes.
pub fn too_much(over: Over) -> ServerError {
    let Refused { code, message, .. } = refused_for(over);
    Refused::new(code, format!("{message}; what the request was to write may have been written")).error()
}

/// Returns the refusal of an answer with too many bytes that writes nothing.
pub fn refused_for(over: Over) -> Refused {
    match over {
        Over::One(most) => Refused::new(Code::TooComplex, Limit::Answer.passed(most)),
        Over::All(most) => Refused::busy(Limit::Answers, most),
        Over::Caller(share) => Refused::busy_of_one(Limit::Answers, share),
    }
}

/// A buffer of at most `most` bytes.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    /// Creates an answer of bytes, which count in the budget.
    ///
    /// # Errors
    /// Returns an error if the answer exceeds a limit.
    pub fn new(bytes: Vec<u8>, budget: Arc<Budget>) -> Result<Self, Over> {
        budget.settle(bytes.len())?;
        Ok(Self { bytes: bytes.into(), budget: Some(budget) })
    }

    /// Returns the answer as the body of a response, compressed if the client accepts that, with the headers that say
    /// so.
    pub fn encoded(self, headers: &HeaderMap) -> (HeaderMap, Body) {
        let (own, compresses) = encoding(headers, self.bytes.len());
        if !compresses {
            return (own, self.into());
        }
        let Self { bytes, budget } = self;
        let small = if bytes.len() < LONG_ANSWER_BYTES { gzip(&bytes) } else { run_in_background(|| gzip(&bytes)) };
        drop(bytes);
        if let Some(budget) = &budget {
            // It has hardly ever more bytes than before, and is complete.
            let _ = budget.settle(small.len());
        }
        (own, Self { bytes: small.into(), budget }.into())
    }

    /// Returns the bytes in parts of at most `size` bytes. They count until the last of them was sent, wherever they
    /// wait until then.
    pub fn parts(self, size: usize) -> impl Iterator<Item = Bytes> {
        let mut rest = Bytes::from_owner(self);
        std::iter::from_fn(move || {
            let part = rest.split_to(rest.len().min(size));
            (!part.is_empty()).then_some(part)
        })
    }
}

impl AsRef<[u8]> for Written {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl From<Written> for Body {
    fn from(written: Written) -> Self {
        // The bytes count until the last of them was sent, wherever they wait until then.
        let bytes = Bytes::from_owner(written);
        if bytes.len() <= PART_BYTES { bytes.into() } else { Self::new(Parts(bytes)) }
    }
}

/// A long answer, which is handed over in parts.
struct Parts(Bytes);

impl hyper::body::Body for Parts {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let rest = &mut self.0;
        let part = rest.split_to(rest.len().min(PART_BYTES));
        Poll::Ready((!part.is_empty()).then(|| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use underlay_engine::access::Caller;
    use underlay_read::Answers;

    fn answered(text: usize, answers: &Arc<Answers>) -> Answered {
        Answered::new(GraphqlResponse::new(Value::from("x".repeat(text))), answers.begin(&Caller::anybody().key(), 0))
    }

    #[tokio::test]
    async fn a_long_answer_counts_until_it_was_sent() {
        let answers = Answers::new(1 << 20, 1 << 20);
        let written = answered(5 * PART_BYTES, &answers).json();
        let length = written.bytes.len();
        assert_eq!(answers.used(), length);
        let body = Body::from(written);
        assert_eq!(hyper::body::Body::size_hint(&body).exact(), Some(length as u64));
        assert_eq!(answers.used(), length);
        let sent = axum::body::to_bytes(body, usize::MAX).await.expect("a body");
        assert!(sent.len() == length && sent.starts_with(b"{\"data\":\"xxx"));
        assert_eq!(answers.used(), 0);
    }

    #[test]
    fn an_answer_with_too_many_bytes_is_refused() {
        let answers = Answers::new(2_000, 3_000);
        let long = answered(3_000, &answers).json();
        let text = String::from_utf8_lossy(&long.bytes);
        assert!(text.contains("TOO_COMPLEX") && text.contains("2000 (limits.answer)"), "{text}");
        let first = answered(1_800, &answers).json();
        let second = answered(1_800, &answers).json();
        let text = String::from_utf8_lossy(&second.bytes);
        assert!(text.contains("UNAVAILABLE") && text.contains("(limits.answers)"), "{text}");
        drop(first);
        assert_eq!(answers.used(), 0, "what was refused does not count");
        assert!(answered(1_800, &answers).json().bytes.len() > 1_800);
    }
}
