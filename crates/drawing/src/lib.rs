//! Draws a scene as an SVG document: things from left to right, one row below the other.
//!
//! A scene consists of shapes and texts; this crate knows nothing of an inventory. `paint` places a scene on a page,
//! and `svg` writes the document. Guarantee: a text of a scene appears only as escaped text, never as markup.

mod paint;
mod scene;
mod svg;

pub use paint::page;
pub use scene::{Ending, Row, Scene, Thing};
