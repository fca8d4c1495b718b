//! Shows the fields of an object: its values and references line by line, then each list with its first objects.

use std::io::{self, Write};

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::sdl::sdl;
use crate::show::{Cell, Column, HEADING, Shape, Table, Width, headings, label, row, row_selection};
use underlay_inventory::Description;
use underlay_kit::line;

/// The number of objects that are shown of a list.
const OBJECTS_LISTED: usize = 10;
/// The fields that the heading shows.
const IN_HEAD: [&str; 6] = ["id", "name", "path", "version", "createdAt", "updatedAt"];

/// The fields and lists of a kind that are shown.
pub(super) struct Sections {
    fields: Vec<(String, Shape)>,
    lists: Vec<List>,
}

/// A list of the objects that refer to this one by a field.
struct List {
    field: String,
    kind: &'static Description,
    columns: Vec<Column>,
}

impl Sections {
    /// Returns all fields and lists that the schema has for a kind.
    pub(super) fn of(kind: &'static Description) -> Self {
        let (mut fields, mut lists) = (Vec::new(), Vec::new());
        for field in sdl().fields(kind.name).map(|field| field.name.node.as_str()) {
            match Shape::of(kind.name, field) {
                Some(Shape::List(kind)) => {
                    lists.push(List { field: field.to_owned(), kind, columns: Column::all(kind, Width::Narrow) });
                }
                Some(shape) if !IN_HEAD.contains(&field) => fields.push((field.to_owned(), shape)),
                Some(_) | None => {}
            }
        }
        Self { fields, lists }
    }

    /// Returns the GraphQL selection for an object.
    pub(super) fn selection(&self) -> String {
        let fields = self.fields.iter().map(|(name, shape)| format!("{name}{}", shape.selection()));
        let lists = self.lists.iter().map(|List { field, kind, columns }| {
            let row = row_selection(kind, columns);
            format!("{field}(first: {OBJECTS_LISTED}) {{ totalCount nodes {{ {row} }} }}")
        });
        fields.chain(lists).collect::<Vec<_>>().join(" ")
    }

    /// Prints the fields of an object. Fields without a value are left out.
    pub(super) fn print(&self, object: &Value, out: &mut dyn Write) -> io::Result<()> {
        let shown: Vec<(String, Vec<String>)> = self
            .fields
            .iter()
            .map(|(name, shape)| (label(name), lines(shape, &object[name.as_str()])))
            .filter(|(_, lines)| !lines.is_empty())
            .collect();
        let width = shown.iter().map(|(label, _)| label.width()).max().unwrap_or_default();
        if !shown.is_empty() {
            writeln!(out)?;
        }
        for (label, lines) in &shown {
            for (index, line) in lines.iter().enumerate() {
                let label = if index == 0 { label } else { "" };
                writeln!(out, "  {label:width$}  {line}")?;
            }
        }
        self.lists.iter().try_for_each(|list| list.print(object, out))
    }
}

impl List {
    fn print(&self, object: &Value, out: &mut dyn Write) -> io::Result<()> {
        let list = &object[self.field.as_str()];
        let nodes = list["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
        if nodes.is_empty() {
            return Ok(());
        }
        let total = list["totalCount"].as_u64().unwrap_or_default();
        writeln!(out, "\n{HEADING}{}{HEADING:#}: {total}", label(&self.field))?;
        let rows: Vec<Vec<Cell>> = nodes.iter().map(|node| row(self.kind, &self.columns, node)).collect();
        Table::new(headings(&self.columns)).indented(2).print(&rows, out)?;
        match total.saturating_sub(nodes.len() as u64) {
            0 => Ok(()),
            more => writeln!(out, "  and {more} more"),
        }
    }
}

/// Formats a value with one line for each of its parts. Objects are shown by their full paths, which can be typed
/// again.
fn lines(shape: &Shape, value: &Value) -> Vec<String> {
    let several = |value: &Value| value.as_array().map_or_else(|| vec![value.clone()], Clone::clone);
    let texts: Vec<String> = match (shape, value) {
        (Shape::Objects(_), _) => shape.paths(value).iter().map(ToString::to_string).collect(),
        (Shape::Values(_), _) => several(value).iter().map(|value| shape.text(value)).collect(),
        (Shape::Value(_), Value::String(text)) => text.lines().map(line).collect(),
        // Labels and attributes have one entry on each line.
        (Shape::Value(_), Value::Object(members)) => members
            .iter()
            .map(|(key, value)| {
                line(&format!("{key}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
            })
            .collect(),
        (Shape::Value(_) | Shape::Time | Shape::Part(_) | Shape::List(_), _) => vec![shape.text(value)],
    };
    texts.into_iter().filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::object::kinds;

    #[test]
    fn objects_are_shown_field_by_field() {
        let kind = kinds().named("rack").expect("a kind");
        let object = json!({
            "heightU": 47, "serial": null, "status": "ACTIVE", "labels": {"a": "b", "c": "d"}, "description": "one\ntwo\u{1b}",
            "site": {"name": "ams1"}, "attributes": {}, "externalRefs": [{"source": "crm", "externalId": "7", "url": null}],
            "devices": {"totalCount": 12, "nodes": [
                {"name": "leaf-3", "site": {"name": "ams1"}, "role": "LEAF", "placement": null, "model": "X", "status": "FAILED"},
            ]},
        });
        let mut out = anstream::StripStream::new(Vec::new());
        Sections::of(kind).print(&object, &mut out).expect("print");
        let text = String::from_utf8(out.into_inner()).expect("text");
        let expected = "
  Height         47U
  Status         ACTIVE
  Labels         a=b
                 c=d
  Description    one
                 two\\u{1b}
  External refs  source crm, external id 7
  Site           site/ams1

Devices: 12
  NAME         ROLE  RACK  START-UNIT  MODEL  STATUS
  ams1/leaf-3  LEAF  -     -           X      FAILED
  and 11 more
";
        assert_eq!(text, expected);
    }

    #[test]
    fn every_kind_can_be_described() {
        for kind in kinds().kinds() {
            let sections = Sections::of(kind);
            assert!(!sections.selection().contains("svg"), "{} shows the text of a drawing", kind.name);
            assert!(sections.fields.iter().any(|(name, _)| name == "labels"), "{}", kind.name);
            let query = format!("{{ {}(first: 1) {{ nodes {{ {} }} }} }}", kind.plural(), sections.selection());
            underlay_testing::graphql::assert_valid(query);
        }
    }
}
