//! An item as the text of a manifest in our own form: the way back from what `apply` takes.

use serde_json::{Map, Value, json};

use super::own::{API_VERSION, IN_METADATA};

/// The manifest of an item, as YAML that is read as the same item.
pub fn to_text(kind: &str, item: &Map<String, Value>) -> String {
    let (metadata, spec): (Map<String, Value>, Map<String, Value>) = item
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()))
        .partition(|(name, _)| IN_METADATA.contains(&name.as_str()));
    let document = json!({"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": spec});
    let yaml = serde_saphyr::to_string(&document).ok();
    let is_same = |text: &String| serde_saphyr::from_str::<Value>(text).is_ok_and(|read| read == document);
    // JSON is YAML: what the writer of YAML does not get right is still a manifest.
    yaml.filter(is_same).unwrap_or_else(|| format!("{document:#}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_becomes_a_manifest_with_its_text_as_it_was() {
        let item = json!({"name": "A14", "labels": {"env": "on", "n": "7"}, "site": {"site": "ams1"}, "heightU": 47,
            "description": "two\nlines: # \"x\"", "attributes": {"a": [1, null, {"b": "no"}], "empty": {}}});
        let Value::Object(fields) = &item else { panic!("an object") };
        let text = to_text("Rack", fields);
        let read: Value = serde_saphyr::from_str(&text).expect("YAML");
        assert_eq!(read["metadata"], json!({"name": "A14", "labels": {"env": "on", "n": "7"}}));
        assert_eq!(read["spec"]["description"], item["description"]);
        assert_eq!(read["spec"]["attributes"], item["attributes"]);
        assert!(text.starts_with("apiVersion: underlay/v1\nkind: Rack\n"), "{text}");
    }
}
