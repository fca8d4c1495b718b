//! The row of a secret of an object, encrypted. It is in no snapshot, change, export or event.

use sea_orm::entity::prelude::*;

/// One secret in the table `secret`. It is deleted with its object.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "secret")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: Uuid,
    /// The name of the secret within its object, such as `password`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub field: String,
    /// The id of the key that encrypted it.
    pub key_id: String,
    /// The nonce and the ciphertext with its tag, in Base64.
    pub sealed: String,
    /// A digest of the value under the same key, in Base64. It shows that a new value is equal.
    pub digest: String,
    /// The time when the value was set, by the clock of the database.
    pub set_at: DateTimeUtc,
    /// The caller that set the value.
    pub set_by: String,
}

impl ActiveModelBehavior for ActiveModel {}
