//! Prints tables like kubectl: headings in capitals, no frames, two spaces between columns, nothing truncated.
//!
//! Rows can be printed page by page. The first page sets the widths of the columns; a later value that is wider shifts
//! the rest of its row.

use std::io::{self, Write};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::style::HEADING;

/// The text of an empty cell, so that programs can count columns.
const NOTHING: &str = "-";
const COLUMN_GAP: usize = 2;

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// The text in one line, safe for a terminal.
    pub(crate) text: String,
    /// The colour and weight of the text.
    pub(crate) style: Style,
}

impl Cell {
    /// Returns a cell without a style.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), style: Style::new() }
    }

    fn shown(&self) -> &str {
        if self.text.is_empty() { NOTHING } else { &self.text }
    }
}

/// A table that is being printed.
#[derive(Debug)]
pub(crate) struct Table {
    headings: Vec<String>,
    indent: usize,
    /// The widths of the columns, known after the first page.
    widths: Option<Vec<usize>>,
}

impl Table {
    /// Returns an empty table with these headings.
    pub(crate) fn new(headings: Vec<String>) -> Self {
        Self { headings, indent: 0, widths: None }
    }

    /// Returns the table with every line indented by this number of spaces.
    pub(crate) fn indented(self, indent: usize) -> Self {
        Self { indent, ..self }
    }

    /// Prints a page of rows. The first page also prints the headings.
    pub(crate) fn print(&mut self, rows: &[Vec<Cell>], out: &mut dyn Write) -> io::Result<()> {
        let is_first = self.widths.is_none();
        let widths = self.widths.get_or_insert_with(|| widths(&self.headings, rows)).clone();
        if is_first {
            let headings = self.headings.iter().map(|text| Cell { text: text.clone(), style: HEADING });
            self.line(&headings.collect::<Vec<_>>(), &widths, out)?;
        }
        rows.iter().try_for_each(|row| self.line(row, &widths, out))
    }

    fn line(&self, cells: &[Cell], widths: &[usize], out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{:1$}", "", self.indent)?;
        for (index, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let (text, style) = (cell.shown(), cell.style);
            write!(out, "{style}{text}{style:#}")?;
            // Lines have no trailing spaces.
            if index + 1 < cells.len() {
                let spaces = width.saturating_sub(text.width()) + COLUMN_GAP;
                write!(out, "{:spaces$}", "")?;
            }
        }
        writeln!(out)
    }
}

fn widths(headings: &[String], rows: &[Vec<Cell>]) -> Vec<usize> {
    let widest = |(index, heading): (usize, &String)| {
        let cells = rows.iter().filter_map(|row| row.get(index)).map(|cell| cell.shown().width());
        cells.fold(heading.width(), usize::max)
    };
    headings.iter().enumerate().map(widest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_visible_width() {
        let row = |cells: [&str; 3]| cells.map(Cell::plain).to_vec();
        let mut table = Table::new(["NAME", "ROW", "STATUS"].map(str::to_owned).to_vec()).indented(2);
        let mut out = anstream::StripStream::new(Vec::new());
        table.print(&[row(["東京-1", "", "ACTIVE"]), row(["ams1", "12", ""])], &mut out).expect("print");
        table.print(&[row(["a-longer-name", "3", "FAILED"])], &mut out).expect("print");
        let text = String::from_utf8(out.into_inner()).expect("text");
        assert_eq!(
            text,
            "  NAME    ROW  STATUS\n  東京-1  -    ACTIVE\n  ams1    12   -\n  a-longer-name  3    FAILED\n"
        );
    }
}
