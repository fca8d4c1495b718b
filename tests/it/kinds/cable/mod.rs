//! Cables: their fields and lanes, the ends that they connect, and what becomes of them when an end is deleted.

mod deletes;
mod ends;
mod rules;
