//! Sends the secrets of credentials that a source has.
//!
//! Guarantees: a secret is in no message, report or state file, and is not sent over a connection that others can read.
//! The server alone knows if a secret is new, so each full run sends all of them.

use underlay_client::ClientError;

use super::error::SyncError;
use super::item::Secret;
use super::server::Server;
use super::sink::BadThing;

/// The kind of the objects that have secrets, by its name in items.
const CREDENTIAL: &str = "credential";
/// The maximum number of secrets in a call, as the server has it.
pub const MAX_SECRETS: usize = 1_000;
/// The maximum number of refused secrets that are looked for in a call. The rest of the call is not sent then, which is
/// reported once.
const MAX_REFUSED_SECRETS: usize = 20;

/// Sends at most [`MAX_SECRETS`] secrets. Returns those that the server refuses, with the reasons. The server takes
/// all of a call or none, so a call that is refused is divided until those that are refused are alone.
///
/// # Errors
/// Returns an error if the server cannot be reached.
pub async fn send(server: &Server, secrets: &[Secret]) -> Result<Vec<BadThing>, SyncError> {
    let Some(first) = secrets.first() else { return Ok(Vec::new()) };
    let all = |code, reason: &str| {
        let message = format!("{reason}, so {} secrets are not set", secrets.len());
        vec![BadThing { code, ..BadThing::new(Some(CREDENTIAL), &first.credential, message) }]
    };
    if !server.is_protected() {
        return Ok(all("FORBIDDEN", "secrets are not sent to a server without TLS"));
    }
    let (mut waiting, mut refused) = (vec![secrets], Vec::new());
    while let Some(part) = waiting.pop() {
        if refused.len() >= MAX_REFUSED_SECRETS {
            let left = part.len() + waiting.iter().map(|part| part.len()).sum::<usize>();
            let message = format!("too many secrets are refused, so {left} others are not set");
            refused.push(BadThing::new(Some(CREDENTIAL), &part[0].credential, message));
            break;
        }
        match (server.set_secrets(part).await, part) {
            (Ok(()), _) => {}
            (Err(error), _) if error.has_code("UNREADABLE") => return Ok(all("UNREADABLE", &error.to_string())),
            (Err(ClientError::Graphql(errors)), [secret]) => {
                let reason = errors.first().map(|error| error.message.as_str()).unwrap_or_default();
                let message = format!("{} is not set: {reason}", secret.field);
                refused.push(BadThing::new(Some(CREDENTIAL), &secret.credential, message));
            }
            (Err(ClientError::Graphql(_)), part) => {
                let (one, other) = part.split_at(part.len() / 2);
                waiting.extend([other, one]);
            }
            (Err(error), _) => return Err(error.into()),
        }
    }
    Ok(refused)
}
