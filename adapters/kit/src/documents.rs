//! Reads a text as documents: YAML, JSON, or both in one stream.
//!
//! The text is split at the lines that YAML reserves for this (`---`, `...`), which can occur neither inside a YAML
//! value nor in JSON. Each part is then read separately, so that a broken document does not hide the others and an
//! error can give its number. A part that begins like JSON is read as a stream of JSON values, each of which is a
//! document. Guarantee: size, depth and number of values are bounded, of each document and of a file, also after aliases
//! are expanded.

use std::cell::Cell;

use serde::Deserialize;
use serde_json::Value;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::options::AliasLimits;
use serde_saphyr::{Budget, Options};

use crate::problem::shown;
use crate::strict::{Bounded, MAX_DEPTH, MAX_VALUES, too_deep, too_many};

/// The maximum number of values that the aliases of a document can expand to. Manifests hardly use aliases.
const MAX_ALIAS_VALUES: usize = 100_000;
/// The maximum bytes of text in a YAML document after aliases are expanded.
const MAX_TEXT_BYTES: usize = 16 << 20;
/// The maximum number of values in all documents of a file.
const MAX_FILE_VALUES: usize = 2 * MAX_VALUES;
/// The beginning of the parser's message for a key that stands twice, which goes on with the key.
const DUPLICATE_KEY: &str = "duplicate mapping key: ";
/// The maximum number of documents in a file: ten times as many as a batch can hold.
const MAX_DOCUMENTS: usize = 100_000;

/// A document that was read, or the reason why it cannot be read. An empty document is `Value::Null`.
pub type Document = Result<Value, String>;

/// Returns the documents of a text, in order. `json` is true if the file name says that the text is JSON.
pub fn read(text: &str, json: bool) -> Vec<Document> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let room = Room(Cell::new(Some(MAX_FILE_VALUES)));
    let documents = parts(text).take_while(|_| !room.is_full()).flat_map(|part| read_part(&part, json, &room));
    let mut documents: Vec<Document> = documents.take(MAX_DOCUMENTS + 1).collect();
    if room.is_full() && documents.len() <= MAX_DOCUMENTS {
        documents.push(Err(format!("the file holds more than {MAX_FILE_VALUES} values: split it into several files")));
    }
    if let Some(beyond) = documents.get_mut(MAX_DOCUMENTS) {
        *beyond = Err(format!("the file holds more than {MAX_DOCUMENTS} documents: split it into several files"));
    }
    documents
}

/// The number of values that a file can still hold; `None` once it holds too many.
struct Room(Cell<Option<usize>>);

impl Room {
    /// Takes the room of a document. Returns false if there is not as much: nothing more is read then.
    fn take(&self, document: &Bounded) -> bool {
        self.0.set(self.0.get().and_then(|left| left.checked_sub(document.values)));
        !self.is_full()
    }

    fn is_full(&self) -> bool {
        self.0.get().is_none()
    }
}

/// A part of a text, and the number of lines before it.
struct DocumentText<'a> {
    text: &'a str,
    above: usize,
}

/// Splits a text at its document markers. Comments and directives before a marker belong to the document after it.
fn parts(text: &str) -> impl Iterator<Item = DocumentText<'_>> {
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
        let part = DocumentText { text: &rest[..end], above };
        rest = &rest[end..];
        above += count;
        begun.then_some(part)
    })
}

/// Returns the lines of a text, each with its end: line feed, carriage return, or both.
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

/// Returns true if the line is blank, a comment or a directive, none of which begins a document.
fn is_prefix(line: &str) -> bool {
    let trimmed = line.trim();
    trimmed.is_empty() || trimmed.starts_with('#') || line.starts_with('%')
}

fn read_part(part: &DocumentText<'_>, json: bool, room: &Room) -> Vec<Document> {
    let body = json_body(part.text);
    if !json && !body.starts_with(['{', '[']) {
        return read_yaml(part, room).into_iter().collect();
    }
    let values = read_json(body, room);
    // A YAML object can also be written in braces, without quotation marks and with comments.
    let other = |error: &serde_json::Error| !json && !error.is_data();
    if values.last().is_some_and(|last| last.as_ref().is_err_and(other)) {
        let document = read_yaml(part, room);
        if document.as_ref().is_some_and(Result::is_ok) || values.len() == 1 {
            return document.into_iter().collect();
        }
    }
    let reason = |error| json_reason(part, body, &error);
    values.into_iter().map(|value| value.map(|Bounded { value, .. }| value).map_err(reason)).collect()
}

