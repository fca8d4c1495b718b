//! The tables of the runs of sources: runs, their turns, what they saw, what the guard holds, and the ledger.
//!
//! Guarantees: every write for a run takes the next step of its source's turn, in the same transaction. A write that
//! was judged on an older step is refused as [`super::StoreError::RunOvertaken`], and nothing of it is stored. The ids
//! that a run saw are deleted when the run ends, and all other rows of the run are deleted with it.

mod keep;
mod list;
mod read;
mod write;

pub use keep::{SourceFacts, Upkeep};
pub use list::RunPosition;

use sea_orm::{ColumnTrait, EntityTrait, ModelTrait, QueryFilter, QueryOrder};
use underlay_entity::{source_held, source_run};
use uuid::Uuid;

fn newest_first(source: Uuid) -> sea_orm::Select<source_run::Entity> {
    source_run::Entity::find()
        .filter(source_run::Column::SourceId.eq(source))
        .order_by_desc(source_run::Column::StartedAt)
        .order_by_desc(source_run::Column::Id)
}

fn held(source: Uuid) -> sea_orm::Select<source_held::Entity> {
    source_held::Entity::find().filter(source_held::Column::SourceId.eq(source))
}

fn refs<M: ModelTrait>(models: &[M]) -> Vec<&M> {
    models.iter().collect()
}
