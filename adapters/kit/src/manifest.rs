//! A manifest that an adapter can read.

use serde_json::{Map, Value};

use crate::problem::Path;

/// A manifest whose `apiVersion` and `kind` are known.
pub struct Manifest<'a> {
    /// Its kind, as it is written.
    pub kind: &'a str,
    /// Its members.
    pub document: &'a Map<String, Value>,
    /// The place of the manifest in its document: the root, or an element of a list.
    pub path: &'a Path<'a>,
}
