//! The row of a request that a client gave a name (`requestId`): what was asked, and what was answered, so that a
//! repeat is answered the same, also when the request wrote nothing.

use sea_orm::entity::prelude::*;

/// The row of a request.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "request")]
pub struct Model {
    /// The actor that made the request, from the token. Each actor has names of its own.
    #[sea_orm(primary_key, auto_increment = false)]
    pub actor: String,
    /// The name that the client gave the request.
    #[sea_orm(primary_key, auto_increment = false)]
    pub request_id: String,
    /// The SHA-256 digest of what was asked, as hexadecimal digits. Null for a request from before it was kept.
    pub digest: Option<String>,
    /// The revision that the request made; null if it wrote nothing.
    pub revision: Option<i64>,
    /// The time of the answer.
    pub at: DateTimeUtc,
    /// The outcome of each item.
    pub outcome: Json,
}

impl ActiveModelBehavior for ActiveModel {}
