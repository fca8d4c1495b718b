//! Writes the fields of an object as a Milo document, by the table.
//!
//! A field that Milo does not have is left out if it has our default value, which Milo implies.

use serde_json::{Map, Value, json};
use underlay_kit::{Path, Problems, list, object, shown, text, what};

use super::names::{Names, called, milo_name};
use super::quantity::Quantity;
use super::table::{Form, Member, MiloKind, Naming, OWNERS, POWER_INLET, POWER_OUTLET, SOURCE, To, Words};

/// The defaults of the fields that Milo does not have, as JSON.
const DEFAULTS: [(&str, &str); 10] = [
    ("status", "\"ACTIVE\""),
    ("status", "\"CONNECTED\""),
    ("type", "\"KUBERNETES\""),
    ("plane", "\"DATA\""),
    ("inletsRequired", "1"),
    ("placement.fullDepth", "false"),
    ("mgmtOnly", "false"),
    ("enabled", "true"),
    ("markConnected", "false"),
    ("positions", "1"),
];

/// Writes one document and collects its problems.
pub(super) struct Writer<'a> {
    names: &'a Names<'a>,
    problems: Problems,
}

impl<'a> Writer<'a> {
    pub(super) fn new(names: &'a Names<'a>) -> Self {
        Self { names, problems: Problems::default() }
    }

    /// Returns the document, and the problems that make it unusable. Each written field is removed; the fields that
    /// remain cannot be expressed.
    pub(super) fn document(mut self, kind: &MiloKind, mut fields: Map<String, Value>) -> (Value, Problems) {
        fields.retain(|name, value| !kind.fixed.iter().any(|(fixed, of)| name == fixed && value == of));
        self.prepare_port(kind, &mut fields);
        let mut metadata = Map::new();
        metadata.insert("name".into(), self.metadata_name(kind, &mut fields).into());
        let spec = self.object(kind.spec, &mut fields, &Path::Root);
        if let Some(labels) = fields.shift_remove("labels").filter(is_meant) {
            metadata.insert("labels".into(), labels);
        }
        self.leftovers(&fields, &Path::Root);
        let version = super::API_VERSION;
        let document = json!({ "apiVersion": version, "kind": kind.name, "metadata": metadata, "spec": spec });
        (document, self.problems)
    }

    fn metadata_name(&mut self, kind: &MiloKind, fields: &mut Map<String, Value>) -> String {
        let (field, name) = match kind.naming {
            Naming::Name => ("name", fields.shift_remove("name").and_then(|name| Some(name.as_str()?.to_owned()))),
            Naming::ExternalRef => ("externalRefs", take_milo_name(fields)),
        };
        let path = Path::Root.member(field);
        let Some(name) = name else {
            let reason = match kind.naming {
                Naming::Name => "is not set, and Milo requires a name".to_owned(),
                Naming::ExternalRef => format!("has none of source {SOURCE}, which Milo knows a {} by", kind.name),
            };
            self.problems.add(&path, reason);
            return String::new();
        };
        if !is_kubernetes_name(&name) {
            let reason = "is no name in Milo: at most 253 lower-case letters, digits, '-' and '.', \
                          with a letter or digit at both ends";
            self.problems.add(&path, format!("{} {reason}", shown(&name)));
        }
        name
    }

    /// Adapts the type of a port on a rack: the table lists power ports as inlets, but those of a rack are outlets.
    fn prepare_port(&mut self, kind: &MiloKind, fields: &mut Map<String, Value>) {
        let on_rack = fields.get("rack").is_some_and(is_meant);
        if kind.ours != "port" || !on_rack {
            return;
        }
        match fields.get("type").and_then(Value::as_str) {
            Some(POWER_OUTLET) => fields.insert("type".into(), POWER_INLET.into()),
            Some(POWER_INLET) => fields.insert("type".into(), "POWER_INLET on a rack".into()),
            _ => None,
        };
    }

    fn object(&mut self, members: &[Member], fields: &mut Map<String, Value>, path: &Path<'_>) -> Map<String, Value> {
        let mut out = Map::new();
        for member in members {
            let before = self.problems.count();
            match self.member(&member.to, fields, path) {
                Some(value) => {
                    out.insert(member.milo.into(), value);
                }
                None if member.required && self.problems.count() == before => {
                    let (field, what) = our_name(&member.to);
                    self.problems.add(&path.member(field), format!("{what} not set, and Milo requires it"));
                }
                None => {}
            }
        }
        out
    }

