//! Reading Server-Sent Events: from the bytes of a stream, however they are cut, to events.
//!
//! It reads what <https://html.spec.whatwg.org/multipage/server-sent-events.html> says, but for ids and waiting times,
//! which GraphQL over event streams has no use for. Guarantee: it holds one event, and of that at most so many bytes.

use thiserror::Error;

/// An event has more bytes than are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an event has more than {most} bytes")]
pub(crate) struct TooLarge {
    /// How many are taken.
    pub(crate) most: usize,
}

/// An event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// What it is called; empty when it is not.
    pub(crate) name: Vec<u8>,
    /// Its lines of data, with line feeds between them.
    pub(crate) data: Vec<u8>,
}

/// Makes events of pieces of a stream.
#[derive(Debug)]
pub(crate) struct Parser {
    /// The bytes of a line that has not ended yet.
    line: Vec<u8>,
    /// What the lines so far say.
    event: Event,
    has_data: bool,
    /// Whether the last byte was a carriage return: a line feed behind it ends no second line.
    after_return: bool,
    is_first_line: bool,
    most: usize,
}

impl Parser {
    /// At the beginning of a stream; an event may have so many bytes.
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

    /// The next event that ends in a piece of the stream, of which what was read is taken off; `None` when all of it was
    /// read.
    ///
    /// # Errors
    /// When the event is too large; the rest of the stream cannot be read then.
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

    /// Reads a whole line; an empty one ends an event.
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
            // Comments, which have no name, and fields that say nothing here.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes out of a stream that comes in these pieces.
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
