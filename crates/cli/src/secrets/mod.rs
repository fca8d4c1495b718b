//! `underlay secrets`: sets and removes the secrets of credentials, and encrypts all of them anew with another key.
//!
//! Guarantees: a secret is never an argument, which other users of the machine could see. It is asked for without being
//! shown, or read from the standard input or a file. It is not sent to another machine without TLS.

mod ask;
mod set;
#[cfg(unix)]
mod terminal;

use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::json;
use underlay_client::Client;

pub(super) use ask::{AskError, ask, from_file, is_protected};

use super::exit::{EXIT_CODES, Exit};
use super::object::FindError;
use super::server;
use super::target::ServerAccess;

const EXAMPLES: &str = "\
Examples:
  underlay secrets set bmc-ams1 --ask
  underlay secrets set pull-secret < pull-secret.json
  underlay secrets set registry-tls --field privateKey --file tls.key
  underlay secrets set bmc-ams1 --remove
  underlay secrets rotate

To rotate: add the new key as the first one to secrets.keyFile of every server, keep the old one below it, restart the
servers, and run `underlay secrets rotate`. Then the old key is needed only for older backups.";

const ROTATE: &str = "mutation { rotateSecrets { rotated unreadable } }";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    #[command(subcommand)]
    act: SecretsCommand,
}

#[derive(Debug, Subcommand)]
enum SecretsCommand {
    /// Set or remove a secret of a credential.
    Set(set::Arguments),
    /// Encrypt all secrets anew with the first key of the server.
    Rotate,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RotateData {
    rotate_secrets: Rotated,
}

#[derive(Deserialize)]
struct Rotated {
    rotated: u64,
    unreadable: u64,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    match arguments.act {
        SecretsCommand::Set(arguments) => set::run(&arguments, server),
        SecretsCommand::Rotate => server::talk(server, async |client| match rotate(&client).await {
            Ok(exit) => exit,
            Err(error) => error.explain(),
        }),
    }
}

async fn rotate(client: &Client) -> Result<Exit, FindError> {
    let RotateData { rotate_secrets: Rotated { rotated, unreadable } } = client.query(ROTATE, json!({})).await?;
    eprintln!("{rotated} secrets were encrypted anew");
    if unreadable == 0 {
        return Ok(Exit::Done);
    }
    eprintln!("error: {unreadable} secrets cannot be decrypted with the keys of the server, and stay as they are");
    eprintln!("hint: configure the key that encrypted them, or set them again (Credential.secrets names them)");
    Ok(Exit::Failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_are_valid() {
        for text in [ROTATE, set::FIND, set::SET] {
            underlay_testing::graphql::assert_valid(text);
        }
    }
}
