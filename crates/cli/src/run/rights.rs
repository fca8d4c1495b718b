//! Looks at the start of a controller if its token lets it work. Without that it would wait for ever, and say so only where
//! somebody looks.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use thiserror::Error;
use tokio::time::sleep;
use underlay_client::{Client, ClientError};
use underlay_kit::control::BackOff;

/// The bounds of the pauses between questions to a server that does not answer.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
const QUERY: &str = "{ viewer { actor roles may { field allowed needs } } }";
/// The root fields that a controller uses, each with the words for it.
const USED: [(&str, &str); 3] = [
    ("Mutation.takeLeases", "take leases"),
    ("Mutation.reportHosts", "report on hosts"),
    ("Query.secret", "read the passwords of machines"),
];

/// The reason why a controller cannot work with its token.
#[derive(Debug, Error)]
pub(super) enum RightsError {
    #[error("{0}")]
    Client(#[from] ClientError),
    #[error("{actor} may not {what}: its token needs the role {needs}")]
    Role { actor: String, what: &'static str, needs: String },
    #[error(
        "{actor} has the role to {what}, but not on this connection: the address of the server must begin with https://, or be that of this machine without a proxy between"
    )]
    Connection { actor: String, what: &'static str },
}

#[derive(Deserialize)]
struct ViewerData {
    viewer: Viewer,
}

#[derive(Deserialize)]
struct Viewer {
    actor: String,
    roles: Vec<String>,
    may: Vec<Permission>,
}

#[derive(Deserialize)]
struct Permission {
    field: String,
    allowed: bool,
    needs: Vec<String>,
}

/// Asks the server, as soon as it answers, if the token lets a controller work.
///
/// # Errors
/// Returns the reason why it does not, or why the token cannot be read.
pub(super) async fn check(client: &Client) -> Result<(), RightsError> {
    let mut pauses = BackOff::new(PAUSES.0, PAUSES.1);
    loop {
        match client.query::<ViewerData>(QUERY, json!({})).await {
            Ok(ViewerData { viewer }) => return judge(&viewer),
            Err(error) if error.is_passing() => sleep(pauses.failed(())).await,
            Err(error) => return Err(error.into()),
        }
    }
}

fn judge(viewer: &Viewer) -> Result<(), RightsError> {
    let actor = &viewer.actor;
    for (field, what) in USED {
        // What a server of another version does not list, it decides when it is asked.
        let Some(permission) = viewer.may.iter().find(|it| it.field == field && !it.allowed) else { continue };
        let actor = actor.clone();
        let has_role = permission.needs.iter().any(|role| viewer.roles.contains(role));
        return Err(match has_role {
            true => RightsError::Connection { actor, what },
            false => RightsError::Role { actor, what, needs: permission.needs.join(" or ") },
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_controller_needs_all_of_what_it_uses() {
        let viewer = |roles: &[&str], refused: &str| Viewer {
            actor: "ann".to_owned(),
            roles: roles.iter().map(|role| (*role).to_owned()).collect(),
            may: USED
                .map(|(field, _)| Permission {
                    field: field.to_owned(),
                    allowed: field != refused,
                    needs: vec!["secrets-reader".to_owned()],
                })
                .into(),
        };
        let says = |roles: &[&str], refused: &str| judge(&viewer(roles, refused)).map_err(|it| it.to_string());
        assert_eq!(says(&[], ""), Ok(()));
        for (field, what) in USED {
            let expected = format!("ann may not {what}: its token needs the role secrets-reader");
            assert_eq!(says(&["viewer"], field), Err(expected));
            let found = says(&["secrets-reader"], field).expect_err("refused");
            assert!(found.starts_with(&format!("ann has the role to {what}, but not on this connection")), "{found}");
        }
    }
}
