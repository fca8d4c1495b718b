//! A text as documents: YAML, JSON, or both in one stream.
//!
//! The text is cut at the lines that YAML reserves for it (`---`, `...`), which can stand neither inside a value of
//! YAML nor in JSON. Each part is then read by itself, so that one broken document does not hide the others and is
//! named by its number. A part that begins like JSON is read as a stream of JSON values; each counts as a document.

use serde::de::DeserializeSeed;
use serde_json::Value;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::options::AliasLimits;
use serde_saphyr::{Budget, Options};

use super::strict::{Bounds, DEEPEST, MOST_VALUES};

/// Most values that the aliases of one document may expand to. Manifests hardly use them.
const MOST_REPLAYED: usize = 100_000;
/// Most text in one document, aliases expanded. As long as the longest file.
const MOST_TEXT: usize = 64 << 20;

/// One document that was read, or why it could not be; empty ones are `Value::Null`.
pub(super) type Document = Result<Value, String>;

/// The documents of a text, in order. `json`: the file says by its name that it is JSON.
pub(super) fn read(text: &str, json: bool) -> Vec<Document> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    parts(text).into_iter().flat_map(|part| read_part(&part, json)).collect()
}

/// A part of the text, and the number of lines before it.
struct Part<'a> {
    text: &'a str,
    above: usize,
}

/// Cuts a text at its document markers. Comments and directives before a marker belong to what follows it.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut start, mut above, mut begun) = (0, 0, false);
    let mut end = 0;
    for (number, line) in lines(text).enumerate() {
        let opens = marks(line, "---");
        if opens && begun {
            parts.push(Part { text: &text[start..end], above });
            (start, above) = (end, number);
        }
        end += line.len();
        begun = begun || opens || !is_prefix(line);
        if marks(line, "...") {
            parts.push(Part { text: &text[start..end], above });
            (start, above, begun) = (end, number + 1, false);
        }
    }
    if begun {
        parts.push(Part { text: &text[start..], above });
    }
    parts
}

/// The lines of a text, each with its end: line feed, carriage return, or both.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = match rest.find(['\n', '\r']) {
            None if rest.is_empty() => return None,
            None => rest.len(),
            Some(at) if rest[at..].starts_with("\r\n") => at + 2,
            Some(at) => at + 1,
        };
        let (line, after) = rest.split_at(end);
        rest = after;
        Some(line)
    })
}

fn marks(line: &str, marker: &str) -> bool {
    line.strip_prefix(marker).is_some_and(|rest| rest.chars().next().is_none_or(|next| " \t\r\n".contains(next)))
}

/// Blank lines, comments and directives begin no document.
fn is_prefix(line: &str) -> bool {
    let trimmed = line.trim();
    trimmed.is_empty() || trimmed.starts_with('#') || line.starts_with('%')
}

fn read_part(part: &Part<'_>, json: bool) -> Vec<Document> {
    let body = json_body(part.text);
    if !json && !body.starts_with(['{', '[']) {
        return vec![read_yaml(part)];
    }
    let documents = read_json(part, body);
    if json || documents.iter().all(Result::is_ok) {
        return documents;
    }
    // YAML writes objects in braces too, without quotation marks and with comments.
    match read_yaml(part) {
        Err(_) if documents.len() > 1 => documents,
        document => vec![document],
    }
}

/// What follows the marker and the comments above the first value.
fn json_body(text: &str) -> &str {
    let mut body = text;
    loop {
        body = body.trim_start();
        if body.starts_with(['#', '%']) {
            body = &body[lines(body).next().map_or(0, str::len)..];
        } else if marks(body, "---") {
            body = &body[3..];
        } else {
            return body;
        }
    }
}

/// The values of a stream of JSON up to the first that is broken.
fn read_json(part: &Part<'_>, body: &str) -> Vec<Document> {
    let mut documents = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_str(body);
    while deserializer.end().is_err() {
        let document = Bounds::new().reader().deserialize(&mut deserializer).map_err(|error| {
            let before = &part.text[..part.text.len() - body.len()];
            let line = part.above + lines(before).filter(|line| line.ends_with(['\n', '\r'])).count() + error.line();
            let text = error.to_string();
            let reason = text.split(" at line ").next().unwrap_or_default();
            format!("is not JSON, at line {line}, column {}: {reason}", error.column())
        });
        let broken = document.is_err();
        documents.push(document);
        if broken {
            break;
        }
    }
    documents
}

fn read_yaml(part: &Part<'_>) -> Document {
    let bounds = Bounds::new();
    serde_saphyr::with_deserializer_from_str_with_options(part.text, options(), |deserializer| {
        bounds.reader().deserialize(deserializer)
    })
    .map_err(|error| {
        let place = error.location().map(|at| {
            // Positions are of the part; people count in the file.
            format!(", at line {}, column {}", part.above as u64 + at.line(), at.column())
        });
        format!("is not YAML that can be read{}: {}", place.unwrap_or_default(), yaml_reason(&error))
    })
}

/// Strict, bounded, and without the readings of YAML 1.1 that make a boolean of `no`.
fn options() -> Options {
    Options {
        budget: Some(Budget {
            max_reader_input_bytes: None,
            max_events: MOST_VALUES * 2,
            max_aliases: MOST_REPLAYED,
            max_anchors: 10_000,
            max_depth: DEEPEST,
            max_documents: 2,
            max_nodes: MOST_VALUES,
            max_total_scalar_bytes: MOST_TEXT,
            max_merge_keys: 10_000,
            enforce_alias_anchor_ratio: false,
            ..Budget::default()
        }),
        alias_limits: AliasLimits {
            max_total_replayed_events: MOST_REPLAYED,
            max_replay_stack_depth: DEEPEST,
            ..AliasLimits::default()
        },
        strict_booleans: true,
        with_snippet: false,
        ..Options::default()
    }
}

fn yaml_reason(error: &serde_saphyr::Error) -> String {
    use serde_saphyr::Error;
    match error {
        Error::Message { msg, .. } if msg.starts_with("alias replay limit") => {
            format!("its aliases expand to more than {MOST_REPLAYED} values")
        }
        // The parser looks ahead of the budget.
        Error::Message { msg, .. } if msg == "recursion limit exceeded" => {
            format!("lists and objects are nested deeper than {DEEPEST} levels")
        }
        Error::Message { msg, .. } | Error::HookError { msg, .. } => msg.clone(),
        Error::Eof { .. } => "the text ends too early".to_owned(),
        Error::UnknownAnchor { .. } => "an alias names an anchor that is not defined above it".to_owned(),
        Error::Budget { breach, .. } => match breach {
            BudgetBreach::Depth { .. } => format!("lists and objects are nested deeper than {DEEPEST} levels"),
            BudgetBreach::Anchors { .. } | BudgetBreach::Aliases { .. } => {
                "it has too many anchors or aliases".to_owned()
            }
            BudgetBreach::MergeKeys { .. } => "it has too many merge keys (<<)".to_owned(),
            BudgetBreach::ScalarBytes { .. } => "its texts, aliases expanded, are longer than 64 MiB".to_owned(),
            BudgetBreach::Events { .. } | BudgetBreach::Nodes { .. } => {
                format!("the document holds more than {MOST_VALUES} values: split it")
            }
            other => format!("it is out of bounds ({other:?})"),
        },
        other => other.to_string(),
    }
}

#[cfg(test)]
#[path = "documents_tests.rs"]
mod tests;
