//! The row of an event of hardware: a part of a host that changed.

use sea_orm::entity::prelude::*;

use crate::choice::choice;

/// One event in the table `hardware_event`. The ids grow with time, whichever process writes.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "hardware_event")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub host_id: Uuid,
    /// The number of a [`super::facts::FactsOrigin`].
    pub origin: i16,
    pub part: HardwarePart,
    pub change: HardwareChange,
    /// The place of the part, such as a slot or a PCI address.
    pub place: String,
    /// The part before, or the members of it that changed.
    pub before: Option<Json>,
    /// The same after.
    pub after: Option<Json>,
    /// The time of the report, by the clock of the server.
    pub at: DateTimeUtc,
    /// The host from which the part moved.
    pub from_host_id: Option<Uuid>,
    /// The serial number of the part, if it has one.
    pub serial: Option<String>,
    /// The serial number of the part before, if that was another one.
    pub serial_before: Option<String>,
}

impl ActiveModelBehavior for ActiveModel {}

choice! {
    /// A kind of part of a machine.
    pub enum HardwarePart {
        /// The machine as a whole.
        System,
        /// The memory, or a memory module.
        Memory,
        /// A processor.
        Processor,
        /// A disk.
        Disk,
        /// A network interface.
        Interface,
        /// A device at PCI.
        Device,
        /// A GPU.
        Gpu,
        /// A neighbour of a network interface, as it says itself by LLDP.
        Neighbour,
        /// The firmware of the system or of a part.
        Firmware,
        /// A power supply.
        PowerSupply,
        /// A fan.
        Fan,
    }
}

choice! {
    /// What happened to a part of a machine.
    pub enum HardwareChange {
        /// The part is new.
        Added,
        /// The part is gone: two complete reports in a row lack it.
        Removed,
        /// Another part is in its place.
        Replaced,
        /// The part says something else of itself, or is in another place of the machine.
        Changed,
        /// The part expects to fail, has errors that were not corrected, or fell off the bus.
        Failing,
        /// The link lost its carrier.
        LinkDown,
        /// The link has a carrier again.
        LinkUp,
        /// The host has had so many events within an hour that further ones are not kept until the hour is over.
        Noisy,
        /// The part was in another host before.
        Moved,
    }
}
