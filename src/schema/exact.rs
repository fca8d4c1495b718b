//! Values that conform to the schema to the letter.
//!
//! The library checks and copies the variables of a request several times, which for the items of a large batch takes
//! longer than to plan and store them. What conforms to the letter needs none of that: it is what the library would
//! make of it. Whatever has to be coerced, or is wrong, does not, and goes the library's way.

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{
    BaseType, InputObjectType, InputValueDefinition, Type as Written, TypeDefinition, TypeKind, TypeSystemDefinition,
};
use foldhash::{HashMap, HashSet};
use serde_json::Value as Json;

/// The input types of a schema.
#[derive(Debug)]
pub struct Inputs {
    types: Vec<Named>,
    /// Where they stand.
    places: HashMap<String, usize>,
}

#[derive(Debug)]
enum Named {
    /// A type of answers, or a scalar that is not known here.
    Unknown,
    Text,
    /// A whole number in a range.
    Whole(i64, i64),
    Number,
    Boolean,
    /// A text, or null, for each key.
    Labels,
    Anything,
    Choice(HashSet<String>),
    Object(Members),
}

/// What an input object holds.
#[derive(Debug)]
pub(super) struct Members {
    one_of: bool,
    all: HashMap<String, Form>,
    required: Vec<String>,
}

impl Members {
    /// A member, under its name in the schema.
    pub fn get(&self, name: &str) -> Option<(&str, &Form)> {
        self.all.get_key_value(name).map(|(name, form)| (name.as_str(), form))
    }

    /// Whether everything is given that has to be.
    pub fn are_complete(&self, is_given: impl Fn(&str) -> bool) -> bool {
        self.required.iter().all(|name| is_given(name))
    }
}

/// What a member may be.
#[derive(Debug)]
pub(super) struct Form {
    nullable: bool,
    base: Base,
}

#[derive(Debug)]
enum Base {
    /// The place of the type.
    Named(usize),
    List(Box<Form>),
}

impl Inputs {
    /// The input types of a schema, from its text. Of a text that is no schema there are none: nothing conforms then.
    pub fn of(schema: &str) -> Self {
        let document = parse_schema(schema).map(|document| document.definitions).unwrap_or_default();
        let defined: Vec<TypeDefinition> = document
            .into_iter()
            .filter_map(|definition| match definition {
                TypeSystemDefinition::Type(definition) => Some(definition.node),
                _ => None,
            })
            .collect();
        let built_in = [
            ("String", Named::Text),
            ("ID", Named::Text),
            ("Int", Named::Whole(i32::MIN.into(), i32::MAX.into())),
            ("Float", Named::Number),
            ("Boolean", Named::Boolean),
        ];
        let names = defined.iter().map(|definition| definition.name.node.as_str());
        let names = names.chain(built_in.iter().map(|(name, _)| *name));
        let places: HashMap<String, usize> = names.enumerate().map(|(place, name)| (name.to_owned(), place)).collect();
        let types = defined.into_iter().map(|definition| named(definition, &places));
        Self { types: types.chain(built_in.into_iter().map(|(_, named)| named)).collect(), places }
    }

    /// Whether a value is of a type to the letter.
    pub fn fits(&self, name: &str, value: &Json) -> bool {
        self.places.get(name).is_some_and(|place| self.is_of(*place, value))
    }

    /// What an input object of a name holds.
    pub fn object(&self, name: &str) -> Option<&Members> {
        self.object_at(*self.places.get(name)?)
    }

    /// What a member holds that is an input object.
    pub fn within(&self, form: &Form) -> Option<&Members> {
        match form.base {
            Base::Named(place) => self.object_at(place),
            Base::List(_) => None,
        }
    }

    fn object_at(&self, place: usize) -> Option<&Members> {
        match &self.types[place] {
            Named::Object(members) => Some(members),
            _ => None,
        }
    }

    fn is_of(&self, place: usize, value: &Json) -> bool {
        match &self.types[place] {
            Named::Unknown => false,
            Named::Text => value.is_string(),
            Named::Whole(least, most) => value.as_i64().is_some_and(|number| (*least..=*most).contains(&number)),
            Named::Number => value.is_number(),
            Named::Boolean => value.is_boolean(),
            Named::Labels => {
                value.as_object().is_some_and(|map| map.values().all(|value| value.is_string() || value.is_null()))
            }
            Named::Anything => true,
            Named::Choice(words) => value.as_str().is_some_and(|word| words.contains(word)),
            Named::Object(members) => {
                let Some(given) = value.as_object() else { return false };
                let one = given.len() == 1 && given.values().all(|value| !value.is_null());
                let fits = |(name, value): (&String, &Json)| {
                    members.get(name).is_some_and(|(_, form)| self.has_form(form, value))
                };
                (!members.one_of || one)
                    && given.iter().all(fits)
                    && members.are_complete(|name| given.contains_key(name))
            }
        }
    }

