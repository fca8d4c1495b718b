//! The walk of lines: pictures in text, and what a trace from each of their ends must say; and random nets, whose traces
//! are compared with a plain model.

mod cases;
mod naive;
mod picture;
mod random;
mod told;
