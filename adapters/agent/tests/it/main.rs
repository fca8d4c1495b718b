//! The agent on recorded trees that are made here, and on the machine of the test.

mod machines;
mod program;
mod recording;
mod reports;
mod tree;
mod trouble;