/// Returns the text after the document marker and the comments above the first value.
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

/// Reads a stream of JSON values up to the first broken one, or the first for which there is no room.
fn read_json(body: &str, room: &Room) -> Vec<serde_json::Result<Bounded>> {
    let values = serde_json::Deserializer::from_str(body).into_iter().take(MAX_DOCUMENTS + 1);
    values.take_while(|value| value.as_ref().map_or(true, |document| room.take(document))).collect()
}

fn json_reason(part: &DocumentText<'_>, body: &str, error: &serde_json::Error) -> String {
    let before = &part.text[..part.text.len() - body.len()];
    let above = part.above + lines(before).filter(|line| line.ends_with(['\n', '\r'])).count();
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or_default();
    format!("is not JSON that can be read, at line {}, column {}: {reason}", above + error.line(), error.column())
}

/// Reads a document of YAML; `None` if there is no room for it.
fn read_yaml(part: &DocumentText<'_>, room: &Room) -> Option<Document> {
    match parse_yaml(part) {
        Ok(document) => room.take(&document).then_some(Ok(document.value)),
        Err(reason) => Some(Err(reason)),
    }
}

fn parse_yaml(part: &DocumentText<'_>) -> Result<Bounded, String> {
    // The parser can look ahead over a whole list in brackets, and needs a hundred bytes for each value.
    let marks = part.text.bytes().filter(|byte| b",[]{}".contains(byte));
    if marks.count() > MAX_VALUES {
        return Err(too_many());
    }
    let read = serde_saphyr::with_deserializer_from_str_with_options(part.text, options(), |deserializer| {
        Bounded::deserialize(deserializer)
    });
    read.map_err(|error| {
        let position = error.location().map(|at| {
            // The parser counts from the start of the part; the error message counts from the start of the file.
            format!(", at line {}, column {}", part.above as u64 + at.line(), at.column())
        });
        format!("is not YAML that can be read{}: {}", position.unwrap_or_default(), yaml_reason(&error))
    })
}

/// Returns the options of the YAML parser: strict, bounded, and without the YAML 1.1 rule that `no` is a boolean.
fn options() -> Options {
    Options {
        budget: Some(Budget {
            max_reader_input_bytes: None,
            max_events: MAX_VALUES * 2,
            max_aliases: MAX_ALIAS_VALUES,
            max_anchors: 10_000,
            max_depth: MAX_DEPTH,
            max_documents: 2,
            max_nodes: MAX_VALUES,
            max_total_scalar_bytes: MAX_TEXT_BYTES,
            max_merge_keys: 10_000,
            enforce_alias_anchor_ratio: false,
            ..Budget::default()
        }),
        alias_limits: AliasLimits {
            max_total_replayed_events: MAX_ALIAS_VALUES,
            max_replay_stack_depth: MAX_DEPTH,
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
            format!("its aliases expand to more than {MAX_ALIAS_VALUES} values")
        }
        Error::Message { msg, .. } if msg.starts_with("cannot deserialize null") => {
            "the name of a member must be a text, not null".to_owned()
        }
        Error::Unexpected { expected, .. } => format!("there must be a {expected} here"),
        // The parser's lookahead reaches this limit before the budget does.
        Error::Message { msg, .. } if msg == "recursion limit exceeded" => too_deep(),
        Error::Message { msg, .. } | Error::HookError { msg, .. } => match msg.strip_prefix(DUPLICATE_KEY) {
            Some(name) => format!("the member {} stands twice in an object", shown(name)),
            None => msg.clone(),
        },
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
        // Others can repeat the text, which may be no document at all.
        _ => "it cannot be parsed".to_owned(),
    }
}

#[cfg(test)]
#[path = "documents_tests.rs"]
mod tests;
