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
use super::gone::count_own;
use super::guard::{Uses, allowance};
use super::load::{Loaded, is_pending};
use super::merged::{Replacement, Replacements};
use super::put_back;
use super::renumbered::holder;
use super::role::{FindSameMachine, SourceOf, SourceRole};
use super::taken::{Taken, given, is_nothing, loses, taken, value_of};
use crate::store::RunChanges;
use crate::write::{Attendant, Batch, Item, Leave, Outcome, Planned, SkipReason, Status};
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
            if !(is_blocked || created) {
                continue;
            }
            let holder = is_blocked.then(|| holder(&planned.next, kind, fields, &self.source.name)).flatten();
            let serial = fields.get("serial").and_then(Json::as_str).filter(|serial| !serial.is_empty());
            let row = source_item::Model {
                run_id: self.run.id,
                kind: kind.name.to_owned(),
                external_id: external_id.to_owned(),
                holder_id: holder,
                created_id: outcome.id.filter(|_| created),
                serial: serial.map(str::to_owned),
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
    /// value which replaces several others. `batch` are the replacements of the items before it.
    fn counted(&self, taken: &Taken, known: &Replacements, batch: &Replacements) -> Vec<String> {
        let merges = |replacement| Replacements::merge([known, batch], replacement, self.now);
        let merged = taken.replaced.iter().filter(|it| merges(Replacement::of(taken.kind, taken.object, it)));
        taken.emptied.iter().cloned().chain(merged.map(|it| it.field.clone())).collect()
    }

    /// Adds what an item replaces to the replacements of a batch, but for the fields that are left as they are.
    fn note_replaced(&self, taken: &Taken, left: &[String], batch: &mut Replacements) {
        for replaced in taken.replaced.iter().filter(|it| !left.contains(&it.field)) {
            batch.note(Replacement::of(taken.kind, taken.object, replaced), self.now);
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
        let mut replaced = Replacements::default();
        let mut emptied = BTreeMap::new();
        for taken in taken(base, batch, planned) {
            if !self.used.has_emptied(taken.object) && !self.counted(&taken, &known, &replaced).is_empty() {
                let (object_id, kind) = (taken.object, taken.kind.to_owned());
                let row = source_emptied::Model { source_id: self.source.id, object_id, kind, at: self.now };
                emptied.insert(object_id, row);
            }
            self.note_replaced(&taken, &[], &mut replaced);
        }
        known.extend(replaced, self.now);
        emptied.into_values().collect()
    }

    /// Finds what is no longer held: the source has the object again, sets the field, or gives it another value, or it is
    /// as the source says by now.
    fn strike_off(&self, seen: &HashMap<(&str, &str), &Item>, next: &Snapshot, changes: &mut RunChanges) {
        for held in &self.held {
            let Some(item) = seen.get(&(held.kind.as_str(), held.external_id.as_str())) else { continue };
            let sets_field = |item: &Item| match item {
                Item::Write { fields, .. } => {
                    let given = given(fields, &held.field);
                    given.is_some_and(|given| !is_nothing(given) && Some(given) != held.value.as_ref())
                }
                Item::Delete { .. } | Item::Release { .. } | Item::Refused { .. } => false,
            };
            let is_settled = match held.reason {
                HeldReason::Emptied | HeldReason::Replaced => sets_field(item) || !is_pending(next, held),
                HeldReason::Gone | HeldReason::Renumbered => true,
            };
            if is_settled {
                changes.unheld.push((held.object_id, held.field.clone()));
            }
        }
    }

    fn hold(&self, base: &Snapshot, batch: &Batch, planned: &Planned, changes: &mut RunChanges) {
        let mut held = BTreeMap::new();
        for (item, outcome) in batch.items.iter().zip(&planned.outcomes) {
            let (Item::Write { kind, fields, .. }, Some(object)) = (item, outcome.id) else { continue };
            for skipped in outcome.skipped.iter().filter(|skipped| skipped.reason == SkipReason::Held) {
                let row = base.row_of(object);
                let common = row.map(|row| row.common());
                let refs = common.iter().flat_map(|common| common.external_refs.0.iter());
                let own = refs.into_iter().find(|it| it.source == self.source.name);
                let value = given(fields, &skipped.field).filter(|value| !is_nothing(value));
                let before = row.and_then(|row| value_of(kind, row.as_ref(), &skipped.field)).unwrap_or_default();
                let reason = match value {
                    Some(value) if !loses(&before, value) => HeldReason::Replaced,
                    _ => HeldReason::Emptied,
                };
                let row = source_held::Model {
                    source_id: self.source.id,
                    object_id: object,
                    field: skipped.field.clone(),
                    run_id: self.run.id,
                    kind: kind.name.to_owned(),
                    name: common.map(|common| common.name.to_owned()).unwrap_or_default(),
                    external_id: own.map(|it| it.external_id.clone()).unwrap_or_default(),
                    reason,
                    value: value.cloned(),
                };
                held.insert((object, skipped.field.clone()), row);
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
        let mut replaced = Replacements::default();
        let mut leave = Leave::new();
        let mut rooms: HashMap<&'static str, u64> = HashMap::new();
        // An object counts once, whatever it loses.
        let mut counted = BTreeSet::new();
        for taken in taken(base, batch, planned) {
            let fields = self.counted(&taken, &known, &replaced);
            let counts = !fields.is_empty() && !self.used.has_emptied(taken.object) && counted.insert(taken.object);
            let has_room = !counts || {
                let room = rooms.entry(taken.kind).or_insert_with(|| self.room(base, taken.kind));
                let left = room.checked_sub(1);
                *room = left.unwrap_or_default();
                left.is_some()
            };
            match has_room {
                true => self.note_replaced(&taken, &[], &mut replaced),
                false => {
                    counted.remove(&taken.object);
                    self.note_replaced(&taken, &fields, &mut replaced);
                    leave.entry(taken.object).or_default().extend(fields);
                }
            }
        }
        leave
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
        self.strike_off(&seen, &planned.next, &mut changes);
        self.hold(base, batch, planned, &mut changes);
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
