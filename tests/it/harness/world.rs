//! An inventory as a snapshot only, and tables of batches against it.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};
use underlay_engine::feed;
use underlay_engine::store::RunChanges;
use underlay_engine::write::{
    Attendant, Author, Batch, Cascade, Conflicts, Intent, Item, Leave, Mode, Origin, Outcome, Planned, Release, Sets,
    Status, plan,
};
use underlay_entity::change;
use underlay_inventory::{Role, Roles, Snapshot};
use uuid::Uuid;

/// A case: (description, items, code, field, part of the sentence).
pub type Refused<'a> = (&'a str, Value, &'a str, &'a str, &'a str);

/// An inventory.
#[derive(Clone, Debug)]
pub struct World {
    pub snapshot: Snapshot,
}

/// The options of a batch; the default is an atomic batch of a user.
#[derive(Clone)]
pub struct How {
    pub mode: Mode,
    pub conflicts: Conflicts,
    pub actor: &'static str,
    pub source: Option<&'static str>,
    pub sets: Sets,
    pub origin: Origin,
}

/// The part of a run that takes no part. Only the planner sees the batch.
#[derive(Debug)]
struct NoPart;

impl Attendant for NoPart {
    fn gives_all_labels(&self) -> bool {
        true
    }

    fn prepare(&self, _: &Snapshot, _: &[Item]) -> Option<Vec<Item>> {
        None
    }

    fn judge(&self, _: &Snapshot, _: &Batch, _: &Planned) -> Leave {
        Leave::new()
    }

    fn record(&self, _: &Snapshot, _: &Batch, _: &Planned) -> RunChanges {
        unreachable!("nothing is committed")
    }
}

impl Default for How {
    fn default() -> Self {
        Self {
            mode: Mode::Atomic,
            conflicts: Conflicts::Fail,
            actor: "ann",
            source: None,
            sets: Sets::All(Roles::NONE),
            origin: Origin::Client,
        }
    }
}

impl How {
    pub fn per_item() -> Self {
        Self { mode: Mode::PerItem, ..Self::default() }
    }

    pub fn source(source: &'static str) -> Self {
        Self { source: Some(source), conflicts: Conflicts::Skip, ..Self::default() }
    }

    /// A batch in a run of a source.
    pub fn run(source: &'static str) -> Self {
        Self { origin: Origin::Run(Arc::new(NoPart)), ..Self::source(source) }
    }

    pub fn controller(actor: &'static str) -> Self {
        let controllers = Roles::NONE.with(Role::Reconciler);
        Self { sets: Sets::Assigned(controllers), ..Self::actor(actor) }
    }

    pub fn actor(actor: &'static str) -> Self {
        Self { actor, ..Self::default() }
    }

    pub fn on_conflict(self, conflicts: Conflicts) -> Self {
        Self { conflicts, ..self }
    }
}

impl World {
    pub fn empty() -> Self {
        Self { snapshot: Snapshot::empty(Arc::new(underlay_kinds::registry())) }
    }

    /// An inventory with these items in it.
    pub fn of(items: Value) -> Self {
        let mut world = Self::empty();
        world.write(items);
        world
    }

    /// Two sites with a rack each, two devices, a provider and a cluster.
    pub fn small() -> Self {
        Self::of(json!([
            {"site": {"name": "ams1", "type": "DATACENTER"}},
            {"site": {"name": "fra1", "type": "DATACENTER"}},
            {"rack": {"site": "ams1", "name": "A14", "heightU": 42}},
            {"rack": {"site": "fra1", "name": "B1", "heightU": 42}},
            {"device": {"site": "ams1", "name": "node-1", "role": "SERVER"}},
            {"device": {"site": "ams1", "name": "leaf-1", "role": "LEAF"}},
            {"device": {"site": "fra1", "name": "node-9", "role": "SERVER"}},
            {"provider": {"name": "lumen", "type": "TRANSIT"}},
            {"provider": {"name": "equinix", "type": "COLOCATION"}},
            {"cluster": {"name": "k1"}}
        ]))
    }

    /// Plans a batch; the inventory stays as it is.
    pub fn plan(&self, items: Value, how: &How) -> Planned {
        let items = self.items(items);
        self.plan_items(items, how).expect("a batch within bounds")
    }

    pub fn plan_items(&self, items: Vec<Item>, how: &How) -> Result<Planned, underlay_inventory::Refusal> {
        let now = DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + TimeDelta::seconds(self.snapshot.revision());
        self.plan_at(items, how, now)
    }

