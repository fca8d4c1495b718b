//! Creates the entries of the items that write. Each item has an entry, and one more for each of its parts that is an
//! object of its own, such as the ends of a circuit.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::entries::Cleared;
use super::entry::{Entry, Input};
use super::work::Work;
use crate::write::batch::{Intent, Item};
use crate::write::fields::Fields;
use underlay_inventory::{Description, Part, Refusal, shorten, shorten_text};

/// The member by which a part refers to the entry of its whole.
pub(super) const ENTRY: &str = "$entry";

impl<'a> Work<'a> {
    /// Creates the entries of the items that write.
    pub(super) fn enter(&mut self, items: &[(usize, &'a Item)]) {
        for (item, asked) in items {
            let Item::Write { kind, intent, fields, if_version } = asked else { continue };
            let mut own = Cow::Borrowed(fields);
            let mut parts = Vec::new();
            for part in kind.parts.iter().filter(|part| fields.has(part.field)) {
                parts.extend(own.to_mut().take(part.field).map(|value| (part, value)));
            }
            let input = Input { item: *item, part: None, kind, intent: *intent, fields: own, if_version: *if_version };
            let whole = self.entries.push(Entry::of(input));
            self.entries.index.add(whole, kind, fields, self.source());
            for (part, value) in parts {
                self.enter_part(*item, whole, part, value);
            }
        }
    }

    fn enter_part(&mut self, item: usize, whole: usize, part: &'static Part, value: Json) {
        let Some(kind) = self.base.registry().named(part.kind) else { return };
        let fields = match value {
            Json::Null => {
                self.entries.cleared.push(Cleared { whole, part });
                return;
            }
            value => match part_fields(part, kind, value) {
                Ok(fields) => complete(part, fields, whole),
                Err(refusal) => return self.refuse(item, refusal),
            },
        };
        let input = Input {
            item,
            part: Some(part.field),
            kind,
            intent: Intent::Apply,
            fields: Cow::Owned(fields),
            if_version: None,
        };
        let at = self.entries.push(Entry::of(input));
        if let Some((_, name)) = part.fixed.iter().find(|(field, _)| *field == "name") {
            self.entries.index.add_name(at, kind, name);
        }
    }
}

/// Returns the fields of a part, as the item gives them.
fn part_fields(part: &Part, kind: &Description, value: Json) -> Result<Fields, Refusal> {
    let fields = match value {
        Json::Object(fields) => Fields::from(fields),
        other => {
            let reason = format!("must be an object with {}, not {}", part.replaced.join(", "), shorten(&other));
            return Err(Refusal::Invalid { field: part.field.to_owned(), reason });
        }
    };
    let unknown = fields.iter().find(|(name, _)| !part.replaced.contains(name));
    match unknown.map(|(name, _)| format!("{}.{}", part.field, shorten_text(name))) {
        Some(field) => Err(Refusal::UnknownField { field, kind: kind.name, allowed: part.replaced.join(", ") }),
        None => Ok(fields),
    }
}

/// Adds to the fields of a part what the item does not give: `null` for the other fields that are replaced as a whole,
/// the fixed fields, and the reference to the entry of the whole.
fn complete(part: &Part, mut fields: Fields, whole: usize) -> Fields {
    for name in part.replaced {
        if !fields.has(name) {
            fields.set(*name, Json::Null);
        }
    }
    for (name, value) in part.fixed {
        fields.set(*name, Json::from(*value));
    }
    fields.set(part.whole, serde_json::json!({ ENTRY: whole }));
    fields
}
