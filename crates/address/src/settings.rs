//! The settings of a server about machines.

use super::ignored::IgnoredIdentities;
use super::reserved::Exceptions;

/// The settings of a server about machines.
#[derive(Clone, Debug, Default)]
pub struct MachineSettings {
    /// The reserved addresses that BMCs and appliances may have nevertheless.
    pub allowed_addresses: Exceptions,
    /// The UUIDs, serial numbers and MAC addresses that identify no machine.
    pub ignored_identities: IgnoredIdentities,
}
