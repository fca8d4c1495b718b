//! Runs commands that talk to a server, and explains to the user why a server cannot be used.

use std::future::Future;

use underlay_client::{Client, ClientError, Patience, ServerAddress};

use super::credentials::Credentials;
use super::exit::Exit;
use underlay_error::Code;
use underlay_kit::printable;

/// A server, and the credentials for it.
#[derive(Clone)]
pub struct ServerAccess {
    /// The address of the server.
    pub(super) server: ServerAddress,
    /// The credentials to send with requests.
    pub(super) credentials: Credentials,
}

/// Connects a client to the server and runs a command with it.
pub(super) fn talk<F: Future<Output = Exit>>(server: ServerAccess, command: impl FnOnce(Client) -> F) -> Exit {
    let client = match Client::new(server.server, Patience::default()) {
        Ok(client) => client.with_tokens(server.credentials.tokens()),
        Err(error) => return explain(&error),
    };
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(command(client)),
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            Exit::Failed
        }
    }
}

/// Prints the error and a hint how to solve it. Returns the exit code.
pub(super) fn explain(error: &ClientError) -> Exit {
    eprintln!("error: {}", printable(&error.to_string()));
    if let Some(advice) = advice(error) {
        eprintln!("hint: {advice}");
    }
    match error {
        ClientError::Unreachable { .. } | ClientError::Lost { .. } | ClientError::TimedOut { .. } => Exit::Unreachable,
        _ => Exit::Failed,
    }
}

/// Returns what a person can do about an error; nothing if the error says it already.
pub(super) fn advice(error: &ClientError) -> Option<&'static str> {
    let advice = match error {
        ClientError::Unreachable { .. } => {
            "start a server with `underlay serve`, or name one with --server URL, UNDERLAY_SERVER or --context NAME \
             (`underlay context show` shows which setting is used)"
        }
        ClientError::Lost { .. } => "check that the server is still running",
        ClientError::TimedOut { .. } => "the write may have been committed; running the command again is safe",
        ClientError::TooLarge { .. } | ClientError::Http { status: 413, .. } => {
            "nothing was written: apply fewer manifests at a time"
        }
        ClientError::Http { .. } | ClientError::NotGraphql { .. } | ClientError::EventTooLarge { .. } => {
            "check that it is an Underlay server of this version: see --server URL, UNDERLAY_SERVER and `underlay context \
             show`"
        }
        error if error.has_code(Code::Unauthenticated.as_str()) => {
            "name a token with --token-file FILE or UNDERLAY_TOKEN; `underlay token create` on the server's machine creates \
             one if the server has no other issuer"
        }
        ClientError::Graphql(_) | ClientError::NoToken(_) => return None,
    };
    Some(advice)
}
