//! The row of a token with which machines enrol their agents. It is in no snapshot.

use sea_orm::entity::prelude::*;

/// A token in the table `enrolment_token`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "enrolment_token")]
pub struct Model {
    /// The id that the token begins with.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The digest of the token: SHA-256 in hexadecimal digits.
    pub digest: String,
    /// The site whose hosts it is for. Null: it is for hosts of any site.
    pub site_id: Option<Uuid>,
    /// The class whose hosts it is for, and that new hosts get. Null: it is for hosts of any class.
    pub class_id: Option<Uuid>,
    /// True if a machine that is no known host is registered.
    pub registers: bool,
    /// The number of machines that it is for.
    pub most: i32,
    /// The number of machines that have used it.
    pub used: i32,
    /// The time from which on it is not accepted any more, by the clock of the database.
    pub ends_at: DateTimeUtc,
    /// The time when it was issued, by the clock of the database.
    pub issued_at: DateTimeUtc,
    /// The caller that got it.
    pub issued_to: String,
    /// The time when it was revoked, by the clock of the database. Null: it was not.
    pub revoked_at: Option<DateTimeUtc>,
}

impl ActiveModelBehavior for ActiveModel {}
