//! `underlay schema`: prints the GraphQL schema.

use std::io::Write;
use std::process::ExitCode;

pub(super) fn run() -> ExitCode {
    match std::io::stdout().write_all(underlay_server::api::text().as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => underlay_cli::fail(format_args!("the schema cannot be printed: {error}")),
    }
}
