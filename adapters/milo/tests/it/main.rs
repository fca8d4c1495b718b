//! Milo's manifests, both ways. The command line tests that it reads them among others.

mod mapping;
mod refused;

use serde_json::Value;
use underlay_kit::{Manifest, ManifestError, Origin, Part, Path, Problems, documents};
use underlay_milo::{Mapped, map};

/// At least one manifest of each kind, in the form that the writer produces.
const FLEET: &str = include_str!("../fleet.yaml");

/// Reads manifests, each in a document of its own. Errors name the file `f`.
fn read(text: &str) -> Result<Vec<Mapped>, Vec<ManifestError>> {
    let (mut mapped, mut errors) = (Vec::new(), Vec::new());
    for (index, document) in documents::read(text, false).into_iter().enumerate() {
        let document = document.expect("a document");
        let Value::Object(members) = &document else { continue };
        let Some(kind) = members.get("kind").and_then(Value::as_str) else { continue };
        let name = members.get("metadata").and_then(|metadata| metadata.get("name")).and_then(Value::as_str);
        let name = name.map_or_else(|| kind.to_owned(), |name| format!("{kind}/{name}"));
        let origin = Origin { file: "f".to_owned(), part: Part::Document(index + 1), name: Some(name) };
        let mut problems = Problems::default();
        let found = map(&Manifest { kind, document: members, path: &Path::Root }, &mut problems);
        match problems.count() {
            0 => mapped.extend(found),
            _ => errors.extend(problems.into_errors(&origin)),
        }
    }
    if errors.is_empty() { Ok(mapped) } else { Err(errors) }
}

/// Returns the items of manifests that are right.
fn items(text: &str) -> Vec<Value> {
    let mapped = read(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    mapped.into_iter().map(|mapped| mapped.item).collect()
}

/// Returns the documents of a text.
fn values(text: &str) -> Vec<Value> {
    documents::read(text, false).into_iter().map(|document| document.expect("a document")).collect()
}
