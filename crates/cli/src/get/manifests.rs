//! Prints objects as manifests of our own form, several in one stream.

use std::io::{self, Write};

use serde_json::Value;

use super::ObjectOutput;
use crate::kinds::KnownKinds;
use crate::manifest::{Kinds, manifest, yaml};
use crate::object::kinds;
use crate::show::pretty;
use underlay_inventory::Description;
use underlay_kinds::grammar::with_article;

/// The GraphQL selection for an object.
pub(super) const SELECTION: &str = "item(references: KEY)";

/// Rejects kinds that have no manifests of their own, because their objects are written as parts of others.
pub(super) fn check(kind: &Description, output: ObjectOutput) -> Result<(), String> {
    let whole = kinds().kinds().find(|whole| whole.parts.iter().any(|part| part.kind == kind.name));
    match (output, whole) {
        (ObjectOutput::Json | ObjectOutput::Yaml, Some(whole)) => Err(format!(
            "{} has no manifest of its own; it is a part of the manifest of its {}: use `underlay get {}s`",
            with_article(kind.singular),
            whole.singular,
            whole.singular
        )),
        _ => Ok(()),
    }
}

/// The format of a stream of manifests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// YAML documents, with separator lines between them.
    Yaml,
    /// One JSON object.
    Json,
    /// A JSON object with a list of manifests.
    JsonList,
}

/// A stream of manifests that is being printed.
pub(super) struct Manifests {
    form: Form,
    known: KnownKinds,
    printed: usize,
}

impl Manifests {
    /// Returns a stream of YAML documents.
    pub(super) fn yaml() -> Self {
        Self { form: Form::Yaml, known: KnownKinds::new(), printed: 0 }
    }

    /// Returns a stream of one JSON object.
    pub(super) fn json() -> Self {
        Self { form: Form::Json, known: KnownKinds::new(), printed: 0 }
    }

    /// Returns a stream of a JSON list of any length.
    pub(super) fn json_list() -> Self {
        Self { form: Form::JsonList, known: KnownKinds::new(), printed: 0 }
    }

    /// Prints an object of which [`SELECTION`] was selected.
    pub(super) fn print(&mut self, kind: &Description, object: &Value, out: &mut dyn Write) -> io::Result<()> {
        let Some(form) = self.known.kind(kind.name) else { return Ok(()) };
        let manifest = manifest(&form, &object["item"], &self.known);
        match (self.form, self.printed) {
            (Form::Yaml, 0) | (Form::Json, _) => {}
            (Form::Yaml, _) => writeln!(out, "---")?,
            (Form::JsonList, 0) => self.begin(out)?,
            (Form::JsonList, _) => writeln!(out, ",")?,
        }
        self.printed += 1;
        match self.form {
            Form::Yaml => out.write_all(yaml(&manifest).as_bytes()),
            Form::Json => writeln!(out, "{}", pretty(&manifest, 0)),
            Form::JsonList => write!(out, "    {}", pretty(&manifest, 2)),
        }
    }

    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\n  \"apiVersion\": \"underlay/v1\",\n  \"kind\": \"List\",\n  \"items\": [\n")
    }

    /// Prints the end of the stream.
    pub(super) fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        match (self.form, self.printed) {
            (Form::Yaml | Form::Json, _) => Ok(()),
            (Form::JsonList, 0) => {
                self.begin(out)?;
                writeln!(out, "  ]\n}}")
            }
            (Form::JsonList, _) => writeln!(out, "\n  ]\n}}"),
        }
    }
}
