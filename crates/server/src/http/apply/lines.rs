//! The lines of a body, one by one, while the body arrives.
//!
//! Guarantees: the bytes that were received, and the values of the lines that were given out, count in `limits.bodies`
//! until [`Lines::release`] says that their items were written. The lines that are given out between two releases never
//! have more bytes or values than a whole body of `/graphql` can have (`limits.applyBody`, `limits.values`), nor has a
//! single line. A blank line counts as one value, so a body of line ends alone is refused early, however well it
//! compresses. A body that compresses well is not refused for that: exports do.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout};

use crate::http::admission::Taken;
use crate::http::body::VALUE_BYTES;
use crate::http::limits::{Limit, Limits};
use crate::http::refusal::Refused;
use crate::http::request::{MIN_BYTES_PER_SECOND, Size, time_for};

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
    /// The size of the lines that were given out since the last release.
    unreleased: Held,
    /// The size of the last one of these lines.
    last: Held,
    taken: Taken,
    number: u64,
    /// The most bytes and values of a line, and of the lines between two releases.
    most: Held,
    patience: Duration,
    /// The number of bytes that were received, and the time that was spent waiting for them. The time in which their
    /// items are written does not count.
    received: usize,
    waited: Duration,
    is_complete: bool,
}

/// The memory that lines need, by what decides it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The bytes of the lines, with their ends.
    pub bytes: usize,
    /// The values of the lines, as JSON.
    pub values: usize,
}

impl Held {
    /// Returns the number of bytes that count in `limits.bodies`.
    const fn counted(self) -> usize {
        self.bytes.saturating_add(self.values.saturating_mul(VALUE_BYTES))
    }
}

/// What comes next in a body.
#[derive(Debug)]
pub enum Next {
    /// A line that is not blank, without its end.
    Line(Vec<u8>),
    /// A line for which there is room only after a release. If nothing can be released, the body is refused for this
    /// reason.
    Full(Refused),
    /// Nothing.
    End,
}

impl Lines {
    /// Returns the lines of a body, within the bounds of bodies. The next part of the body has to arrive within the time
    /// of a request, and all of them at the rate that is demanded of every body.
    pub fn new(body: Body, taken: Taken, limits: &Limits) -> Self {
        Self {
            stream: body.into_data_stream(),
            buffer: Vec::new(),
            consumed: 0,
            searched: 0,
            unreleased: Held::default(),
            last: Held::default(),
            taken,
            number: 0,
            most: Held { bytes: limits.apply_body, values: limits.values },
            patience: limits.timeout,
            received: 0,
            waited: Duration::ZERO,
            is_complete: false,
        }
    }

    /// Returns the number of the line that was given out last; the first line has the number 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns what the lines have that were given out since the last release.
    pub fn unreleased(&self) -> Held {
        self.unreleased
    }

    /// Gives back the room of all lines that were given out.
    pub fn release(&mut self) {
        self.taken.give_back(self.unreleased.counted());
        self.unreleased = Held::default();
        self.last = Held::default();
    }

    /// Gives back the room of all lines that were given out but for the last one, whose item waits.
    pub fn release_all_but_last(&mut self) {
        self.taken.give_back(self.unreleased.counted().saturating_sub(self.last.counted()));
        self.unreleased = self.last;
    }

    /// Returns the next line that is not blank.
    ///
    /// # Errors
    /// Returns an error if the body breaks off or stalls, a line has too many bytes or values, or there is no room for
    /// it.
    pub async fn next(&mut self) -> Result<Next, Refused> {
        loop {
            let next = self.any().await?;
            if !matches!(&next, Next::Line(line) if line.trim_ascii().is_empty()) {
                return Ok(next);
            }
        }
    }

    async fn any(&mut self) -> Result<Next, Refused> {
        loop {
            let unsearched = &self.buffer[self.consumed + self.searched..];
            let end = unsearched.iter().position(|byte| *byte == b'\n');
            self.searched += end.unwrap_or(unsearched.len());
            if self.searched > self.most.bytes {
                return Err(Refused::too_large(Limit::ApplyBody, self.most.bytes));
            }
            if end.is_some() {
                return self.give(self.searched, 1);
            }
            if self.is_complete {
                return if self.searched > 0 { self.give(self.searched, 0) } else { Ok(Next::End) };
            }
            self.receive().await?;
        }
    }

