//! Reads our own form of a manifest: `apiVersion: underlay/v1`, with our fields by their GraphQL names under `spec`.
//!
//! Fields are passed on unchanged, `null` included (it clears a field); the API checks types and values. This module
//! does what the API cannot do. It rejects kinds and fields that do not exist, and lists those that do. It expands
//! short references (`site: ams1`, a name or a UUID) to full references.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use underlay_kit::{Manifest, Path, Problems, choices, excerpt, list, name, object, only, optional, text, what};

use super::Mapped;
use super::fields::Dialect;
use super::kinds::{Form, KindForm, Kinds, ReferenceForm};
use underlay_kinds::grammar::with_article;

pub(super) const API_VERSION: &str = "underlay/v1";
/// The fields of every kind that a manifest has in `metadata`.
pub(super) const IN_METADATA: [&str; 2] = ["name", "labels"];

/// Returns the item of a manifest. Adds a problem for everything that is wrong with it.
pub(super) fn map(manifest: &Manifest<'_>, kinds: &dyn Kinds, problems: &mut Problems) -> Option<Mapped> {
    only(manifest.document, &["apiVersion", "kind", "metadata", "spec"], manifest.path, problems);
    let kind = find(manifest, kinds, problems)?;
    let mut item = Map::new();
    metadata(manifest, &kind, &mut item, problems);
    if let Some(spec) = optional(manifest.document, "spec") {
        let path = manifest.path.member("spec");
        if let Some(spec) = object(spec, &path, problems) {
            SpecReader { kinds, problems }.spec(spec, &kind, &path, &mut item);
        }
    }
    Some(Mapped { name: None, item: json!({ kind.singular: item }), dialect: Dialect::Own })
}

fn find(manifest: &Manifest<'_>, kinds: &dyn Kinds, problems: &mut Problems) -> Option<KindForm> {
    let names = kinds.names();
    let (found, choices) = (excerpt(manifest.kind), choices(manifest.kind, &names));
    let reason = match kinds.kind(manifest.kind) {
        Some(kind) => return Some(kind),
        None => format!("there is no kind {found} in {API_VERSION}; {choices}"),
    };
    problems.refuse(&manifest.path.member("kind"), reason)
}

fn metadata(manifest: &Manifest<'_>, kind: &KindForm, item: &mut Map<String, Value>, problems: &mut Problems) {
    let path = manifest.path.member("metadata");
    let empty = Map::new();
    let metadata = match optional(manifest.document, "metadata") {
        None => &empty,
        Some(value) => match object(value, &path, problems) {
            None => return,
            Some(metadata) => metadata,
        },
    };
    only(metadata, &IN_METADATA, &path, problems);
    match optional(metadata, "name") {
        Some(value) => item.extend(name(value, &path.member("name"), problems).map(|it| ("name".into(), it.into()))),
        None if kind.unnamed => {}
        None => problems.add(&path.member("name"), format!("is missing: a {} must have a name", kind.name)),
    }
    if let Some(value) = optional(metadata, "labels") {
        let path = path.member("labels");
        for (key, value) in object(value, &path, problems).into_iter().flatten().filter(|(_, it)| !it.is_null()) {
            text(value, &path.member(key), problems);
        }
        item.insert("labels".into(), value.clone());
    }
}

struct SpecReader<'a> {
    kinds: &'a dyn Kinds,
    problems: &'a mut Problems,
}

