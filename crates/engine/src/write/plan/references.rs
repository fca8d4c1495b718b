//! Resolves references, in the forms that people and sources write, to ids. Objects of the batch come first, in any
//! order, then existing objects.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::enter::ENTRY;
use super::refusals::is_cycle;
use super::work::Work;
use underlay_inventory::{Description, Field, Form, Refusal, Selector, ends_of_path, shorten};

/// The maximum number of references in one list.
const MAX_LIST_REFERENCES: usize = 4096;

impl Work<'_> {
    /// Resolves the references in the fields of an entry, before any entry is written. A name means the object that had
    /// it before the batch or gets it in the batch, wherever the item stands.
    pub(super) fn resolve_entry(&mut self, at: usize) {
        for (_, field) in self.entries.get(at).input.kind.references() {
            let entry = self.entries.get(at);
            if entry.resolved.has(field.name) {
                continue;
            }
            let Some(value) = entry.value(field.name) else { continue };
            let result = self.referring(at, |work| work.resolve_field(field, value, 0));
            let resolved = &mut self.entries.get_mut(at).resolved;
            match result {
                Ok(value) => resolved.push(field.name, value),
                Err(refusal) => {
                    resolved.error.get_or_insert(refusal);
                }
            }
        }
    }

    /// Resolves references of an entry.
    pub(super) fn referring<T>(&mut self, at: usize, resolve: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.referring.replace(at);
        let resolved = resolve(self);
        self.referring = before;
        resolved
    }

    /// Returns the value of a field with every reference in it replaced by an id.
    pub(super) fn resolve_field(
        &mut self,
        field: &'static Field,
        value: Cow<'_, Json>,
        depth: usize,
    ) -> Result<Json, Refusal> {
        let Some(reference) = field.reference.filter(|_| !value.is_null()) else { return Ok(value.into_owned()) };
        let targets = reference.targets;
        let path = field.name;
        match reference.form {
            Form::One => Ok(id_of(self.resolve(targets, path, &value, depth)?)),
            Form::OneOf => self.resolve_member(targets, path, value.into_owned(), depth),
            Form::Member(member) => self.resolve_inside(targets, path, member, value.into_owned(), depth),
            Form::OptionalMember(member) if value.get(member).is_none_or(Json::is_null) => Ok(value.into_owned()),
            Form::OptionalMember(member) => self.resolve_inside(targets, path, member, value.into_owned(), depth),
            Form::Many => self.each(path, value.into_owned(), |work, path, value| {
                Ok(id_of(work.resolve(targets, &path, &value, depth)?))
            }),
            Form::ManyOf => self
                .each(path, value.into_owned(), |work, path, value| work.resolve_member(targets, &path, value, depth)),
            Form::ManyMember(member) => self.each(path, value.into_owned(), |work, path, value| {
                work.resolve_inside(targets, &path, member, value, depth)
            }),
        }
    }

    /// Returns the id of the object that a reference names. The object may be of any of the kinds in `targets`.
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
        let nothing = || Refusal::NotFound { field: path.to_owned(), what: shorten(value) };
        Err(refusal.unwrap_or_else(nothing))
    }

    fn resolve_in(
        &mut self,
        kind: &'static Description,
        path: &str,
        value: &Json,
        depth: usize,
    ) -> Result<Uuid, Refusal> {
        if let Some(id) = self.reference_cache.get(kind, value) {
            return Ok(id);
        }
        match self.look_up(kind, path, value, depth) {
            Ok(id) => {
                self.reference_cache.insert(kind, value, id);
                Ok(id)
            }
            // What it means for this entry is not what it means for others.
            Err(refusal @ Refusal::Ambiguous { .. }) => self.among_own(kind, path, value, depth)?.ok_or(refusal),
            Err(refusal) => Err(refusal),
        }
    }

    /// Returns the only one of several objects with a name that has a parent which the referring entry names too: an
    /// entry with a site means the rack of that site.
    fn among_own(
        &mut self,
        kind: &'static Description,
        path: &str,
        value: &Json,
        depth: usize,
    ) -> Result<Option<Uuid>, Refusal> {
        let Some(referring) = self.referring else { return Ok(None) };
        let selector = Selector::parse(kind, path, value, self.source())?;
        for (_, parent) in kind.parent_fields() {
            let Some(reference) = parent.reference.filter(|it| !it.targets.contains(&kind.name)) else { continue };
            let entry = self.entries.get(referring);
            let own = entry.input.kind.field(parent.name).map(|index| &entry.input.kind.fields[index]);
            let is_same = own.and_then(|own| own.reference).is_some_and(|own| own.targets == reference.targets);
            let Some(value) = entry.value(parent.name).filter(|_| is_same) else { continue };
            let Ok(within) = self.resolve(reference.targets, parent.name, &value, depth + 1) else { continue };
            let snapshot = self.draft.snapshot();
            if let Some(object) = snapshot.select_within(kind, path, &selector, within)? {
                return Ok(snapshot.row(object).map(|row| row.common().id).filter(|id| !self.to_delete.contains(id)));
            }
        }
        Ok(None)
    }

    fn look_up(&mut self, kind: &'static Description, path: &str, value: &Json, depth: usize) -> Result<Uuid, Refusal> {
        let selector = Selector::parse(kind, path, value, self.source())?;
        let cycle = self.identify_candidates(kind, &selector, depth);
        let id = match selector.id {
            Some(id) => Some(self.check_id(kind, path, id)?),
            None => {
                let object = self.draft.snapshot().select(kind, path, &selector)?;
                let row = object.and_then(|object| self.draft.snapshot().row(object));
                row.map(|row| row.common().id).or_else(|| self.renamed(kind, &selector))
            }
        };
        match (id, cycle) {
            (Some(id), _) if self.to_delete.contains(&id) => {
                let what = format!("{}, which the batch deletes,", selector.words(kind));
                Err(Refusal::NotFound { field: path.to_owned(), what })
            }
            (Some(id), _) => Ok(id),
            (None, Some(Refusal::Invalid { reason, .. })) => Err(Refusal::Invalid { field: path.to_owned(), reason }),
            (None, _) => Err(Refusal::NotFound { field: path.to_owned(), what: selector.words(kind) }),
        }
    }

    /// Returns the object to which the batch gives a name or an external reference that no object has yet.
    fn renamed(&self, kind: &Description, selector: &Selector) -> Option<Uuid> {
        let entries = match (&selector.external, &selector.name) {
            (Some((source, external_id)), _) => self.entries.index.with_external(kind.id, source, external_id),
            (None, Some(name)) if selector.parents.is_empty() => self.entries.index.named(kind.id, name),
            _ => &[],
        };
        let mut found: Vec<_> = entries.iter().filter_map(|at| self.entries.get(*at).state.id()).collect();
        found.dedup();
        if let [id] = found.as_slice() { Some(*id) } else { None }
    }

    /// Identifies the entries that a selector may mean, so that the draft knows their objects. Returns the refusal
    /// of an entry whose parents form a cycle.
    fn identify_candidates(&mut self, kind: &Description, selector: &Selector, depth: usize) -> Option<Refusal> {
        let index = &self.entries.index;
        let mut entries: Vec<usize> = selector.id.and_then(|id| index.with_id(id)).into_iter().collect();
        if let Some((source, external_id)) = &selector.external {
            entries.extend(index.with_external(kind.id, source, external_id));
        } else if let Some(name) = &selector.name {
            entries.extend(index.named(kind.id, name));
            // A path ends with the name.
            entries.extend(ends_of_path(name).flat_map(|name| index.named(kind.id, name)));
        }
        let mut cycle = None;
        for at in entries {
            // An entry that fails reports its own error. For this reference, it does not exist.
            let failed = self.identify(at, depth + 1).err();
            cycle = cycle.or(failed.filter(is_cycle));
        }
        cycle
    }

    fn check_id(&self, kind: &Description, path: &str, id: Uuid) -> Result<Uuid, Refusal> {
        let snapshot = self.draft.snapshot();
        match snapshot.find(id) {
            Some(object) if object.kind == kind.id => Ok(id),
            Some(object) => Err(Refusal::Invalid {
                field: path.to_owned(),
                reason: format!("must be a {}; {} is not", kind.name, snapshot.path(object)),
            }),
            None => Err(Refusal::NotFound { field: path.to_owned(), what: format!("{} {id}", kind.name) }),
        }
    }

    /// Resolves a reference in an object with one member, which is named after the kind of its target.
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

    /// Resolves a reference in a member of an object.
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
                let reason = format!("must be an object with {member}, not {}", shorten(&value));
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
            let reason = format!("must be a list, not {}", shorten(&value));
            return Err(Refusal::Invalid { field: path.to_owned(), reason });
        };
        if list.len() > MAX_LIST_REFERENCES {
            let reason = format!("has {} entries; at most {MAX_LIST_REFERENCES} are allowed", list.len());
            return Err(Refusal::Invalid { field: path.to_owned(), reason });
        }
        let resolved = list.into_iter().enumerate().map(|(at, value)| resolve(self, format!("{path}[{at}]"), value));
        resolved.collect::<Result<Vec<_>, _>>().map(Json::Array)
    }
}

fn id_of(id: Uuid) -> Json {
    Json::String(id.to_string())
}