    /// Takes a line of so many bytes, with its end, out of the buffer, if there is room for it.
    fn give(&mut self, length: usize, end: usize) -> Result<Next, Refused> {
        let line = &self.buffer[self.consumed..self.consumed + length];
        let values = Size::of(length).run(|| underlay_json::values(line));
        let (own, number) = (Held { bytes: length + end, values }, self.number + 1);
        if values > self.most.values {
            return Err(Refused::line_with_values(number, values, self.most.values));
        }
        let all = Held { bytes: self.unreleased.bytes + own.bytes, values: self.unreleased.values + values };
        if all.values > self.most.values {
            return Ok(Next::Full(Refused::lines_with_values(number, self.most.values)));
        }
        // A line that is alone can have all bytes, and its end.
        if all.bytes > self.most.bytes && self.unreleased.bytes > 0 {
            return Ok(Next::Full(Refused::too_large(Limit::ApplyBody, self.most.bytes)));
        }
        let line = line.to_vec();
        self.taken.take(values.saturating_mul(VALUE_BYTES))?;
        self.consumed += own.bytes;
        (self.unreleased, self.last, self.number) = (all, own, number);
        self.searched = 0;
        Ok(Next::Line(line))
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
    use underlay_error::Code;

    fn lines(parts: Vec<&'static [u8]>, limits: Limits) -> (Lines, Admission) {
        let admission = Admission::new(limits);
        let parts = parts.into_iter().map(|part| Ok::<_, std::io::Error>(Bytes::from_static(part)));
        let body = Body::from_stream(stream::iter(parts));
        (Lines::new(body, admission.body_of_nobody(), &limits), admission)
    }

    fn within(apply_body: usize, values: usize) -> Limits {
        Limits { apply_body, values, timeout: Duration::from_secs(5), ..Limits::unbounded() }
    }

    async fn line(lines: &mut Lines) -> Option<String> {
        match lines.next().await.expect("it can be read") {
            Next::Line(line) => Some(String::from_utf8(line).expect("text").trim().to_owned()),
            Next::Full(refused) => panic!("{refused:?}"),
            Next::End => None,
        }
    }

    #[tokio::test]
    async fn lines_are_found_however_the_body_is_cut() {
        let text: &'static [u8] = b"one\n\n two \r\nthree\n\nfour";
        for size in 1..=text.len() {
            let (mut lines, _admission) = lines(text.chunks(size).collect(), within(100, 10));
            let mut found = Vec::new();
            while let Some(text) = line(&mut lines).await {
                found.push((lines.number(), text));
            }
            let expected = [(1, "one"), (3, "two"), (4, "three"), (6, "four")].map(|(at, line)| (at, line.to_owned()));
            assert_eq!(found, expected, "in parts of {size}");
            assert_eq!(lines.unreleased(), Held { bytes: text.len(), values: 6 }, "a blank line is one value");
            lines.release();
            assert_eq!(lines.taken.bytes(), 0, "in parts of {size}");
        }
    }

    #[tokio::test]
    async fn a_line_has_a_longest_length_and_needs_room() {
        let (mut long, _admission) = lines(vec![b"12345678", b"901\n"], within(10, 10));
        let refused = long.next().await.expect_err("it is too long");
        assert!(refused.message.contains("limits.applyBody"), "{refused:?}");
        for bodies in [8, 9 + VALUE_BYTES - 1] {
            let (mut many, _admission) = lines(vec![b"12345678\n"], Limits { bodies, ..within(10, 10) });
            let refused = many.next().await.expect_err("there is no room");
            assert!(refused.message.contains("limits.bodies"), "{refused:?}");
        }
    }

    #[tokio::test]
    async fn the_values_of_a_line_and_of_what_is_held_are_bounded() {
        let (mut long, _admission) = lines(vec![b"[1,1,1,1]\n"], within(100, 4));
        let refused = long.next().await.expect_err("it has too many");
        assert!(refused.message.contains("line 1 has 5 values") && refused.code == Code::TooComplex, "{refused:?}");
        // Three lines of which two have room: the third has room after a release.
        for (release, held) in [(Lines::release as fn(&mut Lines), 3), (Lines::release_all_but_last, 6)] {
            let (mut many, _admission) = lines(vec![b"[1,1]\n[2,2]\n[3,3]\n"], within(100, 7));
            assert_eq!((line(&mut many).await, line(&mut many).await), (Some("[1,1]".into()), Some("[2,2]".into())));
            let Next::Full(refused) = many.next().await.expect("it can be read") else { panic!("there is no room") };
            assert!(refused.message.contains("limits.values") && refused.code == Code::TooComplex, "{refused:?}");
            release(&mut many);
            assert_eq!((line(&mut many).await.as_deref(), many.unreleased().values), (Some("[3,3]"), held));
        }
        let (mut bytes, _admission) = lines(vec![b"123456\n123456\n"], within(10, 10));
        assert_eq!(line(&mut bytes).await.as_deref(), Some("123456"));
        assert!(matches!(bytes.next().await, Ok(Next::Full(refused)) if refused.message.contains("limits.applyBody")));
    }

    #[tokio::test]
    async fn blank_lines_need_room_too() {
        for (body, limit) in [(&b"\n\n\n\n\n\n"[..], "limits.values"), (b"  \n  \n  \n  \n  \n", "limits.applyBody")] {
            let (mut blank, _admission) = lines(vec![body], within(10, 5));
            assert!(
                matches!(blank.next().await, Ok(Next::Full(refused)) if refused.message.contains(limit)),
                "{limit}"
            );
        }
    }
}
