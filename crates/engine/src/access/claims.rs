//! This module reads the caller from the claims of a verified token. The configuration names the claims.

use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Map, Value};

use super::caller::Caller;
use super::error::TokenError;
use underlay_error::{Role, Roles};

/// The largest allowed difference between the clocks of an issuer and of this server.
pub(super) const MAX_CLOCK_SKEW: Duration = Duration::from_secs(60);
/// The longest name of an actor, a source or a tenant, in characters.
const MAX_NAME_CHARACTERS: usize = 253;

/// The names of the claims that hold the actor and the roles. If no claim has exactly that name, dots in it lead into
/// objects, as in `realm_access.roles`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimNames {
    /// The claim with the roles, which is a list or a text of words.
    pub roles: String,
    /// The claim with the name of the actor.
    pub actor: String,
}

impl Default for ClaimNames {
    fn default() -> Self {
        Self { roles: "roles".to_owned(), actor: "sub".to_owned() }
    }
}

/// Returns the caller that verified claims describe.
pub(super) fn caller(claims: &Map<String, Value>, names: &ClaimNames, prefix: &str) -> Result<Caller, TokenError> {
    let actor = name(claims, &names.actor)?.ok_or_else(|| TokenError::Claim(names.actor.clone()))?;
    let actor = format!("{prefix}{actor}");
    let until = claims.get("exp").and_then(Value::as_f64).ok_or_else(|| TokenError::Claim("exp".to_owned()))?;
    // A time that is too late for the system's clock counts as never.
    let until =
        Duration::try_from_secs_f64(until).ok().and_then(|until| UNIX_EPOCH.checked_add(until + MAX_CLOCK_SKEW));
    Ok(Caller {
        actor,
        roles: roles(find(claims, &names.roles)),
        source: name(claims, "source")?,
        tenant: name(claims, "tenant")?,
        until,
    })
}

/// Returns the name in a claim. A claim that is present but not a valid name is an error. It never counts as absent,
/// because a caller without a tenant sees everything.
fn name(claims: &Map<String, Value>, claim: &str) -> Result<Option<String>, TokenError> {
    match find(claims, claim) {
        None => Ok(None),
        Some(Value::String(text)) if is_name(text) => Ok(Some(text.clone())),
        Some(_) => Err(TokenError::Claim(claim.to_owned())),
    }
}

/// Returns true if a text can name an actor, a source or a tenant in a token. A name has 1 to 253 characters, no
/// control characters, and no space at either end.
pub fn is_name(text: &str) -> bool {
    let fits = !text.is_empty() && text.trim() == text && text.chars().count() <= MAX_NAME_CHARACTERS;
    fits && !text.chars().any(char::is_control)
}

/// Returns the roles that this server knows. Issuers have roles for other services too.
fn roles(claim: Option<&Value>) -> Roles {
    let known = |text: &str| text.parse::<Role>().ok();
    match claim {
        Some(Value::String(text)) => text.split_whitespace().filter_map(known).collect(),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).filter_map(known).collect(),
        _ => Roles::default(),
    }
}

fn find<'a>(claims: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    if let Some(value) = claims.get(name) {
        return Some(value);
    }
    let (first, rest) = name.split_once('.')?;
    find(claims.get(first)?.as_object()?, rest)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(claims: Value) -> Result<Caller, TokenError> {
        let names = ClaimNames { roles: "realm.access.roles".to_owned(), ..ClaimNames::default() };
        caller(claims.as_object().expect("claims"), &names, "corp:")
    }

    #[test]
    fn claims_identify_the_caller() {
        let content = json!({
            "sub": "ann", "exp": 1, "tenant": "blue", "source": "dcim",
            "realm": {"access": {"roles": ["viewer", "offline_access", "operator", 7]}},
        });
        let caller = read(content).expect("a caller");
        assert_eq!((caller.actor(), caller.tenant()), ("corp:ann", Some("blue")));
        assert_eq!(caller.roles.to_string(), "viewer, operator");
        assert_eq!(caller.until, Some(UNIX_EPOCH + Duration::from_secs(61)));
        let words = json!({"sub": "ann", "exp": 1, "realm.access.roles": "viewer  admin profile"});
        assert_eq!(read(words).expect("a caller").roles.to_string(), "viewer, admin");
    }

    #[test]
    fn an_invalid_name_does_not_count_as_absent() {
        for (claim, value) in [
            ("sub", json!(null)),
            ("sub", json!("")),
            ("tenant", json!(null)),
            ("tenant", json!("")),
            ("tenant", json!(["blue"])),
            ("tenant", json!(" blue")),
            ("tenant", json!("bl\nue")),
            ("source", json!(7)),
            ("exp", json!("soon")),
            ("exp", json!(null)),
        ] {
            let mut claims = json!({"sub": "ann", "exp": 1});
            claims[claim] = value.clone();
            assert_eq!(read(claims), Err(TokenError::Claim(claim.to_owned())), "{claim}: {value}");
        }
        assert!(read(json!({"exp": 1})).is_err(), "nobody");
    }
}
