//! Code that adapters share: it reads documents that people or other systems wrote.
//!
//! [`source`] finds the files, [`documents`] splits them into values, and the functions of this module read these
//! values and check their types. Guarantees: text size, number of documents, depth and number of problems are bounded,
//! and printed text is escaped. Problems are collected, so that one run shows all of them, each with its position.
//!
//! [`sync`] keeps the inventory in step with an outside system: an adapter reads the system, and the kit does the rest.
//! [`http`] reads answers within bounds. [`control`] is what controllers share: they bring something outside to where the inventory wants it.

mod causes;
pub mod control;
pub mod documents;
mod hidden;
pub mod http;
mod json_bound;
mod label;
mod manifest;
mod problem;
pub mod program;
pub mod source;
mod step;
mod strict;
pub mod sync;
mod value;

pub use causes::causes;
pub use hidden::is_hidden;
pub use json_bound::check_values;
pub use label::is_label;
pub use manifest::Manifest;
pub use problem::{ManifestError, Origin, Part, Path, Problems, described, excerpt, line, printable, shown};
pub use step::{Step, written};
pub use strict::read_json;
pub use value::{choices, list, name, object, only, optional, required, sort_of, text, what};
