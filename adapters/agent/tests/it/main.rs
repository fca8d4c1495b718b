//! The agent on recorded trees that are made here, and on the machine of the test. It reports to servers that are
//! played here.

mod adapters;
mod driven;
#[cfg(target_arch = "x86_64")]
mod emulated;
mod encrypted;
mod enrolment;
mod installed;
mod machines;
mod played;
mod program;
mod recording;
mod reporting;
mod reports;
mod tree;
mod trouble;
