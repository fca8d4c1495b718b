//! Defines the manifest that the reader passes to an adapter.

use serde_json::{Map, Value};

use crate::problem::Path;

/// A manifest whose `apiVersion` and `kind` are known.
pub struct Manifest<'a> {
    /// The kind of the manifest, as it is written.
    pub kind: &'a str,
    /// The members of the manifest.
    pub document: &'a Map<String, Value>,
    /// The position of the manifest in its document: the root, or an element of a list.
    pub path: &'a Path<'a>,
}
