//! The walk of lines: pictures in text, and what a trace from each of their ends must say.

mod cases;
mod picture;
mod told;
