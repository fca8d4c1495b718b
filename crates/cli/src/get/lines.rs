//! Prints objects of a kind as comma-separated values, as `apply` reads them.

use std::io::{self, IsTerminal, Write};

use serde_json::Value;

use crate::csv::{CsvColumns, csv_line};
use underlay_inventory::Description;
use underlay_kit::line;

/// Writes a line as it is: a stream that knows colours would remove what looks like one.
fn put(cells: &[String]) -> io::Result<()> {
    io::stdout().lock().write_all(&csv_line(cells))
}

/// A table of comma-separated values that is being printed.
pub(super) struct Lines {
    columns: &'static CsvColumns,
    /// True if the names of the columns are printed.
    begun: bool,
    /// True if people read the table itself. Programs get every character as it is.
    on_terminal: bool,
}

impl Lines {
    /// Returns an empty table of the objects of a kind.
    pub(super) fn of(kind: &Description) -> Self {
        Self { columns: CsvColumns::of(kind), begun: false, on_terminal: io::stdout().is_terminal() }
    }

    /// Prints an object of which the id and the item with references by key were selected.
    pub(super) fn print(&mut self, object: &mut Value) -> io::Result<()> {
        self.begin()?;
        let mut item = object["item"].take();
        item["id"] = object["id"].take();
        let mut cells = self.columns.cells(&item);
        if self.on_terminal {
            cells.iter_mut().for_each(|cell| *cell = line(cell));
        }
        put(&cells)
    }

    /// Prints the end of the table: an empty one still names its columns.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.begin()
    }

    fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        put(&self.columns.names())
    }
}
