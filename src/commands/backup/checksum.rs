//! The checksum at the end of a backup: one line of text after the last page of the SQLite file. SQLite reads only as
//! many pages as its header states, so the file remains a database for every program that reads SQLite.
//!
//! Guarantee: if the checksum of a file is correct, the file has exactly the bytes that were backed up.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use sha2::{Digest as _, Sha256};

/// The beginning of the line. It is followed by the SHA-256 digest as 64 hexadecimal digits and a line feed.
const MARK: &[u8] = b"\nunderlay-backup-1 sha256 ";
const DIGEST_DIGITS: usize = 64;
/// The length of the complete line in bytes.
const LINE_BYTES: usize = MARK.len() + DIGEST_DIGITS + 1;
/// The number of bytes to read at a time.
const CHUNK_BYTES: usize = 256 * 1024;

/// The result of checking a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checksum {
    /// The checksum matches the bytes before it. It has been removed from the file.
    Agrees,
    /// The checksum does not match the bytes before it.
    Differs,
    /// The file does not end with a checksum.
    Missing,
}

/// Appends the checksum of a file to it.
pub(super) fn append(mut file: &File) -> io::Result<()> {
    let length = file.seek(SeekFrom::End(0))?;
    let line = line(file, length)?;
    file.seek(SeekFrom::Start(length))?;
    file.write_all(&line)
}

/// Checks the checksum of a file, and removes it from the file if it matches.
pub(super) fn take(mut file: &File) -> io::Result<Checksum> {
    let Some(length) = file.seek(SeekFrom::End(0))?.checked_sub(LINE_BYTES as u64) else {
        return Ok(Checksum::Missing);
    };
    let mut found = [0; LINE_BYTES];
    file.seek(SeekFrom::Start(length))?;
    file.read_exact(&mut found)?;
    if !found.starts_with(MARK) {
        return Ok(Checksum::Missing);
    }
    if line(file, length)? != found {
        return Ok(Checksum::Differs);
    }
    file.set_len(length)?;
    Ok(Checksum::Agrees)
}

/// Returns the checksum line for the first `length` bytes of a file.
fn line(mut file: &File, length: u64) -> io::Result<[u8; LINE_BYTES]> {
    file.seek(SeekFrom::Start(0))?;
    let mut digest = Sha256::new();
    let (mut bytes, mut left) = (file.take(length), length);
    let mut step = vec![0; CHUNK_BYTES];
    while left > 0 {
        let read = bytes.read(&mut step)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        digest.update(&step[..read]);
        left -= read as u64;
    }
    let mut line = [b'\n'; LINE_BYTES];
    line[..MARK.len()].copy_from_slice(MARK);
    for (digits, byte) in line[MARK.len()..].chunks_exact_mut(2).zip(digest.finalize()) {
        digits.copy_from_slice(format!("{byte:02x}").as_bytes());
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(content: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(content).expect("write");
        file
    }

    fn content(mut file: &File) -> Vec<u8> {
        let mut content = Vec::new();
        file.seek(SeekFrom::Start(0)).expect("seek");
        file.read_to_end(&mut content).expect("read");
        content
    }

    #[test]
    fn a_checksum_is_appended_and_removed() {
        for length in [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1] {
            let bytes = vec![7; length];
            let file = file(&bytes);
            append(&file).expect("append");
            assert_eq!(content(&file).len(), length + LINE_BYTES);
            assert_eq!(take(&file).expect("take"), Checksum::Agrees);
            assert!(content(&file) == bytes);
            assert_eq!(take(&file).expect("take"), Checksum::Missing);
        }
        let known = file(b"abc");
        append(&known).expect("append");
        // The first example of FIPS 180-2.
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(content(&known), format!("abc\nunderlay-backup-1 sha256 {digest}\n").as_bytes());
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let whole = file(b"a database");
        append(&whole).expect("append");
        let whole = content(&whole);
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let flipped = file(&bytes);
            assert_ne!(take(&flipped).expect("take"), Checksum::Agrees, "bit {bit}");
            assert!(content(&flipped) == bytes, "it stays as it was");
        }
        for length in 0..whole.len() {
            assert_eq!(take(&file(&whole[..length])).expect("take"), Checksum::Missing, "{length} bytes");
        }
    }
}
