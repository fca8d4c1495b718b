//! `underlay schema`: prints the GraphQL schema.

use std::io::Write;
use std::process::ExitCode;

pub(super) fn run() -> ExitCode {
    match std::io::stdout().write_all(crate::api::text().as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => super::fail(format_args!("the schema cannot be printed: {error}")),
    }
}
