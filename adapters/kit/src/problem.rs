//! Reports problems of manifests with their positions.
//!
//! [`ManifestError`] is the only error type of this module: file, document, object, field and a sentence. The problems
//! of a document are collected in [`Problems`], so that one run shows all of them, up to a bound for each document.
//! Guarantee: text from a manifest is made safe to print. Control characters never reach a terminal, long names are
//! truncated, and of a value no more than its beginning is repeated ([`excerpt`]).

use std::fmt;

use thiserror::Error;

use crate::hidden::is_hidden;

/// The maximum number of problems that are kept for a document; nobody reads more at a time.
const MAX_PROBLEMS_PER_DOCUMENT: usize = 20;
/// The maximum length of a printed sentence, and of a printed name, in characters.
const MAX_REASON_CHARACTERS: usize = 1_500;
const MAX_NAME_CHARACTERS: usize = 80;
/// The maximum number of characters of a value that a sentence repeats. A value can be a secret that somebody put into
/// the wrong place, and errors of runs are kept.
const MAX_VALUE_CHARACTERS: usize = 20;

/// The reason why a manifest was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {reason}", described(file, *part, name.as_deref(), field.as_deref()))]
pub struct ManifestError {
    /// The file or folder, or `standard input`.
    pub file: String,
    /// The part of the file; absent if the whole file is rejected.
    pub part: Option<Part>,
    /// The kind and name of the object that the part describes, such as `Rack/a14`, if known.
    pub name: Option<String>,
    /// The field, such as `spec.powerFeeds[1].phase`, or the column. Absent if the whole part is rejected.
    pub field: Option<String>,
    /// A sentence that says what is wrong and what is allowed.
    pub reason: String,
}

impl ManifestError {
    /// Returns the error that rejects a whole file or folder.
    pub fn of_file(file: &str, reason: impl AsRef<str>) -> Self {
        Self { file: file.to_owned(), part: None, name: None, field: None, reason: sentence(reason.as_ref()) }
    }

    /// Returns the error that rejects the object of a manifest.
    pub fn of_item(origin: &Origin, reason: impl AsRef<str>) -> Self {
        let name = origin.name.clone();
        Self { name, part: Some(origin.part), ..Self::of_file(&origin.file, reason) }
    }

    /// Returns the error that rejects a line of a table.
    pub fn of_line(file: &str, line: usize, reason: impl AsRef<str>) -> Self {
        Self { part: Some(Part::Line(line)), ..Self::of_file(file, reason) }
    }

    /// Returns the error that rejects a whole document.
    pub fn of_document(file: &str, document: usize, reason: impl AsRef<str>) -> Self {
        Self { part: Some(Part::Document(document)), ..Self::of_file(file, reason) }
    }
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A document, counted from 1.
    Document(usize),
    /// A line of a table, counted from 1.
    Line(usize),
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(number) => write!(out, "document {number}"),
            Self::Line(number) => write!(out, "line {number}"),
        }
    }
}

/// The origin of an item, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file, or `standard input`.
    pub file: String,
    /// The part of the file.
    pub part: Part,
    /// The kind and name from the manifest, such as `Rack/a14`.
    pub name: Option<String>,
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&described(&self.file, Some(self.part), self.name.as_deref(), None))
    }
}

/// Formats a position as far as it is known: `racks.yaml, document 2, Rack/a14, spec.heightU`.
pub fn described(file: &str, part: Option<Part>, name: Option<&str>, field: Option<&str>) -> String {
    let part = part.map(|part| part.to_string());
    let parts = [Some(file), part.as_deref(), name, field];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The position of a value in a document. It is formatted only if there is a problem.
#[derive(Clone, Copy)]
pub enum Path<'a> {
    Root,
    Member(&'a Path<'a>, &'a str),
    Item(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    pub fn member(&'a self, name: &'a str) -> Path<'a> {
        Path::Member(self, name)
    }

    pub fn item(&'a self, index: usize) -> Path<'a> {
        Path::Item(self, index)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Item(above, index) => write!(out, "{above}[{index}]"),
            Path::Member(above, name) => {
                let plain = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric());
                match (plain && name.len() <= MAX_NAME_CHARACTERS, above) {
                    (true, Path::Root) => write!(out, "{name}"),
                    (true, _) => write!(out, "{above}.{name}"),
                    (false, _) => write!(out, "{above}[{}]", shown(name)),
                }
            }
        }
    }
}

/// The problems of one document, in the order in which they were found.
#[derive(Default)]
pub struct Problems {
    found: Vec<(String, String)>,
    beyond: usize,
}

impl Problems {
    pub fn add(&mut self, path: &Path<'_>, reason: impl AsRef<str>) {
        if self.found.len() < MAX_PROBLEMS_PER_DOCUMENT {
            self.found.push((path.to_string(), sentence(reason.as_ref())));
        } else {
            self.beyond += 1;
        }
    }

