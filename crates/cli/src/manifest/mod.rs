//! Reads manifests, the files that `underlay apply -f` takes, and writes manifests of our own form.
//!
//! A manifest is a document in the style of Kubernetes, in YAML or JSON: `apiVersion`, `kind`, `metadata`, `spec`. The
//! reader accepts two forms, which can be mixed: our own (`underlay/v1`) and that of the Milo inventory service
//! (`inventory.miloapis.com/v1alpha1`). A `kind: List` or a list of documents holds several manifests. Each manifest
//! becomes items of the API's `apply`. Each item keeps its [`Origin`], so that a message of the server about an item
//! can name the file.
//!
//! Guarantees: only input that is documented as ignored is dropped. A manifest that cannot be mapped is rejected with
//! file, document number, field path and a sentence. A run reports all bad documents, up to a thousand problems, not
//! just the first. No input makes the reader panic or use unbounded memory. The reader sends no requests: the server
//! checks that names exist and that values are in range.
//!
//! [`underlay_milo`] reads and writes Milo's form.

mod fields;
mod kinds;
mod own;
mod write;

#[cfg(test)]
mod tests;

use std::io::{self, Read};
use std::path;
use std::sync::Arc;

use serde_json::{Map, Value};
use underlay_kit::source::{self, STANDARD_INPUT, Text};
use underlay_kit::{
    Manifest, ManifestError, Origin, Part, Path, Problems, choices, documents, excerpt, list, only, printable,
    required, sort_of, text,
};
use underlay_milo as milo;

use self::fields::Dialect;
pub use self::kinds::{FieldForm, Form, KindForm, Kinds, ReferenceForm};
pub(super) use self::write::{manifest, yaml};

/// The number of problems at which a run stops; nobody reads more.
const MAX_ERRORS: usize = 1_000;

/// An item of the API's `apply`, and its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct ManifestItem {
    /// The manifest that the item was made from.
    pub origin: Origin,
    /// The `ApplyItem`: an object with one member, named after the kind, that holds the fields.
    pub item: Value,
    dialect: Dialect,
    /// The position of the manifest in its document; empty if it is the whole document.
    at: String,
}

impl ManifestItem {
    /// Returns the item of a line of a table with these columns.
    pub(super) fn of_line(origin: Origin, item: Value, columns: &Arc<[String]>) -> Self {
        Self { origin, item, dialect: Dialect::Table(Arc::clone(columns)), at: String::new() }
    }

    /// Returns the manifest's name for a field of the item: `spec.siteRef` for the `site` of a manifest of Milo.
    pub fn field(&self, field: &str) -> String {
        let member = self.item.as_object().and_then(|item| item.keys().next()).map_or("", String::as_str);
        fields::in_manifest(&self.dialect, member, &self.at, field)
    }

    /// Returns an error that says which manifest, and which of its fields, the server's `reason` is about.
    pub fn refuse(&self, field: Option<&str>, reason: &str) -> ManifestError {
        ManifestError { field: field.map(|field| self.field(field)), ..ManifestError::of_item(&self.origin, reason) }
    }
}

/// Reads a file, every manifest file in a folder and its folders, or standard input (`-`).
pub fn read(from: &path::Path, kinds: &dyn Kinds) -> Result<Vec<ManifestItem>, Vec<ManifestError>> {
    if from.as_os_str() == "-" {
        return read_from(STANDARD_INPUT, io::stdin().lock(), kinds);
    }
    let files = source::files(from).map_err(|error| vec![error])?;
    let texts = files.iter().map(|file| source::read_file(file));
    read_texts(&from.to_string_lossy(), texts, kinds)
}

/// Reads one stream of documents. Messages call the stream by `name`.
pub fn read_from(name: &str, from: impl Read, kinds: &dyn Kinds) -> Result<Vec<ManifestItem>, Vec<ManifestError>> {
    read_texts(name, std::iter::once_with(|| source::read_from(name, from)), kinds)
}

/// Reads the text of one file of many, which messages call by `name`. What is good in it is returned also if something else in it is bad, and it may hold nothing.
pub(super) fn read_one_of_many(
    name: &path::Path,
    text: Result<Text, ManifestError>,
    kinds: &dyn Kinds,
) -> (Vec<ManifestItem>, Vec<ManifestError>) {
    let mut reader = ManifestReader { kinds, items: Vec::new(), errors: Vec::new() };
    match text {
        Ok(text) => reader.text(&text),
        Err(error) => reader.errors.push(error),
    }
    if reader.is_full() {
        let reason = "has more problems: the rest was not checked";
        reader.errors.push(ManifestError::of_file(&printable(&name.to_string_lossy()), reason));
    }
    (reader.items, reader.errors)
}

fn read_texts(
    name: &str,
    texts: impl Iterator<Item = Result<Text, ManifestError>>,
    kinds: &dyn Kinds,
) -> Result<Vec<ManifestItem>, Vec<ManifestError>> {
    let mut reader = ManifestReader { kinds, items: Vec::new(), errors: Vec::new() };
    for text in texts {
        match text {
            Ok(text) => reader.text(&text),
            Err(error) => reader.errors.push(error),
        }
        if reader.is_full() {
            break;
        }
    }
    if reader.items.is_empty() && reader.errors.is_empty() {
        let reason = "holds no manifest: there is nothing but empty documents and comments";
        reader.errors.push(ManifestError::of_file(&printable(name), reason));
    }
    if reader.is_full() {
        let file = reader.errors.last().map_or(name, |error| &error.file);
        let error = ManifestError::of_file(file, "has too many problems: the rest was not checked");
        reader.errors.push(error);
    }
    if reader.errors.is_empty() { Ok(reader.items) } else { Err(reader.errors) }
}

