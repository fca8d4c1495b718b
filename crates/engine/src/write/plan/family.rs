//! The families of an entry. A kind may have several families of names: a data port and a power port of one device may
//! have the same name.

use std::ops::RangeInclusive;
use std::sync::Arc;

use serde_json::Value as Json;

use super::entry::Entry;
use underlay_inventory::{Description, KindId, Refusal};

/// The families of the values that occurred so far. The field has few values, so the list is short.
#[derive(Default)]
pub(super) struct Families(Vec<KnownFamily>);

struct KnownFamily {
    kind: KindId,
    value: Json,
    family: u8,
}

impl Families {
    fn get(&self, kind: &Description, value: &Json) -> Option<u8> {
        let known = self.0.iter().find(|known| known.kind == kind.id && known.value == *value);
        known.map(|known| known.family)
    }
}

/// Returns the families that an entry may have: the one in its fields, or all.
pub(super) fn families(
    entry: &Entry<'_>,
    kind: &'static Description,
    known: &mut Families,
) -> Result<RangeInclusive<u8>, Refusal> {
    let Some(family) = kind.key.family else { return Ok(0..=0) };
    let (Some(value), Some(index)) = (entry.value(family.field), kind.field(family.field)) else {
        return Ok(0..=(family.names.len() as u8 - 1));
    };
    if let Some(family) = known.get(kind, &value) {
        return Ok(family..=family);
    }
    let field = &kind.fields[index];
    let mut row = (kind.blank)();
    if let Some(row) = Arc::get_mut(&mut row) {
        field.put(row, field.fit(&value)?.as_ref())?;
    }
    let family = kind.family(row.as_ref());
    // Only valid values come here.
    known.0.push(KnownFamily { kind: kind.id, value: value.into_owned(), family });
    Ok(family..=family)
}