    /// Adds a problem and returns `None`, for functions that return a value.
    pub fn refuse<T>(&mut self, path: &Path<'_>, reason: impl AsRef<str>) -> Option<T> {
        self.add(path, reason);
        None
    }

    pub fn count(&self) -> usize {
        self.found.len() + self.beyond
    }

    /// Returns the problems as pairs of field (absent for the whole document) and sentence.
    pub fn into_parts(mut self) -> impl Iterator<Item = (Option<String>, String)> {
        if self.beyond > 0 {
            self.found.push((String::new(), format!("and {} more problems in this document", self.beyond)));
        }
        self.found.into_iter().map(|(field, reason)| ((!field.is_empty()).then_some(field), reason))
    }

    pub fn into_errors(self, origin: &Origin) -> Vec<ManifestError> {
        self.into_parts()
            .map(|(field, reason)| ManifestError {
                file: origin.file.clone(),
                part: Some(origin.part),
                name: origin.name.clone(),
                field,
                reason,
            })
            .collect()
    }
}

/// Returns the name of a member or an object in quotation marks, escaped, and truncated if it is long. A value of a
/// document is no name: [`excerpt`] is for values.
pub fn shown(text: &str) -> String {
    quoted(text, MAX_NAME_CHARACTERS)
}

/// Returns the beginning of a value in quotation marks, escaped: so much that somebody who knows the value finds it.
pub fn excerpt(text: &str) -> String {
    quoted(text, MAX_VALUE_CHARACTERS)
}

fn quoted(text: &str, most: usize) -> String {
    format!("\"{}\"", cut(&text.chars().take(most + 1).collect::<String>(), most))
}

/// Returns the name of a file or an object, escaped, and truncated if it is long.
pub fn printable(text: &str) -> String {
    cut(text, MAX_NAME_CHARACTERS * 5)
}

/// Escapes a text of any length for one line or a column.
pub fn line(text: &str) -> String {
    cut(text, usize::MAX)
}

fn sentence(text: &str) -> String {
    cut(text, MAX_REASON_CHARACTERS)
}

/// Returns at most `most` characters of a text. Characters that control a terminal or that it does not show are
/// escaped.
fn cut(text: &str, most: usize) -> String {
    let mut out = String::new();
    for (index, letter) in text.chars().enumerate() {
        if index == most {
            out.push('…');
            break;
        }
        if is_hidden(letter) { out.extend(letter.escape_unicode()) } else { out.push(letter) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_file_document_object_field_and_reason() {
        let origin = Origin { file: "racks.yaml".into(), part: Part::Document(2), name: Some("Rack/a14".into()) };
        let mut problems = Problems::default();
        let spec = Path::Root.member("spec");
        let feeds = spec.member("powerFeeds");
        let feed = feeds.item(1);
        problems.add(&feed.member("phase"), "is missing");
        problems.add(&Path::Root, "is odd");
        let errors = problems.into_errors(&origin);
        assert_eq!(errors[0].to_string(), "racks.yaml, document 2, Rack/a14, spec.powerFeeds[1].phase: is missing");
        assert_eq!(errors[1].to_string(), "racks.yaml, document 2, Rack/a14: is odd");
        assert_eq!(ManifestError::of_file("x", "is empty").to_string(), "x: is empty");
    }

    #[test]
    fn names_from_outside_are_made_fit_to_print() {
        let long = "x".repeat(10 << 20);
        assert!(shown(&long).chars().count() < 100);
        assert_eq!(excerpt(&long), format!("\"{}…\"", "x".repeat(20)));
        assert_eq!(excerpt("a\u{1b}b"), "\"a\\u{1b}b\"");
        assert_eq!(shown("a\u{1b}[31mb\u{202e}"), "\"a\\u{1b}[31mb\\u{202e}\"");
        assert_eq!(shown("a\u{61c}b\u{200b}\u{e0041}"), "\"a\\u{61c}b\\u{200b}\\u{e0041}\"");
        assert_eq!(Path::Root.member("labels").member("app.io/x").to_string(), "labels[\"app.io/x\"]");
        assert!(Path::Root.member(&long).to_string().chars().count() < 100);
    }

    #[test]
    fn problems_are_bounded_per_document() {
        let mut problems = Problems::default();
        for _ in 0..1_000 {
            problems.add(&Path::Root, "is odd");
        }
        let parts: Vec<_> = problems.into_parts().collect();
        assert_eq!(parts.len(), MAX_PROBLEMS_PER_DOCUMENT + 1);
        assert_eq!(parts[MAX_PROBLEMS_PER_DOCUMENT].1, "and 980 more problems in this document");
    }
}
