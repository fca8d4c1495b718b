//! The lines of a body, one by one, while the body arrives.
//!
//! The bytes that were received count in `limits.bodies` until [`Lines::release`] says that their items were written.
//! A line is never longer than a whole body of `/graphql` can be (`limits.applyBody`).

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout};

use crate::http::admission::Taken;
use crate::http::limits::Limit;
use crate::http::refused::Refused;
use crate::http::request::{MIN_BYTES_PER_SECOND, time_for};

/// The lines of a body.
#[derive(Debug)]
pub struct Lines {
    stream: BodyDataStream,
    /// The bytes that were received, from the beginning of the current line on.
    buffer: Vec<u8>,
    /// The bytes at the beginning of the buffer that are lines given out already.
    consumed: usize,
    /// The bytes of the buffer that are known to hold no end of a line.
    searched: usize,
    /// The bytes of the lines that were given out since the last release.
    unreleased: usize,
    taken: Taken,
    number: u64,
    longest: usize,
    patience: Duration,
    /// The number of bytes that were received, and the time that was spent waiting for them. The time in which their
    /// items are written does not count.
    received: usize,
    waited: Duration,
    is_complete: bool,
}

impl Lines {
    /// Returns the lines of a body. No line can have more than `longest` bytes. The next part of the body has to arrive
    /// within `patience`, and all of them at the rate that is demanded of every body.
    pub fn new(body: Body, taken: Taken, longest: usize, patience: Duration) -> Self {
        Self {
            stream: body.into_data_stream(),
            buffer: Vec::new(),
            consumed: 0,
            searched: 0,
            unreleased: 0,
            taken,
            number: 0,
            longest,
            patience,
            received: 0,
            waited: Duration::ZERO,
            is_complete: false,
        }
    }

    /// Returns the number of the line that was given out last; the first line has the number 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the number of bytes of the lines that were given out since the last release.
    pub fn unreleased(&self) -> usize {
        self.unreleased
    }

    /// Gives back the room of all lines that were given out.
    pub fn release(&mut self) {
        self.taken.give_back(self.unreleased);
        self.unreleased = 0;
    }

    /// Returns the next line that is not blank, without its end; `None` after the last one.
    ///
    /// # Errors
    /// Returns an error if the body breaks off or stalls, a line is too long, or there is no room for it.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Refused> {
        loop {
            let Some(line) = self.any().await? else { return Ok(None) };
            if !line.trim_ascii().is_empty() {
                return Ok(Some(line));
            }
        }
    }

    async fn any(&mut self) -> Result<Option<Vec<u8>>, Refused> {
        loop {
            let unsearched = &self.buffer[self.consumed + self.searched..];
            let end = unsearched.iter().position(|byte| *byte == b'\n');
            self.searched += end.unwrap_or(unsearched.len());
            if self.searched > self.longest {
                return Err(Refused::too_large(Limit::ApplyBody, self.longest));
            }
            if end.is_some() {
                return Ok(Some(self.give(self.searched, 1)));
            }
            if self.is_complete {
                return Ok((self.searched > 0).then(|| self.give(self.searched, 0)));
            }
            self.receive().await?;
        }
    }

    /// Takes a line of so many bytes, with its end, out of the buffer.
    fn give(&mut self, length: usize, end: usize) -> Vec<u8> {
        let line = self.buffer[self.consumed..self.consumed + length].to_vec();
        self.consumed += length + end;
        self.unreleased += length + end;
        self.searched = 0;
        self.number += 1;
        line
    }

    async fn receive(&mut self) -> Result<(), Refused> {
        let left = time_for(self.received).saturating_sub(self.waited);
        let began = Instant::now();
        let Ok(chunk) = timeout(self.patience.min(left), self.stream.next()).await else {
            return Err(if left < self.patience {
                Refused::crawling(MIN_BYTES_PER_SECOND)
            } else {
                Refused::slow(self.patience)
            });
        };
        self.waited += began.elapsed();
        match chunk {
            None => self.is_complete = true,
            Some(chunk) => {
                let chunk = chunk.map_err(|error| Refused::broken(&error))?;
                self.received += chunk.len();
                self.taken.take(chunk.len())?;
                self.buffer.drain(..std::mem::take(&mut self.consumed));
                self.buffer.extend_from_slice(&chunk);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use futures_util::stream;

    use super::*;
    use crate::http::admission::Admission;
    use crate::http::limits::Limits;

    fn lines(parts: Vec<&'static [u8]>, limits: Limits, longest: usize) -> (Lines, Admission) {
        let admission = Admission::new(limits);
        let parts = parts.into_iter().map(|part| Ok::<_, std::io::Error>(Bytes::from_static(part)));
        let body = Body::from_stream(stream::iter(parts));
        (Lines::new(body, admission.body_of_nobody(), longest, Duration::from_secs(5)), admission)
    }

    #[tokio::test]
    async fn lines_are_found_however_the_body_is_cut() {
        let text: &'static [u8] = b"one\n\n two \r\nthree\n\nfour";
        for size in 1..=text.len() {
            let (mut lines, _admission) = lines(text.chunks(size).collect(), Limits::unbounded(), 10);
            let mut found = Vec::new();
            while let Some(line) = lines.next().await.expect("it can be read") {
                found.push((lines.number(), String::from_utf8(line).expect("text").trim().to_owned()));
            }
            let expected = [(1, "one"), (3, "two"), (4, "three"), (6, "four")].map(|(at, line)| (at, line.to_owned()));
            assert_eq!(found, expected, "in parts of {size}");
            assert_eq!(lines.unreleased(), text.len());
            lines.release();
            assert_eq!(lines.taken.bytes(), 0, "in parts of {size}");
        }
    }

    #[tokio::test]
    async fn a_line_has_a_longest_length_and_needs_room() {
        let (mut long, _admission) = lines(vec![b"12345678", b"901\n"], Limits::unbounded(), 10);
        let refused = long.next().await.expect_err("it is too long");
        assert!(refused.message.contains("limits.applyBody"), "{refused:?}");
        let (mut many, _admission) = lines(vec![b"12345678\n"], Limits { bodies: 8, ..Limits::unbounded() }, 10);
        let refused = many.next().await.expect_err("there is no room");
        assert!(refused.message.contains("limits.bodies"), "{refused:?}");
    }
}
