//! `underlay secrets set`: sets or removes one secret of a credential.

use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::Client;

use super::ask::{self, AskError, is_protected};
use crate::exit::Exit;
use crate::object::{FindError, ObjectName, find, kinds};
use crate::server;
use crate::target::ServerAccess;
use underlay_kit::shown;

pub(super) const FIND: &str = "query($id: ID!) { node(id: $id) { ... on Credential { name type secrets { field } } } }";
pub(super) const SET: &str =
    "mutation($input: SetSecretsInput!) { setSecrets(input: $input) { set unchanged removed } }";

#[derive(Debug, Args)]
pub struct Arguments {
    /// The credential whose secret is set or removed.
    #[arg(value_name = "CREDENTIAL")]
    credential: String,
    /// The secret, such as password or privateKey. It must be named if the type of the credential has several.
    #[arg(long, value_name = "NAME")]
    field: Option<String>,
    /// Ask for the secret at the terminal, without showing it. Default: read the standard input.
    #[arg(long, conflicts_with_all = ["file", "remove"])]
    ask: bool,
    /// Read the secret from a file.
    #[arg(long, value_name = "FILE", conflicts_with = "remove")]
    file: Option<PathBuf>,
    /// Remove the secret.
    #[arg(long)]
    remove: bool,
}

#[derive(Deserialize)]
struct CredentialData {
    node: Option<Credential>,
}

#[derive(Deserialize)]
struct Credential {
    name: String,
    r#type: String,
    secrets: Vec<Secret>,
}

#[derive(Deserialize)]
struct Secret {
    field: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SetData {
    set_secrets: SetPayload,
}

#[derive(Deserialize)]
struct SetPayload {
    set: u64,
    removed: u64,
}

pub(super) fn run(arguments: &Arguments, server: ServerAccess) -> Exit {
    if !is_protected(&server.server) {
        eprintln!("error: a secret is not sent to {} without TLS: use its https address", server.server);
        return Exit::Usage;
    }
    server::talk(server, async |client| match set(&client, arguments).await {
        Ok(exit) => exit,
        Err(error) => error.explain(),
    })
}

async fn set(client: &Client, arguments: &Arguments) -> Result<Exit, FindError> {
    let kind = kinds().named("credential").ok_or_else(|| FindError::NotFound { name: "credential".to_owned() })?;
    let name = match ObjectName::of_kind(kind, &arguments.credential) {
        Ok(name) => name,
        Err(error) => return Ok(usage(&error)),
    };
    let object = find(client, &name).await?;
    let CredentialData { node } = client.query(FIND, json!({ "id": object.id })).await?;
    let Some(credential) = node else { return Err(FindError::NotFound { name: name.to_string() }) };
    let field = match field(&credential, arguments.field.as_deref()) {
        Ok(field) => field,
        Err(reason) => return Ok(usage(&reason)),
    };
    let value = match value(arguments, &credential, &field) {
        Ok(value) => value,
        Err(error) => return Ok(usage(&error)),
    };
    let secret = json!({ "credential": { "id": object.id }, "field": field, "value": value });
    let variables = json!({ "input": { "secrets": [secret] } });
    let SetData { set_secrets: SetPayload { set, removed } } = client.query(SET, variables).await?;
    let what = format!("the {field} of credential {}", shown(&credential.name));
    match (set, removed) {
        (1.., _) => eprintln!("{what} is set"),
        (0, 1..) => eprintln!("{what} is removed"),
        (0, 0) => eprintln!("{what} was so already"),
    }
    Ok(Exit::Done)
}

fn usage(reason: &impl std::fmt::Display) -> Exit {
    eprintln!("error: {reason}");
    Exit::Usage
}

/// Returns the secret that is meant: the named one, or the only one of the type.
fn field(credential: &Credential, named: Option<&str>) -> Result<String, String> {
    let names: Vec<&str> = credential.secrets.iter().map(|secret| secret.field.as_str()).collect();
    match (named, names.as_slice()) {
        (Some(name), names) if names.contains(&name) => Ok(name.to_owned()),
        (None, [only]) => Ok((*only).to_owned()),
        _ => Err(format!(
            "a credential of the type {} has {}: name one with --field",
            shown(&credential.r#type),
            names.join(" and ")
        )),
    }
}

/// Returns the value of the secret; null removes it.
fn value(arguments: &Arguments, credential: &Credential, field: &str) -> Result<Value, AskError> {
    if arguments.remove {
        return Ok(Value::Null);
    }
    let text = match &arguments.file {
        Some(file) => ask::from_file(file)?,
        None if arguments.ask => ask::ask(&format!("{field} of {}", shown(&credential.name)))?,
        None => ask::from_stdin()?,
    };
    Ok(Value::String(text))
}
