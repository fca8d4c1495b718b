//! The tools that the tests of all crates and the load program share.
//!
//! - [`until`] waits for a condition. No test waits for time.
//! - [`Process`] is a child process that never outlives the test process, and whose output is shown if the test fails.
//! - [`free_port`] is for programs that must be told their port.
//! - [`script`] makes a program that stands in for a real one.
//! - [`scratch`] makes temporary folders, and removes those of killed test processes.
//! - `graphql`, a feature, validates documents by the schema of the server.
//! - `postgres`, a feature, starts PostgreSQL servers. The example `test-postgres` of this crate starts one for several test
//!   processes.

#[cfg(feature = "graphql")]
pub mod graphql;
mod port;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod process;
pub mod scratch;
mod script;
mod wait;

pub use port::free_port;
pub use process::{Process, exit_code};
pub use script::script;
pub use wait::{HANG, Outcome, until, until_seen, within};
