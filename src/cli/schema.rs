//! `underlay schema`: prints the GraphQL schema.

use std::io::Write;
use std::process::ExitCode;

/// Returns the GraphQL schema, which is the contract with every client of the API.
pub(super) fn text() -> String {
    crate::api::text()
}

pub(super) fn run() -> ExitCode {
    match std::io::stdout().write_all(text().as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => super::fail(format_args!("the schema cannot be printed: {error}")),
    }
}
