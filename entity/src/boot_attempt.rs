//! The row of an attempt: the permission for the machine of a host to boot from the network for an order.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;

/// The last attempt of a host, in the table `boot_attempt`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "boot_attempt")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub host_id: Uuid,
    /// The id of the order that the attempt is for.
    pub order_id: Uuid,
    /// The number of a [`BootPurpose`].
    pub purpose: i16,
    /// The number of a [`BootAttemptState`].
    pub state: i16,
    /// The time when it was opened.
    pub opened_at: DateTimeUtc,
    /// The time from which on nothing but the disk is booted.
    pub until: DateTimeUtc,
    /// The number of boots so far.
    pub boots: i32,
    /// The digest of the token of the last boot: SHA-256 in hexadecimal digits.
    pub token: Option<String>,
    /// The time when the last boot began.
    pub booted_at: Option<DateTimeUtc>,
    /// The time when the last boot asked for its kernel.
    pub loaded_at: Option<DateTimeUtc>,
    /// The time when a boot fetched the text that it works by. From then on the next boot gets the disk.
    pub text_at: Option<DateTimeUtc>,
    /// The text that it fetched, which the same boot gets again.
    pub text: Option<String>,
    /// The time when the machine booted again after it had fetched that text.
    pub rebooted_at: Option<DateTimeUtc>,
    /// The time of the last report of the machine.
    pub heard_at: Option<DateTimeUtc>,
    /// The stage that it reported last.
    pub stage: Option<String>,
    /// The progress of the stage in percent.
    pub percent: Option<i16>,
    /// A sentence about the stage, or about the end.
    pub message: Option<String>,
    /// The hardware that the machine reported.
    pub facts: Option<Json>,
}

impl ActiveModelBehavior for ActiveModel {}

/// The purpose of an attempt. The numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
#[repr(i16)]
pub enum BootPurpose {
    /// The hardware of the machine is found out.
    Discover = 1,
    /// A system is installed on its disk.
    Install = 2,
    /// Its disks are erased.
    Wipe = 3,
}

impl BootPurpose {
    /// All purposes, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Discover, Self::Install, Self::Wipe];

    /// Returns the number of the purpose in the column `purpose`.
    pub const fn number(self) -> i16 {
        self as i16
    }

    /// Returns the purpose of a number. There is none for the number of a later version.
    pub fn of(number: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.number() == number)
    }
}

/// The state of an attempt. The numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
#[repr(i16)]
pub enum BootAttemptState {
    /// The machine may boot for the order, or works for it.
    Open = 1,
    /// The machine reported that its work is done.
    Done = 2,
    /// The machine reported that its work failed.
    Failed = 3,
    /// A controller closed the attempt.
    Closed = 4,
}

impl BootAttemptState {
    /// All states, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Open, Self::Done, Self::Failed, Self::Closed];

    /// Returns the number of the state in the column `state`.
    pub const fn number(self) -> i16 {
        self as i16
    }

    /// Returns the state of a number. There is none for the number of a later version.
    pub fn of(number: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.number() == number)
    }
}
