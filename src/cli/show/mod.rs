//! What is shown of objects: which fields there are, how they are asked for, how their values read, in which colours.
//!
//! It is derived from the schema that this program was built with, so that a new field or kind needs nothing here.
//! Guarantees: whatever came from the server is made fit for a terminal; colours are only words of emphasis, the text
//! is whole without them.

mod json;
mod sdl;
mod shape;
mod style;
mod table;
mod unit;

pub(super) use json::{escaped, pretty};
pub(super) use sdl::sdl;
pub(super) use shape::{Column, Shape, Width, headings, row, row_selection};
pub(super) use style::{HEADING, of_word};
pub(super) use table::{Cell, Table};
pub(super) use unit::{instant, label, time};
