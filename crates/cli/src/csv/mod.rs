//! Reads tables: files of comma-separated values for `underlay apply --kind`, with one object of a kind on each line.
//!
//! The first line names the columns after the fields of the kind. Each further line becomes an item of the API's
//! `apply` with its position, so that errors of the server name line and column.
//!
//! Guarantees, as for manifests: only lines without any value are dropped silently. All bad lines of a file are
//! reported, up to a thousand problems. No input makes the reader panic or use unbounded memory. What [`CsvColumns`]
//! writes of an object is read as the same object.

mod cell;
mod header;
mod lines;
mod reference;
mod types;
mod write;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord};
use serde_json::{Map, Value, json};

pub(super) use self::cell::LIST_SEPARATOR;
use self::header::HeaderColumn;
use self::lines::LineCounter;
use self::types::{CellType, Types};
pub(super) use self::write::{CsvColumns, csv_line};
use super::kinds::{KnownKinds, unfit};
use super::manifest::ManifestItem;
use underlay_inventory::Description;
use underlay_kit::source::{Text, read_text};
use underlay_kit::{ManifestError, Origin, Part, printable};

/// The number of problems at which a run stops; nobody reads more.
const SHOWN_ERRORS: usize = 1_000;

/// The maximum number of lines of a file: ten times as many as a batch can hold.
const MAX_LINES: usize = 100_000;
/// The maximum number of cells of a file that are not empty.
const MAX_CELLS: usize = 2_000_000;

/// The content of a file: the items of the valid lines, and the errors of the others.
#[derive(Debug, Default)]
pub(super) struct CsvTable {
    pub(super) items: Vec<ManifestItem>,
    pub(super) errors: Vec<ManifestError>,
    /// Sentences about columns that are not applied.
    pub(super) notes: Vec<String>,
}

/// Reads the objects of a kind from a file or from standard input (`-`).
pub(super) fn read(from: &Path, kind: &'static Description, kinds: &KnownKinds) -> CsvTable {
    of_text(read_text(from), kind, kinds)
}

/// Reads the objects of a kind from a text.
pub(super) fn of_text(text: Result<Text, ManifestError>, kind: &'static Description, kinds: &KnownKinds) -> CsvTable {
    match text {
        Ok(Text { file, text, .. }) => read_lines(&file, &text, kind, kinds),
        Err(error) => CsvTable { errors: vec![error], ..CsvTable::default() },
    }
}

fn read_lines(file: &str, text: &str, kind: &'static Description, kinds: &KnownKinds) -> CsvTable {
    let mut reader = CsvReader { file, kind, lines: LineCounter::new(text), table: CsvTable::default() };
    if let Err(errors) = reader.read(kinds) {
        reader.table.errors.extend(errors);
    }
    reader.table
}

struct CsvReader<'a> {
    file: &'a str,
    kind: &'static Description,
    lines: LineCounter<'a>,
    table: CsvTable,
}

