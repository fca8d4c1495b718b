//! Reads the files of a source: manifests, tables and lines of exports.
//!
//! The external id of an object is what identifies it in the files, whatever file it stands in: its `externalId` if it
//! gives one, else its `id`, else its key: the names of its parents and its own. An object without a name is identified
//! by what it refers to, as a cable by its first A end. So an object that is renamed is another object, unless it gives
//! an `externalId`.

use std::collections::HashMap;
use std::ops::ControlFlow;

use serde_json::{Map, Value};
use underlay_files::{Entry, Reader, SourceFile};
use underlay_inventory::Description;
use underlay_kit::source::{Text, read_opened};
use underlay_kit::sync::{BadThing, ExternalId, Item};
use underlay_kit::{ManifestError, printable, shown};

use super::lines::ExportLines;
use crate::export;
use crate::kinds::KnownKinds;
use crate::{csv, manifest};
use underlay_kinds::grammar::with_article;

const ENDINGS: [&str; 5] = ["yaml", "yml", "json", "csv", "jsonl"];

/// Knows manifests, tables and lines of exports.
pub(super) struct FileReader {
    kinds: KnownKinds,
    ranks: HashMap<&'static str, usize>,
}

impl FileReader {
    pub(super) fn new() -> Self {
        let kinds = KnownKinds::new();
        let order = export::order_of_kinds(kinds.registry());
        let ranks = order.into_iter().enumerate().map(|(rank, kind)| (kind.singular, rank)).collect();
        Self { kinds, ranks }
    }

    fn table(&self, file: &SourceFile) -> Vec<Entry> {
        let kind = file.name().file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let kind = kind.rsplit('.').next().unwrap_or_default();
        match self.kinds.meant(kind) {
            Ok(kind) => {
                let table = csv::of_text(text_of(file), kind, &self.kinds);
                let items = table.items.into_iter().map(|item| self.entry(&item.origin.to_string(), item.item));
                let file = printable(&file.name().to_string_lossy());
                let notes = table.notes.into_iter().map(|note| Entry::Bad(BadThing::new(None, &file, note)));
                items.chain(table.errors.iter().map(bad)).chain(notes).collect()
            }
            Err(reason) => {
                let reason = format!("a table is named after the kind of its lines, as racks.csv: {reason}");
                vec![bad(&ManifestError::of_file(&printable(&file.name().to_string_lossy()), reason))]
            }
        }
    }

    fn manifests(&self, file: &SourceFile) -> Vec<Entry> {
        let (items, errors) = manifest::read_one_of_many(file.name(), text_of(file), &self.kinds);
        let items = items.into_iter().map(|item| self.entry(&item.origin.to_string(), item.item));
        items.chain(errors.iter().map(bad)).collect()
    }

    fn lines(&self, file: &SourceFile, take: &mut dyn FnMut(Entry) -> ControlFlow<()>) {
        let lines = match file.open() {
            Ok(opened) => ExportLines::new(file.name(), opened),
            Err(error) => return give([bad(&error)], take),
        };
        let entry = |line: Result<(String, Value), ManifestError>| match line {
            Ok((origin, item)) => self.entry(&origin, item),
            Err(error) => bad(&error),
        };
        give(lines.map(entry), take);
    }

    /// Gives an item its external id.
    fn entry(&self, origin: &str, item: Value) -> Entry {
        self.identified(item).map(Entry::Item).unwrap_or_else(|reason| Entry::Bad(BadThing::new(None, origin, reason)))
    }

    fn identified(&self, item: Value) -> Result<Item, String> {
        let not_one = || "an item has one member, which is named after a kind".to_owned();
        let Value::Object(members) = item else { return Err(not_one()) };
        let (kind, fields) = members.into_iter().next().ok_or_else(not_one)?;
        let Value::Object(mut fields) = fields else { return Err(not_one()) };
        let description = self.kinds.registry().named(&kind).filter(|known| known.singular == kind);
        let description = description.ok_or_else(|| format!("a source cannot write {}", shown(&kind)))?;
        if fields.shift_remove("ifVersion").is_some() {
            return Err("ifVersion makes no sense in a file that is applied again and again: leave it out".to_owned());
        }
        let id = identity(description, &fields)?;
        Item::new(ExternalId::new(kind, id), fields).map_err(|error| error.to_string())
    }
}

impl Reader for FileReader {
    fn endings(&self) -> &[&'static str] {
        &ENDINGS
    }

    fn read(&self, file: &SourceFile, take: &mut dyn FnMut(Entry) -> ControlFlow<()>) {
        let ending = file.name().extension().and_then(|it| it.to_str()).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "jsonl" => self.lines(file, take),
            "csv" => give(self.table(file), take),
            _ => give(self.manifests(file), take),
        }
    }

    fn rank(&self, kind: &str) -> usize {
        self.ranks.get(kind).copied().unwrap_or(self.ranks.len())
    }
}

fn text_of(file: &SourceFile) -> Result<Text, ManifestError> {
    file.open().and_then(|opened| read_opened(file.name(), opened))
}

/// Gives entries one after the other, until that is not wanted any more.
fn give(entries: impl IntoIterator<Item = Entry>, take: &mut dyn FnMut(Entry) -> ControlFlow<()>) {
    for entry in entries {
        if take(entry).is_break() {
            break;
        }
    }
}

fn bad(error: &ManifestError) -> Entry {
    Entry::Bad(BadThing::new(None, &error.file, error.to_string()))
}

