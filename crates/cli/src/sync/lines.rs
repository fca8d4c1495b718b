//! Reads the lines of an export in a file, one by one: they can be many.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde_json::Value;
use underlay_kit::sync::MAX_LINE_VALUES;
use underlay_kit::{ManifestError, check_values, printable};

use underlay_kinds::lines::Line;

/// The maximum length of a line in bytes: more than any object has.
const MAX_LINE_BYTES: u64 = 2 << 20;

/// The items of a file, each with its place, and what is wrong with the others.
pub(super) struct ExportLines {
    file: String,
    /// `None` once nothing more can be read.
    lines: Option<BufReader<File>>,
    number: usize,
    items: u64,
    /// The file began as an export, whose last line was not there yet.
    is_open: bool,
}

impl ExportLines {
    /// Returns the lines of an open file, which messages call by `name`.
    pub(super) fn new(name: &Path, opened: File) -> Self {
        let file = printable(&name.to_string_lossy());
        Self { file, lines: Some(BufReader::new(opened)), number: 0, items: 0, is_open: false }
    }

    /// Reads the next line that is not blank; `None` at the end of the file.
    fn line(&mut self) -> Option<Result<Vec<u8>, ManifestError>> {
        loop {
            let mut line = Vec::new();
            self.number += 1;
            let read = self.lines.as_mut()?.take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
            let refused = match read {
                Ok(0) if self.is_open => ManifestError::of_file(&self.file, "is an export that was cut off"),
                Ok(0) => return None,
                Ok(_) if line.len() as u64 == MAX_LINE_BYTES => {
                    ManifestError::of_line(&self.file, self.number, format!("is longer than {MAX_LINE_BYTES} bytes"))
                }
                Ok(_) if line.trim_ascii().is_empty() => continue,
                Ok(_) => return Some(Ok(line)),
                Err(error) => ManifestError::of_file(&self.file, format!("cannot be read: {error}")),
            };
            // The rest of the line follows, or nothing.
            self.lines = None;
            return Some(Err(refused));
        }
    }
}

impl Iterator for ExportLines {
    /// An item with its place.
    type Item = Result<(String, Value), ManifestError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match self.line()? {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            let refuse = |reason: String| Some(Err(ManifestError::of_line(&self.file, self.number, reason)));
            if let Err(expected) = check_values(&line, MAX_LINE_VALUES) {
                return refuse(format!("must have {expected}"));
            }
            match Line::read(&line) {
                // Only an export has a first line, and says how many items it has.
                Ok(Line::Header(_)) => self.is_open = true,
                Ok(Line::End(end)) if end.end == self.items => self.is_open = false,
                Ok(Line::End(end)) => {
                    return refuse(format!("says that there are {} items; there are {}", end.end, self.items));
                }
                Ok(Line::Item(item)) => {
                    self.items += 1;
                    return Some(Ok((format!("{}, line {}", self.file, self.number), item.item)));
                }
                Err(error) => return refuse(format!("cannot be read: {error}")),
            }
        }
    }
}
