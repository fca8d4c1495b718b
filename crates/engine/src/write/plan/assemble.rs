//! Applies entries to rows, field by field: the new values, the permission to write them, and their owners.
//!
//! The result of an entry depends only on earlier entries of the same object. Entries of different objects are
//! therefore applied in parallel, and their rows are added to the draft one after the other.

use std::sync::Arc;

use foldhash::{HashSet, HashSetExt};
use serde_json::Value as Json;

use super::entry::State;
use super::work::Work;
use crate::runtime::parallel;
use crate::write::batch::{Conflicts, Intent};
use crate::write::fields::Fields;
use crate::write::managers::{Hold, Verdict, decide, holder, take};
use crate::write::outcome::{SkipReason, Skipped};
use underlay_entity::row::{Row, Shared};
use underlay_inventory::{Description, Field, ObjectRef, Refusal, Rewrite, Shape, shorten, shorten_text};

/// The members of an item that identify the object, and are not fields.
const IDENTITY: [&str; 2] = ["id", "externalId"];

/// A row while an entry is applied to it.
pub(super) struct Assembly {
    pub kind: &'static Description,
    /// The row before the entry.
    pub current: Arc<dyn Row>,
    /// The row after the entry. It is the row before the entry until something changes.
    pub next: Arc<dyn Row>,
    /// True if the entry creates the object.
    pub new: bool,
    pub skipped: Vec<Skipped>,
    /// The fields that the author may not set, with their owners.
    pub held: Vec<(String, String)>,
    /// True if the author became the owner of something.
    gives: bool,
}

/// The parts of a row that an entry changed.
struct Differing {
    /// True if a reported field changed.
    reported: bool,
    /// True if something else changed.
    others: bool,
}

impl Assembly {
    /// Returns true if the row changed.
    fn differs(&self) -> bool {
        !Arc::ptr_eq(&self.next, &self.current) && !self.next.equals(self.current.as_ref())
    }

    /// Returns the parts of the row that changed. Everything of a new object did.
    fn differing(&self) -> Differing {
        let (current, next) = (self.current.as_ref(), self.next.as_ref());
        let differs = |field: &&Field| self.new || !(field.same)(current, next);
        let (reported, others): (Vec<&Field>, Vec<&Field>) =
            self.kind.fields.iter().filter(differs).partition(|field| field.reported);
        let managers = current.common().managers != next.common().managers;
        Differing { reported: !reported.is_empty(), others: !others.is_empty() || managers }
    }

    /// Returns the row after the entry, for changes.
    pub fn row(&mut self) -> &mut dyn Row {
        if Arc::get_mut(&mut self.next).is_none() {
            self.next = self.next.duplicate();
        }
        Arc::get_mut(&mut self.next).expect("a duplicate is not shared")
    }
}

