//! Makes items of lines, and remembers what the header of an export promised.

use serde_json::Value as Json;

use underlay_engine::write::Conflicts;
use underlay_inventory::{Refusal, shorten_text};
use underlay_kinds::lines::{EndLine, FORMAT, Header, ItemLine, Line, LineConflicts};

/// The source in whose name items are written, and the policy for fields that another manager holds. All items of a
/// batch have the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// The source; without one, the items are written in the name of the caller.
    pub source: Option<String>,
    /// The policy, if the line or the request asks for one.
    pub conflicts: Option<Conflicts>,
}

/// An item with the number of its line.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberedItem {
    /// The number of the line; the first line of the body has the number 1.
    pub line: u64,
    /// The item as the line has it, or the reason why the line has none.
    pub item: Result<Json, Refusal>,
}

/// Reads the lines of a request.
#[derive(Debug)]
pub struct LineReader {
    /// The manner of lines that do not ask for another.
    manner: Manner,
    lines: u64,
    items: u64,
    has_header: bool,
    has_end: bool,
}

impl LineReader {
    /// Returns a reader for a request that asks for this manner.
    pub fn new(manner: Manner) -> Self {
        Self { manner, lines: 0, items: 0, has_header: false, has_end: false }
    }

    /// Reads a line; returns `None` for the header and the last line of an export. A line that is wrong by itself
    /// becomes an item that is refused.
    ///
    /// # Errors
    /// Returns an error if the export as a whole is wrong: it has another format, or was put together wrongly.
    pub fn read(&mut self, line: u64, text: &[u8]) -> Result<Option<(Manner, NumberedItem)>, Refusal> {
        self.lines += 1;
        if self.has_end {
            return Err(wrong(line, "follows the last line of the export".to_owned()));
        }
        match Line::read(text) {
            Ok(Line::Header(header)) => self.header(line, &header).map(|()| None),
            Ok(Line::End(end)) => self.end(line, &end).map(|()| None),
            Ok(Line::Item(item)) => Ok(Some(self.item(line, item))),
            Err(error) => {
                let refusal = wrong(line, format!("cannot be read: {error}"));
                Ok(Some(self.numbered(self.manner.clone(), line, Err(refusal))))
            }
        }
    }

    /// Checks that the body is complete when it has ended.
    ///
    /// # Errors
    /// Returns an error if the body began as an export and its last line is missing.
    pub fn finish(&self) -> Result<(), Refusal> {
        match self.has_header && !self.has_end {
            true => Err(wrong(self.lines, "is not the last line of the export: the export was cut off".to_owned())),
            false => Ok(()),
        }
    }

    fn header(&mut self, line: u64, header: &Header) -> Result<(), Refusal> {
        if self.lines > 1 {
            return Err(wrong(line, "is the header of an export, which can only be the first line".to_owned()));
        }
        if header.format != FORMAT {
            let format = shorten_text(&header.format);
            return Err(wrong(line, format!("has the format {format:?}; this server reads {FORMAT:?}")));
        }
        self.has_header = true;
        Ok(())
    }

    fn end(&mut self, line: u64, end: &EndLine) -> Result<(), Refusal> {
        self.has_end = true;
        match end.end == self.items {
            true => Ok(()),
            false => Err(wrong(line, format!("says that there are {} items; there are {}", end.end, self.items))),
        }
    }

    fn item(&mut self, line: u64, ItemLine { item, source, conflicts }: ItemLine) -> (Manner, NumberedItem) {
        let mut manner = self.manner.clone();
        let asked = match (&self.manner.source, source) {
            (Some(own), Some(other)) if *own != other => {
                let reason = format!("must be {own:?}, the source of the request, not {:?}", shorten_text(&other));
                return self.numbered(manner, line, Err(Refusal::Invalid { field: "source".to_owned(), reason }));
            }
            (None, other) => other,
            (own, _) => own.clone(),
        };
        manner.source = asked;
        manner.conflicts = conflicts.map(|LineConflicts::Force| Conflicts::Force).or(manner.conflicts);
        self.numbered(manner, line, Ok(item))
    }

