//! Facts as they are stored: JSON, compressed by gzip.

use std::io::{self, Read as _};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use underlay_facts::{MAX_MESSAGE_BYTES, Report};

/// The greatest number of bytes that stored facts have unpacked. A report has no more; its JSON, written anew, can be a
/// little longer.
const MAX_UNPACKED_BYTES: u64 = 4 * MAX_MESSAGE_BYTES as u64;

/// Returns facts as they are stored.
pub(super) fn pack(report: &Report) -> serde_json::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut encoder, report)?;
    encoder.finish().map_err(serde_json::Error::io)
}

/// Reads stored facts.
pub(super) fn unpack(body: &[u8]) -> io::Result<Report> {
    let mut text = Vec::new();
    GzDecoder::new(body).take(MAX_UNPACKED_BYTES).read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}
