//! Checks of the values of hosts: identities, addresses, and the structures that a host has.

use std::net::IpAddr;

use serde_json::Value as Json;

use crate::bounds::{MapBounds, text, text_map, text_members};
use crate::common::{at_least_one, entries, member};
use underlay_inventory::{Unfit, shorten, shorten_text};

/// The maximum length of a text in a structure of a host, in characters.
const MAX_TEXT_CHARACTERS: usize = 253;
/// The maximum length of a sentence, in characters.
const MAX_SENTENCE_CHARACTERS: usize = 2_000;
/// The maximum number of conditions of a host.
const MAX_CONDITIONS: usize = 32;
/// The maximum number of MAC addresses of a machine that are remembered.
const MAX_SEEN_MACS: usize = 64;
/// The bounds of the reasons for maintenance.
const REASONS: MapBounds = MapBounds { entries: 32, key_characters: MAX_TEXT_CHARACTERS, value_characters: 1_000 };
/// The bounds of the variables of an order.
const VARIABLES: MapBounds = MapBounds { entries: 64, key_characters: 63, value_characters: 4_096 };

/// Returns the identity of a machine without spaces at its ends.
pub fn identity(value: Json) -> Result<Json, Unfit> {
    text(value.as_str().map_or(Json::Null, |text| text.trim().into()), MAX_TEXT_CHARACTERS)
}

/// Returns an IP address in its usual notation.
pub fn ip(value: Json) -> Result<Json, Unfit> {
    match value.as_str().unwrap_or_default().parse::<IpAddr>() {
        Ok(address) => Ok(address.to_string().into()),
        Err(_) => Err(Unfit::new("", format!("must be an IP address such as 192.0.2.1, not {}", shorten(&value)))),
    }
}

/// Checks that a text is a list of certificates in PEM and nothing else.
pub fn certificates(value: Json) -> Result<Json, Unfit> {
    const CERTIFICATE_BEGIN: &str = "-----BEGIN CERTIFICATE-----";
    const CERTIFICATE_END: &str = "-----END CERTIFICATE-----";
    let mut rest = value.as_str().unwrap_or_default().trim();
    let mut fits = !rest.is_empty();
    while fits && !rest.is_empty() {
        let inside = rest.strip_prefix(CERTIFICATE_BEGIN).and_then(|after| after.split_once(CERTIFICATE_END));
        let is_base64 = |text: &str| {
            let mut bytes = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
            bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
        };
        fits = inside.is_some_and(|(certificate, _)| is_base64(certificate));
        rest = inside.map_or("", |(_, after)| after.trim_start());
    }
    match fits {
        true => Ok(value),
        false => Err(Unfit::new(
            "",
            format!("must be certificates in PEM, each from {CERTIFICATE_BEGIN} to {CERTIFICATE_END}"),
        )),
    }
}

/// Checks a root device: it has at least one member, and each is within its bounds.
pub fn root_device(value: Json) -> Result<Json, Unfit> {
    let members = value.as_object();
    if members.is_some_and(|members| members.values().all(Json::is_null)) {
        return Err(Unfit::new("", "must have at least one of wwn, serial, name, minSizeBytes and rotational"));
    }
    member(text_members(value, &["wwn", "serial", "name"], MAX_TEXT_CHARACTERS)?, "minSizeBytes", at_least_one)
}

/// Checks the reasons for maintenance, each of which must say something.
pub fn maintenance(value: Json) -> Result<Json, Unfit> {
    let value = text_map(value, REASONS)?;
    let empty = value.as_object().into_iter().flatten().find(|(_, reason)| reason.as_str().is_some_and(str::is_empty));
    match empty {
        Some((author, _)) => Err(Unfit::new(shorten_text(author), "must have a reason")),
        None => Ok(value),
    }
}

/// Checks an order.
pub fn wanted(value: Json) -> Result<Json, Unfit> {
    member(value, "variables", |variables| text_map(variables, VARIABLES))
}

/// Checks a step.
pub fn step(value: Json) -> Result<Json, Unfit> {
    member(text_members(value, &["name"], MAX_TEXT_CHARACTERS)?, "attempt", at_least_one)
}

/// Checks conditions: at most 32, each type once.
pub fn conditions(value: Json) -> Result<Json, Unfit> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    if list.len() > MAX_CONDITIONS {
        return Err(Unfit::new("", format!("has {} entries; at most {MAX_CONDITIONS} are allowed", list.len())));
    }
    for (at, entry) in list.iter().enumerate() {
        let ty = entry.get("type");
        if list[..at].iter().any(|other| other.get("type") == ty) {
            let shown = ty.map(shorten).unwrap_or_default();
            return Err(Unfit::new(format!("[{at}].type"), format!("is {shown}, which is in the list already")));
        }
    }
    entries(value, |condition| {
        let condition = text_members(condition, &["type", "reason"], MAX_TEXT_CHARACTERS)?;
        text_members(condition, &["message", "messageForTenants"], MAX_SENTENCE_CHARACTERS)
    })
}

/// Returns conditions as tenants see them: without the sentences that are for operators.
pub fn conditions_for_tenants(mut value: Json) -> Json {
    for condition in value.as_array_mut().into_iter().flatten() {
        if let Some(members) = condition.as_object_mut() {
            members.remove("message");
        }
    }
    value
}

/// Checks a failure.
pub fn failure(value: Json) -> Result<Json, Unfit> {
    text_members(text_members(value, &["reason", "step"], MAX_TEXT_CHARACTERS)?, &["message"], MAX_SENTENCE_CHARACTERS)
}

/// Checks the end of an order.
pub fn last_order(value: Json) -> Result<Json, Unfit> {
    text_members(text_members(value, &["reason"], MAX_TEXT_CHARACTERS)?, &["message"], MAX_SENTENCE_CHARACTERS)
}

/// Checks the names that a machine had at a look: at most 64 MAC addresses.
pub fn seen_identity(value: Json) -> Result<Json, Unfit> {
    let count = value.get("macs").and_then(Json::as_array).map_or(0, Vec::len);
    if count > MAX_SEEN_MACS {
        return Err(Unfit::new("macs", format!("has {count} entries; at most {MAX_SEEN_MACS} are allowed")));
    }
    let value = text_members(value, &["uuid", "serial"], MAX_TEXT_CHARACTERS)?;
    member(value, "macs", |macs| entries(macs, |mac| text(mac, MAX_TEXT_CHARACTERS)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn certificates_are_nothing_but_certificates() {
        let one = "-----BEGIN CERTIFICATE-----\nMIIB+/==\n-----END CERTIFICATE-----";
        for text in [one.to_owned(), format!("\n{one}\n\n{one}\n")] {
            assert!(certificates(text.as_str().into()).is_ok(), "{text}");
        }
        let key = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----";
        for text in ["", " ", "MIIB", key, &format!("{one}\n{key}"), &format!("{one} more"), &one[..40]] {
            assert!(certificates(text.into()).is_err(), "{text}");
        }
    }

    #[test]
    fn tenants_do_not_see_sentences_for_operators() {
        let all = json!([{"type": "A", "status": "TRUE", "reason": "R", "message": "m", "messageForTenants": "t"}]);
        let shown = json!([{"type": "A", "status": "TRUE", "reason": "R", "messageForTenants": "t"}]);
        assert_eq!(conditions_for_tenants(all), shown);
        assert_eq!(conditions_for_tenants(Json::Null), Json::Null);
    }
}
