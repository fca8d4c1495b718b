//! The lines of a table: which one a record begins on, and where a quotation mark is left open.

/// A text whose lines are counted from its beginning on.
pub(super) struct Lines<'a> {
    text: &'a str,
    /// How far it was looked at, and the line there.
    seen: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a text, without the mark that some editors put before it.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text: text.strip_prefix('\u{feff}').unwrap_or(text), seen: 0, line: 1 }
    }

    pub(super) fn text(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// The line of the first character from a place on that does not end a line: records may be said to begin with the
    /// empty lines before them. Places must not go back.
    pub(super) fn at(&mut self, place: u64) -> usize {
        let bytes = self.text.as_bytes();
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        while let Some(byte) = bytes.get(self.seen) {
            let ends = matches!(byte, b'\r' | b'\n');
            if self.seen >= place && !ends {
                break;
            }
            // Both together are one end.
            if ends && !(*byte == b'\r' && bytes.get(self.seen + 1) == Some(&b'\n')) {
                self.line += 1;
            }
            self.seen += 1;
        }
        self.line
    }

    /// The line where a quotation mark opens a cell that is never closed.
    pub(super) fn open_quote(&self) -> Option<usize> {
        let mut bytes = self.text.bytes().enumerate().peekable();
        let (mut begins, mut opened) = (true, None);
        while let Some((place, byte)) = bytes.next() {
            match (opened, byte) {
                (Some(_), b'"') if bytes.next_if(|(_, next)| *next == b'"').is_none() => opened = None,
                (Some(_), _) => {}
                (None, b'"') if begins => opened = Some(place),
                (None, _) => begins = matches!(byte, b',' | b'\r' | b'\n'),
            }
            if opened.is_some() {
                begins = false;
            }
        }
        let place = opened?;
        Some(Lines::new(self.text).at(place as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_however_they_end() {
        for text in ["a\n\n\nb\nc", "a\r\n\r\n\r\nb\r\nc", "a\r\r\rb\rc"] {
            let mut lines = Lines::new(text);
            let place = |letter| text.find(letter).expect("a letter") as u64;
            assert_eq!(
                [lines.at(0), lines.at(1), lines.at(place('b')), lines.at(place('c'))],
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
            assert_eq!(Lines::new(text).open_quote(), expected, "{text:?}");
        }
    }
}
