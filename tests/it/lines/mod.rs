//! The walk of lines: pictures in text with the expected trace from each end, and random networks, whose traces are
//! compared with a naive model.

mod cases;
mod formatted;
mod naive;
mod picture;
mod random;
