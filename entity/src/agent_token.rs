//! The row of the token with which the agent of a host reports. It is in no snapshot.

use sea_orm::entity::prelude::*;

/// The last token of a host in the table `agent_token`. A new one replaces it.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "agent_token")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub host_id: Uuid,
    /// The id that the token begins with.
    pub token_id: Uuid,
    /// The digest of the token: SHA-256 in hexadecimal digits.
    pub digest: String,
    /// The time when it was issued, by the clock of the database.
    pub issued_at: DateTimeUtc,
    /// The caller that got it.
    pub issued_to: String,
    /// The time when it was revoked, by the clock of the database. Null: it is accepted.
    pub revoked_at: Option<DateTimeUtc>,
    /// The time when the row was written, by the clock of the database.
    pub written_at: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}
