//! Shows the recent changes of an object, and the managers of its fields.

use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::csv::{CsvColumns, LIST_SEPARATOR};
use crate::show::{Cell, HEADING, Table, of_word, time};
use underlay_inventory::Description;
use underlay_kit::line;

/// The GraphQL selection for an object.
pub(super) const SELECTION: &str = "changes(first: 10) { pageInfo { hasNextPage } \
     nodes { revision at actor source operation before(references: KEY) after(references: KEY) } } managers { field type manager since }";
/// The fields that every change updates.
const BOOKKEEPING: [&str; 4] = ["managers", "version", "createdAt", "updatedAt"];
/// The maximum length of a shown value, in characters.
const VALUE_CHARACTERS: usize = 40;

/// The length to which a list is shown, in characters. No entry is cut.
const LIST_CHARACTERS: usize = 120;

/// Prints the managers and the recent changes of an object of a kind.
pub(super) fn print(kind: &Description, object: &Value, out: &mut dyn Write) -> io::Result<()> {
    managers(&object["managers"], out)?;
    changes(CsvColumns::of(kind), &object["changes"], out)
}

fn managers(managers: &Value, out: &mut dyn Write) -> io::Result<()> {
    let mut rows: Vec<(String, String, Vec<String>)> = Vec::new();
    for held in managers.as_array().into_iter().flatten() {
        let manager = match held["type"].as_str() {
            Some("SOURCE") => format!("source {}", text(&held["manager"])),
            Some("CONTROLLER") => format!("controller {}", text(&held["manager"])),
            _ => text(&held["manager"]),
        };
        let (since, field) = (held["since"].to_string(), text(&held["field"]));
        match rows.iter_mut().find(|row| row.0 == manager && row.1 == since) {
            Some((_, _, fields)) => fields.push(field),
            None => rows.push((manager, since, vec![field])),
        }
    }
    let rows: Vec<Vec<Cell>> = rows
        .into_iter()
        .map(|(manager, since, fields)| [manager, since, fields.join(", ")].map(Cell::plain).to_vec())
        .collect();
    table("Managers", ["MANAGER", "SINCE", "FIELDS"].map(str::to_owned).to_vec(), &rows, out)
}

