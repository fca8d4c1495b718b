//! The bodies that agents send: JSON, as it is or compressed, within bounds of size and time.

use std::io::Read as _;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use flate2::read::GzDecoder;
use futures_util::StreamExt as _;
use tokio::time::timeout;
use underlay_error::Code;
use underlay_facts::{MAX_MESSAGE_BYTES, MAX_MESSAGE_VALUES};

use super::unfit;
use crate::http::Service;
use crate::http::refusal::Refused;
use crate::http::request::{Size, content_type};

/// The media type of messages.
const JSON: &str = "application/json";
/// The time in which a body arrives.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The coding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    Plain,
    Gzip,
}

impl Coding {
    /// Returns the coding of the body that headers announce, which must be JSON.
    ///
    /// # Errors
    /// Returns an error if it is not, or if the coding is not known.
    pub fn of(headers: &HeaderMap) -> Result<Self, Refused> {
        if !content_type(headers).eq_ignore_ascii_case(JSON) {
            return Err(Refused::media_type("JSON, with the header content-type: application/json"));
        }
        match headers.get(header::CONTENT_ENCODING).map(HeaderValue::as_bytes) {
            None => Ok(Self::Plain),
            Some(coding) if coding.eq_ignore_ascii_case(b"identity") => Ok(Self::Plain),
            Some(coding) if coding.eq_ignore_ascii_case(b"gzip") => Ok(Self::Gzip),
            Some(_) => Err(Refused::media_type("JSON, as it is or with the header content-encoding: gzip")),
        }
    }

    /// Returns a body as it was before it was coded.
    fn decode(self, body: Vec<u8>) -> Result<Vec<u8>, Refused> {
        if self == Self::Plain {
            return Ok(body);
        }
        let mut text = Vec::new();
        let most = MAX_MESSAGE_BYTES as u64 + 1;
        let read = GzDecoder::new(body.as_slice()).take(most).read_to_end(&mut text);
        read.map_err(|error| Refused::new(Code::Invalid, format!("the body is not compressed by gzip: {error}")))?;
        if text.len() > MAX_MESSAGE_BYTES { Err(too_large()) } else { Ok(text) }
    }
}

/// Reads what a body says. Until it is read, the body has one of the places for bodies.
///
/// # Errors
/// Returns an error if the body is too large, comes too slowly, or does not say it.
pub async fn read<T: Send>(
    service: &Service,
    coding: Coding,
    body: Body,
    parse: fn(&[u8]) -> Result<T, serde_json::Error>,
) -> Result<T, Refused> {
    let _place = service.facts.place_to_read()?;
    let body = body_of(body).await?;
    Size::of(body.len()).run(|| {
        let text = coding.decode(body)?;
        let values = underlay_json::values(&text);
        if values > MAX_MESSAGE_VALUES {
            return Err(unfit(format!("the body has {values} values; at most {MAX_MESSAGE_VALUES} are allowed")));
        }
        if underlay_json::has_null_character(&text) {
            return Err(unfit("a text of the body has the character U+0000"));
        }
        parse(&text).map_err(|error| Refused::new(Code::Invalid, format!("the body is no report: {error}")))
    })
}

/// Reads a body, coded as it is, within its bounds of size and time.
async fn body_of(body: Body) -> Result<Vec<u8>, Refused> {
    let read = async {
        let (mut parts, mut bytes) = (body.into_data_stream(), Vec::new());
        while let Some(part) = parts.next().await {
            let part = part.map_err(|error| Refused::broken(&error))?;
            if bytes.len() + part.len() > MAX_MESSAGE_BYTES {
                return Err(too_large());
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    };
    timeout(BODY_TIMEOUT, read).await.unwrap_or_else(|_| Err(Refused::slow(BODY_TIMEOUT)))
}

fn too_large() -> Refused {
    let message = format!("the body is larger than {MAX_MESSAGE_BYTES} bytes, unpacked");
    Refused::new(Code::Invalid, message).with_status(StatusCode::PAYLOAD_TOO_LARGE)
}
