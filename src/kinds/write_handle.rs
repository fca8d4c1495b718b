//! The handle that writes on behalf of a caller. Code without a handle cannot write.

use serde_json::Value;
use uuid::Uuid;

use crate::access::{Forbidden, Scope, WritePermit};
use crate::sources::Sources;
use crate::write::{Answer, Author, Batch, Conflicts, Intent, Item, Party};
use underlay_inventory::Refusal;

/// The fields that a reconciler sets: the status of a machine and its assignment. Entries of maps are named as in managers.
const ASSIGNED: [&str; 3] = ["status", "cluster", "labels.underlay/cluster-role"];

/// A way to write, for one who may.
#[derive(Debug)]
pub struct WriteHandle {
    sources: Sources,
    permit: WritePermit,
    most_items: usize,
    /// The run in which it writes.
    run: Option<Uuid>,
}

impl WriteHandle {
    /// Writes as far as the permit goes, so many items at a time.
    pub fn new(sources: Sources, permit: WritePermit, most_items: usize) -> Self {
        Self { sources, permit, most_items, run: None }
    }

    /// The same for writes in a run.
    pub fn in_run(self, run: Option<Uuid>) -> Self {
        Self { run, ..self }
    }

    /// Returns true if it writes in the name of one source alone.
    pub fn is_of_source(&self) -> bool {
        self.permit.scope() == Scope::OwnSource
    }

    /// In whose name it writes.
    pub fn source(&self) -> Option<&str> {
        self.permit.source()
    }

    /// The caller.
    pub fn author(&self) -> Author {
        let party = match self.permit.scope() {
            Scope::All | Scope::OwnSource => Party::User,
            Scope::Assignments => Party::Controller,
        };
        Author { party, ..Author::user(self.permit.actor()).on_behalf_of(self.permit.source()) }
    }

    /// Writes a batch.
    ///
    /// # Errors
    /// Returns an error if the batch as a whole is refused.
    pub async fn write(&self, batch: Batch) -> Result<Answer, Refusal> {
        let batch = self.allowed(batch)?;
        match self.run {
            // These futures are large, and most batches belong to no run.
            Some(run) => Box::pin(self.sources.write(run, batch)).await,
            None => self.sources.write_alone(batch).await,
        }
    }

    /// Returns the result that a batch would have, without writing it.
    ///
    /// # Errors
    /// Returns the same errors as [`WriteHandle::write`].
    pub async fn dry_run(&self, batch: Batch) -> Result<Answer, Refusal> {
        let batch = self.allowed(batch)?;
        match self.run {
            Some(run) => Box::pin(self.sources.dry_run(run, batch)).await,
            None => self.sources.dry_run_alone(batch).await,
        }
    }

    /// Returns the batch if the permit allows everything in it.
    fn allowed(&self, mut batch: Batch) -> Result<Batch, Refusal> {
        if batch.items.len() > self.most_items {
            return Err(Refusal::BatchTooLarge { count: batch.items.len(), unit: "items", most: self.most_items });
        }
        let forbidden = |forbidden: Forbidden| Refusal::Forbidden(forbidden.to_string());
        match self.permit.scope() {
            Scope::All => {}
            Scope::OwnSource => {
                let own = self.permit.source().unwrap_or_default();
                if batch.conflicts == Conflicts::Force {
                    return Err(forbidden(Forbidden::NotForSynchronizers("takes over no field of others")));
                }
                batch.items.iter().try_for_each(|item| of_source(item, own)).map_err(forbidden)?;
            }
            Scope::Assignments => batch.items.iter_mut().try_for_each(assigns).map_err(forbidden)?,
        }
        Ok(batch)
    }
}

/// That an item says nothing in the name of another source.
fn of_source(item: &Item, own: &str) -> Result<(), Forbidden> {
    let other = |other: &str| Err(Forbidden::OtherSource { own: own.to_owned(), other: other.to_owned() });
    match item {
        Item::Write { fields, .. } => {
            let references = fields.get("externalRefs").and_then(Value::as_array);
            let sources = references.into_iter().flatten().filter_map(|it| it.get("source")?.as_str());
            sources.filter(|source| *source != own).try_for_each(other)
        }
        Item::Refused { .. } => Ok(()),
        Item::Delete { .. } => Err(Forbidden::NotForSynchronizers("deletes nothing by item")),
        Item::Release { .. } => other("whoever holds the fields"),
    }
}

/// That an item sets what a reconciler may, of an object that is there: it is not made where it is not.
fn assigns(item: &mut Item) -> Result<(), Forbidden> {
    let (intent, fields) = match item {
        Item::Write { intent, fields, .. } => (intent, fields),
        Item::Refused { .. } => return Ok(()),
        Item::Delete { .. } | Item::Release { .. } => return Err(Forbidden::NotAField),
    };
    // Without an id it is found by its name, which would be another one for an object with an id.
    if *intent == Intent::Create || !fields.has("id") {
        return Err(Forbidden::NotAField);
    }
    *intent = Intent::Update;
    let names = fields.iter().flat_map(|(name, value)| match value {
        Value::Object(entries) if name == "labels" => entries.keys().map(|entry| format!("{name}.{entry}")).collect(),
        _ => vec![name.to_owned()],
    });
    match names.into_iter().find(|name| name != "id" && !ASSIGNED.contains(&name.as_str())) {
        Some(field) => Err(Forbidden::Field { field, allowed: &ASSIGNED }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn item(intent: Intent, fields: Value) -> Item {
        let kind = crate::kinds::registry().named("device").expect("a kind");
        Item::Write { kind, intent, fields: fields.as_object().expect("fields").clone().into(), if_version: None }
    }

    #[test]
    fn a_reconciler_sets_what_became_of_a_machine() {
        let role = json!({"underlay/cluster-role": "w"});
        let good = json!({"id": "i", "status": "ACTIVE", "cluster": {"name": "c"}, "labels": role});
        let mut apply = item(Intent::Apply, good.clone());
        assert_eq!(assigns(&mut apply), Ok(()));
        assert!(matches!(apply, Item::Write { intent: Intent::Update, .. }), "it makes none");
        assert_eq!(assigns(&mut item(Intent::Update, json!({"id": "i", "cluster": null}))), Ok(()));
        for (intent, fields, field) in [
            (Intent::Create, good, None),
            (Intent::Apply, json!({"name": "a", "status": "ACTIVE"}), None),
            (Intent::Update, json!({"id": "i", "name": "b"}), Some("name")),
            (Intent::Update, json!({"id": "i", "labels": {"env": "prod"}}), Some("labels.env")),
            (Intent::Update, json!({"id": "i", "labels": null}), Some("labels")),
            (Intent::Update, json!({"id": "i", "tenant": "blue"}), Some("tenant")),
        ] {
            let expected = match field {
                None => Forbidden::NotAField,
                Some(field) => Forbidden::Field { field: field.to_owned(), allowed: &ASSIGNED },
            };
            assert_eq!(assigns(&mut item(intent, fields.clone())), Err(expected), "{fields}");
        }
    }

    #[test]
    fn a_synchronizer_speaks_for_its_source_only() {
        let says = |references: Value| of_source(&item(Intent::Apply, json!({"externalRefs": references})), "dcim");
        let reference = |source: &str| json!({"source": source, "externalId": "7"});
        assert_eq!(says(json!([reference("dcim")])), Ok(()));
        assert!(says(json!([reference("dcim"), reference("ipam")])).is_err());
    }
}
