//! Writes items of the API as manifests of our own form: the inverse of [`own`](super::own).

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::kinds::{Form, KindForm, Kinds, ReferenceForm};
use super::own::{API_VERSION, is_uuid};
use underlay_kit::is_hidden;

/// Returns the manifest of an item of a kind. References are written short if the short form means the same.
pub(crate) fn manifest(kind: &KindForm, item: &Value, kinds: &dyn Kinds) -> Value {
    let (mut metadata, mut spec) = (Map::new(), Map::new());
    for (name, value) in item.as_object().into_iter().flatten() {
        if super::own::IN_METADATA.contains(&name.as_str()) {
            metadata.insert(name.clone(), value.clone());
            continue;
        }
        let reference = kind.fields.iter().find(|field| field.name == name).and_then(|field| field.reference);
        let value = reference.map_or_else(|| value.clone(), |reference| short(value, reference, kinds));
        spec.insert(name.clone(), value);
    }
    let mut document = json!({ "apiVersion": API_VERSION, "kind": kind.name, "metadata": metadata });
    if !spec.is_empty() {
        document["spec"] = spec.into();
    }
    document
}

/// Returns a field with each of its references written short.
fn short(value: &Value, reference: ReferenceForm, kinds: &dyn Kinds) -> Value {
    let one = |value: &Value, target: Option<&&str>| {
        let member = target.and_then(|target| kinds.kind(target)).map(|target| target.member);
        name(value, member).map_or_else(|| value.clone(), Value::from)
    };
    let target = reference.targets.first();
    let member = |value: &Value, member: &str| {
        let mut value = value.clone();
        if let Some(inner) = value.get_mut(member) {
            *inner = one(inner, target);
        }
        value
    };
    let one_of = |value: &Value| {
        let inner = |(kind, value): (&String, &Value)| {
            let target =
                reference.targets.iter().find(|target| kinds.kind(target).is_some_and(|it| it.singular == kind));
            (kind.clone(), one(value, target))
        };
        value.as_object().map_or_else(|| value.clone(), |members| members.iter().map(inner).collect())
    };
    let each = |change: &dyn Fn(&Value) -> Value| {
        value.as_array().map_or_else(|| value.clone(), |list| list.iter().map(change).collect())
    };
    match reference.form {
        Form::One => one(value, target),
        Form::OneOf => one_of(value),
        Form::Member(of) => member(value, of),
        Form::Many => each(&|value| one(value, target)),
        Form::ManyOf => each(&one_of),
        Form::ManyMember(of) => each(&|value| member(value, of)),
        Form::Part(_) => part(value, target.and_then(|target| kinds.kind(target)), kinds),
    }
}

fn part(value: &Value, kind: Option<KindForm>, kinds: &dyn Kinds) -> Value {
    let (Some(members), Some(kind)) = (value.as_object(), kind) else { return value.clone() };
    let member = |(name, value): (&String, &Value)| {
        let reference = kind.fields.iter().find(|field| field.name == name).and_then(|field| field.reference);
        (name.clone(), reference.map_or_else(|| value.clone(), |reference| short(value, reference, kinds)))
    };
    members.iter().map(member).collect()
}

/// Returns the name if a reference consists of a name only. A name that looks like an id cannot be written short.
fn name<'a>(reference: &'a Value, member: Option<&str>) -> Option<&'a str> {
    let members = reference.as_object().filter(|members| members.len() == 1)?;
    let name = members.get(member?)?.as_str()?;
    (!name.is_empty() && !is_uuid(name)).then_some(name)
}

/// Returns a document as YAML. A text that YAML could read as another type is quoted.
pub(crate) fn yaml(document: &Value) -> String {
    let mut out = String::new();
    write_value(document, 0, &mut out);
    out
}

/// Writes a value in block style, at the beginning of a line.
fn write_value(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (index, (key, value)) in members.iter().enumerate() {
                // The first member continues the line that leads to the object.
                let spaces = if index == 0 { 0 } else { indent };
                let _ = write!(out, "{:spaces$}{}:", "", scalar(&Value::String(key.clone())));
                write_member(value, indent, out);
            }
        }
        Value::Array(elements) if !elements.is_empty() => {
            for (index, element) in elements.iter().enumerate() {
                let spaces = if index == 0 { 0 } else { indent };
                let _ = write!(out, "{:spaces$}- ", "");
                write_value(element, indent + 2, out);
            }
        }
        flat => {
            let _ = writeln!(out, "{}", scalar(flat));
        }
    }
}

fn write_member(value: &Value, indent: usize, out: &mut String) {
    let inner = match value {
        Value::Object(members) if !members.is_empty() => indent + 2,
        // A list starts at the indentation of its key, as most people write it.
        Value::Array(elements) if !elements.is_empty() => indent,
        _ => {
            let _ = writeln!(out, " {}", scalar(value));
            return;
        }
    };
    let _ = write!(out, "\n{:inner$}", "");
    write_value(value, inner, out);
}

/// Returns a value in one line: JSON is valid YAML, and a plain word needs no quotation marks.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        other => escaped(&other.to_string()),
    }
}

