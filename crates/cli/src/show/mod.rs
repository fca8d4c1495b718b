//! Shows objects: which fields a kind has, how to request them, and how to format their values with colours.
//!
//! All of it is derived from the schema that this program was built with, so a new field or kind needs no change here.
//! Only the choice of the columns of tables is listed for each kind, in `columns.rs`, with a default for others.
//! Guarantees: text from the server is made safe for a terminal. Colours only add emphasis; the text is complete
//! without them.

mod columns;
mod json;
mod shape;
mod style;
mod table;
mod unit;

pub(super) use columns::Width;
pub(crate) use json::escaped;
pub use json::pretty;
pub(super) use shape::{Column, Shape, headings, row, row_selection};
pub(super) use style::HEADING;
pub use style::of_word;
pub(super) use table::{Cell, Table};
pub(super) use unit::{instant, label, time};
