//! Converts a Milo manifest to the fields of an item, by the table.

use serde_json::{Map, Value, json};
use underlay_kit::{Path, Problems, choices, excerpt, list, name, object, only, optional, required, text, what};

use super::quantity::{self, Quantity};
use super::table::{Form, Member, MiloKind, OWNERS, SOURCE, To, Words};

/// Returns the fields of an object, from the `spec` of its manifest.
pub(super) fn spec(kind: &MiloKind, spec: &Value, path: &Path<'_>, problems: &mut Problems) -> Map<String, Value> {
    let mut item = Map::new();
    Import { problems }.object(kind.spec, spec, path, &mut item);
    item
}

/// Returns a reference to an object of ours by its name in Milo.
fn reference(member: &str, name: &str) -> Value {
    match member {
        "port" => json!({ "source": SOURCE, "externalId": name }),
        member => json!({ member: name }),
    }
}

struct Import<'a> {
    problems: &'a mut Problems,
}

impl Import<'_> {
    /// Converts the members of an object to our fields.
    fn object(&mut self, members: &[Member], value: &Value, path: &Path<'_>, item: &mut Map<String, Value>) {
        let Some(from) = object(value, path, self.problems) else { return };
        let names: Vec<&str> = members.iter().map(|member| member.milo).collect();
        only(from, &names, path, self.problems);
        for member in members {
            let found = match member.required {
                true => required(from, member.milo, path, self.problems),
                false => optional(from, member.milo),
            };
            if let Some(value) = found {
                self.member(&member.to, value, &path.member(member.milo), item);
            }
        }
    }

    fn member(&mut self, to: &To, value: &Value, path: &Path<'_>, item: &mut Map<String, Value>) {
        let read = match to {
            To::Field(ours, form) => self.value(*form, value, path).map(|value| (*ours, value)),
            To::Level(members) => return self.object(members, value, path, item),
            To::Label(key, words) => self.label(words, value, path).map(|value| ("labels", json!({ *key: value }))),
            To::Two(ours, form) => return self.two(*ours, *form, value, path, item),
            To::Owner => self.asset(OWNERS, value, path),
        };
        item.extend(read.map(|(ours, value)| (ours.to_owned(), value)));
    }

    fn value(&mut self, form: Form, value: &Value, path: &Path<'_>) -> Option<Value> {
        match form {
            Form::Text => name(value, path, self.problems).map(Value::from),
            Form::Count(most) => self.count(most, value, path),
            Form::Degrees(most) => self.degrees(most, value, path),
            Form::Quantity => self.quantity(value, path)?.number().map(Value::Number),
            Form::WholeQuantity => self.whole(value, path),
            Form::Word(words) => self.word(words, value, path).map(Value::from),
            Form::Name(member) => self.name(value, path).map(|name| reference(member, name)),
            Form::Names(member) => self
                .each(value, path, |import, value, path| import.name(value, path).map(|name| reference(member, name))),
            Form::Asset(kinds) => self.asset(kinds, value, path).map(|(member, found)| json!({ member: found })),
            Form::CableEnd => self.name(value, path).map(|name| json!([{ "port": reference("port", name) }])),
            Form::ManagementAddress => {
                name(value, path, self.problems).map(|address| json!([{ "type": "MANAGEMENT", "address": address }]))
            }
            Form::Object(members) => Some(self.nested(members, value, path)),
            Form::Objects(members) => {
                self.each(value, path, |import, value, path| Some(import.nested(members, value, path)))
            }
        }
    }

    fn nested(&mut self, members: &[Member], value: &Value, path: &Path<'_>) -> Value {
        let mut item = Map::new();
        self.object(members, value, path, &mut item);
        Value::Object(item)
    }

    fn each(
        &mut self,
        value: &Value,
        path: &Path<'_>,
        read: impl Fn(&mut Self, &Value, &Path<'_>) -> Option<Value>,
    ) -> Option<Value> {
        let elements = list(value, path, self.problems)?;
        let read = elements.iter().enumerate().filter_map(|(index, value)| read(self, value, &path.item(index)));
        Some(Value::Array(read.collect()))
    }

    fn two(&mut self, ours: [&str; 2], form: Form, value: &Value, path: &Path<'_>, item: &mut Map<String, Value>) {
        let Some(elements) = list(value, path, self.problems) else { return };
        if elements.len() != ours.len() {
            return self.problems.add(path, format!("must have exactly two elements, not {}", elements.len()));
        }
        for (index, (element, ours)) in elements.iter().zip(ours).enumerate() {
            let read = self.value(form, element, &path.item(index));
            item.extend(read.map(|value| (ours.to_owned(), value)));
        }
    }

    fn count(&mut self, most: i64, value: &Value, path: &Path<'_>) -> Option<Value> {
        if value.as_i64().is_some_and(|number| (1..=most).contains(&number)) {
            return Some(value.clone());
        }
        let range = if most == i64::MAX { "at least 1".to_owned() } else { format!("from 1 to {most}") };
        self.problems.refuse(path, format!("must be a whole number, {range}, not {}", what(value)))
    }

    fn degrees(&mut self, most: f64, value: &Value, path: &Path<'_>) -> Option<Value> {
        if value.as_f64().is_some_and(|number| (-most..=most).contains(&number)) {
            return Some(value.clone());
        }
        self.problems.refuse(path, format!("must be a number of degrees from -{most} to {most}, not {}", what(value)))
    }

    fn quantity(&mut self, value: &Value, path: &Path<'_>) -> Option<Quantity> {
        let found = Quantity::of(value).filter(|quantity| quantity.number().is_some());
        found.or_else(|| self.problems.refuse(path, format!("{}; not {}", quantity::ALLOWED, what(value))))
    }

    fn whole(&mut self, value: &Value, path: &Path<'_>) -> Option<Value> {
        let reason = "must be a whole number of bits per second below 2^63, such as \"10G\"";
        match self.quantity(value, path)?.whole() {
            Some(number) => Some(number.into()),
            None => self.problems.refuse(path, format!("{reason}; not {}", what(value))),
        }
    }

    fn word(&mut self, words: Words, value: &Value, path: &Path<'_>) -> Option<&'static str> {
        let found = text(value, path, self.problems)?;
        let ours = words.iter().find(|(milo, _)| *milo == found).map(|(_, ours)| *ours);
        ours.or_else(|| {
            let allowed: Vec<&str> = words.iter().map(|(milo, _)| *milo).collect();
            self.problems.refuse(path, format!("{} is not allowed; {}", excerpt(found), choices(found, &allowed)))
        })
    }

    /// Returns the name in `{name}`.
    fn name<'v>(&mut self, value: &'v Value, path: &Path<'_>) -> Option<&'v str> {
        let members = object(value, path, self.problems)?;
        only(members, &["name"], path, self.problems);
        let found = required(members, "name", path, self.problems)?;
        name(found, &path.member("name"), self.problems)
    }

    /// Returns our member and the reference for `{kind, name}`.
    fn asset(&mut self, kinds: Words, value: &Value, path: &Path<'_>) -> Option<(&'static str, Value)> {
        let members = object(value, path, self.problems)?;
        only(members, &["kind", "name"], path, self.problems);
        let kind = required(members, "kind", path, self.problems);
        let kind = kind.and_then(|kind| self.word(kinds, kind, &path.member("kind")));
        let found = required(members, "name", path, self.problems)?;
        let found = name(found, &path.member("name"), self.problems)?;
        kind.map(|member| (member, reference(member, found)))
    }

    /// Returns the value of a label: one of the words, or any value that the grammar of labels allows.
    fn label<'v>(&mut self, words: &[&str], value: &'v Value, path: &Path<'_>) -> Option<&'v str> {
        let found = name(value, path, self.problems)?;
        let reason = match words.is_empty() {
            true if is_label_value(found) => return Some(found),
            true => format!(
                "{} cannot be kept: it becomes a label, so it must be at most 63 letters, digits, '-', '_' and '.', \
                 with a letter or digit at both ends",
                excerpt(found)
            ),
            false if words.contains(&found) => return Some(found),
            false => format!("{} is not allowed; {}", excerpt(found), choices(found, words)),
        };
        self.problems.refuse(path, reason)
    }
}

fn is_label_value(text: &str) -> bool {
    let bytes = text.as_bytes();
    let within = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let ends = [bytes.first(), bytes.last()];
    bytes.len() <= 63 && bytes.iter().all(within) && ends.into_iter().flatten().all(u8::is_ascii_alphanumeric)
}