impl Work<'_> {
    /// Applies all entries to their objects.
    pub(super) fn assemble(&mut self) {
        let (firsts, others) = self.first_of_each_object();
        self.refuse_twice(&others);
        let assemblies = parallel(&firsts, firsts.len(), |entries| {
            let mut shared = Shared::default();
            entries.iter().map(|at| self.work_out(*at, &mut shared)).collect()
        });
        for (at, assembly) in firsts.into_iter().zip(assemblies) {
            self.keep(at, assembly);
        }
        let mut shared = Shared::default();
        for at in others {
            let assembly = self.work_out(at, &mut shared);
            self.keep(at, assembly);
        }
    }

    /// Returns the entries that come first for their object, and the others.
    fn first_of_each_object(&self) -> (Vec<usize>, Vec<usize>) {
        let mut seen = HashSet::with_capacity(self.entries.len());
        (0..self.entries.len()).partition(|at| self.entries.get(*at).state.id().is_none_or(|id| seen.insert(id)))
    }

    /// Stores the result of an entry, or its error.
    fn keep(&mut self, at: usize, assembly: Result<Assembly, Refusal>) {
        if let Err(refusal) = assembly.and_then(|assembly| self.put_assembly(at, assembly)) {
            let (item, refusal) = self.entries.origin(at, refusal);
            self.refusals.push((item, refusal));
        }
    }

    fn put_assembly(&mut self, at: usize, assembly: Assembly) -> Result<(), Refusal> {
        let entry = self.entries.get_mut(at);
        let is_held = entry.state.held_row().is_some();
        entry.skipped = assembly.skipped;
        let (item, part) = (entry.input.item, entry.input.part);
        self.origin(assembly.current.common().id, item, part);
        if assembly.gives && self.draft.snapshot().manager(self.manager_id).is_none() {
            self.draft.add_manager(self.manager_id, &self.manager);
        }
        if is_held || !Arc::ptr_eq(&assembly.next, &assembly.current) {
            let object = self.put(assembly.kind, assembly.next)?;
            self.entries.get_mut(at).state.written_at(object);
        }
        Ok(())
    }

    /// Applies an entry to its object, and returns the result. If nothing changes, the row stays the same.
    fn work_out(&self, at: usize, shared: &mut Shared) -> Result<Assembly, Refusal> {
        let entry = self.entries.get(at);
        let id = entry.state.object()?;
        let input = &entry.input;
        let kind = input.kind;
        let new = matches!(entry.state, State::New { .. }) && input.intent != Intent::Update;
        let gone = || Refusal::NotFound { field: "id".to_owned(), what: format!("{} {id}", kind.name) };
        if new {
            self.check_writes_objects()?;
        }
        let current = entry.state.held_row().or_else(|| entry.row(self.draft.snapshot())).cloned().ok_or_else(gone)?;
        if let Some(expected) = input.if_version {
            self.check_version(id, expected, new)?;
        }
        if let Some(refusal) = &entry.resolved.error {
            return Err(refusal.clone());
        }
        let next = Arc::clone(&current);
        let mut assembly = Assembly { kind, next, current, new, skipped: Vec::new(), held: Vec::new(), gives: false };
        self.adopt(&mut assembly, &input.fields)?;
        for (name, value) in input.fields.iter().filter(|(name, _)| !IDENTITY.contains(name)) {
            match kind.arrival.filter(|arrival| arrival.member == name) {
                Some(arrival) => self.arrive(&mut assembly, &arrival, value)?,
                None => self.set(&mut assembly, name, entry.resolved.get(name).unwrap_or(value))?,
            }
        }
        self.check_own_source(&assembly)?;
        if !assembly.held.is_empty() {
            return Err(Refusal::ManagedElsewhere { fields: assembly.held });
        }
        if new {
            require(kind, &input.fields)?;
        }
        self.follow_up(&mut assembly, &input.fields)?;
        match new || assembly.differs() {
            true => self.stamp(&mut assembly, shared),
            false => assembly.next = Arc::clone(&assembly.current),
        }
        Ok(assembly)
    }

    /// Makes the changes that follow from the fields that were written.
    fn follow_up(&self, assembly: &mut Assembly, fields: &Fields) -> Result<(), Refusal> {
        let Some(on_write) = assembly.kind.on_write.filter(|_| assembly.differs()) else { return Ok(()) };
        let gives = |name: &str| fields.get(name).is_some() && !assembly.skipped.iter().any(|it| it.field == name);
        let before = (!assembly.new).then_some(assembly.current.as_ref());
        let after = assembly.next.as_ref();
        let (snapshot, source) = (self.draft.snapshot(), self.source());
        let rewrite = Rewrite { snapshot, before, after, source, gives: &gives };
        if let Some(next) = on_write(&rewrite)? {
            assembly.next = next;
        }
        Ok(())
    }

    /// Adds a row to the draft. Its targets exist, unless the batch removed them.
    pub(super) fn put(&mut self, kind: &'static Description, row: Arc<dyn Row>) -> Result<ObjectRef, Refusal> {
        self.draft.put(kind, row).map_err(|id| {
            let field = kind.name.to_owned();
            Refusal::NotFound { field, what: format!("object {id}") }
        })
    }

    /// Marks a row as written by this batch. A report moves only the version of reports, so that it does not collide
    /// with what people write.
    fn stamp(&self, assembly: &mut Assembly, shared: &mut Shared) {
        let head = self.head;
        let differ = assembly.differing();
        let row = assembly.row();
        if differ.reported
            && let Some(observed) = row.observed_version_mut()
        {
            *observed = head.revision;
        }
        if differ.others {
            let common = row.common_mut();
            (*common.version, *common.updated_at) = (head.revision, head.at);
        }
        shared.share(row);
    }

    fn check_version(&self, id: uuid::Uuid, expected: i64, new: bool) -> Result<(), Refusal> {
        // Versions are compared with those before the batch. The client saw an object once, even if the batch writes it
        // twice.
        let before = self.base.find(id).and_then(|object| Some((object, self.base.row(object)?.common().version)));
        let (what, actual) = match before {
            Some((object, version)) => (self.base.path(object), version),
            None if new => ("an object that is not there".to_owned(), 0),
            None => return Ok(()),
        };
        if actual == expected { Ok(()) } else { Err(Refusal::StaleVersion { what, expected, actual }) }
    }

    /// Adds the external reference by which an item identifies its object.
    fn adopt(&self, assembly: &mut Assembly, fields: &Fields) -> Result<(), Refusal> {
        let (Some(source), Some(Json::String(external_id))) = (self.source(), fields.get("externalId")) else {
            return Ok(());
        };
        let refs = &assembly.current.common().external_refs.0;
        let there = refs.iter().any(|it| it.source == source && it.external_id == *external_id);
        if there {
            return Ok(());
        }
        let reference = serde_json::json!([{ "source": source, "externalId": external_id }]);
        self.set(assembly, "externalRefs", &reference)
    }

    fn set(&self, assembly: &mut Assembly, name: &str, value: &Json) -> Result<(), Refusal> {
        let kind = assembly.kind;
        let Some(index) = kind.field(name) else {
            let allowed = kind.fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ");
            return Err(Refusal::UnknownField { field: shorten_text(name).into_owned(), kind: kind.name, allowed });
        };
        let field = &kind.fields[index];
        self.check_setter(kind, field, value)?;
        refuse_nul(field, value)?;
        if matches!(field.shape, Shape::PerKey) {
            return self.set_entries(assembly, field, value);
        }
        if field.required && value.is_null() {
            return Err(Refusal::Cleared { field: name.to_owned(), kind: kind.name });
        }
        let value = field.fit(value)?;
        self.put_field(assembly, field, &value)
    }

    /// Sets a field if that is permitted, and records its owner.
    fn put_field(&self, assembly: &mut Assembly, field: &'static Field, value: &Json) -> Result<(), Refusal> {
        let hold = Hold::Field(field.number);
        if assembly.new && !field.reported {
            field.put(assembly.row(), value)?;
            self.give(assembly, hold);
            return Ok(());
        }
        let same = field.holds(assembly.current.as_ref(), value)?;
        if field.reported {
            // No manager owns it: the present controller of the object overrules the one before it.
            return if same { Ok(()) } else { Ok(field.put(assembly.row(), value)?) };
        }
        if same && self.conflicts() != Conflicts::Force {
            return Ok(());
        }
        if !same && field.immutable {
            let now = self.words(field, assembly.current.as_ref());
            return Err(Refusal::Immutable { field: field.name.to_owned(), kind: assembly.kind.name, now });
        }
        if !same && self.is_left(assembly.current.common().id, field.name) {
            self.leave(assembly, field.name);
            return Ok(());
        }
        match self.may(assembly, hold, field.name) {
            Verdict::Write => {
                if !same {
                    field.put(assembly.row(), value)?;
                }
                self.take(assembly, hold, same);
            }
            Verdict::Skip | Verdict::Refuse => {}
        }
        Ok(())
    }

    /// Records a value that the batch leaves as it is.
    pub(super) fn leave(&self, assembly: &mut Assembly, name: &str) {
        let (field, manager) = (name.to_owned(), self.manager.clone());
        assembly.skipped.push(Skipped { field, manager, reason: SkipReason::Held });
    }

    /// Returns a value in the form that a person would write. An object is given by its path.
    fn words(&self, field: &Field, row: &dyn Row) -> String {
        let snapshot = self.draft.snapshot();
        let target = field.reference.and_then(|reference| reference.first(row)).and_then(|id| snapshot.find(id));
        match target {
            Some(object) => snapshot.path(object),
            None if (field.get)(row).is_null() => "not set".to_owned(),
            None => shorten(&(field.get)(row)),
        }
    }

    /// Returns whether the author may change a value that may have an owner. Records a value that it may not change.
    pub(super) fn may(&self, assembly: &mut Assembly, hold: Hold<'_>, name: &str) -> Verdict {
        let snapshot = self.draft.snapshot();
        let held = holder(assembly.current.common().managers, hold);
        let held = held.or_else(|| self.holder_of_object(assembly, name));
        let manager = held.and_then(|id| snapshot.manager(id)).cloned();
        let verdict = decide(self.conflicts(), &self.manager, manager.as_deref());
        let manager = manager.map(|name| name.to_string()).unwrap_or_default();
        match verdict {
            Verdict::Write => {}
            Verdict::Skip => {
                let (field, reason) = (name.to_owned(), SkipReason::Managed);
                assembly.skipped.push(Skipped { field, manager, reason });
            }
            Verdict::Refuse => assembly.held.push((name.to_owned(), manager)),
        }
        verdict
    }

    /// Returns the owner of an object, that of its name, for a field that decides who sees the object. A source may not
    /// set such a field of the object of others, even where nobody has: it would hide the object, and what is in it, from
    /// all other tenants.
    fn holder_of_object(&self, assembly: &Assembly, name: &str) -> Option<i32> {
        let is_of_source = self.source().is_some() && assembly.kind.decides_who_sees(name);
        let field = assembly.kind.field("name").filter(|_| is_of_source)?;
        holder(assembly.current.common().managers, Hold::Field(assembly.kind.fields[field].number))
    }

    /// Makes the author the owner of what was set. An unchanged value keeps the time since when it is owned.
    pub(super) fn take(&self, assembly: &mut Assembly, hold: Hold<'_>, same: bool) {
        let already = holder(assembly.current.common().managers, hold) == Some(self.manager_id);
        if !(same && already) {
            self.give(assembly, hold);
        }
    }

    fn give(&self, assembly: &mut Assembly, hold: Hold<'_>) {
        assembly.gives = true;
        take(assembly.row().common_mut().managers, hold, self.manager_id, self.head.revision);
    }
}

fn require(kind: &'static Description, fields: &Fields) -> Result<(), Refusal> {
    let named = |name: &str| name == "name" && kind.unnamed.is_some();
    let mut required = kind.fields.iter().filter(|field| field.required && !named(field.name));
    match required.find(|field| fields.get(field.name).is_none_or(Json::is_null)) {
        Some(field) => Err(Refusal::Required { field: field.name.to_owned(), kind: kind.name }),
        None => Ok(()),
    }
}

/// Refuses the character NUL, which PostgreSQL cannot store in a text.
fn refuse_nul(field: &Field, value: &Json) -> Result<(), Refusal> {
    let has_nul = match value {
        Json::String(text) => text.contains('\0'),
        Json::Array(list) => list.iter().any(|value| refuse_nul(field, value).is_err()),
        Json::Object(members) => {
            members.iter().any(|(name, value)| name.contains('\0') || refuse_nul(field, value).is_err())
        }
        _ => false,
    };
    if has_nul {
        let reason = "must not contain the character NUL".to_owned();
        return Err(Refusal::Invalid { field: field.name.to_owned(), reason });
    }
    Ok(())
}
