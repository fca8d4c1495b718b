//! Parses Server-Sent Events from the bytes of a stream, however the stream is cut into pieces.
//!
//! The parser follows <https://html.spec.whatwg.org/multipage/server-sent-events.html> except for ids and retry times,
//! which GraphQL over event streams does not use. Guarantee: the parser holds at most one event, of a bounded number of
//! bytes.

use thiserror::Error;

/// The error for an event with too many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an event has more than {most} bytes")]
pub(crate) struct TooLarge {
    /// The maximum number of bytes.
    pub(crate) most: usize,
}

/// A Server-Sent Event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// The name of the event; empty if it has none.
    pub(crate) name: Vec<u8>,
    /// The lines of data, joined by line feeds.
    pub(crate) data: Vec<u8>,
}

/// Parses the pieces of a stream into events.
#[derive(Debug)]
pub(crate) struct Parser {
    /// The bytes of an incomplete line.
    line: Vec<u8>,
    /// The event from the lines so far.
    event: Event,
    has_data: bool,
    /// True if the last byte was a carriage return. A line feed after it does not end a second line.
    after_return: bool,
    is_first_line: bool,
    most: usize,
}

impl Parser {
    /// Returns a parser at the beginning of a stream. `most` is the maximum number of bytes of an event.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            line: Vec::new(),
            event: Event::default(),
            has_data: false,
            after_return: false,
            is_first_line: true,
            most,
        }
    }

    /// Returns the next event that ends in a piece of the stream, and removes the parsed bytes from the piece. Returns
    /// `None` when the whole piece is parsed.
    ///
    /// # Errors
    /// Returns an error if the event is too large. The rest of the stream cannot be parsed then.
    pub(crate) fn next(&mut self, piece: &mut &[u8]) -> Result<Option<Event>, TooLarge> {
        while let Some((&first, rest)) = piece.split_first() {
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                *piece = rest;
                continue;
            }
            let end = piece.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (part, behind) = piece.split_at(end.unwrap_or(piece.len()));
            if self.line.len() + self.event.name.len() + self.event.data.len() + part.len() > self.most {
                return Err(TooLarge { most: self.most });
            }
            self.line.extend_from_slice(part);
            let Some((ending, behind)) = behind.split_first() else {
                *piece = behind;
                break;
            };
            *piece = behind;
            self.after_return = *ending == b'\r';
            if let Some(event) = self.end_line() {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Parses a complete line; an empty line ends an event.
    fn end_line(&mut self) -> Option<Event> {
        let whole = std::mem::take(&mut self.line);
        let mut line = whole.as_slice();
        if std::mem::take(&mut self.is_first_line) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return std::mem::take(&mut self.has_data).then_some(event);
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, value) = colon.map_or((line, &[][..]), |at| (&line[..at], &line[at + 1..]));
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"event" => self.event.name = value.to_vec(),
            b"data" => {
                if self.has_data {
                    self.event.data.push(b'\n');
                }
                self.event.data.extend_from_slice(value);
                self.has_data = true;
            }
            // Comments, which have no field name, and unused fields are ignored.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the events of a stream that comes in these pieces.
    fn events<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<(String, String)> {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        let (mut parser, mut found) = (Parser::new(1_000), Vec::new());
        for mut piece in pieces {
            while let Some(event) = parser.next(&mut piece).expect("small events") {
                found.push((text(event.name), text(event.data)));
            }
            assert!(piece.is_empty(), "all of it is read");
        }
        found
    }

    const STREAM: &str = "\u{feff}event: next\ndata: {\"a\":\"é\u{2028}\u{1f98a}\"}\n\n:\n\n: a comment\r\n\r\n\
        data:one\rdata: two\r\rid: 7\nretry: 5\nevent:  spaced\r\ndata:  x\r\n\r\nevent: nothing\n\n\
        data\n\ndata: a:b\ndata:\ndata\n\nevent: complete\ndata:\n\ndata: cut off";

    fn expected() -> Vec<(String, String)> {
        let expected = [
            ("next", "{\"a\":\"é\u{2028}\u{1f98a}\"}"),
            ("", "one\ntwo"),
            (" spaced", " x"),
            ("", ""),
            ("", "a:b\n\n"),
            ("complete", ""),
        ];
        expected.map(|(name, data)| (name.to_owned(), data.to_owned())).to_vec()
    }

    #[test]
    fn a_stream_may_be_cut_at_every_byte() {
        let bytes = STREAM.as_bytes();
        assert_eq!(events([bytes]), expected());
        for at in 0..=bytes.len() {
            let (before, after) = bytes.split_at(at);
            assert_eq!(events([before, after]), expected(), "cut at {at}");
        }
        for size in 1..8 {
            assert_eq!(events(bytes.chunks(size)), expected(), "in pieces of {size}");
        }
    }

    #[test]
    fn lines_end_in_three_ways() {
        for ending in ["\n", "\r", "\r\n"] {
            let stream = STREAM.replace("\r\n", "\n").replace('\r', "\n").replace('\n', ending);
            for size in [1, 2, 3, 1_000] {
                assert_eq!(events(stream.as_bytes().chunks(size)), expected(), "{ending:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn an_event_is_bounded_however_it_comes() {
        let too_large = |text: &str, size: usize| {
            let mut parser = Parser::new(100);
            let mut pieces = text.as_bytes().chunks(size);
            pieces.any(|mut piece| parser.next(&mut piece) == Err(TooLarge { most: 100 }))
        };
        for size in [1, 7, 1_000] {
            assert!(too_large(&format!("data: {}", "x".repeat(100)), size), "a line");
            assert!(too_large(&"data: 12345\n".repeat(30), size), "many lines");
            assert!(too_large(&format!("event: {}\ndata: {}\n", "x".repeat(60), "x".repeat(60)), size), "a name");
            assert!(!too_large(&format!("data: {}\n\n", "x".repeat(90)).repeat(9), size), "each is small");
        }
    }
}
