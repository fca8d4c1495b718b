//! Counts the lines of a table: finds the line of a record, and the line of an unclosed quotation mark.

/// A text whose lines are counted from its beginning.
pub(super) struct LineCounter<'a> {
    text: &'a str,
    /// The position up to which lines are counted, and the line at that position.
    seen: usize,
    line: usize,
}

impl<'a> LineCounter<'a> {
    /// Returns a counter for a text, without the byte order mark that some editors write.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text: text.strip_prefix('\u{feff}').unwrap_or(text), seen: 0, line: 1 }
    }

    pub(super) fn text(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// Returns the line of the first character at or after a position that is not a line end. The CSV reader can report
    /// the position of empty lines before a record. Positions must not decrease.
    pub(super) fn at(&mut self, position: u64) -> usize {
        let bytes = self.text.as_bytes();
        let position = usize::try_from(position).unwrap_or(usize::MAX);
        while let Some(byte) = bytes.get(self.seen) {
            let ends = matches!(byte, b'\r' | b'\n');
            if self.seen >= position && !ends {
                break;
            }
            // CR and LF together end one line.
            if ends && !(*byte == b'\r' && bytes.get(self.seen + 1) == Some(&b'\n')) {
                self.line += 1;
            }
            self.seen += 1;
        }
        self.line
    }

    /// Returns the line of a quotation mark that opens a cell and is never closed.
    pub(super) fn open_quote(&self) -> Option<usize> {
        let mut bytes = self.text.bytes().enumerate().peekable();
        let (mut begins, mut opened) = (true, None);
        while let Some((position, byte)) = bytes.next() {
            match (opened, byte) {
                (Some(_), b'"') if bytes.next_if(|(_, next)| *next == b'"').is_none() => opened = None,
                (Some(_), _) => {}
                (None, b'"') if begins => opened = Some(position),
                (None, _) => begins = matches!(byte, b',' | b'\r' | b'\n'),
            }
            if opened.is_some() {
                begins = false;
            }
        }
        let position = opened?;
        Some(LineCounter::new(self.text).at(position as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_however_they_end() {
        for text in ["a\n\n\nb\nc", "a\r\n\r\n\r\nb\r\nc", "a\r\r\rb\rc"] {
            let mut lines = LineCounter::new(text);
            let position = |letter| text.find(letter).expect("a letter") as u64;
            assert_eq!(
                [lines.at(0), lines.at(1), lines.at(position('b')), lines.at(position('c'))],
                [1, 4, 4, 5],
                "{text:?}"
            );
        }
    }

    #[test]
    fn an_open_quotation_mark_is_found() {
        for (text, expected) in [
            ("a,b\n\"c\",d\n", None),
            ("a,b\n\"c\"\"\",d\n", None),
            ("a,b\n\"c\nd\",e", None),
            ("a,5\" disk\n", None),
            ("a,b\nc,\"d\ne,f\n", Some(2)),
            ("a\n\"\"\"", Some(2)),
        ] {
            assert_eq!(LineCounter::new(text).open_quote(), expected, "{text:?}");
        }
    }
}
