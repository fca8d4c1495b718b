//! The row of a boot: a line about what a machine was given when it booted from the network.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;

/// One boot of the machine of a host, in the table `boot`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "boot")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub host_id: Uuid,
    /// The number of the boot among those of its host, from 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    pub at: DateTimeUtc,
    /// The number of a [`BootTarget`].
    pub target: i16,
    /// A sentence that says why it was given that.
    pub reason: String,
    /// The first MAC address that the machine said.
    pub mac: Option<String>,
    /// The address from which it asked.
    pub address: Option<String>,
}

impl ActiveModelBehavior for ActiveModel {}

/// The target of a boot. The numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
#[repr(i16)]
pub enum BootTarget {
    /// The disk of the machine.
    Local = 0,
    /// The discovery of its hardware.
    Discover = 1,
    /// An installer.
    Install = 2,
    /// A system that erases its disks.
    Wipe = 3,
}

impl BootTarget {
    /// All targets, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Local, Self::Discover, Self::Install, Self::Wipe];

    /// Returns the number of the target in the column `target`.
    pub const fn number(self) -> i16 {
        self as i16
    }

    /// Returns the target of a number. There is none for the number of a later version.
    pub fn of(number: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.number() == number)
    }
}