/// The number of characters of the kind and of the name of a document of something else that messages repeat.
const FOREIGN_CHARACTERS: usize = 20;

/// An item that a manifest was mapped to.
struct Mapped {
    /// The name of the item in messages, if it differs from the name of the manifest.
    name: Option<String>,
    item: Value,
    dialect: Dialect,
}

impl Mapped {
    fn of_milo(milo::Mapped { name, item, kind }: milo::Mapped) -> Self {
        Self { name, item, dialect: Dialect::Milo(kind) }
    }
}

struct ManifestReader<'a> {
    kinds: &'a dyn Kinds,
    items: Vec<ManifestItem>,
    errors: Vec<ManifestError>,
}

impl ManifestReader<'_> {
    fn is_full(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    fn text(&mut self, text: &Text) {
        for (index, document) in documents::read(&text.text, text.json).into_iter().enumerate() {
            let document = match document {
                Ok(document) => document,
                Err(_) if self.is_full() => return,
                Err(reason) => {
                    self.errors.push(ManifestError::of_document(&text.file, index + 1, reason));
                    continue;
                }
            };
            let origin = Origin { file: text.file.clone(), part: Part::Document(index + 1), name: None };
            self.document(&document, &origin, &Path::Root);
        }
    }

    /// Reads a document, or an element of a list in a document.
    fn document(&mut self, document: &Value, origin: &Origin, path: &Path<'_>) {
        match document {
            _ if self.is_full() => {}
            Value::Null => {}
            Value::Array(elements) => self.elements(elements, origin, path),
            Value::Object(members) if is_list(members) => {
                let mut problems = Problems::default();
                only(members, &["apiVersion", "kind", "metadata", "items"], path, &mut problems);
                let items = required(members, "items", path, &mut problems);
                let elements = items.and_then(|items| list(items, &path.member("items"), &mut problems));
                self.errors.extend(problems.into_errors(origin));
                self.elements(elements.unwrap_or_default(), origin, &path.member("items"));
            }
            other => self.manifest(other, origin, path),
        }
    }

    fn elements(&mut self, elements: &[Value], origin: &Origin, path: &Path<'_>) {
        for (index, element) in elements.iter().enumerate() {
            self.document(element, origin, &path.item(index));
        }
    }

    fn manifest(&mut self, document: &Value, origin: &Origin, path: &Path<'_>) {
        let mut problems = Problems::default();
        let origin = Origin { name: called(document), ..origin.clone() };
        let mapped = map(document, path, self.kinds, &mut problems);
        if problems.count() > 0 {
            self.errors.extend(problems.into_errors(&origin));
            return;
        }
        self.items.extend(mapped.into_iter().map(|mapped| {
            let name = mapped.name.or_else(|| origin.name.clone());
            let origin = Origin { name, ..origin.clone() };
            ManifestItem { origin, item: mapped.item, dialect: mapped.dialect, at: path.to_string() }
        }));
    }
}

fn is_list(members: &Map<String, Value>) -> bool {
    let version = members.get("apiVersion").and_then(Value::as_str).unwrap_or("v1");
    let versions = ["v1", own::API_VERSION, milo::API_VERSION];
    members.get("kind").and_then(Value::as_str) == Some("List") && versions.contains(&version)
}

/// Returns the kind and name of a manifest, even if the rest of it is invalid. Of a document that is no manifest of ours,
/// they are values like others, so only the beginning of each is repeated.
fn called(document: &Value) -> Option<String> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let version = text(document.get("apiVersion")).unwrap_or_default();
    let is_ours = [own::API_VERSION, milo::API_VERSION].contains(&&*version);
    let most = if is_ours { usize::MAX } else { FOREIGN_CHARACTERS };
    let begin = |text: String| text.chars().take(most).collect::<String>();
    let kind = begin(text(document.get("kind"))?);
    let name = text(document.get("metadata").and_then(|metadata| metadata.get("name"))).map(begin);
    Some(printable(&name.map_or_else(|| kind.clone(), |name| format!("{kind}/{name}"))))
}

fn map(document: &Value, path: &Path<'_>, kinds: &dyn Kinds, problems: &mut Problems) -> Vec<Mapped> {
    let Some(document) = document.as_object() else {
        // What is no object is no manifest, and can be anything: nothing of it is repeated.
        let found = sort_of(document);
        problems
            .add(path, format!("a manifest must be an object with apiVersion, kind, metadata and spec, not {found}"));
        return Vec::new();
    };
    let mut word = |name| {
        let value = required(document, name, path, problems)?;
        text(value, &path.member(name), problems)
    };
    let (Some(version), Some(kind)) = (word("apiVersion"), word("kind")) else { return Vec::new() };
    let manifest = Manifest { kind, document, path };
    match version {
        own::API_VERSION => own::map(&manifest, kinds, problems).into_iter().collect(),
        milo::API_VERSION => milo::map(&manifest, problems).into_iter().map(Mapped::of_milo).collect(),
        other => {
            problems.add(&path.member("apiVersion"), unknown_version(other));
            Vec::new()
        }
    }
}

fn unknown_version(version: &str) -> String {
    let known = [own::API_VERSION, milo::API_VERSION];
    let found = excerpt(version);
    if version.starts_with("graph.inventory.miloapis.com/") {
        return format!(
            "the graph model of Milo ({found}: NodeType, EdgeType, Node, Edge) is not supported; use the kinds of {}",
            known.join(" or ")
        );
    }
    format!("{found} is not supported; {}", choices(version, &known))
}
