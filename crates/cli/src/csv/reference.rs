//! Reads references in cells: a name after as many of its parents as are needed (`ams1/A14`), an id, or JSON.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use underlay_inventory::Description;
use underlay_kinds::grammar::with_article;
use underlay_kit::{excerpt, read_json};

/// The maximum number of parents. It bounds kinds that can be their own parents; no kind has as many.
const MAX_PARENTS: usize = 8;

/// Reads a reference to an object of a kind.
pub(super) fn read(text: &str, kind: &'static Description) -> Result<Value, String> {
    if text.starts_with('{') {
        return read_json(text).map_err(|error| format!("must be a reference to a {}: {error}", kind.name));
    }
    // Other spellings of a UUID are more likely names.
    if text.len() == 36 && Uuid::try_parse(text).is_ok() {
        return Ok(json!({ "id": text }));
    }
    let mut members = members(kind);
    // After all possible parents, the rest is the name, such as Ethernet1/1.
    let mut parts: Vec<&str> = text.splitn(members.len() + 1, '/').collect();
    let mut reference = Map::new();
    if let Some(family) = kind.key.family
        && let [.., before, name] = *parts.as_slice()
        && let Some(known) = family.names.iter().find(|known| known.eq_ignore_ascii_case(before))
    {
        reference.insert(family.member.to_owned(), (*known).into());
        parts.truncate(parts.len() - 2);
        parts.push(name);
    }
    if parts.len() > members.len() {
        parts = text.splitn(members.len(), '/').collect();
        reference.clear();
    }
    if parts.iter().any(|part| part.trim().is_empty()) {
        return Err(format!("must be {}, not {}", form(kind, &members), excerpt(text)));
    }
    // If there are fewer parts, they are the nearest parents.
    let near = members.split_off(members.len() - parts.len());
    reference.extend(near.into_iter().map(str::to_owned).zip(parts.into_iter().map(Value::from)));
    Ok(Value::Object(reference))
}

/// Returns the text of a reference, as people write it; `None` if it has none. It is not always read as the same one.
pub(super) fn write(reference: &Map<String, Value>, kind: &'static Description) -> Option<String> {
    let text = |member: &str| reference.get(member).and_then(Value::as_str);
    if let Some(id) = text("id") {
        return Some(id.to_owned());
    }
    let members = members(kind);
    let (name, above) = members.split_last()?;
    let family = kind.key.family.and_then(|family| text(family.member));
    let parts: Vec<&str> = above.iter().filter_map(|member| text(member)).chain(family).chain(text(name)).collect();
    Some(parts.join("/"))
}

/// Returns the members of a complete reference, from the outermost parent to the name.
fn members(kind: &'static Description) -> Vec<&'static str> {
    let registry = underlay_kinds::registry();
    let mut members = vec![kind.key.name_member];
    let mut at = kind;
    for _ in 0..MAX_PARENTS {
        let mut parents = at.parent_fields().filter_map(|(_, field)| {
            let target = registry.named(field.reference?.targets.first()?)?;
            (target.id != at.id).then_some((field.name, target))
        });
        let Some((member, target)) = parents.next() else { break };
        members.push(member);
        at = target;
    }
    members.reverse();
    members
}

/// Describes the form of a reference: `a Rack as rack or site/rack`.
fn form(kind: &Description, members: &[&str]) -> String {
    let forms: Vec<String> = (0..members.len()).rev().map(|from| members[from..].join("/")).collect();
    format!("{} as {}", with_article(kind.name), forms.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(kind: &str, text: &str) -> Result<Value, String> {
        read(text, underlay_kinds::registry().named(kind).expect("a kind"))
    }

    #[test]
    fn parents_precede_the_name() {
        let id = "01936f7a-0000-7000-8000-000000000000";
        for (kind, text, expected) in [
            ("Site", "ams1", json!({"site": "ams1"})),
            ("Rack", "A14", json!({"rack": "A14"})),
            ("Rack", "ams1/A14", json!({"site": "ams1", "rack": "A14"})),
            ("Rack", "ams1/A/14", json!({"site": "ams1", "rack": "A/14"})),
            ("Port", "eth0", json!({"port": "eth0"})),
            ("Port", "sw-1/eth0", json!({"device": "sw-1", "port": "eth0"})),
            ("Port", "ams1/sw-1/Ethernet1/1", json!({"site": "ams1", "device": "sw-1", "port": "Ethernet1/1"})),
            ("Port", "ams1/pp-1/front/3", json!({"site": "ams1", "device": "pp-1", "family": "FRONT", "port": "3"})),
            ("Port", "pp-1/REAR/3", json!({"device": "pp-1", "family": "REAR", "port": "3"})),
            ("PowerFeed", "ams1/A14/A", json!({"site": "ams1", "rack": "A14", "powerFeed": "A"})),
            ("Location", "ams1/hall-1", json!({"site": "ams1", "location": "hall-1"})),
            ("Region", "europe", json!({"region": "europe"})),
            ("Device", id, json!({"id": id})),
            ("Device", r#"{"externalId": "7"}"#, json!({"externalId": "7"})),
        ] {
            assert_eq!(reference(kind, text), Ok(expected), "{kind} {text}");
        }
    }

    #[test]
    fn empty_parts_are_refused() {
        for text in ["/A14", "ams1/", "/"] {
            let reason = reference("Rack", text).expect_err("refused");
            assert_eq!(reason, format!("must be a Rack as rack or site/rack, not \"{text}\""));
        }
        assert!(reference("Rack", "{").is_err_and(|reason| reason.starts_with("must be a reference to a Rack: ")));
    }
}