impl SpecReader<'_> {
    fn spec(&mut self, spec: &Map<String, Value>, kind: &KindForm, path: &Path<'_>, item: &mut Map<String, Value>) {
        for (name, value) in spec {
            let at = path.member(name);
            if IN_METADATA.contains(&name.as_str()) {
                self.problems.add(&at, format!("stands in metadata: write metadata.{name}"));
                continue;
            }
            let Some(field) = kind.fields.iter().find(|field| field.name == name) else {
                let names = kind.fields.iter().map(|field| field.name).filter(|name| !IN_METADATA.contains(name));
                let choices = choices(name, &names.collect::<Vec<_>>());
                self.problems.add(&at, format!("{} has no such field; {choices}", with_article(kind.name)));
                continue;
            };
            let value = match field.reference {
                Some(reference) => self.field(value, reference, &at),
                None => Some(value.clone()),
            };
            item.extend(value.map(|value| (name.clone(), value)));
        }
    }

    /// Returns a field with its references expanded.
    fn field(&mut self, value: &Value, reference: ReferenceForm, path: &Path<'_>) -> Option<Value> {
        let targets = reference.targets;
        if value.is_null() {
            return Some(Value::Null);
        }
        match reference.form {
            Form::One => self.one(value, targets, path),
            Form::OneOf => self.one_of(value, targets, path),
            Form::Member(member) => self.member(value, member, targets, path),
            Form::Many => self.each(value, path, |reader, value, path| reader.one(value, targets, path)),
            Form::ManyOf => self.each(value, path, |reader, value, path| reader.one_of(value, targets, path)),
            Form::ManyMember(member) => {
                self.each(value, path, |reader, value, path| reader.member(value, member, targets, path))
            }
            Form::Part(members) => self.part(value, members, targets, path),
        }
    }

    fn each(
        &mut self,
        value: &Value,
        path: &Path<'_>,
        expand: impl Fn(&mut Self, &Value, &Path<'_>) -> Option<Value>,
    ) -> Option<Value> {
        let elements = list(value, path, self.problems)?;
        let expanded = elements.iter().enumerate().map(|(index, element)| expand(self, element, &path.item(index)));
        // Every element is read, so that all problems are found.
        let expanded: Vec<Option<Value>> = expanded.collect();
        expanded.into_iter().collect::<Option<Vec<Value>>>().map(Value::Array)
    }

    /// Expands a reference to a known kind, which is an object or short.
    fn one(&mut self, value: &Value, targets: &[&str], path: &Path<'_>) -> Option<Value> {
        let target = targets.first().and_then(|target| self.kinds.kind(target));
        let member = target.map_or("name", |target| target.member);
        match value {
            Value::Object(members) if !members.is_empty() => Some(value.clone()),
            Value::String(text) if is_uuid(text) => Some(json!({ "id": text })),
            Value::String(text) if !text.is_empty() => Some(json!({ member: text })),
            Value::Number(_) => {
                let reason = format!("must be a text, not {}: put it in quotation marks", what(value));
                self.problems.refuse(path, reason)
            }
            other => {
                let reason =
                    format!("must be a name, a UUID or an object such as {{{member}: …}}, not {}", what(other));
                self.problems.refuse(path, reason)
            }
        }
    }

    /// Expands a reference that names the kind of its target by a member.
    fn one_of(&mut self, value: &Value, targets: &[&str], path: &Path<'_>) -> Option<Value> {
        let known: Vec<KindForm> = targets.iter().filter_map(|target| self.kinds.kind(target)).collect();
        let members = value.as_object().filter(|members| members.len() == 1);
        let Some((member, value)) = members.and_then(|members| members.iter().next()) else {
            let forms: Vec<String> = known.iter().map(|kind| format!("{{{}: …}}", kind.singular)).collect();
            let reason = format!("must be an object with one of the members {}, not {}", forms.join(", "), what(value));
            return self.problems.refuse(path, reason);
        };
        let path = path.member(member);
        let Some(target) = known.iter().find(|kind| kind.singular == member) else {
            let names: Vec<&str> = known.iter().map(|kind| kind.singular).collect();
            return self.problems.refuse(&path, format!("cannot be referred to here; {}", choices(member, &names)));
        };
        let reference = self.one(value, &[target.name], &path)?;
        Some(json!({ target.singular: reference }))
    }

    /// Expands an object in which one member is a reference.
    fn member(&mut self, value: &Value, member: &str, targets: &[&str], path: &Path<'_>) -> Option<Value> {
        let mut members = object(value, path, self.problems)?.clone();
        if let Some(reference) = members.get_mut(member).filter(|reference| !reference.is_null()) {
            *reference = self.one(reference, targets, &path.member(member))?;
        }
        Some(Value::Object(members))
    }

    /// Expands an object that holds some of the fields of another kind.
    fn part(&mut self, value: &Value, members: &[&str], targets: &[&str], path: &Path<'_>) -> Option<Value> {
        let fields = object(value, path, self.problems)?;
        only(fields, members, path, self.problems);
        let target = targets.first().and_then(|target| self.kinds.kind(target))?;
        let mut part = Map::new();
        for (name, value) in fields {
            let reference = target.fields.iter().find(|field| field.name == name).and_then(|field| field.reference);
            let value = match reference {
                Some(reference) => self.field(value, reference, &path.member(name))?,
                None => value.clone(),
            };
            part.insert(name.clone(), value);
        }
        Some(Value::Object(part))
    }
}

/// Returns true if the text is a UUID in the form that Underlay writes. Other spellings (32 digits without hyphens)
/// could as well be serial numbers.
pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36 && Uuid::try_parse(text).is_ok()
}
