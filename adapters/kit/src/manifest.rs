//! A manifest that an adapter can read.

use serde_json::{Map, Value};

use crate::problem::Path;

/// A manifest whose `apiVersion` and `kind` are known.
pub struct Manifest<'a> {
    /// Its kind, as it is written.
    pub kind: &'a str,
    /// Its members.
    pub document: &'a Map<String, Value>,
    /// Where it stands in the document: at its root, or in a list.
    pub path: &'a Path<'a>,
}
