//! From an entry to the row that it leaves: field by field, what is new, what may be written, and who holds it now.

use std::sync::Arc;

use serde_json::Value as Json;

use super::Work;
use super::entries::State;
use crate::inventory::{Description, Field, Refusal, Shape, shorten, shorten_text};
use crate::store::Row;
use crate::write::batch::{Conflicts, Intent, Skipped};
use crate::write::managers::{Hold, Verdict, decide, holder, take};

/// Members of an item that say which object it is, and are no fields.
const IDENTITY: [&str; 2] = ["id", "externalId"];

/// A row while an entry is applied to it.
pub(super) struct Assembly {
    pub kind: &'static Description,
    /// The row as it was.
    pub current: Arc<dyn Row>,
    /// The row as it becomes; the one that it was until something changes.
    pub next: Arc<dyn Row>,
    /// Whether the entry makes the object.
    pub new: bool,
    pub skipped: Vec<Skipped>,
    /// Fields that the author may not set, with who holds them.
    pub held: Vec<(String, String)>,
}

impl Assembly {
    /// Whether something changed.
    fn differs(&self) -> bool {
        !Arc::ptr_eq(&self.next, &self.current) && !self.next.equals(self.current.as_ref())
    }

    /// The row as it becomes, to be changed.
    pub fn row(&mut self) -> &mut dyn Row {
        if Arc::get_mut(&mut self.next).is_none() {
            self.next = self.next.duplicate();
        }
        Arc::get_mut(&mut self.next).expect("a duplicate is not shared")
    }
}

