//! The invariants of the architecture, each as a test that fails when it does not hold.

mod history;
mod value;