fn changes(columns: &CsvColumns, changes: &Value, out: &mut dyn Write) -> io::Result<()> {
    if changes.is_null() {
        return writeln!(out, "\n{HEADING}Changes{HEADING:#}\n  not shown to a token of a tenant");
    }
    let nodes = changes["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let rows: Vec<Vec<Cell>> = nodes.iter().map(|node| change(columns, node)).collect();
    let headings = ["REVISION", "AT", "WHO", "OPERATION", "WHAT"].map(str::to_owned).to_vec();
    table("Changes", headings, &rows, out)?;
    match changes["pageInfo"]["hasNextPage"].as_bool() {
        Some(true) => writeln!(out, "  and earlier ones"),
        _ => Ok(()),
    }
}

pub(super) fn table(title: &str, headings: Vec<String>, rows: &[Vec<Cell>], out: &mut dyn Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{HEADING}{title}{HEADING:#}")?;
    Table::new(headings).indented(2).print(rows, out)
}

fn change(columns: &CsvColumns, change: &Value) -> Vec<Cell> {
    let operation = text(&change["operation"]);
    vec![
        Cell::plain(change["revision"].to_string()),
        Cell::plain(time(&change["at"])),
        Cell::plain(author(change)),
        Cell { style: of_word(&operation), text: operation },
        Cell::plain(difference(columns, &change["before"], &change["after"])),
    ]
}

/// Returns the actor of a change, and the source on whose behalf the actor wrote.
pub(crate) fn author(change: &Value) -> String {
    match change["source"].as_str() {
        Some(source) => format!("{} for {}", text(&change["actor"]), line(source)),
        None => text(&change["actor"]),
    }
}

/// Formats the fields that differ: `status ACTIVE → FAILED`. Returns an empty text if an object was created or deleted. The
/// columns are those of the kind of the object; references in the fields are keys.
pub(crate) fn difference(columns: &CsvColumns, before: &Value, after: &Value) -> String {
    let (Some(before), Some(after)) = (before.as_object(), after.as_object()) else { return String::new() };
    let of = |values: &Map<String, Value>, field: &str| match values.get(field) {
        Some(value) => short(columns, field, value),
        None => "-".to_owned(),
    };
    let shown = after.keys().filter(|field| !BOOKKEEPING.contains(&field.as_str()));
    let differs = shown.map(|field| format!("{} {} → {}", line(field), of(before, field), of(after, field)));
    differs.collect::<Vec<_>>().join(", ")
}

fn short(columns: &CsvColumns, field: &str, value: &Value) -> String {
    let text = match value {
        Value::Null => "-".to_owned(),
        // What names other objects is shown by their names, and no name is cut.
        Value::Object(_) | Value::Array(_) if columns.names_others(field) => {
            return columns.words(field, value).map_or_else(|| text(value), |words| whole_entries(&line(&words)));
        }
        value => text(value),
    };
    match text.char_indices().nth(VALUE_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns the first entries of a list that is separated by semicolons, and the number of the others.
fn whole_entries(list: &str) -> String {
    let mut entries = list.split(LIST_SEPARATOR);
    let mut shown = entries.next().unwrap_or_default().to_owned();
    let mut left = 0;
    for entry in entries {
        if left > 0 || shown.len() + entry.len() > LIST_CHARACTERS {
            left += 1;
        } else {
            shown = format!("{shown}{LIST_SEPARATOR} {entry}");
        }
    }
    if left == 0 { shown } else { format!("{shown} and {left} more") }
}

pub(super) fn text(value: &Value) -> String {
    line(value.as_str().map_or_else(|| value.to_string(), str::to_owned).as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_and_managers_are_tables() {
        let object = json!({
            "managers": [
                {"field": "row", "type": "SOURCE", "manager": "crm", "since": 3},
                {"field": "labels.env", "type": "SOURCE", "manager": "crm", "since": 3},
                {"field": "name", "type": "USER", "manager": "local", "since": 1},
            ],
            "changes": {"pageInfo": {"hasNextPage": true}, "nodes": [
                {"revision": 3, "at": "2026-11-20T12:25:33.123456Z", "actor": "local", "source": "crm", "operation": "UPDATED",
                 "before": {"row": null, "version": 1, "labels": {}}, "after": {"row": "7", "version": 3, "labels": {"env": "x".repeat(60)}}},
                {"revision": 1, "at": "2026-11-20T12:25:30Z", "actor": "local", "source": null, "operation": "CREATED",
                 "before": null, "after": {"row": null}},
            ]},
        });
        let mut out = anstream::StripStream::new(Vec::new());
        let rack = crate::object::kinds().named("rack").expect("a kind");
        print(rack, &object, &mut out).expect("print");
        let text = String::from_utf8(out.into_inner()).expect("text");
        let long = format!("{{\"env\":\"{}…", "x".repeat(32));
        let expected = format!(
            "\nManagers\n  MANAGER     SINCE  FIELDS\n  source crm  3      row, labels.env\n  local       1      name\n\
             \nChanges\n  REVISION  AT                       WHO            OPERATION  WHAT\n  \
             3         2026-11-20 12:25:33 UTC  local for crm  UPDATED    row - → 7, labels {{}} → {long}\n  \
             1         2026-11-20 12:25:30 UTC  local          CREATED    -\n  and earlier ones\n"
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn no_name_of_another_object_is_cut() {
        let cable = CsvColumns::of(crate::object::kinds().named("cable").expect("a kind"));
        let end = |port: &str| json!({"port": {"site": "ams1", "device": "leaf-3", "family": "DATA", "port": port}});
        let gone = json!({"port": {"id": "01936f7a-0000-7000-8000-000000000000"}});
        let before = json!({"aEnds": [end("Ethernet1/1"), gone], "label": "x".repeat(60)});
        let many: Vec<Value> = (0..9).map(|at| end(&format!("Ethernet{at}"))).collect();
        let after = json!({"aEnds": many, "label": null});
        let (name, x) = ("port/ams1/leaf-3/DATA/Ethernet", "x".repeat(40));
        let expected = format!(
            "aEnds {name}1/1; port/01936f7a-0000-7000-8000-000000000000 → {name}0; {name}1; {name}2 and 6 more, label {x}… → -"
        );
        assert_eq!(difference(cable, &before, &after), expected);
        let device = CsvColumns::of(crate::object::kinds().named("device").expect("a kind"));
        let rack = json!({"placement": {"rack": {"site": "ams1", "rack": "A14"}, "startUnit": 10.0}, "site": {"site": "ams1"}});
        let shown = difference(device, &json!({"placement": null, "site": null}), &rack);
        assert_eq!(shown, "placement - → rack ams1/A14, startUnit 10, site - → ams1");
    }
}
