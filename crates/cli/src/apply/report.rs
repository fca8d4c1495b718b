//! Reports the result of `apply`: one line for each object that changed, and the totals.

use std::io::Write;

use serde_json::Value;

use crate::batch::{BatchAnswer, ItemResult, Status, Totals};
use crate::manifest::ManifestItem;
use underlay_inventory::Registry;
use underlay_kit::printable;

/// The members of references that are left out, because they mean nothing to people.
const NOT_SHOWN: [&str; 3] = ["id", "source", "family"];

/// Prints the results of the items.
pub(super) fn print(registry: &Registry, items: &[ManifestItem], payload: &BatchAnswer, dry_run: bool) {
    let mut text = String::new();
    for (item, result) in items.iter().zip(&payload.results) {
        let object = object(registry, &item.item, result);
        if !matches!(result.status, Status::Unchanged | Status::Failed) {
            text += &format!("{} {object}\n", result.status.word());
        }
        for skipped in &result.skipped {
            let field = item.field(&skipped.field);
            text += &printable(&format!("skipped {object}: {field} is held by {}", skipped.manager));
            text.push('\n');
        }
    }
    let totals: Totals = payload.results.iter().map(|result| result.status).collect();
    text += &totals.to_string();
    let skipped: usize = payload.results.iter().map(|result| result.skipped.len()).sum();
    if skipped > 0 {
        text += &format!("; skipped fields: {skipped} (--conflicts force takes them over)");
    }
    text += if dry_run { " (dry run)\n" } else { "\n" };
    // The reader may be gone; the objects are written nevertheless.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Returns the path of an object, such as `rack/ams1/A14`.
fn object(registry: &Registry, item: &Value, result: &ItemResult) -> String {
    let Some((kind, fields)) = item.as_object().and_then(|item| item.iter().next()) else { return String::new() };
    let mut parts = vec![kind.as_str()];
    if let Some(description) = registry.named(kind) {
        let parent = description.parent_fields().find_map(|(_, field)| fields.get(field.name)?.as_object());
        let mut above: Vec<(&str, &str)> = parent
            .into_iter()
            .flatten()
            .filter(|(member, _)| !NOT_SHOWN.contains(&member.as_str()))
            .filter_map(|(member, value)| Some((member.as_str(), value.as_str()?)))
            .collect();
        // The site comes before the objects in it, in whatever order the members were written.
        above.sort_by_key(|(member, _)| registry.named(member).map(|kind| kind.id));
        parts.extend(above.into_iter().map(|(_, name)| name));
    }
    let name = result.name.as_deref().or_else(|| fields.get("name")?.as_str());
    parts.extend(name);
    printable(&parts.join("/"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_are_named_by_their_paths() {
        let registry = underlay_kinds::registry();
        let result = |name: Option<&str>| ItemResult {
            status: Status::Created,
            name: name.map(str::to_owned),
            skipped: Vec::new(),
            error: None,
        };
        for (item, expected) in [
            (json!({"site": {"name": "ams1"}}), "site/ams1"),
            (json!({"rack": {"name": "A14", "site": {"site": "ams1"}}}), "rack/ams1/A14"),
            (json!({"rack": {"name": "A14", "site": {"id": "01936f7a"}}}), "rack/A14"),
            (json!({"powerFeed": {"name": "A", "rack": {"rack": "A14", "site": "ams1"}}}), "powerFeed/ams1/A14/A"),
            (json!({"port": {"name": "e1", "device": {"source": "bcm", "externalId": "7"}}}), "port/7/e1"),
        ] {
            assert_eq!(object(&registry, &item, &result(None)), expected);
        }
        assert_eq!(object(&registry, &json!({"cable": {}}), &result(Some("cable-1"))), "cable/cable-1");
    }
}
