//! The table of enlistments: the orders to make objects of what something outside lists, the last one for each lister.
//! They make no revision; the objects that they make do.

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use underlay_entity::enlistment::{Column, EnlistedMachine, Entity, Model};
use uuid::Uuid;

use super::commit::step;
use super::connection::Store;
use super::error::StoreError;
use super::insert::{ConflictAction, insert};

/// The number of machines that an enlistment tells of.
const MAX_MACHINES: usize = 1_000;

/// An enlistment that is ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEnlistment {
    /// The object that lists the others.
    pub lister: Uuid,
    pub pattern: Option<String>,
    pub discover: bool,
    pub adopt: bool,
    pub force: bool,
    pub provisioner: Option<String>,
    /// The user who asks for it.
    pub by: String,
}

/// A part of an enlistment that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enlisted {
    /// The number of things that were listed.
    pub found: i32,
    /// The number of objects that were made.
    pub enlisted: i32,
    /// The number of objects whose addresses were changed.
    pub changed: i32,
    /// What became of each thing.
    pub machines: Vec<EnlistedMachine>,
    /// A sentence about what went wrong, or was left out.
    pub sentence: Option<String>,
    /// True if this was the last part.
    pub is_done: bool,
}

impl Store {
    /// Stores an enlistment in the place of the last one, and returns it.
    pub async fn order_enlistment(&self, new: NewEnlistment) -> Result<Model, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let at = step(writing.transaction.now()).await?;
        let last = step(Entity::find_by_id(new.lister).one(&writing.transaction)).await?;
        let NewEnlistment { lister, pattern, discover, adopt, force, provisioner, by } = new;
        let row = Model {
            appliance_id: lister,
            number: last.map_or(0, |last| last.number) + 1,
            pattern,
            discover,
            adopt,
            force,
            provisioner,
            by,
            at,
            done_at: None,
            found: None,
            enlisted: None,
            sentence: None,
            changed: None,
            machines: None,
        };
        step(insert::<Entity>(&writing.transaction, &[&row], ConflictAction::Replaced)).await?;
        step(writing.transaction.commit()).await?;
        Ok(row)
    }

    /// Stores a part of an enlistment that was done, and returns the enlistment. Returns `None` if another one was
    /// ordered since.
    pub async fn end_enlistment(&self, lister: Uuid, number: i64, end: Enlisted) -> Result<Option<Model>, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let now = step(writing.transaction.now()).await?;
        let last = step(Entity::find_by_id(lister).one(&writing.transaction)).await?;
        let Some(mut row) = last.filter(|last| last.number == number && last.done_at.is_none()) else {
            writing.roll_back().await?;
            return Ok(None);
        };
        row.done_at = end.is_done.then_some(now);
        row.found = Some(row.found.unwrap_or_default().saturating_add(end.found));
        row.enlisted = Some(row.enlisted.unwrap_or_default().saturating_add(end.enlisted));
        row.changed = Some(row.changed.unwrap_or_default().saturating_add(end.changed));
        row.sentence = end.sentence.or(row.sentence);
        let machines = &mut row.machines.get_or_insert_default().0;
        let room = MAX_MACHINES.saturating_sub(machines.len());
        machines.extend(end.machines.into_iter().take(room));
        step(insert::<Entity>(&writing.transaction, &[&row], ConflictAction::Replaced)).await?;
        step(writing.transaction.commit()).await?;
        Ok(Some(row))
    }

    /// Returns the last enlistment of each of these objects.
    pub async fn enlistments_of(&self, listers: &[Uuid]) -> Result<Vec<Model>, StoreError> {
        let own = Entity::find().filter(Column::ApplianceId.is_in(listers.iter().copied()));
        step(own.all(&self.reader)).await
    }

    /// Returns enlistments that no controller has done yet, the oldest first.
    pub async fn open_enlistments(&self, most: u64) -> Result<Vec<Model>, StoreError> {
        let open = Entity::find().filter(Column::DoneAt.is_null()).order_by_asc(Column::At).limit(most);
        step(open.all(&self.reader)).await
    }
}