    /// Plans a batch when the clock of the process says `now`.
    pub fn plan_at(
        &self,
        items: Vec<Item>,
        how: &How,
        now: DateTime<Utc>,
    ) -> Result<Planned, underlay_inventory::Refusal> {
        let batch = Batch {
            id: Uuid::new_v4(),
            items,
            mode: how.mode,
            conflicts: how.conflicts,
            author: Author { sets: how.sets, ..Author::user(how.actor).on_behalf_of(how.source) },
            origin: how.origin.clone(),
            request_id: None,
            bytes: 0,
        };
        plan(&self.snapshot, &batch, now)
    }

    /// The records of what a planned batch changes.
    pub fn records(&self, planned: &Planned) -> Vec<change::Model> {
        feed::changes(&self.snapshot, &planned.next, &planned.touched, ("ann", None))
    }

    /// Reads items: as `apply` has them, besides `create`, `update` (with the same inside), `delete` with `cascade` and
    /// `ifVersion`, and `release` with `id` and `fields`.
    pub fn items(&self, items: Value) -> Vec<Item> {
        let Value::Array(items) = items else { panic!("no list of items: {items}") };
        items.into_iter().map(|item| self.item(item)).collect()
    }

    fn item(&self, mut item: Value) -> Item {
        let registry = self.snapshot.registry();
        let if_version = item.as_object_mut().and_then(|it| it.remove("ifVersion")).and_then(|it| it.as_i64());
        if let Some(object) = item.get("delete") {
            let (kind, object) = match object {
                Value::String(_) => (None, object.clone()),
                _ => {
                    let (name, reference) = object.as_object().unwrap().iter().next().unwrap();
                    (registry.named(name), reference.clone())
                }
            };
            let cascade = if item["cascade"] == true { Cascade::Contained } else { Cascade::No };
            return Item::Delete { kind, object, cascade, if_version };
        }
        if let Some(release) = item.get("release") {
            let fields: Vec<String> = serde_json::from_value(release["fields"].clone()).unwrap();
            return Item::Release { kind: None, object: release["id"].clone(), what: Release::Fields(fields) };
        }
        for (member, wanted) in [("create", Intent::Create), ("update", Intent::Update)] {
            let Some(inner) = item.get(member) else { continue };
            let Item::Write { kind, fields, .. } = Item::parse(registry, inner.clone()).unwrap() else { panic!() };
            return Item::Write { kind, intent: wanted, fields, if_version };
        }
        match Item::parse(registry, item).unwrap() {
            Item::Write { kind, intent, fields, .. } => Item::Write { kind, intent, fields, if_version },
            other => other,
        }
    }

    /// Writes a batch that must be accepted whole.
    #[track_caller]
    pub fn write(&mut self, items: Value) -> Vec<Outcome> {
        self.write_as(items, &How::default())
    }

    #[track_caller]
    pub fn write_as(&mut self, items: Value, how: &How) -> Vec<Outcome> {
        let planned = self.plan(items, how);
        let failed = errors(&planned);
        assert!(failed.is_empty(), "refused: {failed:#?}");
        assert!(planned.accepted);
        self.snapshot = Arc::unwrap_or_clone(planned.next);
        planned.outcomes
    }

    /// The statuses of a batch that is kept, whatever became of its items.
    pub fn statuses(&mut self, items: Value, how: &How) -> Vec<Status> {
        let planned = self.plan(items, how);
        self.snapshot = Arc::unwrap_or_clone(planned.next);
        planned.outcomes.iter().map(|outcome| outcome.status).collect()
    }

    /// Returns the errors of a batch: (code, field, message) of each failed item. The batch must write nothing.
    #[track_caller]
    pub fn refused(&self, items: Value, how: &How) -> Vec<(String, String, String)> {
        let planned = self.plan(items, how);
        let errors = errors(&planned);
        assert!(!errors.is_empty(), "not refused: {:#?}", planned.outcomes);
        if how.mode == Mode::Atomic {
            assert!(!planned.accepted && !planned.changes_something());
            assert_eq!(planned.next.revision(), self.snapshot.revision(), "nothing was written");
            assert_eq!(planned.next.len(), self.snapshot.len(), "nothing was written");
        }
        errors
    }

    /// The id of the object of a kind that has this name, of those with that parent name if one is given.
    #[track_caller]
    pub fn id(&self, kind: &str, name: &str) -> Uuid {
        self.find(kind, name).unwrap_or_else(|| panic!("there is no {kind} {name}"))
    }

    pub fn find(&self, kind: &str, name: &str) -> Option<Uuid> {
        let kind = self.snapshot.registry().named(kind).unwrap();
        let rows = self.snapshot.table(kind.id).rows(0).map(|(_, row)| row.common());
        rows.filter(|common| common.name == name).map(|common| common.id).next()
    }

