//! The part of a run in the batches of its synchronizer: bounds what they empty, and stores what they did.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use serde_json::Value as Json;
use underlay_entity::source_held::{self, HeldReason};
use underlay_entity::{source_emptied, source_item, source_run};
use uuid::Uuid;

use super::digest;
use super::failures::{Failure, Noted};
use super::guard::{Uses, allowance};
use super::load::{Loaded, is_pending};
use super::merged::{Replacement, Replacements, Values};
use super::missing::count_own;
use super::put_back;
use super::removals::{Said, Taken, given, is_nothing, loses, said, taken, value_of};
use super::renumbered::{holder, unknown_parent};
use super::role::{FindSameMachine, SourceOf, SourceRole};
use crate::store::RunChanges;
use crate::write::{Attendant, Batch, Item, Leave, Outcome, Planned, Status};
use underlay_error::Code;
use underlay_inventory::{KindId, Refusal, Snapshot};

/// The number of items of a run that are kept to recognise renumbered objects.
const MAX_KEPT_ITEMS: i64 = 100_000;

/// The part of a run in one batch of its synchronizer.
#[derive(Debug)]
pub struct Attending {
    run: source_run::Model,
    step: i64,
    source: SourceOf,
    used: Uses,
    replacements: Arc<Mutex<Replacements>>,
    held: Vec<source_held::Model>,
    /// The fields that are no longer held, whatever the batch does.
    no_longer_held: Vec<(Uuid, String)>,
    same_machine: FindSameMachine,
    now: DateTime<Utc>,
}

/// The replaced values that are known while the items of a batch are judged.
struct Seen<'a> {
    /// The values that the runs of the source replaced before.
    known: &'a Replacements,
    /// The values that the items before this one replace.
    batch: Replacements,
    values: Values,
}

impl<'a> Seen<'a> {
    fn of(known: &'a Replacements) -> Self {
        Self { known, batch: Replacements::default(), values: Values::default() }
    }
}

impl Attending {
    /// Creates the part of a run in a batch.
    pub fn of(loaded: &Loaded, role: SourceRole) -> Self {
        Self {
            same_machine: role.same_machine,
            run: loaded.run.clone(),
            step: loaded.turn.step,
            source: loaded.source.clone(),
            used: loaded.used.clone(),
            replacements: Arc::clone(&loaded.replacements),
            held: loaded.held.clone(),
            no_longer_held: loaded.no_longer_held.clone(),
            now: loaded.now,
        }
    }

