//! The row of an observation: what was last seen of an object. It changes by itself, so it is in no snapshot.

use sea_orm::entity::prelude::*;

/// One observation in the table `observation`. An object has at most one.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "observation")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: Uuid,
    /// The name of the object's kind.
    pub kind: String,
    /// The time when the object was last seen.
    pub seen_at: DateTimeUtc,
    /// The party that saw it.
    pub by: String,
    /// The time when its power was last seen to change.
    pub power_at: Option<DateTimeUtc>,
    /// Further observations, which only controllers understand.
    pub detail: Option<Json>,
    /// A set of [`ObservedCondition`]s, by their bits.
    pub conditions: i64,
    /// The time when the row was written, by the clock of the database.
    pub written_at: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}

/// A condition of an object that is worth a filter, though it comes and goes by itself. The numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ObservedCondition {
    /// The object did not answer when it was last asked.
    Unreachable = 0,
    /// The observation contradicts what the inventory says.
    Contradicts = 1,
    /// Nothing goes on until a person does something.
    NeedsPerson = 2,
}

impl ObservedCondition {
    /// All conditions, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Unreachable, Self::Contradicts, Self::NeedsPerson];

    /// Returns the bit of the condition in the column `conditions`.
    pub const fn bit(self) -> i64 {
        1 << self as u8
    }

    /// Returns true if the condition is in a set.
    pub const fn is_in(self, conditions: i64) -> bool {
        conditions & self.bit() != 0
    }
}
