//! `underlay diff`: shows what `apply` would change, field by field, by a dry run.
//!
//! A line begins with `+` for a created object, `-` for a deleted object, and `~` for a changed field.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use serde_json::{Map, Value};
use underlay_client::{Client, ClientError};

use super::apply::rejections::{self, TooMany};
use super::apply::{Files, Objects, Read};
use super::batch::{self, BatchAnswer, Change, Conflicts, Detail, Input, MAX_BATCH_ITEMS, Operation, Status};
use super::exit::Exit;
use super::kinds::KnownKinds;
use super::manifest::ManifestItem;
use super::object::kinds;
use super::server;
use super::target::ServerAccess;
use underlay_inventory::{Field, Form, Shape};
use underlay_kit::line;

/// The maximum length of a shown value, in characters.
const VALUE_CHARACTERS: usize = 160;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    files: Files,
    /// Compare as if apply wrote on behalf of this source.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    source: Option<String>,
    /// The handling of fields that another manager owns. Default: skip with --source, otherwise fail.
    #[arg(long, value_enum)]
    conflicts: Option<Conflicts>,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    let kinds = KnownKinds::new();
    let Objects { items, errors } = match arguments.files.read(&kinds) {
        Ok(Read::Objects(objects)) => objects,
        Ok(Read::Export(_)) => {
            eprintln!("error: an export cannot be compared: its later batches need what the earlier ones write");
            return Exit::Usage;
        }
        Err(exit) => return exit,
    };
    if !errors.is_empty() {
        return rejections::unreadable(&errors);
    }
    if items.len() > MAX_BATCH_ITEMS {
        return rejections::too_many(items.len(), TooMany::Compared);
    }
    server::talk(server, async |client| ask(&client, &arguments, &kinds, &items).await)
}

async fn ask(client: &Client, arguments: &Arguments, kinds: &KnownKinds, items: &[ManifestItem]) -> Exit {
    let input = Input {
        dry_run: true,
        source: arguments.source.as_deref(),
        conflicts: arguments.conflicts,
        ..Input::of(items.iter().map(|item| &item.item))
    };
    let payload = match batch::apply(client, &input, Detail::Changes).await {
        Ok(payload) => payload,
        Err(ClientError::Graphql(errors)) => return rejections::input(&errors, items, kinds.registry()),
        Err(error) => return server::explain(&error),
    };
    if payload.results.iter().any(|result| result.status == Status::Failed) {
        return rejections::items(items, &payload, false, kinds.registry());
    }
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    // The reader may be gone; the exit code still has the result.
    let _ = show(&mut out, items, &payload);
    if payload.changes.is_empty() { Exit::Done } else { Exit::Different }
}

fn show(out: &mut impl Write, items: &[ManifestItem], payload: &BatchAnswer) -> std::io::Result<()> {
    for change in &payload.changes {
        for (style, text) in lines(change) {
            writeln!(out, "{style}{}{style:#}", line(&text))?;
        }
    }
    for (item, result) in items.iter().zip(&payload.results) {
        for skipped in &result.skipped {
            let name = result.name.as_deref().unwrap_or_default();
            let text = format!(
                "  {name}  {}: not changed, because it is owned by {}",
                item.field(&skipped.field),
                skipped.manager
            );
            writeln!(out, "{}", line(&text))?;
        }
    }
    Ok(())
}

/// Returns the lines that show a change.
pub(super) fn lines(change: &Change) -> Vec<(Style, String)> {
    let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
    let path = &change.path;
    let empty = Map::new();
    let (before, after) = (change.before.as_ref().unwrap_or(&empty), change.after.as_ref().unwrap_or(&empty));
    match change.operation {
        Operation::Deleted => vec![(color(AnsiColor::Red), format!("- {path}"))],
        Operation::Created => {
            let fields = differences(&change.kind, &empty, after).into_iter();
            let fields =
                fields.filter(|(name, ..)| name != "name").map(|(name, _, value)| format!("    {name}: {value}"));
            let all = std::iter::once(format!("+ {path}")).chain(fields);
            all.map(|text| (color(AnsiColor::Green), text)).collect()
        }
        Operation::Updated if before.is_empty() && after.is_empty() => {
            vec![(color(AnsiColor::Yellow), format!("~ {path}  owners of fields"))]
        }
        Operation::Updated => differences(&change.kind, before, after)
            .into_iter()
            .map(|(name, from, to)| (color(AnsiColor::Yellow), format!("~ {path}  {name}: {from} → {to}")))
            .collect(),
    }
}

