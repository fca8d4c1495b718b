//! Reads the items of `POST /apply`, which are JSON.
//!
//! The reader takes the types from the GraphQL schema and coerces as GraphQL does: a value for a list of one, a whole
//! float for an integer, a number for an id. It fills in defaults, and refuses what the schema does not allow, item by
//! item, with an error that names the field. The limits of each field are checked when the batch is planned.

use std::sync::LazyLock;

use async_graphql::InputType;
use async_graphql::indexmap::IndexMap;
use async_graphql::registry::{MetaInputValue, MetaType, MetaTypeName, Registry as Types};
use serde_json::{Map, Number, Value as Json};

use crate::ApplyItem;
use underlay_engine::write::{Cascade, Intent, Item, Outcome, Release};
use underlay_inventory::{Description, Refusal, Registry, Unfit, shorten, shorten_text};

/// The types of the schema that items consist of.
static TYPES: LazyLock<Types> = LazyLock::new(|| {
    let mut types = Types::default();
    ApplyItem::create_type_info(&mut types);
    types
});

/// The field of a refusal that is about the whole item.
const ITEM: &str = "item";

/// The outcome of a value that is no item, with the refusal that names the field and says what is allowed.
pub type Unread = Box<Outcome>;

/// Reads items of the kinds of a registry.
#[derive(Clone, Copy, Debug)]
pub struct ItemReader<'a> {
    kinds: &'a Registry,
}

impl<'a> ItemReader<'a> {
    /// Returns a reader of items of these kinds.
    pub fn new(kinds: &'a Registry) -> Self {
        Self { kinds }
    }

    /// Reads an item: an object with exactly one field, which holds what is written, deleted or released.
    ///
    /// # Errors
    /// Returns an error if the value does not conform to the schema.
    pub fn item(&self, value: &Json) -> Result<Item, Unread> {
        let (name, field, input) = only_field(value)?;
        let kind = self.kinds.named(name);
        let misfit = |unfit: Unfit| {
            let field = if unfit.field.is_empty() { name.to_owned() } else { unfit.field };
            unread(Refusal::Invalid { field, reason: unfit.reason }, kind, input)
        };
        let fields = match read(&field.ty, input).map_err(misfit)? {
            Json::Object(fields) => fields,
            other => return Err(misfit(Unfit::new("", format!("must be an object, not {}", shorten(&other))))),
        };
        match (name, kind) {
            (_, Some(kind)) => {
                Item::write(kind, Intent::Apply, fields.into()).map_err(|refusal| unread(refusal, Some(kind), input))
            }
            ("delete", None) => Ok(self.delete(fields)),
            _ => Ok(self.release(fields)),
        }
    }

    fn delete(&self, mut fields: Map<String, Json>) -> Item {
        let (kind, object) = self.object(fields.remove("ref").unwrap_or_default());
        let cascade = match fields.get("cascade").and_then(Json::as_bool) {
            Some(true) => Cascade::Contained,
            _ => Cascade::No,
        };
        Item::Delete { kind, object, cascade, if_version: fields.get("ifVersion").and_then(Json::as_i64) }
    }

    fn release(&self, mut fields: Map<String, Json>) -> Item {
        let (kind, object) = self.object(fields.remove("ref").unwrap_or_default());
        let names = fields.get("fields").and_then(Json::as_array).into_iter().flatten();
        let names = names.filter_map(Json::as_str).map(str::to_owned).collect();
        Item::Release { kind, object, what: Release::Fields(names) }
    }

    /// The kind, if the item names it, and the reference of the object that an item deletes or releases: an object with one member.
    fn object(&self, reference: Json) -> (Option<&'static Description>, Json) {
        let Json::Object(members) = reference else { return (None, Json::Null) };
        let only = members.into_iter().next();
        only.map_or((None, Json::Null), |(name, object)| (self.kinds.named(&name), object))
    }
}

/// The one field of an item, with its type.
fn only_field(item: &Json) -> Result<(&str, &'static MetaInputValue, &Json), Unread> {
    let refuse = |reason: String| unread(Refusal::Invalid { field: ITEM.to_owned(), reason }, None, &Json::Null);
    let Some(MetaType::InputObject { input_fields: known, .. }) = TYPES.types.get(&*ApplyItem::type_name()) else {
        return Err(refuse("has no type in the schema".to_owned()));
    };
    let one = || format!("exactly one field, of {}", names(known));
    let Json::Object(members) = item else {
        return Err(refuse(format!("must be an object with {}; not {}", one(), shorten(item))));
    };
    let (Some((name, input)), 1) = (members.iter().next(), members.len()) else {
        return Err(refuse(format!("must have {}; it has {}", one(), members.len())));
    };
    match (known.get_key_value(name), input) {
        (None, input) => {
            let reason = format!("must have {}; not {}", one(), shorten_text(name));
            // The item of an unknown kind keeps what it says of its identity, by which its author finds it.
            Err(unread(Refusal::Invalid { field: ITEM.to_owned(), reason }, None, input))
        }
        (Some((name, _)), Json::Null) => Err(refuse(format!("must have {}; {name} is null", one()))),
        (Some((name, field)), input) => Ok((name, field, input)),
    }
}