    fn numbered(&mut self, manner: Manner, line: u64, item: Result<Json, Refusal>) -> (Manner, NumberedItem) {
        self.items += 1;
        (manner, NumberedItem { line, item })
    }
}

fn wrong(line: u64, reason: String) -> Refusal {
    Refusal::Invalid { field: format!("line {line}"), reason }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const HEAD: &str = r#"{"format":"underlay-export/1","revision":1,"objects":1}"#;
    const ITEM: &str = r#"{"item":{"site":{"name":"a"}}}"#;

    /// Reads lines; returns the items, or why the request as a whole is refused.
    fn read(manner: &Manner, lines: &[&str]) -> Result<Vec<(Manner, NumberedItem)>, String> {
        let mut reader = LineReader::new(manner.clone());
        let read = |(at, text): (usize, &&str)| reader.read(at as u64 + 1, text.as_bytes()).transpose();
        let items: Result<Vec<_>, Refusal> = lines.iter().enumerate().filter_map(read).collect();
        items.and_then(|items| reader.finish().map(|()| items)).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn lines_with_and_without_the_frame_of_an_export_are_read() {
        let alone = read(&Manner::default(), &[ITEM]).expect("an item");
        assert_eq!(alone[0].1, NumberedItem { line: 1, item: Ok(json!({"site": {"name": "a"}})) });
        let whole = read(&Manner::default(), &[HEAD, ITEM, r#"{"end":1}"#]).expect("an export");
        assert_eq!((whole.len(), whole[0].1.line), (1, 2));
    }

    #[test]
    fn an_export_that_is_not_whole_is_refused() {
        for (lines, says) in [
            (&[HEAD, ITEM][..], "line 2 is not the last line of the export: the export was cut off"),
            (&[HEAD, ITEM, r#"{"end":2}"#], "line 3 says that there are 2 items; there are 1"),
            (&[HEAD, ITEM, r#"{"end":1}"#, ITEM], "line 4 follows the last line of the export"),
            (&[ITEM, HEAD], "line 2 is the header of an export, which can only be the first line"),
            (
                &[r#"{"format":"underlay-export/9","revision":1,"objects":1}"#],
                "this server reads \"underlay-export/1\"",
            ),
        ] {
            let message = read(&Manner::default(), lines).expect_err("it is wrong");
            assert!(message.contains(says), "{message}");
        }
    }

    #[test]
    fn a_wrong_line_is_an_item_that_is_refused() {
        let of_dcim = Manner { source: Some("dcim".to_owned()), conflicts: None };
        let lines = [r#"{"item":"#, "{}", r#"{"item":{},"source":"ipam"}"#, r#"{"item":{},"source":"dcim"}"#];
        let items = read(&of_dcim, &lines).expect("the others are read");
        let refused: Vec<_> = items.iter().map(|(_, it)| it.item.clone().map_err(|it| it.to_string())).collect();
        assert!(refused[0].as_ref().is_err_and(|it| it.starts_with("line 1 cannot be read: EOF")), "{refused:?}");
        assert!(refused[1].as_ref().is_err_and(|it| it.contains("a line must have `item`")), "{refused:?}");
        assert!(refused[2].as_ref().is_err_and(|it| it.contains("must be \"dcim\"")), "{refused:?}");
        assert_eq!(refused[3], Ok(json!({})));
        assert!(items.iter().all(|(manner, _)| *manner == of_dcim), "{items:?}");
    }

    #[test]
    fn a_line_has_the_manner_that_it_asks_for() {
        let forced = r#"{"item":{},"source":"bcm","conflicts":"FORCE"}"#;
        let items = read(&Manner::default(), &[forced, ITEM]).expect("items");
        assert_eq!(items[0].0, Manner { source: Some("bcm".to_owned()), conflicts: Some(Conflicts::Force) });
        assert_eq!(items[1].0, Manner::default());
    }
}