/// Returns what identifies an object in the files.
fn identity(kind: &Description, fields: &Map<String, Value>) -> Result<String, String> {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    if let Some(id) = text("externalId") {
        return Ok(id.to_owned());
    }
    if let Some(id) = text("id") {
        return Ok(format!("id={id}"));
    }
    if let Some(name) = kind.name_of(|name| fields.get(name)).and_then(Value::as_str) {
        let parent = kind.parent_fields().find_map(|(_, field)| fields.get(field.name).filter(|it| !it.is_null()));
        let mut parts = Vec::new();
        parent.into_iter().for_each(|parent| add(parent, &mut parts));
        parts.push(escaped(name));
        return Ok(parts.join("/"));
    }
    let first = kind.recognised_by().and_then(|field| fields.get(field)?.as_array()?.first());
    match first {
        Some(first) => {
            let mut parts = Vec::new();
            add(first, &mut parts);
            Ok(parts.join("/"))
        }
        None => {
            Err(format!("{} without a name needs an externalId, by which it is recognised", with_article(kind.name)))
        }
    }
}

/// Adds the parts of a reference: `{"site": "ams1", "rack": "A14"}` has two.
fn add(reference: &Value, parts: &mut Vec<String>) {
    match reference {
        Value::Object(members) => {
            for (name, value) in members {
                // An id or an external id is no name.
                let first = parts.len();
                add(value, parts);
                if matches!(name.as_str(), "id" | "externalId" | "source" | "family") {
                    parts[first..].iter_mut().for_each(|part| part.insert_str(0, &format!("{name}=")));
                }
            }
        }
        Value::String(text) => parts.push(escaped(text)),
        other => parts.push(escaped(&other.to_string())),
    }
}

/// Escapes what separates parts, so that two objects never have the same id.
fn escaped(part: &str) -> String {
    part.replace('%', "%25").replace('/', "%2F").replace('=', "%3D")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn id(item: Value) -> Result<String, String> {
        FileReader::new().identified(item).map(|item| item.id().id.clone())
    }

    #[test]
    fn objects_are_identified_by_what_the_files_say_of_them() {
        for (item, expected) in [
            (json!({"site": {"name": "ams1"}}), "ams1"),
            (json!({"rack": {"name": "A/14", "site": {"site": "ams1"}}}), "ams1/A%2F14"),
            (json!({"rack": {"name": "A14", "site": {"id": "7"}}}), "id=7/A14"),
            (json!({"rack": {"name": "A14", "externalId": "x/17"}}), "x/17"),
            (json!({"rack": {"name": "A14", "id": "0193"}}), "id=0193"),
            (json!({"cable": {"aEnds": [{"port": {"device": "s1", "port": "e1"}}]}}), "s1/e1"),
        ] {
            assert_eq!(id(item.clone()).as_deref(), Ok(expected), "{item}");
        }
        for (item, expected) in [
            (json!({"delete": {"rack": {}}}), "a source cannot write \"delete\""),
            (json!({"rack": {"name": "A14", "ifVersion": 3}}), "ifVersion makes no sense"),
            (json!({"cable": {"label": "x"}}), "a Cable without a name needs an externalId"),
            (json!({"rack": {"site": {"site": "ams1"}}}), "a Rack without a name needs an externalId"),
        ] {
            let refused = id(item.clone()).expect_err("refused");
            assert!(refused.contains(expected), "{item}: {refused}");
        }
    }

    fn read(file: &str, text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(file);
        std::fs::write(&path, text).expect("a file");
        let mut found = Vec::new();
        FileReader::new().read(&SourceFile::alone(&path), &mut |entry| {
            found.push(match entry {
                Entry::Item(item) => item.id().to_string(),
                Entry::Bad(thing) => thing.message.replace(&folder.path().to_string_lossy().into_owned(), "DIR"),
            });
            ControlFlow::Continue(())
        });
        found
    }

    #[test]
    fn files_are_read_by_their_names() {
        let manifests = "apiVersion: underlay/v1\nkind: Site\nmetadata: {name: ams1}\n---\n# nothing\n---\n\
                         apiVersion: underlay/v1\nkind: Sight\nmetadata: {name: ams2}\n";
        let found = read("a.yaml", manifests);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0] == "site \"ams1\"" && found[1].contains("there is no kind \"Sight\""), "{found:?}");
        assert_eq!(read("empty.yaml", "# nothing yet\n"), Vec::<String>::new());
        assert_eq!(read("ams1.racks.csv", "name,site\nA14,ams1\n"), ["rack \"ams1/A14\""]);
        let found = read("stuff.csv", "name\nx\n");
        assert!(found[0].contains("a table is named after the kind of its lines"), "{found:?}");
        let head = r#"{"format":"underlay-export/1","revision":1,"objects":1}"#;
        let site = r#"{"item":{"site":{"id":"0193","name":"ams1"}},"source":"dcim"}"#;
        assert_eq!(read("a.jsonl", &format!("{head}\n{site}\n{{\"end\":1}}\n")), ["site \"id=0193\""]);
        let found = read("a.jsonl", &format!("{head}\n{site}\n"));
        assert!(found[1].contains("is an export that was cut off"), "{found:?}");
        let found = read("a.jsonl", "{\"item\":\n");
        assert!(found[0].contains("line 1: cannot be read: EOF"), "{found:?}");
        let found = read("a.jsonl", &format!("{{\"item\":[{}1]}}\n", "1,".repeat(50_000)));
        assert!(found[0].contains("line 1: must have at most 20010 values, but it has"), "{found:?}");
    }

    #[test]
    fn referenced_objects_come_first() {
        let reader = FileReader::new();
        let ranks = ["region", "site", "rack", "device", "port", "cable"].map(|kind| reader.rank(kind));
        assert!(ranks.is_sorted(), "{ranks:?}");
    }
}
