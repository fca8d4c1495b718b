//! Tests the parts of the load program whose errors nobody would see in a number. The load program has no tests of its
//! own, because a benchmark is a program and not a test.

#![allow(dead_code, reason = "only what is tested is used here")]

#[path = "../../benches/load/client.rs"]
mod client;
#[path = "../../benches/load/document.rs"]
mod document;
#[path = "../../benches/load/measure.rs"]
mod measure;
#[path = "../../benches/load/problem.rs"]
mod problem;
#[path = "../../benches/load/quantity.rs"]
mod quantity;
#[path = "../../benches/load/table.rs"]
mod table;