    /// Whether a value is what a member may be.
    pub fn has_form(&self, form: &Form, value: &Json) -> bool {
        match (&form.base, value) {
            (_, Json::Null) => form.nullable,
            (Base::Named(place), value) => self.is_of(*place, value),
            (Base::List(inner), Json::Array(values)) => values.iter().all(|value| self.has_form(inner, value)),
            (Base::List(_), _) => false,
        }
    }
}

/// What an input type holds.
fn named(definition: TypeDefinition, places: &HashMap<String, usize>) -> Named {
    match definition.kind {
        TypeKind::Scalar => match definition.name.node.as_str() {
            "Long" => Named::Whole(i64::MIN, i64::MAX),
            "Revision" => Named::Whole(0, i64::MAX),
            "Labels" => Named::Labels,
            "JSON" => Named::Anything,
            // Scalars that are texts of a form: it is checked where they are written.
            "MAC" | "URL" | "Date" => Named::Text,
            _ => Named::Unknown,
        },
        TypeKind::Enum(words) => {
            Named::Choice(words.values.into_iter().map(|word| word.node.value.node.to_string()).collect())
        }
        TypeKind::InputObject(InputObjectType { fields }) => {
            let one_of = definition.directives.iter().any(|directive| directive.node.name.node == "oneOf");
            let mut required = Vec::new();
            let member = |field: InputValueDefinition| {
                let (name, form) = (field.name.node.to_string(), form(&field.ty.node, places)?);
                if !form.nullable && field.default_value.is_none() {
                    required.push(name.clone());
                }
                Some((name, form))
            };
            let all: Option<_> = fields.into_iter().map(|field| field.node).map(member).collect();
            all.map_or(Named::Unknown, |all| Named::Object(Members { one_of, all, required }))
        }
        _ => Named::Unknown,
    }
}

/// The form of a field; `None` where its type is not in the schema.
fn form(written: &Written, places: &HashMap<String, usize>) -> Option<Form> {
    let base = match &written.base {
        BaseType::Named(name) => Base::Named(*places.get(name.as_str())?),
        BaseType::List(inner) => Base::List(Box::new(form(inner, places)?)),
    };
    Some(Form { nullable: written.nullable, base })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_needs_no_coercion_conforms() {
        let inputs = Inputs::of(&crate::schema::text());
        let item = |value: Json| inputs.fits("ApplyItem", &value);
        for good in [
            json!({"port": {"device": {"site": "ams1", "device": "leaf-1"}, "name": "e1", "type": "ETHERNET",
                "speedBps": 400_000_000_000_i64, "mtu": 9214, "mac": null, "labels": {"env": "prod", "old": null},
                "attributes": {"any": [1, {"deep": true}]}, "addresses": ["192.0.2.1/24"]}}),
            json!({"device": {"name": "d", "placement": {"rack": {"rack": "A1"}, "startUnit": 10, "unitHeight": 0.5}}}),
            json!({"cable": {"aEnds": [{"port": {"id": "x"}}], "bEnds": [{"powerFeed": {"powerFeed": "f"}}]}}),
            json!({"delete": {"ref": {"rack": {"rack": "A1"}}, "cascade": true, "ifVersion": 7}}),
            json!({"release": {"ref": {"id": "x"}, "fields": ["cage", "labels.env"]}}),
        ] {
            assert!(item(good.clone()), "{good}");
        }
        for other in [
            json!(null),
            json!([]),
            json!({}),
            json!({"port": null}),
            json!({"port": {}, "rack": {}}),
            json!({"shelf": {"name": "x"}}),
            json!({"port": {"color": "red"}}),
            json!({"port": {"type": "COAX"}}),
            json!({"port": {"type": 7}}),
            json!({"port": {"mtu": "9214"}}),
            json!({"port": {"mtu": 3_000_000_000_i64}}),
            json!({"port": {"mtu": 1.5}}),
            json!({"port": {"addresses": "192.0.2.1/24"}}),
            json!({"port": {"addresses": [null]}}),
            json!({"port": {"labels": {"env": 1}}}),
            json!({"port": {"device": "leaf-1"}}),
            json!({"cable": {"aEnds": [{}]}}),
            json!({"delete": {"cascade": true}}),
            json!({"release": {"ref": {"id": "x"}}}),
            json!({"release": {"ref": {"id": "x"}, "fields": "cage"}}),
            json!({"delete": {"ref": {"rack": {"rack": "A1"}}, "ifVersion": -1}}),
        ] {
            assert!(!item(other.clone()), "{other}");
        }
    }
}
