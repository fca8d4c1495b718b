//! The settings of a server about machines. The registry of a snapshot holds them, because the rules of kinds read them.

use std::sync::LazyLock;

use underlay_address::MachineSettings;
use underlay_inventory::Snapshot;

static NONE: LazyLock<MachineSettings> = LazyLock::new(MachineSettings::default);

/// Returns the settings about machines with which a snapshot was made.
pub fn machine_settings(snapshot: &Snapshot) -> &MachineSettings {
    snapshot.registry().settings().unwrap_or(&NONE)
}