/// Returns the outcome of a value that is no item.
fn unread(refusal: Refusal, kind: Option<&'static Description>, input: &Json) -> Unread {
    let text = |member: &str| match input {
        Json::Object(members) => match members.get(member) {
            Some(Json::String(text)) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    };
    let refusal = match kind {
        Some(kind) => kind.echo.show(refusal, [input]),
        None => refusal,
    };
    let outcome = Outcome::failed(kind.map(|kind| kind.name), refusal);
    Box::new(Outcome { name: text("name"), external_id: text("externalId"), ..outcome })
}

/// Reads a value of a type, which is written as in the schema: `[PortRef!]`.
fn read(of: &str, value: &Json) -> Result<Json, Unfit> {
    match (MetaTypeName::create(of), value) {
        (MetaTypeName::NonNull(of), Json::Null) => Err(Unfit::new("", format!("must be {}, not null", words(of)))),
        (MetaTypeName::NonNull(of), value) => read(of, value),
        (_, Json::Null) => Ok(Json::Null),
        (MetaTypeName::List(of), Json::Array(values)) => {
            let entry = |(at, value): (usize, &Json)| read(of, value).map_err(|unfit| unfit.within(&format!("[{at}]")));
            values.iter().enumerate().map(entry).collect()
        }
        (MetaTypeName::List(of), value) => Ok(Json::Array(vec![read(of, value)?])),
        (MetaTypeName::Named(of), value) => read_named(of, value),
    }
}

fn read_named(of: &str, value: &Json) -> Result<Json, Unfit> {
    let read = match (TYPES.types.get(of), value) {
        (Some(MetaType::InputObject { input_fields, oneof, .. }), Json::Object(members)) => {
            return read_object(of, input_fields, *oneof, members);
        }
        (Some(MetaType::Enum { enum_values, .. }), Json::String(word)) => {
            enum_values.contains_key(word).then(|| word.as_str().into())
        }
        (Some(MetaType::Scalar { .. }), value) => match (of, value) {
            ("Labels", Json::Object(entries)) => return read_labels(entries),
            ("TextMap", Json::Object(entries)) => return read_texts(entries),
            _ => read_scalar(of, value),
        },
        _ => None,
    };
    read.ok_or_else(|| Unfit::new("", format!("must be {}, not {}", words(of), shorten(value))))
}

fn read_object(
    of: &str,
    known: &IndexMap<String, MetaInputValue>,
    one_of: bool,
    members: &Map<String, Json>,
) -> Result<Json, Unfit> {
    let one = members.len() == 1 && members.values().all(|value| *value != Json::Null);
    if one_of && !one {
        return Err(Unfit::new("", format!("must have exactly one field, of {}, and that not null", names(known))));
    }
    let mut object = Map::with_capacity(members.len());
    for (name, value) in members {
        let Some(field) = known.get(name) else {
            let reason = format!("is no field of {of}; its fields are {}", names(known));
            return Err(Unfit::new(shorten_text(name), reason));
        };
        object.insert(name.to_string(), read(&field.ty, value).map_err(|unfit| unfit.within(name))?);
    }
    for (name, field) in known.iter().filter(|(name, _)| !members.contains_key(name.as_str())) {
        match &field.default_value {
            // Defaults are constants of the schema; those of items are written as in JSON.
            Some(default) => _ = object.insert(name.clone(), serde_json::from_str(default).unwrap_or_default()),
            None if field.ty.ends_with('!') => {
                return Err(Unfit::new(name, format!("is required: {}", words(field.ty.trim_end_matches('!')))));
            }
            None => {}
        }
    }
    Ok(Json::Object(object))
}

fn read_labels(entries: &Map<String, Json>) -> Result<Json, Unfit> {
    let entry = |(name, value): (&String, &Json)| match value {
        Json::String(_) | Json::Null => Ok((name.to_string(), value.clone())),
        other => Err(Unfit::new(shorten_text(name), format!("must be text or null, not {}", shorten(other)))),
    };
    entries.iter().map(entry).collect::<Result<Map<_, _>, _>>().map(Json::Object)
}

fn read_texts(entries: &Map<String, Json>) -> Result<Json, Unfit> {
    let entry = |(name, value): (&String, &Json)| match value {
        Json::String(_) => Ok((name.to_string(), value.clone())),
        other => Err(Unfit::new(shorten_text(name), format!("must be text, not {}", shorten(other)))),
    };
    entries.iter().map(entry).collect::<Result<Map<_, _>, _>>().map(Json::Object)
}

/// Reads a value of a scalar type; `None` if it is of another type.
fn read_scalar(of: &str, value: &Json) -> Option<Json> {
    match (of, value) {
        // The forms of these texts are checked when the batch is planned.
        ("String" | "ID" | "MAC" | "URL" | "Date", Json::String(text)) => Some(text.as_str().into()),
        ("ID", Json::Number(number)) => number.as_i64().map(|number| number.to_string().into()),
        ("Int", Json::Number(number)) => whole(number).filter(|it| i32::try_from(*it).is_ok()).map(Json::from),
        ("Long", Json::Number(number)) => whole(number).map(Json::from),
        ("Revision", Json::Number(number)) => whole(number).filter(|number| *number >= 0).map(Json::from),
        ("Float", Json::Number(number)) => number.as_f64().map(Json::from),
        ("Boolean", Json::Bool(boolean)) => Some((*boolean).into()),
        ("JSON", value) => Some(value.clone()),
        _ => None,
    }
}

/// A whole number, also one that is written as a float.
fn whole(number: &Number) -> Option<i64> {
    // The limits are powers of two, which floats hold exactly.
    const INTEGER_LIMITS: std::ops::Range<f64> = -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;
    let float = || number.as_f64().filter(|float| float.fract() == 0.0 && INTEGER_LIMITS.contains(float));
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and within the limits")]
    let whole = |float: f64| float as i64;
    number.as_i64().or_else(|| if number.is_f64() { float().map(whole) } else { None })
}

/// Describes the values that a type allows.
fn words(of: &str) -> String {
    match MetaTypeName::create(of) {
        MetaTypeName::NonNull(of) => return words(of),
        MetaTypeName::List(of) => return format!("a list, each entry {}", words(of)),
        MetaTypeName::Named(_) => {}
    }
    let allowed = match (TYPES.types.get(of), of) {
        (Some(MetaType::Enum { enum_values, .. }), _) => {
            return format!("one of {}", enum_values.keys().map(String::as_str).collect::<Vec<_>>().join(", "));
        }
        (Some(MetaType::InputObject { input_fields, .. }), _) => {
            return format!("an object of the type {of}, with {}", names(input_fields));
        }
        (_, "Int") => "a whole number from -2147483648 to 2147483647",
        (_, "Long") => "a whole number of 64 bits",
        (_, "Revision") => "a whole number of at least 0",
        (_, "Float") => "a number",
        (_, "Boolean") => "true or false",
        (_, "ID") => "a text or a whole number",
        (_, "Labels") => "an object with a text or null for each key",
        (_, "TextMap") => "an object with a text for each key",
        _ => "a text",
    };
    format!("{allowed} ({of})")
}

fn names(fields: &IndexMap<String, MetaInputValue>) -> String {
    fields.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::registry;

    /// Returns the fields of an item, or the field that is wrong and the message.
    fn item(json: Json) -> Result<Json, (String, String)> {
        let registry = registry();
        match ItemReader::new(&registry).item(&json) {
            Ok(Item::Write { kind, fields, if_version, .. }) => {
                let fields: Map<_, _> = fields.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
                Ok(json!([kind.singular, fields, if_version]))
            }
            Ok(other) => Ok(json!(format!("{other:?}"))),
            Err(outcome) => {
                let refusal = outcome.error.expect("it says why");
                Err((refusal.field().unwrap_or_default().to_owned(), refusal.to_string()))
            }
        }
    }

    #[test]
    fn every_type_of_an_item_can_be_read() {
        for (name, of) in &TYPES.types {
            match of {
                MetaType::Scalar { .. } => {
                    let text = json!("a");
                    let whole = json!(7);
                    let boolean = json!(true);
                    let labels = json!({"a": "b"});
                    let read = [text, whole, boolean, labels].iter().any(|value| read_named(name, value).is_ok());
                    assert!(read, "nothing is a {name}");
                }
                MetaType::InputObject { input_fields, .. } => {
                    for field in input_fields.values() {
                        let default = field.default_value.as_deref().map(serde_json::from_str::<Json>);
                        assert!(default.is_none_or(|default| default.is_ok()), "the default of {name}.{}", field.name);
                    }
                }
                MetaType::Enum { enum_values, .. } => assert!(!enum_values.is_empty(), "{name}"),
                _ => panic!("{name} is no input type"),
            }
        }
    }

    #[test]
    fn valid_items_are_read_and_coerced() {
        for (input, read) in [
            (
                json!({"port": {"device": {"site": "ams1", "device": "leaf-1"}, "name": "e1", "mtu": 9214.0,
                    "speedBps": 4e11, "mac": null, "labels": {"env": "prod", "old": null}, "ifVersion": 3.0,
                    "attributes": {"any": [1, {"deep": 2.0}]}, "addresses": "192.0.2.1/24", "id": 7}}),
                json!(["port", {"device": {"site": "ams1", "device": "leaf-1"}, "name": "e1", "mtu": 9214,
                    "speedBps": 400_000_000_000_i64, "mac": null, "labels": {"env": "prod", "old": null},
                    "attributes": {"any": [1, {"deep": 2.0}]}, "addresses": ["192.0.2.1/24"], "id": "7"}, 3]),
            ),
            (
                json!({"device": {"placement": {"rack": {"rack": "A1"}, "startUnit": 10}, "hardware": {"cpuCores": 1}}}),
                json!(["device", {"placement": {"rack": {"rack": "A1"}, "startUnit": 10.0},
                    "hardware": {"cpuCores": 1, "disks": []}}, null]),
            ),
            (
                json!({"port": {"passThrough": {"rear": {"port": "r"}}}}),
                json!(["port", {"passThrough": [{"rear": {"port": "r"}, "position": 1, "rearPosition": 1}]}, null]),
            ),
        ] {
            assert_eq!(item(input), Ok(read));
        }
    }

    #[test]
    fn invalid_items_are_refused_at_their_path() {
        for (input, path, says) in [
            (json!([]), "item", "item must be an object with exactly one field, of region, "),
            (json!({}), "item", "item must have exactly one field, "),
            (json!({"port": {}, "rack": {}}), "item", "it has 2"),
            (json!({"port": null}), "item", "port is null"),
            (json!({"shelf": {"name": "x"}}), "item", "not shelf"),
            (json!({"port": 7}), "port", "port must be an object of the type PortInput, with id, "),
            (json!({"port": {"color": "red"}}), "color", "color is no field of PortInput; its fields are id, "),
            (json!({"port": {"type": "COAX"}}), "type", "type must be one of ETHERNET, "),
            (json!({"port": {"type": 7}}), "type", ", not 7"),
            (
                json!({"port": {"mtu": "9214"}}),
                "mtu",
                "mtu must be a whole number from -2147483648 to 2147483647 (Int)",
            ),
            (json!({"port": {"mtu": 3_000_000_000_i64}}), "mtu", ", not 3000000000"),
            (json!({"port": {"mtu": 1.5}}), "mtu", ", not 1.5"),
            (json!({"port": {"speedBps": 18_446_744_073_709_551_615_u64}}), "speedBps", "(Long)"),
            (json!({"port": {"speedBps": 1e19}}), "speedBps", "(Long)"),
            (json!({"port": {"ifVersion": -1}}), "ifVersion", "at least 0 (Revision)"),
            (json!({"port": {"addresses": [null]}}), "addresses[0]", "must be a text (String), not null"),
            (json!({"port": {"labels": {"env": 1}}}), "labels.env", "labels.env must be text or null, not 1"),
            (json!({"port": {"labels": []}}), "labels", "an object with a text or null for each key (Labels)"),
            (json!({"host": {"maintenance": []}}), "maintenance", "an object with a text for each key (TextMap)"),
            (json!({"host": {"maintenance": {"ann": null}}}), "maintenance.ann", "must be text, not null"),
            (json!({"port": {"device": "leaf-1"}}), "device", "an object of the type DeviceRef"),
            (json!({"cable": {"aEnds": [{}]}}), "aEnds[0]", "must have exactly one field, of port, powerFeed, "),
            (json!({"region": {"externalRefs": [{}]}}), "externalRefs[0].source", "is required: a text (String)"),
            (json!({"delete": {"cascade": true}}), "ref", "ref is required: an object of the type AnyRef"),
            (json!({"delete": {"ref": {"id": 1.5}}}), "ref.id", "must be a text or a whole number (ID), not 1.5"),
            (json!({"release": {"ref": {"id": "x"}}}), "fields", "is required: a list, each entry a text"),
        ] {
            let (found, message) = item(input.clone()).expect_err("it does not conform");
            assert_eq!(found, path, "{input}: {message}");
            assert!(message.contains(says), "{input}: {message}");
        }
    }
}