    /// A field of an object, as JSON.
    #[track_caller]
    pub fn field(&self, kind: &str, name: &str, field: &str) -> Value {
        self.field_of(self.id(kind, name), field)
    }

    #[track_caller]
    pub fn field_of(&self, id: Uuid, field: &str) -> Value {
        let object = self.snapshot.find(id).expect("the object is there");
        let kind = self.snapshot.kind(object.kind);
        let field = &kind.fields[kind.field(field).expect("the kind has the field")];
        (field.get)(self.snapshot.row(object).unwrap().as_ref())
    }

    /// Returns the managers of the fields of an object: (field, manager).
    pub fn holders(&self, kind: &str, name: &str) -> Vec<(String, String)> {
        let row = self.snapshot.row_of(self.id(kind, name)).unwrap();
        let kind = self.snapshot.registry().named(kind).unwrap();
        let mut list = Vec::new();
        for holding in row.common().managers.0.iter() {
            let manager = self.snapshot.manager(holding.manager).unwrap().to_string();
            let fields = kind.fields.iter().filter(|field| holding.fields & (1 << field.number) != 0);
            list.extend(fields.map(|field| (field.name.to_owned(), manager.clone())));
            list.extend(holding.keys.iter().map(|key| (key.clone(), manager.clone())));
        }
        list.sort();
        list
    }

    pub fn version(&self, kind: &str, name: &str) -> i64 {
        self.snapshot.row_of(self.id(kind, name)).unwrap().common().version
    }
}

/// Returns the same snapshot without memoized facts.
pub fn afresh(snapshot: &Snapshot) -> Snapshot {
    let rows =
        snapshot.registry().kinds().map(|kind| snapshot.table(kind.id).rows(0).map(|(_, row)| row.clone()).collect());
    let managers = snapshot.managers().map(|(id, name)| (id, name.to_string()));
    let built = Snapshot::build(snapshot.registry().clone(), managers, rows.collect(), snapshot.head());
    built.expect("all references lead somewhere")
}

/// The errors of a plan: (code, field, message), in the order of the items.
pub fn errors(planned: &Planned) -> Vec<(String, String, String)> {
    let failed = planned.outcomes.iter().filter_map(|outcome| {
        assert_eq!(outcome.error.is_some(), outcome.status == Status::Failed, "{outcome:?}");
        outcome.error.as_ref()
    });
    let error = |refusal: &underlay_inventory::Refusal| {
        (refusal.code().as_str().to_owned(), refusal.field().unwrap_or_default().to_owned(), refusal.to_string())
    };
    failed.map(error).collect()
}

/// Each of these batches is refused as the table says, and leaves nothing behind.
#[track_caller]
pub fn refuse_all(world: &World, table: &[Refused<'_>]) {
    refuse_all_as(world, &How::default(), table);
}

/// Each of these batches, with these options, is refused as the table says, and leaves nothing behind.
#[track_caller]
pub fn refuse_all_as(world: &World, how: &How, table: &[Refused<'_>]) {
    let mut wrong = Vec::new();
    for (what, items, code, field, says) in table {
        let planned = world.plan(items.clone(), how);
        let errors = errors(&planned);
        let fits = errors.iter().any(|(its_code, its_field, message)| {
            its_code == code && its_field == field && message.contains(says) && !message.is_empty()
        });
        let untouched =
            planned.next.revision() == world.snapshot.revision() && planned.next.len() == world.snapshot.len();
        if !fits || !untouched || planned.accepted {
            wrong.push(format!("{what}: wanted {code} {field:?} {says:?}, got {errors:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each of these batches is accepted by itself.
#[track_caller]
pub fn accept_all(world: &World, table: &[(&str, Value)]) {
    accept_all_as(world, &How::default(), table);
}

/// Each of these batches, with these options, is accepted by itself.
#[track_caller]
pub fn accept_all_as(world: &World, how: &How, table: &[(&str, Value)]) {
    let mut wrong = Vec::new();
    for (what, items) in table {
        let planned = world.plan(items.clone(), how);
        let errors = errors(&planned);
        if !errors.is_empty() || !planned.changes_something() {
            wrong.push(format!("{what}: {errors:#?} {:?}", planned.outcomes));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An item with one more field.
pub fn with(item: &Value, field: &str, value: Value) -> Value {
    let mut item = item.clone();
    let inner: &mut Map<String, Value> =
        item.as_object_mut().unwrap().values_mut().next().unwrap().as_object_mut().unwrap();
    inner.insert(field.to_owned(), value);
    item
}

/// An item without a field.
pub fn without(item: &Value, field: &str) -> Value {
    let mut item = item.clone();
    item.as_object_mut().unwrap().values_mut().next().unwrap().as_object_mut().unwrap().remove(field);
    item
}