    fn keep_items(&self, planned: &Planned, batch: &Batch, changes: &mut RunChanges) {
        let room = MAX_KEPT_ITEMS - self.run.created - self.run.failed;
        let mut kept: BTreeMap<(&'static str, &str), source_item::Model> = BTreeMap::new();
        for (item, outcome) in batch.items.iter().zip(&planned.outcomes) {
            let Item::Write { kind, fields, .. } = item else { continue };
            let Some(external_id) = fields.get("externalId").and_then(Json::as_str) else { continue };
            // An object that is gone may block the item: it has the same name, or keeps something at another place.
            let code = outcome.error.as_ref().map(Refusal::code);
            let is_blocked = matches!(code, Some(Code::Duplicate | Code::Incompatible));
            let created = planned.accepted && outcome.status == Status::Created;
            // What contains it may be blocked itself.
            let parent = (code == Some(Code::NotFound))
                .then(|| unknown_parent(&planned.next, kind, fields, &self.source.name))
                .flatten();
            if !(is_blocked || created || parent.is_some()) {
                continue;
            }
            let (parent_external_id, name) = parent.unzip();
            let holder = is_blocked.then(|| holder(&planned.next, kind, fields, &self.source.name)).flatten();
            let serial = fields.get("serial").and_then(Json::as_str).filter(|serial| !serial.is_empty());
            let row = source_item::Model {
                run_id: self.run.id,
                kind: kind.name.to_owned(),
                external_id: external_id.to_owned(),
                holder_id: holder,
                created_id: outcome.id.filter(|_| created),
                serial: serial.map(str::to_owned),
                parent_external_id,
                name,
            };
            kept.insert((kind.name, external_id), row);
        }
        changes.items = kept.into_values().take(usize::try_from(room).unwrap_or_default()).collect();
    }

    /// Notes what failed, and what was written. Of a batch that is not written as a whole, nothing was.
    fn note(&self, base: &Snapshot, batch: &Batch, planned: &Planned, changes: &mut RunChanges) {
        let mut noted = Noted::of(changes);
        for (item, outcome) in batch.items.iter().zip(&planned.outcomes) {
            let named = named(item, &self.source.name);
            match &outcome.error {
                Some(error) => {
                    let kind = outcome.kind.or(named.map(|(kind, _)| kind));
                    // It is suggested to people, and the run has not failed for it.
                    let same_machine = kind.and_then(|kind| (self.same_machine)(base, kind, error));
                    noted.failed(Failure {
                        kind,
                        external_id: outcome.external_id.as_deref().or(named.map(|(_, external_id)| external_id)),
                        code: error.code().as_str(),
                        message: &error.to_string(),
                        counts: same_machine.is_none(),
                        same_machine,
                    });
                }
                None if planned.accepted => {
                    named.into_iter().for_each(|(kind, external_id)| noted.succeeded(kind, external_id));
                }
                None => {}
            }
        }
        noted.store(changes);
    }

    /// Returns what the guard counts of what an item takes away: the fields that it empties, and those that it gives a
    /// value which replaces several others, each of one object.
    fn counted(&self, base: &Snapshot, taken: &Taken, seen: &mut Seen<'_>) -> Vec<String> {
        let mut counted = taken.emptied.clone();
        let Some(kind) = base.registry().named(taken.kind) else { return counted };
        for replaced in &taken.replaced {
            let replacement = Replacement::of(taken.kind, replaced);
            let merges = seen.known.merges(replacement, self.now) || seen.batch.merges(replacement, self.now);
            // It is looked up last, because it reads all objects of the kind.
            if merges && seen.values.is_of_one(base, kind, replaced) {
                counted.push(replaced.field.clone());
            }
        }
        counted
    }

    /// Adds what an item replaces to the replacements of a batch, but for the fields that are left as they are.
    fn note_replaced(&self, taken: &Taken, left: &[String], batch: &mut Replacements) {
        for replaced in taken.replaced.iter().filter(|it| !left.contains(&it.field)) {
            batch.note(Replacement::of(taken.kind, replaced), self.now);
        }
    }

    /// Returns the number of objects of a kind that may still be emptied.
    fn room(&self, base: &Snapshot, kind: &'static str) -> u64 {
        let used = self.used.of_kind(kind);
        let own = base.registry().named(kind).map_or(0, |kind| count_own(base, kind, &self.source.name));
        allowance(self.source.settings.limits, own, used).saturating_sub(used.removed + used.emptied)
    }

    fn known_replacements(&self) -> MutexGuard<'_, Replacements> {
        self.replacements.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the objects that a planned batch empties and that do not count yet, and remembers what it replaces.
    fn count_emptied(&self, base: &Snapshot, batch: &Batch, planned: &Planned) -> Vec<source_emptied::Model> {
        let mut known = self.known_replacements();
        let all = taken(base, batch, planned);
        let mut seen = Seen::of(&known);
        let mut emptied = BTreeMap::new();
        for taken in &all {
            if !self.used.has_emptied(taken.object) && !self.counted(base, taken, &mut seen).is_empty() {
                let (object_id, kind) = (taken.object, taken.kind.to_owned());
                let row = source_emptied::Model { source_id: self.source.id, object_id, kind, at: self.now };
                emptied.insert(object_id, row);
            }
            self.note_replaced(taken, &[], &mut seen.batch);
        }
        all.iter().for_each(|taken| self.note_replaced(taken, &[], &mut known));
        emptied.into_values().collect()
    }

    /// Finds what is no longer held: the source has the object again; an item gives the field a value that is not held; or
    /// the field is as the source says by now.
    fn strike_off(
        &self,
        seen: &HashMap<(&str, &str), &Item>,
        said: &[Said<'_>],
        planned: &Planned,
        changes: &mut RunChanges,
    ) {
        let said: HashMap<Uuid, &Said<'_>> = said.iter().map(|said| (said.object, said)).collect();
        for held in &self.held {
            let is_settled = match held.reason {
                // Of a batch that is not written as a whole, no field was.
                HeldReason::Emptied | HeldReason::Replaced if !planned.accepted => false,
                HeldReason::Emptied | HeldReason::Replaced => {
                    let gives = |said: &&Said<'_>| {
                        let given = given(&said.fields, &held.field);
                        given.is_some_and(|given| !is_nothing(given)) && !said.held.contains(&held.field)
                    };
                    said.get(&held.object_id).is_some_and(gives) || !is_pending(&planned.next, held)
                }
                HeldReason::Gone | HeldReason::Renumbered => {
                    seen.contains_key(&(held.kind.as_str(), held.external_id.as_str()))
                }
            };
            if is_settled {
                changes.unheld.push((held.object_id, held.field.clone()));
            }
        }
    }

    fn hold(&self, base: &Snapshot, said: &[Said<'_>], changes: &mut RunChanges) {
        let mut held = BTreeMap::new();
        for Said { object, kind, fields, held: names, .. } in said {
            let Some(row) = base.row_of(*object) else { continue };
            let common = row.common();
            let own = common.external_refs.0.iter().find(|it| it.source == self.source.name);
            for field in names {
                let value = given(fields, field).filter(|value| !is_nothing(value));
                let before = value_of(kind, row.as_ref(), field).unwrap_or_default();
                let reason = match value {
                    Some(value) if !loses(&before, value) => HeldReason::Replaced,
                    _ => HeldReason::Emptied,
                };
                let row = source_held::Model {
                    source_id: self.source.id,
                    object_id: *object,
                    field: field.clone(),
                    run_id: self.run.id,
                    kind: kind.name.to_owned(),
                    name: common.name.to_owned(),
                    external_id: own.map(|it| it.external_id.clone()).unwrap_or_default(),
                    reason,
                    value: value.cloned(),
                };
                held.insert((*object, field.clone()), row);
            }
        }
        changes.held = held.into_values().collect();
    }
}

impl Attendant for Attending {
    fn prepare(&self, base: &Snapshot, items: &[Item]) -> Option<Vec<Item>> {
        put_back::complete(base, &self.source.name, items)
    }

    fn judge(&self, base: &Snapshot, batch: &Batch, planned: &Planned) -> Leave {
        let known = self.known_replacements();
        let mut seen = Seen::of(&known);
        let mut leave = Leave::new();
        let mut rooms: HashMap<&'static str, u64> = HashMap::new();
        // An object counts once, whatever it loses.
        let mut counted = BTreeSet::new();
        for taken in taken(base, batch, planned) {
            let fields = self.counted(base, &taken, &mut seen);
            let counts = !fields.is_empty() && !self.used.has_emptied(taken.object) && counted.insert(taken.object);
            let has_room = !counts || {
                let room = rooms.entry(taken.kind).or_insert_with(|| self.room(base, taken.kind));
                let left = room.checked_sub(1);
                *room = left.unwrap_or_default();
                left.is_some()
            };
            match has_room {
                true => self.note_replaced(&taken, &[], &mut seen.batch),
                false => {
                    counted.remove(&taken.object);
                    self.note_replaced(&taken, &fields, &mut seen.batch);
                    leave.entry(taken.object).or_default().extend(fields);
                }
            }
        }
        leave
    }

    fn gives_all_labels(&self) -> bool {
        true
    }

    fn decides_arrival(&self, kind: KindId) -> bool {
        self.source.settings.arriving == Some(kind)
    }

    fn record(&self, base: &Snapshot, batch: &Batch, planned: &Planned) -> RunChanges {
        let mut run = self.run.clone();
        run.heartbeat_at = self.now;
        let mut seen: HashMap<(&str, &str), &Item> = HashMap::new();
        for (item, outcome) in batch.items.iter().zip(&planned.outcomes) {
            if planned.accepted {
                count(&mut run, outcome);
            }
            if let Some(named) = named(item, &self.source.name) {
                seen.insert(named, item);
            }
        }
        if planned.changes_something() {
            let revision = planned.next.revision();
            run.first_revision.get_or_insert(revision);
            run.last_revision = Some(revision);
        }
        let mut changes = RunChanges::of(self.step, run);
        changes.seen = seen.keys().map(|(kind, external_id)| digest(kind, external_id)).collect();
        self.note(base, batch, planned, &mut changes);
        changes.unheld.clone_from(&self.no_longer_held);
        let said = said(base, batch, planned);
        self.strike_off(&seen, &said, planned, &mut changes);
        self.hold(base, &said, &mut changes);
        self.keep_items(planned, batch, &mut changes);
        changes.emptied = self.count_emptied(base, batch, planned);
        changes
    }
}

/// Adds the outcome of an item to the counts of a run, unless it failed.
fn count(run: &mut source_run::Model, outcome: &Outcome) {
    match outcome.status {
        Status::Created => run.created += 1,
        Status::Updated => run.updated += 1,
        Status::Unchanged => run.unchanged += 1,
        Status::Failed | Status::NotWritten | Status::Deleted => {}
    }
    run.skipped_fields += i64::try_from(outcome.skipped.len()).unwrap_or(i64::MAX);
}

/// Returns the kind and the external id that an item names, for a source.
fn named<'i>(item: &'i Item, source: &str) -> Option<(&'static str, &'i str)> {
    match item {
        Item::Write { kind, fields, .. } => {
            let listed = || {
                let list = fields.get("externalRefs").and_then(Json::as_array).into_iter().flatten();
                let mut own = list.filter(|it| it.get("source").and_then(Json::as_str) == Some(source));
                own.find_map(|it| it.get("externalId")?.as_str())
            };
            let external_id = fields.get("externalId").and_then(Json::as_str).or_else(listed)?;
            Some((kind.name, external_id))
        }
        Item::Refused { outcome, .. } => Some((outcome.kind?, outcome.external_id.as_deref()?)),
        Item::Delete { .. } | Item::Release { .. } => None,
    }
}