impl CsvReader<'_> {
    /// Reads line after line. Returns an error if the rest of the file cannot be read.
    fn read(&mut self, kinds: &KnownKinds) -> Result<(), Vec<ManifestError>> {
        if let Some(line) = self.lines.open_quote() {
            let reason = "a quotation mark is opened here and never closed";
            return Err(vec![ManifestError::of_line(self.file, line, reason)]);
        }
        let types = Types::new(kinds.registry());
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(self.lines.text());
        let mut record = StringRecord::new();
        let (mut columns, mut cells) = (None, 0);
        while reader.read_record(&mut record).map_err(|error| self.refuse(format!("cannot be read: {error}")))? {
            cells += record.iter().filter(|cell| !cell.is_empty()).count();
            if cells > MAX_CELLS || self.table.items.len() >= MAX_LINES {
                let reason =
                    format!("has more than {MAX_LINES} lines or {MAX_CELLS} cells: split it into several files");
                return Err(self.refuse(reason));
            }
            let line = self.lines.at(record.position().map_or(0, csv::Position::byte));
            match &columns {
                None => {
                    let list = self.header(&record, line, &types)?;
                    self.note(&list, &types);
                    columns = Some(Columns::new(list));
                }
                Some(columns) => self.line(&record, line, columns),
            }
            if self.table.errors.len() >= SHOWN_ERRORS {
                return Err(self.refuse("has too many problems: the rest was not checked"));
            }
        }
        match columns {
            None => Err(self.refuse("is empty: the first line must name the columns, such as name,site")),
            Some(_) if self.table.items.is_empty() && self.table.errors.is_empty() => {
                Err(self.refuse("has only the names of columns: there is nothing to apply"))
            }
            Some(_) => Ok(()),
        }
    }

    /// Returns an error for the whole file.
    fn refuse(&self, reason: impl AsRef<str>) -> Vec<ManifestError> {
        vec![ManifestError::of_file(self.file, reason)]
    }

    /// Returns the columns of the header, or all problems with it.
    fn header(
        &self,
        record: &StringRecord,
        line: usize,
        types: &Types,
    ) -> Result<Vec<HeaderColumn>, Vec<ManifestError>> {
        let error = |problem: header::Problem| {
            let field = problem.column.map(|number| format!("column {number}"));
            ManifestError { field, ..ManifestError::of_line(self.file, line, problem.reason) }
        };
        header::read(record.iter(), self.kind, types).map_err(|problems| problems.into_iter().map(error).collect())
    }

    /// Notes the columns that are not applied.
    fn note(&mut self, columns: &[HeaderColumn], types: &Types) {
        let computed = columns.iter().enumerate().filter(|(_, it)| matches!(it.cell_type, CellType::Computed));
        let note = |(index, column): (usize, &HeaderColumn)| {
            format!("{}, column {}: {}", printable(self.file), index + 1, header::note(column, self.kind, types))
        };
        self.table.notes.extend(computed.map(note));
    }

    fn line(&mut self, record: &StringRecord, line: usize, columns: &Columns) {
        // Spreadsheets leave empty lines at the end.
        if record.iter().all(|cell| cell.trim().is_empty()) {
            return;
        }
        if record.len() != columns.list.len() {
            let (has, header) = (record.len(), columns.list.len());
            let reason = format!(
                "has {has} columns, but the header has {header}: a cell with a comma must be in quotation marks"
            );
            self.table.errors.push(ManifestError::of_line(self.file, line, reason));
            return;
        }
        let mut fields = Map::new();
        let mut problems = Vec::new();
        for (index, (cell, column)) in record.iter().zip(&columns.list).enumerate() {
            match cell::read(cell, &column.cell_type) {
                Ok(None) => {}
                Ok(Some(value)) => cell::put(&mut fields, &column.members, value),
                Err(reason) => problems.push((Some(format!("column {} ({})", index + 1, column.name)), reason)),
            }
        }
        let name = fields.get("name").and_then(Value::as_str);
        let name = name.map_or_else(|| self.kind.name.to_owned(), |name| format!("{}/{name}", self.kind.name));
        let origin = Origin { file: self.file.to_owned(), part: Part::Line(line), name: Some(printable(&name)) };
        let refuse = |(field, reason): (Option<String>, String)| ManifestError {
            field,
            ..ManifestError::of_item(&origin, reason)
        };
        if !problems.is_empty() {
            self.table.errors.extend(problems.into_iter().map(refuse));
            return;
        }
        let misfits = misfits(self.kind, &fields);
        let item = ManifestItem::of_line(origin, json!({ self.kind.singular: fields }), &columns.names);
        match misfits.is_empty() {
            true => self.table.items.push(item),
            false => {
                let errors = misfits.iter().map(|(field, reason)| item.refuse(Some(field), reason));
                self.table.errors.extend(errors);
            }
        }
    }
}

/// Returns the fields that the kind rejects, each with a sentence. The server would reject the whole batch for some of
/// them.
fn misfits(kind: &'static Description, fields: &Map<String, Value>) -> Vec<(String, String)> {
    let misfits = fields.iter().filter_map(|(name, value)| {
        let unfit = unfit(kind, name, value)?;
        Some((name.clone(), format!("{} {}", unfit.field, unfit.reason)))
    });
    misfits.collect()
}

/// The columns of a table.
struct Columns {
    list: Vec<HeaderColumn>,
    /// The names of the columns, for messages about the items.
    names: Arc<[String]>,
}

impl Columns {
    fn new(list: Vec<HeaderColumn>) -> Self {
        let names = list.iter().map(|column| column.name.clone()).collect();
        Self { list, names }
    }
}
