//! Creates the rows of new objects, with their ids, keys and defaults. The other fields are set when the entries are
//! assembled.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use uuid::Uuid;

use super::entry::{KeyLookup, NewRow, State};
use super::identify::Identifiers;
use super::work::Work;
use underlay_entity::row::Row;
use underlay_inventory::{Description, KeyOf, MadeName, Refusal, Unnamed};

/// The number of names that are tried for an object without one.
const MAX_TRIED_NAMES: u32 = 16;

impl Work<'_> {
    /// Creates the object of an entry. Its row is added to the draft, unless nothing in the batch can refer to it.
    pub(super) fn create(
        &mut self,
        at: usize,
        kind: &'static Description,
        identifiers: Identifiers,
        depth: usize,
    ) -> Result<State, Refusal> {
        let Identifiers { id: requested, name, .. } = identifiers;
        let lookup = self.entries.get(at).lookups.by_key;
        let can_be_held = requested.is_none() && lookup == KeyLookup::Nothing;
        let id = requested.unwrap_or_else(new_id);
        let row = self.new_row(at, kind, id, name, depth)?;
        if self.entries.get(at).input.gives_external_ids() {
            self.claimed.entry(id).or_insert(at);
        }
        let row = match can_be_held {
            true => NewRow::Held(row),
            false => NewRow::InDraft(self.put(kind, row)?),
        };
        Ok(State::New { id, row })
    }

    fn new_row(
        &mut self,
        at: usize,
        kind: &'static Description,
        id: Uuid,
        name: Option<String>,
        depth: usize,
    ) -> Result<Arc<dyn Row>, Refusal> {
        let name = match name {
            Some(name) => name,
            None => self.default_name(kind, id)?,
        };
        let mut row = (kind.blank)().duplicate();
        if let Some(row) = Arc::get_mut(&mut row) {
            let common = row.common_mut();
            (*common.id, *common.name) = (id, name);
            (*common.version, *common.created_at, *common.updated_at) =
                (self.head.revision, self.head.at, self.head.at);
            if let Some(observed) = row.observed_version_mut() {
                *observed = self.head.revision;
            }
            self.set_key_fields(at, kind, row, depth)?;
        }
        let input = &self.entries.get(at).input;
        let (item, part) = (input.item, input.part);
        self.origin(id, item, part);
        Ok(row)
    }

    /// Returns the name of a new object whose entry gives none. Most kinds require a name.
    fn default_name(&self, kind: &'static Description, id: Uuid) -> Result<String, Refusal> {
        let required = match kind.unnamed {
            Some(Unnamed::Referring { name: MadeName::Unique(name), .. }) => return Ok(name(id)),
            Some(Unnamed::Referring { name: MadeName::Tried(name), .. }) => {
                let table = self.draft.snapshot().table(kind.id);
                let key = |name: &str| KeyOf { parent: Uuid::nil(), family: 0, name: name.into() };
                let mut names = (0..MAX_TRIED_NAMES).map(|attempt| name(id, attempt));
                if let Some(name) = names.find(|name| table.by_key(&key(name)).is_none()) {
                    return Ok(name);
                }
                "name"
            }
            Some(Unnamed::Field(field)) => field,
            None => "name",
        };
        Err(Refusal::Required { field: required.to_owned(), kind: kind.name })
    }

    fn set_key_fields(
        &mut self,
        at: usize,
        kind: &'static Description,
        row: &mut dyn Row,
        depth: usize,
    ) -> Result<(), Refusal> {
        let family = kind.key.family.and_then(|family| kind.field(family.field)).map(|index| &kind.fields[index]);
        for field in kind.parent_fields().map(|(_, field)| field).chain(family) {
            let entry = self.entries.get(at);
            let Some(value) = entry.value(field.name) else { continue };
            let value = match entry.resolved.has(field.name) {
                true => value.into_owned(),
                false => self.referring(at, |work| work.resolve_field(field, value, depth + 1))?,
            };
            field.put(row, field.fit(&value)?.as_ref())?;
        }
        Ok(())
    }
}

/// Creates the id of a new object: a UUIDv7 (RFC 9562) with random bits after the time. A counter in these bits would
/// reveal the number of objects that were created in between to clients that see a part of the inventory.
fn new_id() -> Uuid {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(now.as_millis()).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(millis, &rand::random()).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_millisecond_do_not_count() {
        let ids: Vec<Uuid> = (0..10_000).map(|_| new_id()).collect();
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
        let millis = |id: &Uuid| id.as_u128() >> 80;
        let together = ids.windows(2).filter(|pair| millis(&pair[0]) == millis(&pair[1]));
        let (rising, all) =
            together.fold((0, 0), |(rising, all), pair| (rising + u32::from(pair[0] < pair[1]), all + 1));
        // A counter makes all of them rise; of random ones a half does.
        assert!(all > 100 && rising < all * 3 / 4, "{rising} of {all}");
    }
}
