//! Computes the patch between two manifests of an object.

use serde_json::{Map, Value, json};
use thiserror::Error;

use underlay_inventory::{Description, Shape};

/// The reason why an edited manifest is not a valid change of the object.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum PatchError {
    #[error("the manifest is of a {other}: the kind of an object cannot change")]
    Kind { other: String },
    #[error("{field} cannot change after the {kind} is created")]
    Immutable { field: String, kind: &'static str },
    #[error("{field} identifies the object and cannot change")]
    Identity { field: String },
}

/// Returns the patch from one item of a kind to another. It is empty if nothing changed.
pub(super) fn patch(
    kind: &'static Description,
    before: &Value,
    after: &Value,
) -> Result<Map<String, Value>, PatchError> {
    let fields = |item: &Value| item.get(kind.singular).and_then(Value::as_object).cloned();
    let Some(after) = fields(after) else {
        let other = after.as_object().and_then(|item| item.keys().next()).cloned().unwrap_or_default();
        return Err(PatchError::Kind { other });
    };
    let before = fields(before).unwrap_or_default();
    let mut patch = Map::new();
    for name in before.keys().chain(after.keys().filter(|name| !before.contains_key(*name))) {
        let (old, new) = (before.get(name).unwrap_or(&Value::Null), after.get(name).unwrap_or(&Value::Null));
        if old == new {
            continue;
        }
        let field = kind.field(name).map(|index| &kind.fields[index]);
        let is_part = kind.parts.iter().any(|part| part.field == name);
        let value = match field {
            None if !is_part => return Err(PatchError::Identity { field: name.clone() }),
            Some(field) if field.immutable => {
                return Err(PatchError::Immutable { field: name.clone(), kind: kind.name });
            }
            Some(field) if matches!(field.shape, Shape::PerKey) => entries(old, new),
            _ => new.clone(),
        };
        patch.insert(name.clone(), value);
    }
    Ok(patch)
}

/// Returns the changes from a map to another one; `null` removes an entry.
fn entries(old: &Value, new: &Value) -> Value {
    if let (Value::Object(_) | Value::Null, Value::Object(_) | Value::Null) = (old, new) {
        let (empty, none) = (Map::new(), Value::Null);
        let (old, new) = (old.as_object().unwrap_or(&empty), new.as_object().unwrap_or(&empty));
        let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
        let differ = names.filter(|name| old.get(*name) != new.get(*name));
        return differ.map(|name| (name.clone(), new.get(name).unwrap_or(&none).clone())).collect();
    }
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let (old, mut new) = (list(old), list(new));
    let named = |list: &[Value], source: &Value| list.iter().any(|entry| entry["source"] == *source);
    let gone: Vec<Value> = old.iter().filter(|entry| !named(&new, &entry["source"])).cloned().collect();
    new.extend(gone.into_iter().map(|entry| json!({"source": entry["source"], "externalId": null})));
    Value::Array(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::kinds;

    fn between(before: Value, after: Value) -> Result<Value, String> {
        let kind = kinds().named("rack").expect("a kind");
        let patch = patch(kind, &json!({"rack": before}), &json!({"rack": after}));
        patch.map(Value::Object).map_err(|error| error.to_string())
    }

    #[test]
    fn a_patch_contains_only_changes() {
        let before = json!({"name": "A", "labels": {"a": "1", "b": "2"}, "heightU": 42, "cage": "c",
            "externalRefs": [{"source": "x", "externalId": "1"}]});
        assert_eq!(between(before.clone(), before.clone()), Ok(json!({})));
        let after = json!({"name": "B", "labels": {"a": "1", "c": "3"}, "heightU": 42});
        let expected = json!({"name": "B", "labels": {"b": null, "c": "3"}, "cage": null,
            "externalRefs": [{"source": "x", "externalId": null}]});
        assert_eq!(between(before.clone(), after), Ok(expected));
        assert_eq!(between(json!({}), before.clone()), Ok(before));
    }

    #[test]
    fn immutable_fields_are_reported() {
        let port = kinds().named("port").expect("a kind");
        let on = |device: &str| json!({"port": {"device": {"device": device}}});
        let error = patch(port, &on("a"), &on("b")).expect_err("refused");
        assert_eq!(error.to_string(), "device cannot change after the Port is created");
        let error = between(json!({}), json!({"id": "1"})).expect_err("refused");
        assert!(error.starts_with("id identifies the object"), "{error}");
        let kind = kinds().named("rack").expect("a kind");
        let other = patch(kind, &json!({"rack": {}}), &json!({"site": {}})).expect_err("refused");
        assert_eq!(other.to_string(), "the manifest is of a site: the kind of an object cannot change");
    }
}
