//! Tables: files of comma-separated values that `underlay apply --kind` reads, one object of a kind on each line.
//!
//! The first line names the columns by the fields of the kind. Each further line becomes an item of the API's `apply`,
//! with its place, so that what the server says of an item can be said of line and column. What the reader guarantees
//! is what manifests do: nothing is dropped silently but lines without a single value, all bad lines of a file are
//! reported (up to a thousand problems), and no input makes it panic or grow without bound.

mod cell;
mod header;
mod lines;
mod reference;
mod types;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord};
use serde_json::{Map, Value, json};

use self::header::Column;
use self::lines::Lines;
use self::types::Types;
use super::kinds::{KnownKinds, unfit};
use super::manifest::ManifestItem;
use underlay_inventory::Description;
use underlay_kit::source::{Text, read_text};
use underlay_kit::{ManifestError, Origin, Part, printable};

/// More problems than anyone reads: the run stops there.
const MOST_ERRORS: usize = 1_000;

/// What a file holds: the items of the good lines, and what is wrong with the others.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) items: Vec<ManifestItem>,
    pub(super) errors: Vec<ManifestError>,
}

/// Reads a file, or standard input (`-`), with objects of a kind.
pub(super) fn read(from: &Path, kind: &'static Description, kinds: &KnownKinds) -> Table {
    match read_text(from) {
        Ok(Text { file, text, .. }) => read_lines(&file, &text, kind, kinds),
        Err(error) => Table { items: Vec::new(), errors: vec![error] },
    }
}

fn read_lines(file: &str, text: &str, kind: &'static Description, kinds: &KnownKinds) -> Table {
    let mut reader = Reader { file, kind, lines: Lines::new(text), table: Table::default() };
    if let Err(errors) = reader.read(kinds) {
        reader.table.errors.extend(errors);
    }
    reader.table
}

struct Reader<'a> {
    file: &'a str,
    kind: &'static Description,
    lines: Lines<'a>,
    table: Table,
}

impl Reader<'_> {
    /// Reads line after line; gives what ends it too soon.
    fn read(&mut self, kinds: &KnownKinds) -> Result<(), Vec<ManifestError>> {
        if let Some(line) = self.lines.open_quote() {
            let reason = "a quotation mark is opened here and never closed";
            return Err(vec![ManifestError::of_line(self.file, line, reason)]);
        }
        let types = Types::new(kinds.registry()).map_err(|error| self.refuse(format!("cannot be read: {error}")))?;
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(self.lines.text());
        let mut record = StringRecord::new();
        let mut columns = None;
        while reader.read_record(&mut record).map_err(|error| self.refuse(format!("cannot be read: {error}")))? {
            let line = self.lines.at(record.position().map_or(0, csv::Position::byte));
            match &columns {
                None => columns = Some(Columns::new(self.header(&record, line, &types)?)),
                Some(columns) => self.line(&record, line, columns),
            }
            if self.table.errors.len() >= MOST_ERRORS {
                return Err(self.refuse("has more problems: what follows was not looked at"));
            }
        }
        match columns {
            None => Err(self.refuse("is empty: the first line must name the columns, such as name,site")),
            Some(_) if self.table.items.is_empty() && self.table.errors.is_empty() => {
                Err(self.refuse("holds nothing but the names of columns: there is nothing to apply"))
            }
            Some(_) => Ok(()),
        }
    }

    /// A refusal of the file.
    fn refuse(&self, reason: impl AsRef<str>) -> Vec<ManifestError> {
        vec![ManifestError::of_file(self.file, reason)]
    }

    /// The columns of the header, or all that is wrong with it.
    fn header(&self, record: &StringRecord, line: usize, types: &Types) -> Result<Vec<Column>, Vec<ManifestError>> {
        let error = |problem: header::Problem| {
            let field = problem.column.map(|number| format!("column {number}"));
            ManifestError { field, ..ManifestError::of_line(self.file, line, problem.reason) }
        };
        header::read(record.iter(), self.kind, types).map_err(|problems| problems.into_iter().map(error).collect())
    }

    fn line(&mut self, record: &StringRecord, line: usize, columns: &Columns) {
        // What spreadsheets leave at the end.
        if record.iter().all(|cell| cell.trim().is_empty()) {
            return;
        }
        if record.len() != columns.list.len() {
            let (has, header) = (record.len(), columns.list.len());
            let reason = format!("has {has} columns, but the header has {header}: is a comma not in quotation marks?");
            self.table.errors.push(ManifestError::of_line(self.file, line, reason));
            return;
        }
        let mut fields = Map::new();
        let mut problems = Vec::new();
        for (place, (cell, column)) in record.iter().zip(&columns.list).enumerate() {
            match cell::read(cell, &column.shape) {
                Ok(None) => {}
                Ok(Some(value)) => cell::put(&mut fields, &column.members, value),
                Err(reason) => problems.push((Some(format!("column {} ({})", place + 1, column.name)), reason)),
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

/// What the kind refuses of the fields, as field and sentence: the server would refuse the whole batch for some of it.
fn misfits(kind: &'static Description, fields: &Map<String, Value>) -> Vec<(String, String)> {
    let misfits = fields.iter().filter_map(|(name, value)| {
        let unfit = unfit(kind, name, value)?;
        Some((name.clone(), format!("{} {}", unfit.field, unfit.reason)))
    });
    misfits.collect()
}

/// The columns of a table.
struct Columns {
    list: Vec<Column>,
    /// Their names, for messages about the items.
    names: Arc<[String]>,
}

impl Columns {
    fn new(list: Vec<Column>) -> Self {
        let names = list.iter().map(|column| column.name.clone()).collect();
        Self { list, names }
    }
}
