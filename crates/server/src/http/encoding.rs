//! Compresses whole texts with gzip for clients that accept it. A text is compressed at once and not while it is sent:
//! a client that accepts nothing would otherwise keep the state of a compressor, which is larger than most answers.

use std::io::Write as _;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The name of the encoding.
const GZIP: &str = "gzip";
/// The number of bytes from which a text is compressed.
const MIN_COMPRESSED_BYTES: usize = 1024;

/// Returns true if the client accepts gzip (RFC 9110, section 12.5.3).
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(GZIP));
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        is_gzip && weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0))
    })
}

/// Returns a text as the body of a response, compressed if the client accepts that, with the headers that say so.
pub fn encoded(headers: &HeaderMap, text: Vec<u8>) -> (HeaderMap, Body) {
    match encoding(headers, text.len()) {
        (own, true) => (own, gzip(&text).into()),
        (own, false) => (own, text.into()),
    }
}

/// Returns the headers of a response with a text of this length, and true if the text is to be compressed.
pub fn encoding(headers: &HeaderMap, length: usize) -> (HeaderMap, bool) {
    let mut own = HeaderMap::new();
    if length < MIN_COMPRESSED_BYTES {
        return (own, false);
    }
    own.insert(header::VARY, header::ACCEPT_ENCODING.into());
    let compresses = accepts_gzip(headers);
    if compresses {
        own.insert(header::CONTENT_ENCODING, HeaderValue::from_static(GZIP));
    }
    (own, compresses)
}

/// Returns a text compressed.
pub fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(text.len() / 4), Compression::default());
    // A buffer in memory takes everything.
    let written = encoder.write_all(text).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn a_client_says_that_it_accepts_gzip() {
        for (accepted, gzip) in [
            ("gzip", true),
            ("br, gzip, deflate", true),
            ("GZIP;q=0.5", true),
            ("gzip; q=1.0, *;q=0", true),
            ("gzip;q=0", false),
            ("gzip;q=0.000", false),
            ("gzip;q=x", false),
            ("br", false),
            ("*", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(accepts_gzip(&headers), gzip, "{accepted}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_compressed_text_is_the_same_text() {
        for length in [0_u64, 1, 5_000, 300_000] {
            let text: Vec<u8> = (0..length).map(|at| (at * at / 7 % 251) as u8).collect();
            let mut again = Vec::new();
            GzDecoder::new(gzip(&text).as_slice()).read_to_end(&mut again).expect("gzip");
            assert_eq!(again, text);
        }
    }
}