    fn member(&mut self, to: &To, fields: &mut Map<String, Value>, path: &Path<'_>) -> Option<Value> {
        match to {
            To::Field(ours, form) => {
                let value = fields.shift_remove(*ours).filter(is_meant)?;
                self.value(*form, &value, &path.member(ours))
            }
            To::Level(members) => {
                // If only the label is present, it stays a label.
                let is_present =
                    |member: &Member| matches!(member.to, To::Field(ours, _) if fields.get(ours).is_some_and(is_meant));
                members.iter().any(is_present).then(|| Value::Object(self.object(members, fields, path)))
            }
            To::Label(key, words) => {
                let value = fields.get_mut("labels")?.as_object_mut()?.shift_remove(*key)?;
                let known = words.is_empty() || words.iter().any(|word| value == *word);
                let reason = format!("Milo has only {}", words.join(", "));
                if known { Some(value) } else { self.problems.refuse(&path.member("labels").member(key), reason) }
            }
            To::Two(ours, form) => {
                let values = ours.map(|ours| self.member(&To::Field(ours, *form), fields, path));
                let missing = ours.iter().zip(&values).find(|(_, value)| value.is_none()).map(|(ours, _)| *ours);
                match missing {
                    None => Some(values.into_iter().collect()),
                    Some(_) if self.problems.count() > 0 => None,
                    Some(ours) => self.problems.refuse(&path.member(ours), "is not set, and Milo requires two ends"),
                }
            }
            To::Owner => self.owner(fields, path),
        }
    }

    fn value(&mut self, form: Form, value: &Value, path: &Path<'_>) -> Option<Value> {
        match form {
            Form::Text => text(value, path, &mut self.problems).map(Value::from),
            Form::Degrees(_) => Some(value.clone()),
            Form::Count(most) => self.count(most, value, path),
            Form::Quantity | Form::WholeQuantity => {
                let quantity = Quantity::of(value).and_then(Quantity::canonical).map(Value::from);
                quantity.or_else(|| self.problems.refuse(path, format!("Milo has no quantity for {}", what(value))))
            }
            Form::Word(words) => self.word(words, value, path),
            Form::Name("device") => self.asset(&[("Node", "device")], &json!({ "device": value }), path).map(only_name),
            Form::Name(member) => self.name(member, value, path),
            Form::Names(member) => self.each(value, path, |writer, value, path| writer.name(member, value, path)),
            Form::Asset(kinds) => self.asset(kinds, value, path),
            Form::CableEnd => {
                let end = self.single(value, path)?;
                self.asset(&[("Port", "port")], end, &path.item(0)).map(only_name)
            }
            Form::ManagementAddress => self.management_address(value, path),
            Form::Object(members) => self.nested(members, value, path),
            Form::Objects(members) => self.each(value, path, |writer, value, path| writer.nested(members, value, path)),
        }
    }

    fn nested(&mut self, members: &[Member], value: &Value, path: &Path<'_>) -> Option<Value> {
        let mut fields = object(value, path, &mut self.problems)?.clone();
        let out = self.object(members, &mut fields, path);
        self.leftovers(&fields, path);
        Some(Value::Object(out))
    }

