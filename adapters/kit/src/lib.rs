//! The code that adapters share reads documents that people or other systems wrote.
//!
//! [`source`] finds the files, [`documents`] cuts them into values, and the functions of this module read these with
//! their types checked. Nothing is taken on trust: texts, documents, depth and the number of problems are bounded, and
//! whatever is printed is escaped. Problems are collected, so that one run shows all of them, each with its place.

pub mod documents;
mod hidden;
mod manifest;
mod problem;
pub mod source;
mod step;
mod strict;
mod value;

pub use hidden::is_hidden;
pub use manifest::Manifest;
pub use problem::{ManifestError, Origin, Part, Path, Problems, line, place, printable, shown};
pub use step::{Step, written};
pub use strict::read_json;
pub use value::{choices, given, list, name, object, only, required, text, what};
