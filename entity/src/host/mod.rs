//! The row of a host: a machine as something that can be powered, booted and installed.

use sea_orm::entity::prelude::*;

mod parts;
mod state;

pub use parts::{
    AcknowledgedHardware, Condition, ConditionStatus, Conditions, HardwareAmount, HardwareAsked, HardwareMeasure,
    HostFailure, HostMachine, HostStep, LastOrder, LookAsked, Maintenance, RootDevice, SeenIdentity, Wanted,
};
pub use state::{HostAct, HostBoot, HostBootMode, HostOrderOutcome, HostPower, HostState};

use crate::machine::{CpuArchitecture, Hardware};

crate::row::kind_row! {
    /// One host in the table `host`.
    table "host" {
        /// The device or virtual machine that the host is.
        pub machine: Option<HostMachine>,
        pub class_id: Option<Uuid>,
        pub appliance_id: Option<Uuid>,
        /// The UUID or serial number by which the machine identifies itself.
        pub uid: Option<String>,
        pub title: Option<String>,
        pub architecture: Option<CpuArchitecture>,
        pub bmc_url: Option<String>,
        pub bmc_credential_id: Option<Uuid>,
        /// True if the certificate of the BMC is not checked.
        pub bmc_insecure: bool,
        /// The certificates, in PEM, that are trusted for the BMC besides the usual ones.
        pub bmc_trusted_cas: Option<String>,
        pub boot_mac: Option<String>,
        pub boot_ip: Option<String>,
        pub boot_mode: Option<HostBootMode>,
        pub boot: HostBoot,
        pub root_device: Option<RootDevice>,
        /// The name of the provisioner that installs the host.
        pub provisioner: Option<String>,
        pub maintenance: Maintenance,
        /// The purpose for which the host is acquired, in free text.
        pub acquired_for: Option<String>,
        /// True if the host is deleted as soon as a controller has cleared up.
        pub deleting: bool,
        pub wanted: Option<Wanted>,
        /// The number of orders so far.
        pub generation: i64,
        pub state: HostState,
        pub power: HostPower,
        pub step: Option<HostStep>,
        /// The last order that is done or has failed.
        pub generation_done: i64,
        pub cluster_id: Option<Uuid>,
        pub conditions: Conditions,
        pub failure: Option<HostFailure>,
        /// The serial number of the machine, where `uid` is its UUID.
        pub serial: Option<String>,
        /// The end of the last order.
        pub last_order: Option<LastOrder>,
        /// True if the host was INSTALLED since it was acquired, and its system was not switched off by a release since.
        pub was_installed: bool,
        /// The names that the machine had at the first look at it.
        pub seen_identity: Option<SeenIdentity>,
        /// The last time at which a claim asked for a look at the machine.
        pub look_asked: Option<LookAsked>,
        /// The hardware that the last discovery found.
        pub hardware: Option<Hardware>,
        /// The hardware that the host had when somebody acknowledged it.
        pub acknowledged_hardware: Option<AcknowledgedHardware>,
        /// The last time at which somebody asked for the hardware to be read from the BMC.
        pub hardware_asked: Option<HardwareAsked>,
        /// The revision that last changed what controllers report.
        pub observed_version: i64,
    } observed
}