    fn each(
        &mut self,
        value: &Value,
        path: &Path<'_>,
        write: impl Fn(&mut Self, &Value, &Path<'_>) -> Option<Value>,
    ) -> Option<Value> {
        let elements = list(value, path, &mut self.problems)?;
        let written = elements.iter().enumerate().filter_map(|(index, value)| write(self, value, &path.item(index)));
        Some(written.collect())
    }

    fn count(&mut self, most: i64, value: &Value, path: &Path<'_>) -> Option<Value> {
        let whole = Quantity::of(value).and_then(Quantity::whole).filter(|number| (1..=most).contains(number));
        let reason = || format!("Milo has only whole numbers from 1 here, not {}", what(value));
        whole.map(Value::from).or_else(|| self.problems.refuse(path, reason()))
    }

    fn word(&mut self, words: Words, value: &Value, path: &Path<'_>) -> Option<Value> {
        let found = words.iter().find(|(_, ours)| value == *ours).map(|(milo, _)| Value::from(*milo));
        found.or_else(|| {
            let known: Vec<&str> = words.iter().map(|(_, ours)| *ours).collect();
            self.problems.refuse(path, format!("Milo has only {}, not {}", known.join(", "), what(value)))
        })
    }

    /// Writes `{name}` for a reference by name.
    fn name(&mut self, member: &str, reference: &Value, path: &Path<'_>) -> Option<Value> {
        let name = called(reference, member);
        name.map_or_else(|reason| self.problems.refuse(path, reason), |name| Some(json!({ "name": name })))
    }

    /// Writes `{kind, name}` for a reference whose member names the kind of its target.
    fn asset(&mut self, kinds: Words, value: &Value, path: &Path<'_>) -> Option<Value> {
        let members = value.as_object().filter(|members| members.len() == 1);
        let Some((member, reference)) = members.and_then(|members| members.iter().next()) else {
            return self.problems.refuse(path, "must have exactly one member");
        };
        let allowed = || kinds.iter().filter(|(_, ours)| ours == member);
        let found = match member.as_str() {
            _ if allowed().next().is_none() => {
                let known: Vec<&str> = kinds.iter().map(|(milo, _)| *milo).collect();
                Err(format!("Milo can refer only to {} here, not to this kind", known.join(", ")))
            }
            "port" => self.names.port(reference).map(|name| ("Port", name)),
            "device" => self.device(kinds, reference),
            member => called(reference, member).map(|name| {
                let kind = allowed().next().map_or("", |(milo, _)| *milo);
                (kind, name.to_owned())
            }),
        };
        match found {
            Ok((kind, name)) => Some(json!({ "kind": kind, "name": name })),
            Err(reason) => self.problems.refuse(&path.member(member), reason),
        }
    }

    fn device(&self, kinds: Words, reference: &Value) -> Result<(&'static str, String), String> {
        let name = called(reference, "device")?;
        let kind = self.names.device_kind(reference)?;
        if !kinds.iter().any(|(milo, _)| *milo == kind) {
            return Err(format!("Milo cannot refer to a {kind} here, and {} is one", shown(name)));
        }
        Ok((kind, name.to_owned()))
    }

    fn owner(&mut self, fields: &mut Map<String, Value>, path: &Path<'_>) -> Option<Value> {
        let member = ["device", "rack"].into_iter().find(|member| fields.get(*member).is_some_and(is_meant))?;
        let reference = fields.shift_remove(member)?;
        self.asset(OWNERS, &json!({ member: reference }), path)
    }

    fn management_address(&mut self, value: &Value, path: &Path<'_>) -> Option<Value> {
        let address = self.single(value, path)?;
        let path = path.item(0);
        match (address.get("type"), address.get("address")) {
            (Some(kind), Some(address)) if kind == "MANAGEMENT" => Some(address.clone()),
            _ => self.problems.refuse(&path, "Milo knows only the MANAGEMENT address of a network device"),
        }
    }

    fn single<'v>(&mut self, value: &'v Value, path: &Path<'_>) -> Option<&'v Value> {
        match value.as_array().map(Vec::as_slice) {
            Some([element]) => Some(element),
            _ => self.problems.refuse(path, "Milo allows exactly one here"),
        }
    }

    fn leftovers(&mut self, fields: &Map<String, Value>, path: &Path<'_>) {
        for (name, value) in fields.iter().filter(|(_, value)| is_meant(value)) {
            let path = path.member(name);
            let (name, json) = (path.to_string(), value.to_string());
            if !DEFAULTS.iter().any(|(field, default)| *field == name && *default == json) {
                self.problems.add(&path, format!("Milo has no field for it (it is {})", what(value)));
            }
        }
    }
}

/// Removes the external reference that is the name in Milo from the fields, and returns it.
fn take_milo_name(fields: &mut Map<String, Value>) -> Option<String> {
    let name = milo_name(fields)?.to_owned();
    if let Some(Value::Array(references)) = fields.get_mut("externalRefs") {
        references.retain(|reference| reference.get("source").is_none_or(|source| source != SOURCE));
    }
    Some(name)
}

fn only_name(asset: Value) -> Value {
    json!({ "name": asset["name"] })
}

/// Returns our field for a member, and the beginning of a sentence about it.
fn our_name(to: &To) -> (&'static str, String) {
    match to {
        To::Field(ours, _) | To::Two([ours, _], _) => (ours, "is".to_owned()),
        To::Label(key, _) => ("labels", format!("{key} is")),
        To::Owner => ("device", "(or rack) is".to_owned()),
        To::Level(_) => ("", "is".to_owned()),
    }
}

/// Returns true if the value is neither null nor empty.
fn is_meant(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    }
}

fn is_kubernetes_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let part = |part: &str| {
        let bytes = part.as_bytes();
        let ends = bytes.first().zip(bytes.last());
        ends.is_some_and(|(first, last)| plain(*first) && plain(*last))
            && bytes.iter().all(|byte| plain(*byte) || *byte == b'-')
    };
    name.len() <= 253 && name.split('.').all(part)
}
