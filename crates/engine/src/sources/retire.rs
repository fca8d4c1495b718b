//! Retires an object: it gets the status and a name of retired objects, and gives up its place. What it gives up is kept
//! in an attribute, from which it is put back if its source has it again.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value as Json, json};
use underlay_inventory::{KeyOf, ObjectRef, Snapshot};

use super::fate::{RETIRED, STATUS};
use super::put_back::{AT_MEMBER, RETIRED_FROM, SOURCE as KEPT_SOURCE};
use crate::write::{Fields, Intent, Item};

/// The fields that a retired object gives up, besides its name and status.
const GIVEN_UP: [&str; 4] = ["placement", "slot", "serial", "assetTag"];
/// The longest name of an object, in characters.
const MAX_NAME_CHARACTERS: usize = 253;
/// The number of names that are tried for a retired object.
const MAX_TRIED_NAMES: usize = 1_000;

/// Returns the item that retires an object. `names` are the keys that other items of the batch take.
pub fn retire(
    snapshot: &Snapshot,
    object: ObjectRef,
    source: &str,
    now: DateTime<Utc>,
    names: &mut BTreeSet<KeyOf>,
) -> Item {
    let kind = snapshot.kind(object.kind);
    let mut fields = Fields::default();
    let Some(row) = snapshot.row(object) else {
        return Item::Write { kind, intent: Intent::Update, fields, if_version: None };
    };
    let common = row.common();
    let mut kept = Map::new();
    kept.insert(KEPT_SOURCE.to_owned(), source.into());
    kept.insert(AT_MEMBER.to_owned(), now.to_rfc3339_opts(chrono::SecondsFormat::Secs, true).into());
    kept.insert("name".to_owned(), common.name.into());
    fields.set("id", common.id.to_string().into());
    for name in GIVEN_UP.into_iter().chain([STATUS]) {
        let Some(field) = kind.field(name).map(|index| &kind.fields[index]) else { continue };
        let value = (field.get)(row.as_ref());
        if value.is_null() || field.immutable || (field.required && name != STATUS) {
            continue;
        }
        kept.insert(name.to_owned(), value);
        fields.set(name, if name == STATUS { RETIRED.into() } else { Json::Null });
    }
    let key = |name: &str| KeyOf {
        parent: kind.parent(row.as_ref()).unwrap_or_default(),
        family: kind.family(row.as_ref()),
        name: name.into(),
    };
    let date = now.format("%Y-%m-%d").to_string();
    let name = (1..MAX_TRIED_NAMES).map(|number| retired_name(common.name, &date, number)).find(|name| {
        let key = key(name);
        snapshot.table(kind.id).by_key(&key).is_none() && names.insert(key)
    });
    // If all these names are taken, the object keeps its own.
    if let Some(name) = name {
        fields.set("name", name.into());
    }
    fields.set("attributes", json!({ RETIRED_FROM: kept }));
    Item::Write { kind, intent: Intent::Update, fields, if_version: Some(common.version) }
}

/// Returns the name of a retired object: `NAME (retired DATE)`, with a number from 2 on if that is taken.
fn retired_name(name: &str, date: &str, number: usize) -> String {
    let suffix = match number {
        1 => format!(" (retired {date})"),
        number => format!(" (retired {date} {number})"),
    };
    let room = MAX_NAME_CHARACTERS.saturating_sub(suffix.chars().count());
    let name: String = name.chars().take(room).collect();
    format!("{}{suffix}", name.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retired_names_fit_and_differ() {
        assert_eq!(retired_name("leaf-1", "2026-11-24", 1), "leaf-1 (retired 2026-11-24)");
        assert_eq!(retired_name("leaf-1", "2026-11-24", 2), "leaf-1 (retired 2026-11-24 2)");
        let long = retired_name(&"é".repeat(MAX_NAME_CHARACTERS), "2026-11-24", 12);
        assert_eq!(long.chars().count(), MAX_NAME_CHARACTERS);
        assert!(long.ends_with("é (retired 2026-11-24 12)"));
    }
}
