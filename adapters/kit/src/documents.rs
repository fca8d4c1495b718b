//! A text as documents: YAML, JSON, or both in one stream.
//!
//! The text is cut at the lines that YAML reserves for it (`---`, `...`), which can stand neither inside a value of
//! YAML nor in JSON. Each part is then read by itself, so that one broken document does not hide the others and is
//! named by its number. A part that begins like JSON is read as a stream of JSON values; each counts as a document.

use serde::Deserialize;
use serde_json::Value;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::options::AliasLimits;
use serde_saphyr::{Budget, Options};

use crate::strict::{Bounded, DEEPEST, MOST_VALUES, too_deep, too_many};

/// Most values that the aliases of one document may expand to. Manifests hardly use them.
const MOST_REPLAYED: usize = 100_000;
/// Most text in one document of YAML, aliases expanded.
const MOST_TEXT: usize = 16 << 20;
/// Most documents in a file: ten times what one batch can take.
const MOST_DOCUMENTS: usize = 100_000;

/// One document that was read, or why it could not be; empty ones are `Value::Null`.
pub type Document = Result<Value, String>;

/// The documents of a text, in order. `json`: the file says by its name that it is JSON.
pub fn read(text: &str, json: bool) -> Vec<Document> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let documents = parts(text).flat_map(|part| read_part(&part, json));
    let mut documents: Vec<Document> = documents.take(MOST_DOCUMENTS + 1).collect();
    if let Some(beyond) = documents.get_mut(MOST_DOCUMENTS) {
        *beyond = Err(format!("the file holds more than {MOST_DOCUMENTS} documents: split it into several files"));
    }
    documents
}

/// A part of the text, and the number of lines before it.
struct Part<'a> {
    text: &'a str,
    above: usize,
}

/// Cuts a text at its document markers. Comments and directives before a marker belong to what follows it.
fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    let mut above = 0;
    std::iter::from_fn(move || {
        let (mut end, mut count, mut begun) = (0, 0, false);
        for line in lines(rest) {
            let opens = marks(line, "---");
            if opens && begun {
                break;
            }
            begun = begun || opens || !is_prefix(line);
            end += line.len();
            count += 1;
            if marks(line, "...") {
                break;
            }
        }
        let part = Part { text: &rest[..end], above };
        rest = &rest[end..];
        above += count;
        begun.then_some(part)
    })
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
    let values = read_json(body);
    // YAML writes objects in braces too, without quotation marks and with comments.
    let other = |error: &serde_json::Error| !json && !error.is_data();
    if values.last().is_some_and(|last| last.as_ref().is_err_and(other)) {
        let document = read_yaml(part);
        if document.is_ok() || values.len() == 1 {
            return vec![document];
        }
    }
    let reason = |error| json_reason(part, body, &error);
    values.into_iter().map(|value| value.map(|Bounded(value)| value).map_err(reason)).collect()
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
fn read_json(body: &str) -> Vec<serde_json::Result<Bounded>> {
    serde_json::Deserializer::from_str(body).into_iter().take(MOST_DOCUMENTS + 1).collect()
}

fn json_reason(part: &Part<'_>, body: &str, error: &serde_json::Error) -> String {
    let before = &part.text[..part.text.len() - body.len()];
    let above = part.above + lines(before).filter(|line| line.ends_with(['\n', '\r'])).count();
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or_default();
    format!("is not JSON that can be read, at line {}, column {}: {reason}", above + error.line(), error.column())
}

fn read_yaml(part: &Part<'_>) -> Document {
    // The parser may look ahead over a whole list in brackets, at a hundred bytes for each of its values.
    let marks = part.text.bytes().filter(|byte| b",[]{}".contains(byte));
    if marks.count() > MOST_VALUES {
        return Err(too_many());
    }
    let read = serde_saphyr::with_deserializer_from_str_with_options(part.text, options(), |deserializer| {
        Bounded::deserialize(deserializer).map(|Bounded(value)| value)
    });
    read.map_err(|error| {
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
        Error::Message { msg, .. } if msg.starts_with("cannot deserialize null") => {
            "the name of a member must be a text, not null".to_owned()
        }
        Error::Unexpected { expected, .. } => format!("there must be a {expected} here"),
        // The parser looks ahead of the budget.
        Error::Message { msg, .. } if msg == "recursion limit exceeded" => too_deep(),
        Error::Message { msg, .. } | Error::HookError { msg, .. } => msg.clone(),
        Error::Eof { .. } => "the text ends too early".to_owned(),
        Error::UnknownAnchor { .. } => "an alias names an anchor that is not defined above it".to_owned(),
        Error::Budget { breach, .. } => match breach {
            BudgetBreach::Depth { .. } => too_deep(),
            BudgetBreach::Anchors { .. } | BudgetBreach::Aliases { .. } => {
                "it has too many anchors or aliases".to_owned()
            }
            BudgetBreach::MergeKeys { .. } => "it has too many merge keys (<<)".to_owned(),
            BudgetBreach::ScalarBytes { .. } => "its texts, aliases expanded, are longer than 16 MiB".to_owned(),
            BudgetBreach::Events { .. } | BudgetBreach::Nodes { .. } => too_many(),
            other => format!("it is out of bounds ({other:?})"),
        },
        other => other.to_string(),
    }
}

#[cfg(test)]
#[path = "documents_tests.rs"]
mod tests;
