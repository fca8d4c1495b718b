//! Writes objects as lines of a table, as the reader reads them.
//!
//! A cell has the form in which people write the value if it is read as the same value, else it is JSON. A text that a
//! spreadsheet would run as a formula, or that the reader would take for something else, begins with an apostrophe.

use std::sync::LazyLock;

use csv::{Terminator, WriterBuilder};
use serde_json::{Map, Value};

use super::cell::{self, APOSTROPHE, KEY_SEPARATOR, LIST_SEPARATOR, MEMBER_SEPARATOR, needs_apostrophe};
use super::header::{self, HeaderColumn};
use super::reference;
use super::types::{CellType, Types};
use crate::object::kinds;
use underlay_inventory::Description;

/// The columns of a table with all that can be written of the objects of a kind.
pub(crate) struct CsvColumns(Vec<HeaderColumn>);

impl CsvColumns {
    /// Returns the columns of a kind. They are made once for all kinds.
    pub(crate) fn of(kind: &Description) -> &'static Self {
        static KNOWN: LazyLock<Vec<CsvColumns>> = LazyLock::new(|| kinds().kinds().map(CsvColumns::new).collect());
        static NONE: CsvColumns = CsvColumns(Vec::new());
        let known = kinds().kinds().position(|known| known.id == kind.id).and_then(|at| KNOWN.get(at));
        known.unwrap_or(&NONE)
    }

    fn new(kind: &Description) -> Self {
        let types = Types::new(kinds());
        let mut names = types.columns(kind);
        // The parts of an object are objects with a table of their own. How it arrived is no field of it.
        let is_part = |name: &str| kind.parts.iter().any(|part| name.split('.').next() == Some(part.field));
        names.retain(|name| !is_part(name) && kind.arrival.is_none_or(|arrival| arrival.member != name));
        // The names are those of the schema, and all kinds have an id.
        Self(header::read(names.iter().map(String::as_str), kind, &types).unwrap_or_default())
    }

    /// Returns the names of the columns.
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.iter().map(|column| column.name.clone()).collect()
    }

    /// Returns true if a field of the kind refers to other objects.
    pub(crate) fn names_others(&self, field: &str) -> bool {
        let mut columns = self.0.iter().filter(|column| column.members.first().is_some_and(|first| first == field));
        columns.any(|column| match &column.cell_type {
            CellType::Reference(_) | CellType::OneOf(_) => true,
            CellType::List(entry) => matches!(**entry, CellType::Reference(_) | CellType::OneOf(_)),
            _ => false,
        })
    }

    /// Returns a field of an object in the words of a table: `port/ams1/leaf-3/Ethernet1`, or for a value with parts
    /// `rack ams1/A14, startUnit 10`. Returns `None` for a field that has no column.
    pub(crate) fn words(&self, field: &str, given: &Value) -> Option<String> {
        let columns = self.0.iter().filter(|column| column.members.first().is_some_and(|first| first == field));
        let mut words: Vec<String> = Vec::new();
        let mut known = false;
        for column in columns {
            known = true;
            let Some(value) = value(given, &column.members[1..]) else { continue };
            let text = plain(value, &column.cell_type).unwrap_or_else(|| value.to_string());
            words.push(match column.members[1..].join(".") {
                part if part.is_empty() => text,
                part => format!("{part} {text}"),
            });
        }
        known.then(|| words.join(", "))
    }

    /// Returns the cells of an object, from its item with references by key.
    pub(crate) fn cells(&self, item: &Value) -> Vec<String> {
        self.0
            .iter()
            .map(|column| value(item, &column.members).map_or_else(String::new, |it| text(it, &column.cell_type)))
            .collect()
    }
}

/// Returns cells as a line of a table.
pub(crate) fn csv_line(cells: &[String]) -> Vec<u8> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(cells);
    writer.into_inner().unwrap_or_default()
}

fn value<'a>(item: &'a Value, members: &[String]) -> Option<&'a Value> {
    let value = members.iter().try_fold(item, |value, member| value.get(member))?;
    (!value.is_null()).then_some(value)
}

/// Returns the cell of a value.
fn text(value: &Value, cell_type: &CellType) -> String {
    let plain = plain(value, cell_type).map(|text| match needs_apostrophe(&text) && !is_number(cell_type) {
        true => format!("{APOSTROPHE}{text}"),
        false => text,
    });
    let is_same =
        |text: &String| is_number(cell_type) || cell::read(text, cell_type).ok().flatten().as_ref() == Some(value);
    plain.filter(is_same).unwrap_or_else(|| value.to_string())
}

/// Returns true if a minus begins no formula.
const fn is_number(cell_type: &CellType) -> bool {
    matches!(cell_type, CellType::Integer { .. } | CellType::Number)
}

/// Returns the form in which people write a value.
fn plain(value: &Value, cell_type: &CellType) -> Option<String> {
    let list = |cell_type: &CellType| {
        let entries: Option<Vec<String>> = value.as_array()?.iter().map(|entry| plain(entry, cell_type)).collect();
        Some(entries?.join(&LIST_SEPARATOR.to_string()))
    };
    match cell_type {
        CellType::Reference(kind) => reference::write(value.as_object()?, kind),
        CellType::OneOf(members) => {
            let (member, value) = only(value.as_object()?)?;
            let (_, cell_type) = members.iter().find(|(name, _)| name == member)?;
            Some(format!("{member}{MEMBER_SEPARATOR}{}", plain(value, cell_type)?))
        }
        CellType::Entries => {
            let entry = |(key, value): (&String, &Value)| Some(format!("{key}{KEY_SEPARATOR}{}", value.as_str()?));
            let entries: Option<Vec<String>> = value.as_object()?.iter().map(entry).collect();
            Some(entries?.join(&LIST_SEPARATOR.to_string()))
        }
        CellType::List(cell_type) => list(cell_type),
        CellType::Number => {
            // JSON has no whole numbers, and people write 10 for 10.0.
            let text = value.as_number()?.to_string();
            Some(text.strip_suffix(".0").map_or(text.clone(), str::to_owned))
        }
        CellType::Text | CellType::Integer { .. } | CellType::Boolean | CellType::Choice(_) => match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
            _ => None,
        },
        CellType::Any | CellType::Parts | CellType::ListOf(..) | CellType::Computed => None,
    }
}

/// Returns the member of an object that has one.
fn only(object: &Map<String, Value>) -> Option<(&String, &Value)> {
    let mut members = object.iter().filter(|(_, value)| !value.is_null());
    let first = members.next()?;
    members.next().is_none().then_some(first)
}