/// Returns the parts of fields that differ: their names, old values and new values.
fn differences(kind: &str, before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
    for name in names {
        let (from, to) = (parts(kind, name, before.get(name)), parts(kind, name, after.get(name)));
        let members = from.keys().chain(to.keys().filter(|name| !from.contains_key(*name)));
        for member in members.filter(|member| from.get(*member) != to.get(*member)) {
            found.push((member.clone(), words(from.get(member)), words(to.get(member))));
        }
    }
    found
}

/// Splits a field into its parts: a map into its entries, a structure into its members. Other fields have one part.
fn parts(kind: &str, name: &str, value: Option<&Value>) -> Map<String, Value> {
    let field = kinds().named(kind).and_then(|kind| Some(&kind.fields[kind.field(name)?]));
    match value {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(members)) if field.is_none_or(has_parts) => {
            members.iter().map(|(member, value)| (format!("{name}.{member}"), value.clone())).collect()
        }
        Some(Value::Array(entries)) if field.is_some_and(|field| matches!(field.shape, Shape::PerKey)) => {
            let key = |entry: &Value| format!("{name}.{}", entry["source"].as_str().unwrap_or_default());
            entries.iter().map(|entry| (key(entry), entry["externalId"].clone())).collect()
        }
        Some(value) => Map::from_iter([(name.to_owned(), value.clone())]),
    }
}

fn has_parts(field: &Field) -> bool {
    field.reference.is_none_or(|reference| matches!(reference.form, Form::Member(_) | Form::OptionalMember(_)))
}

/// Formats a value in short form: a reference by its names.
fn words(value: Option<&Value>) -> String {
    let text = match value {
        None | Some(Value::Null) => "(not set)".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Object(members)) if members.values().all(Value::is_string) => {
            members.values().filter_map(Value::as_str).collect::<Vec<_>>().join("/")
        }
        Some(other) => other.to_string(),
    };
    match text.char_indices().nth(VALUE_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(change: Value) -> Vec<String> {
        let change: Change = serde_json::from_value(change).expect("a change");
        lines(&change).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn changes_are_shown_field_by_field() {
        let change = |before: Value, after: Value| {
            shown(
                json!({"operation": "UPDATED", "kind": "Rack", "path": "rack/ams1/A14", "before": before, "after": after}),
            )
        };
        assert_eq!(change(json!({"heightU": 42}), json!({"heightU": 47})), ["~ rack/ams1/A14  heightU: 42 → 47"]);
        assert_eq!(
            change(
                json!({"labels": {"a": "1", "b": "2"}, "cage": null}),
                json!({"labels": {"a": "1", "c": "3"}, "cage": "x"})
            ),
            [
                "~ rack/ams1/A14  labels.b: 2 → (not set)",
                "~ rack/ams1/A14  labels.c: (not set) → 3",
                "~ rack/ams1/A14  cage: (not set) → x"
            ]
        );
        assert_eq!(
            change(
                json!({"location": {"site": "ams1", "location": "a"}}),
                json!({"location": {"site": "ams1", "location": "b"}})
            ),
            ["~ rack/ams1/A14  location: ams1/a → ams1/b"]
        );
        assert_eq!(change(json!({}), json!({})), ["~ rack/ams1/A14  owners of fields"]);
        let made = json!({"operation": "CREATED", "kind": "Rack", "path": "rack/ams1/A15", "before": null,
            "after": {"name": "A15", "site": {"site": "ams1"}, "heightU": 47}});
        assert_eq!(shown(made), ["+ rack/ams1/A15", "    site: ams1", "    heightU: 47"]);
    }
}