impl Work<'_> {
    /// Applies an entry to its object.
    pub(super) fn assemble(&mut self, at: usize) -> Result<(), Refusal> {
        let id = self.identify(at, 0)?;
        let entry = self.entries.get_mut(at);
        let (kind, item, part, if_version) = (entry.kind, entry.item, entry.part, entry.if_version);
        let fields = std::mem::take(&mut entry.fields);
        let (resolved, unresolved) = (std::mem::take(&mut entry.resolved), entry.unresolved.take());
        let new = matches!(entry.state, State::New(_)) && entry.intent != Intent::Update;
        let gone = || Refusal::NotFound { field: "id".to_owned(), what: format!("{} {id}", kind.name) };
        let current = self.draft.value().row_of(id).cloned().ok_or_else(gone)?;
        if let Some(expected) = if_version {
            self.check_version(id, expected, new)?;
        }
        if let Some(refusal) = unresolved {
            return Err(refusal);
        }
        let next = Arc::clone(&current);
        let mut assembly = Assembly { kind, next, current, new, skipped: Vec::new(), held: Vec::new() };
        self.adopt(&mut assembly, &fields)?;
        for (name, value) in fields.iter() {
            if IDENTITY.contains(&name.as_str()) {
                continue;
            }
            let known = resolved.iter().find(|(field, _)| field == name);
            self.set(&mut assembly, name, known.map_or(value, |(_, value)| value))?;
        }
        if !assembly.held.is_empty() {
            return Err(Refusal::ManagedElsewhere { fields: assembly.held });
        }
        if new {
            require(kind, &fields)?;
        }
        self.blame(id, item, part);
        self.entries.get_mut(at).skipped = std::mem::take(&mut assembly.skipped);
        if new || assembly.differs() {
            self.stamp(&mut assembly);
            self.put(kind, assembly.next)?;
        }
        Ok(())
    }

    /// Puts a row into the draft; what it refers to is there, unless the batch took it away.
    pub(super) fn put(&mut self, kind: &'static Description, row: Arc<dyn Row>) -> Result<(), Refusal> {
        self.draft.put(kind, row).map_err(|id| {
            let field = kind.name.to_owned();
            Refusal::NotFound { field, what: format!("object {id}") }
        })
    }

    /// Marks a row as written by this batch.
    pub(super) fn stamp(&mut self, assembly: &mut Assembly) {
        let head = self.head;
        let common = assembly.row().common_mut();
        (*common.version, *common.updated_at) = (head.revision, head.at);
        common.managers.share(&mut self.managers);
    }

    fn check_version(&self, id: uuid::Uuid, expected: i64, new: bool) -> Result<(), Refusal> {
        // Versions are those before the batch: an object that it writes twice was seen once.
        let before = self.base.find(id).and_then(|place| Some((place, self.base.row(place)?.common().version)));
        let (what, actual) = match before {
            Some((place, version)) => (self.base.path(place), version),
            None if new => ("an object that is not there".to_owned(), 0),
            None => return Ok(()),
        };
        if actual == expected { Ok(()) } else { Err(Refusal::StaleVersion { what, expected, actual }) }
    }

    /// An item that names its object by an external id gives it that external reference.
    fn adopt(&mut self, assembly: &mut Assembly, fields: &serde_json::Map<String, Json>) -> Result<(), Refusal> {
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

    fn set(&mut self, assembly: &mut Assembly, name: &str, value: &Json) -> Result<(), Refusal> {
        let kind = assembly.kind;
        let Some(place) = kind.field(name) else {
            let allowed = kind.fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ");
            return Err(Refusal::UnknownField { field: shorten_text(name).into_owned(), kind: kind.name, allowed });
        };
        let field = &kind.fields[place];
        refuse_nul(field, value)?;
        if matches!(field.shape, Shape::PerKey) {
            return self.set_entries(assembly, field, value);
        }
        if field.required && value.is_null() {
            return Err(Refusal::Cleared { field: name.to_owned(), kind: kind.name });
        }
        let value = field.fit(value)?;
        self.put_field(assembly, place, field, &value)
    }

    /// Puts a value into a field, if that may be, and says who holds it.
    fn put_field(
        &mut self,
        assembly: &mut Assembly,
        place: usize,
        field: &'static Field,
        value: &Json,
    ) -> Result<(), Refusal> {
        let hold = Hold::Field(place);
        if assembly.new {
            let (manager, revision) = (self.manager_id(), self.head.revision);
            let row = assembly.row();
            field.put(row, value)?;
            take(row.common_mut().managers, hold, manager, revision);
            return Ok(());
        }
        let same = field.holds(assembly.current.as_ref(), value)?;
        if same && self.conflicts() != Conflicts::Force {
            return Ok(());
        }
        if !same && field.immutable {
            let now = self.words(field, assembly.current.as_ref());
            return Err(Refusal::Immutable { field: field.name.to_owned(), kind: assembly.kind.name, now });
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

    /// A value as a person would write it: an object by its path.
    fn words(&self, field: &Field, row: &dyn Row) -> String {
        let value = self.draft.value();
        let target = field.reference.and_then(|reference| reference.first(row)).and_then(|id| value.find(id));
        match target {
            Some(place) => value.path(place),
            None if (field.get)(row).is_null() => "not set".to_owned(),
            None => shorten(&(field.get)(row)),
        }
    }

    /// Whether the author may change what someone may hold; what may not is noted.
    pub(super) fn may(&mut self, assembly: &mut Assembly, hold: Hold<'_>, name: &str) -> Verdict {
        let value = self.draft.value();
        let manager = holder(assembly.current.common().managers, hold).and_then(|id| value.manager(id)).cloned();
        let verdict = decide(self.conflicts(), &self.manager, manager.as_deref());
        let manager = manager.map(|name| name.to_string()).unwrap_or_default();
        match verdict {
            Verdict::Write => {}
            Verdict::Skip => assembly.skipped.push(Skipped { field: name.to_owned(), manager }),
            Verdict::Refuse => assembly.held.push((name.to_owned(), manager)),
        }
        verdict
    }

    /// Gives what was set to the author. A value that stays keeps the time since when it is held.
    pub(super) fn take(&mut self, assembly: &mut Assembly, hold: Hold<'_>, same: bool) {
        let (manager, revision) = (self.manager_id(), self.head.revision);
        let already = holder(assembly.current.common().managers, hold) == Some(manager);
        if !(same && already) {
            take(assembly.row().common_mut().managers, hold, manager, revision);
        }
    }
}

fn require(kind: &'static Description, fields: &serde_json::Map<String, Json>) -> Result<(), Refusal> {
    let named = |name: &str| name == "name" && kind.unnamed.is_some();
    let mut required = kind.fields.iter().filter(|field| field.required && !named(field.name));
    match required.find(|field| fields.get(field.name).is_none_or(Json::is_null)) {
        Some(field) => Err(Refusal::Required { field: field.name.to_owned(), kind: kind.name }),
        None => Ok(()),
    }
}

/// PostgreSQL cannot hold the character NUL in any text.
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
