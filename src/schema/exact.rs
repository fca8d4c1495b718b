//! Values that conform to the schema to the letter.
//!
//! The library checks and copies the variables of a request several times, which for the items of a large batch takes
//! longer than to plan and store them. What conforms to the letter needs none of that: it is what the library would
//! make of it. Whatever has to be coerced, or is wrong, does not, and goes the library's way.

use std::collections::{HashMap, HashSet};

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{
    BaseType, InputObjectType, Type as Written, TypeDefinition, TypeKind, TypeSystemDefinition,
};
use serde_json::Value as Json;

/// The input types of a schema.
#[derive(Debug)]
pub struct Inputs {
    types: HashMap<String, Named>,
}

#[derive(Debug)]
enum Named {
    Text,
    /// A whole number in a range.
    Whole(i64, i64),
    Number,
    Boolean,
    /// A text, or null, for each key.
    Labels,
    Anything,
    Choice(HashSet<String>),
    Object {
        one_of: bool,
        fields: HashMap<String, Member>,
    },
}

#[derive(Debug)]
struct Member {
    form: Form,
    required: bool,
}

#[derive(Debug)]
struct Form {
    nullable: bool,
    base: Base,
}

#[derive(Debug)]
enum Base {
    Named(String),
    List(Box<Form>),
}

impl Inputs {
    /// The input types of a schema, from its text. Of a text that is no schema there are none: nothing conforms then.
    pub fn of(schema: &str) -> Self {
        let document = parse_schema(schema).map(|document| document.definitions).unwrap_or_default();
        let types = document.into_iter().filter_map(|definition| match definition {
            TypeSystemDefinition::Type(definition) => {
                let name = definition.node.name.node.to_string();
                Some((named(definition.node)?, name))
            }
            _ => None,
        });
        let built_in = [
            ("String", Named::Text),
            ("ID", Named::Text),
            ("Int", Named::Whole(i32::MIN.into(), i32::MAX.into())),
            ("Float", Named::Number),
            ("Boolean", Named::Boolean),
        ];
        let built_in = built_in.into_iter().map(|(name, named)| (name.to_owned(), named));
        Self { types: types.map(|(named, name)| (name, named)).chain(built_in).collect() }
    }

    /// Whether a value is of a type to the letter.
    pub fn fits(&self, name: &str, value: &Json) -> bool {
        match self.types.get(name) {
            None => false,
            Some(Named::Text) => value.is_string(),
            Some(Named::Whole(least, most)) => value.as_i64().is_some_and(|number| (*least..=*most).contains(&number)),
            Some(Named::Number) => value.is_number(),
            Some(Named::Boolean) => value.is_boolean(),
            Some(Named::Labels) => {
                value.as_object().is_some_and(|map| map.values().all(|value| value.is_string() || value.is_null()))
            }
            Some(Named::Anything) => true,
            Some(Named::Choice(words)) => value.as_str().is_some_and(|word| words.contains(word)),
            Some(Named::Object { one_of, fields }) => {
                let Some(members) = value.as_object() else { return false };
                let one = members.len() == 1 && members.values().all(|value| !value.is_null());
                let given = |(name, member): (&String, &Member)| !member.required || members.contains_key(name);
                (!one_of || one)
                    && members
                        .iter()
                        .all(|(name, value)| fields.get(name).is_some_and(|member| self.has_form(&member.form, value)))
                    && fields.iter().all(given)
            }
        }
    }

    fn has_form(&self, form: &Form, value: &Json) -> bool {
        match (&form.base, value) {
            (_, Json::Null) => form.nullable,
            (Base::Named(name), value) => self.fits(name, value),
            (Base::List(inner), Json::Array(values)) => values.iter().all(|value| self.has_form(inner, value)),
            (Base::List(_), _) => false,
        }
    }
}

/// What an input type holds; `None` for types of answers.
fn named(definition: TypeDefinition) -> Option<Named> {
    match definition.kind {
        TypeKind::Scalar => Some(match definition.name.node.as_str() {
            "Long" => Named::Whole(i64::MIN, i64::MAX),
            "Revision" => Named::Whole(0, i64::MAX),
            "Labels" => Named::Labels,
            "JSON" => Named::Anything,
            // Scalars that are texts of a form: it is checked where they are written.
            "MAC" | "URL" | "Date" => Named::Text,
            _ => return None,
        }),
        TypeKind::Enum(words) => {
            Some(Named::Choice(words.values.into_iter().map(|word| word.node.value.node.to_string()).collect()))
        }
        TypeKind::InputObject(InputObjectType { fields }) => {
            let one_of = definition.directives.iter().any(|directive| directive.node.name.node == "oneOf");
            let member = |field: async_graphql::parser::types::InputValueDefinition| {
                let form = form(&field.ty.node);
                let required = !form.nullable && field.default_value.is_none();
                (field.name.node.to_string(), Member { form, required })
            };
            Some(Named::Object { one_of, fields: fields.into_iter().map(|field| member(field.node)).collect() })
        }
        _ => None,
    }
}

fn form(written: &Written) -> Form {
    let base = match &written.base {
        BaseType::Named(name) => Base::Named(name.to_string()),
        BaseType::List(inner) => Base::List(Box::new(form(inner))),
    };
    Form { nullable: written.nullable, base }
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
