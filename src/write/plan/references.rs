//! From references as people and sources write them to ids: objects of the batch first, in any order, then those
//! that were there.

use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::Work;
use super::entries::ENTRY;
use crate::inventory::{Description, Field, Form, Refusal, Selector};

/// How many references one list may hold.
const MOST_LISTED: usize = 4096;

impl Work<'_> {
    /// The value of a field with every reference in it replaced by an id.
    pub(super) fn resolve_field(&mut self, field: &'static Field, value: Json, depth: usize) -> Result<Json, Refusal> {
        let Some(reference) = field.reference.filter(|_| !value.is_null()) else { return Ok(value) };
        let targets = reference.targets;
        match reference.form {
            Form::One => Ok(id_of(self.resolve(targets, field.name, &value, depth)?)),
            Form::OneOf => self.resolve_member(targets, field.name, value, depth),
            Form::Member(member) => self.resolve_inside(targets, field.name, member, value, depth),
            Form::Many => self
                .each(field.name, value, |work, path, value| Ok(id_of(work.resolve(targets, &path, &value, depth)?))),
            Form::ManyOf => {
                self.each(field.name, value, |work, path, value| work.resolve_member(targets, &path, value, depth))
            }
            Form::ManyMember(member) => self
                .each(field.name, value, |work, path, value| work.resolve_inside(targets, &path, member, value, depth)),
        }
    }

    /// The id of the object that a reference names; it may be of any of the kinds `targets`.
    pub(super) fn resolve(
        &mut self,
        targets: &'static [&'static str],
        path: &str,
        value: &Json,
        depth: usize,
    ) -> Result<Uuid, Refusal> {
        if let Some(entry) = value.get(ENTRY).and_then(Json::as_u64) {
            return self.identify(entry as usize, depth);
        }
        let registry = self.base.registry().clone();
        let kinds = targets.iter().filter_map(|name| registry.named(name));
        let mut refusal = None;
        for kind in kinds {
            match self.resolve_in(kind, path, value, depth) {
                Ok(id) => return Ok(id),
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        let nothing = || Refusal::NotFound { field: path.to_owned(), what: value.to_string() };
        Err(refusal.unwrap_or_else(nothing))
    }

    fn resolve_in(
        &mut self,
        kind: &'static Description,
        path: &str,
        value: &Json,
        depth: usize,
    ) -> Result<Uuid, Refusal> {
        let selector = Selector::parse(kind, path, value, self.source())?;
        self.identify_candidates(kind, &selector, depth);
        if let Some(id) = selector.id {
            return self.check_id(kind, path, id);
        }
        let place = self.draft.value().select(kind, path, &selector)?;
        let row = place.and_then(|place| self.draft.value().row(place));
        let not_found = || Refusal::NotFound { field: path.to_owned(), what: selector.words(kind) };
        row.map(|row| row.common().id).ok_or_else(not_found)
    }

    /// Works out the entries that the selector may mean, so that the draft knows them.
    fn identify_candidates(&mut self, kind: &Description, selector: &Selector, depth: usize) {
        let mut entries = Vec::new();
        entries.extend(selector.id.and_then(|id| self.entries.with_id(id)));
        if let Some((_, external_id)) = &selector.external {
            entries.extend(self.entries.external(kind.id, external_id));
        } else if let Some(name) = &selector.name {
            entries.extend(self.entries.named(kind.id, name));
        }
        for at in entries {
            // One that fails tells so itself; here it is simply not there.
            let _ = self.identify(at, depth + 1);
        }
    }

    fn check_id(&self, kind: &Description, path: &str, id: Uuid) -> Result<Uuid, Refusal> {
        let value = self.draft.value();
        match value.find(id) {
            Some(place) if place.kind == kind.id => Ok(id),
            Some(place) => Err(Refusal::Invalid {
                field: path.to_owned(),
                reason: format!("must be a {}; {} is not", kind.name, value.path(place)),
            }),
            None => Err(Refusal::NotFound { field: path.to_owned(), what: format!("{} {id}", kind.name) }),
        }
    }

    /// An object with one member, named after the kind that it refers to.
    fn resolve_member(
        &mut self,
        targets: &'static [&'static str],
        path: &str,
        value: Json,
        depth: usize,
    ) -> Result<Json, Refusal> {
        let registry = self.base.registry().clone();
        let kinds: Vec<_> = targets.iter().filter_map(|name| registry.named(name)).collect();
        let members = value.as_object().map(|members| members.iter().filter(|(_, it)| !it.is_null()));
        let one = members.and_then(|mut members| members.next().filter(|_| members.next().is_none()));
        let found = one.and_then(|(member, value)| {
            let kind = kinds.iter().find(|kind| kind.singular == member)?;
            Some((*kind, value))
        });
        let Some((kind, reference)) = found else {
            let names: Vec<_> = kinds.iter().map(|kind| kind.singular).collect();
            let reason = format!("must have exactly one of {}", names.join(", "));
            return Err(Refusal::Invalid { field: path.to_owned(), reason });
        };
        let id = self.resolve_in(kind, &format!("{path}.{}", kind.singular), reference, depth)?;
        Ok(Json::Object(Map::from_iter([(kind.singular.to_owned(), id_of(id))])))
    }

    /// An object with a member that is a reference.
    fn resolve_inside(
        &mut self,
        targets: &'static [&'static str],
        path: &str,
        member: &'static str,
        mut value: Json,
        depth: usize,
    ) -> Result<Json, Refusal> {
        let inner = format!("{path}.{member}");
        let reference = match value.as_object().map(|members| members.get(member)) {
            Some(Some(reference)) if !reference.is_null() => reference.clone(),
            Some(_) => return Err(Refusal::Invalid { field: inner, reason: "is required".to_owned() }),
            None => {
                let reason = format!("must be an object with {member}, not {value}");
                return Err(Refusal::Invalid { field: path.to_owned(), reason });
            }
        };
        value[member] = id_of(self.resolve(targets, &inner, &reference, depth)?);
        Ok(value)
    }

    fn each(
        &mut self,
        path: &str,
        value: Json,
        mut resolve: impl FnMut(&mut Self, String, Json) -> Result<Json, Refusal>,
    ) -> Result<Json, Refusal> {
        let Json::Array(list) = value else {
            let reason = format!("must be a list, not {}", crate::inventory::shorten(&value));
            return Err(Refusal::Invalid { field: path.to_owned(), reason });
        };
        if list.len() > MOST_LISTED {
            let reason = format!("has {} entries; at most {MOST_LISTED} are allowed", list.len());
            return Err(Refusal::Invalid { field: path.to_owned(), reason });
        }
        let resolved = list.into_iter().enumerate().map(|(at, value)| resolve(self, format!("{path}[{at}]"), value));
        resolved.collect::<Result<Vec<_>, _>>().map(Json::Array)
    }
}

fn id_of(id: Uuid) -> Json {
    Json::String(id.to_string())
}
