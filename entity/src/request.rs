//! The row of a request that a client named (`requestId`), with its digest and its answer. A repeated request gets the
//! same answer, even if the first one wrote nothing.

use sea_orm::entity::prelude::*;

/// One named request in the table `request`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "request")]
pub struct Model {
    /// The actor that made the request, from the token. Each actor has a separate set of names.
    #[sea_orm(primary_key, auto_increment = false)]
    pub actor: String,
    /// The name that the client gave the request.
    #[sea_orm(primary_key, auto_increment = false)]
    pub request_id: String,
    /// The SHA-256 digest of the request, in hexadecimal digits. Null for a request from before digests were stored.
    pub digest: Option<String>,
    /// The revision that the request made; null if it wrote nothing.
    pub revision: Option<i64>,
    /// The time of the answer.
    pub at: DateTimeUtc,
    /// The outcome of each item.
    pub outcome: Json,
}

impl ActiveModelBehavior for ActiveModel {}