/// Escapes the characters of a JSON text that control a terminal or that it does not show. YAML escapes a character by
/// its number; JSON needs two numbers for some characters.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        match u32::from(letter) {
            number if is_hidden(letter) && number > 0xffff => _ = write!(out, "\\U{number:08x}"),
            number if is_hidden(letter) => _ = write!(out, "\\u{number:04x}"),
            _ => out.push(letter),
        }
    }
    out
}

/// Returns true if a text can stand without quotation marks in every version of YAML.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 12] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf", "infinity"];
    let first = text.chars().next().is_some_and(|first| first.is_ascii_alphabetic());
    let inside = |letter: char| letter.is_ascii_alphanumeric() || "-_./ ".contains(letter);
    first
        && text.chars().all(inside)
        && !text.ends_with(' ')
        && !text.contains("  ")
        && !WORDS.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::super::kinds::sample::Sample;
    use super::super::own;
    use super::*;
    use underlay_kit::documents;

    #[test]
    fn references_are_written_short_if_equivalent() {
        let id = "0197a0c4-5d1e-7000-8000-000000000001";
        for (kind, item, spec) in [
            ("Rack", json!({"site": {"site": "ams1"}, "heightU": 47}), json!({"site": "ams1", "heightU": 47})),
            ("Rack", json!({"site": {"site": id}}), json!({"site": {"site": id}})),
            ("Rack", json!({"site": {"id": id}}), json!({"site": {"id": id}})),
            (
                "Device",
                json!({"placement": {"rack": {"site": "a", "rack": "b"}, "startUnit": 1.5}}),
                json!({"placement": {"rack": {"site": "a", "rack": "b"}, "startUnit": 1.5}}),
            ),
            (
                "Link",
                json!({"a": {"site": {"site": "x"}}, "cables": [{"cable": "c1"}, {"id": id}]}),
                json!({"a": {"site": "x"}, "cables": ["c1", {"id": id}]}),
            ),
            (
                "Circuit",
                json!({"aEnd": {"site": {"site": "x"}, "port": {"device": "d", "port": "p"}}}),
                json!({"aEnd": {"site": "x", "port": {"device": "d", "port": "p"}}}),
            ),
        ] {
            let written = manifest(&Sample.kind(kind).expect("a kind"), &item, &Sample);
            assert_eq!(written["spec"], spec);
        }
        let labelled =
            manifest(&Sample.kind("Site").expect("a kind"), &json!({"name": "x", "labels": {"a": "b"}}), &Sample);
        let expected = json!({"name": "x", "labels": {"a": "b"}});
        assert_eq!((labelled["apiVersion"].as_str(), &labelled["metadata"]), (Some(own::API_VERSION), &expected));
    }

    #[test]
    fn yaml_is_read_back_as_it_was() {
        // The list lacks `.inf`, `-.inf` and `.nan`, because the reader rejects these even in quotation marks.
        let hostile = [
            "",
            " ",
            "a",
            "yes",
            "No",
            "on",
            "null",
            "~",
            "1",
            "1e3",
            "0x1f",
            "1_000",
            ".5",
            "-",
            "- a",
            "a: b",
            "a #b",
            "#a",
            "a:",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`a",
            "'a'",
            "\"a\"",
            "a\nb",
            "a\n",
            "\ta",
            "a ",
            "{a}",
            "[a]",
            "a, b",
            "2026-11-20",
            "12:30",
            "\u{85}",
            "\u{9b}31m",
            "\u{2028}",
            "\u{202e}x",
            "\u{61c}x\u{200b}",
            "\u{ad}\u{e0041}",
            "\u{feff}a",
            "é 東京",
            "---",
            "...",
            "a\\b",
            "y",
            "a  b",
            "true.",
            "=",
            "<<",
            "0o17",
            "NaN",
        ];
        let texts: Map<String, Value> = hostile.iter().map(|text| (format!("k{text}"), (*text).into())).collect();
        for value in [
            json!({"a": {"b": {"c": [1, 2.5, true, null]}, "d": []}, "e": {}}),
            json!({"list": [{"a": 1, "b": {"c": [[1, [2]], []]}}, "x", {}, [{"y": [{"z": 1}]}]]}),
            Value::Object(texts),
            json!(hostile.as_slice()),
            json!({"deep": [[["a"], ["b", {"c": "d", "e": ["f"]}]]]}),
        ] {
            let text = yaml(&value);
            let read: Vec<_> = documents::read(&text, false).into_iter().collect::<Result<_, _>>().expect("YAML");
            assert_eq!(read, [value], "{text}");
        }
    }

    #[test]
    fn yaml_has_the_usual_style() {
        let value =
            json!({"kind": "Cable", "spec": {"aEnds": [{"port": {"device": "a", "port": "1"}}], "tags": ["x y"]}});
        let expected =
            "kind: Cable\nspec:\n  aEnds:\n  - port:\n      device: a\n      port: \"1\"\n  tags:\n  - x y\n";
        assert_eq!(yaml(&value), expected);
    }
}
