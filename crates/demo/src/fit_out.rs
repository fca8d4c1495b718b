//! Defines the equipment of racks: small switches in the demo, and those of large data centres in fleets.
//!
//! All numbers that differ between the two are defined here. Positions and names of devices are the same.

use super::catalogue::{
    BORDER_LEAF, CONSOLE_SERVER, FLEET_BORDER_LEAF, FLEET_CONSOLE_SERVER, FLEET_LEAF, FLEET_MANAGEMENT_SWITCH,
    FLEET_RACK_PANEL, FLEET_ROW_PANEL, FLEET_SPINE, FLEET_WIDE_LEAF, LEAF, MANAGEMENT_SWITCH, Model, RACK_PANEL,
    ROW_PANEL, SPINE, WIDE_LEAF,
};
use super::wiring::{self, Wiring};

/// The number of spines of a pod.
const SPINES: usize = 4;
/// The number of lines that an MPO trunk carries, one on each of its positions.
pub(super) const TRUNK_LINES: usize = 4;

/// The connections of servers besides power, the controller and the first two network ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Servers {
    /// No further connections.
    Plain,
    /// Further network ports for storage and backup, a port for installation, and a serial console.
    Full,
}

/// The equipment of the racks of a fleet.
#[derive(Debug)]
pub(super) struct FitOut {
    pub(super) leaf: Model,
    /// A leaf with fast ports only.
    pub(super) wide_leaf: Model,
    pub(super) spine: Model,
    pub(super) border_leaf: Model,
    pub(super) management_switch: Model,
    pub(super) console_server: Model,
    pub(super) rack_panel: (Model, Wiring),
    pub(super) row_panel: (Model, Wiring),
    pub(super) servers: Servers,
    /// The number of ports of a leaf for servers; the ports to the spines follow.
    pub(super) host_ports: usize,
    /// The number of lines from a leaf to each spine.
    pub(super) uplinks: usize,
    pub(super) spine_ports: usize,
    /// The number of the spine's port to the first border leaf; the port to the second follows.
    pub(super) spine_to_border: usize,
    pub(super) border_leaf_ports: usize,
    /// The number of pods that share a pair of border leaves, which is a hall.
    pub(super) pods_in_hall: usize,
    /// The number of ports of a rack's management switch for managed devices; two ports to the management hubs follow.
    pub(super) management_ports: usize,
    pub(super) console_ports: usize,
    /// The number of transfer networks for which a rack has addresses.
    pub(super) transfer_networks: usize,
}

/// The equipment of the demo.
pub(super) const DEMO: FitOut = FitOut {
    leaf: LEAF,
    wide_leaf: WIDE_LEAF,
    spine: SPINE,
    border_leaf: BORDER_LEAF,
    management_switch: MANAGEMENT_SWITCH,
    console_server: CONSOLE_SERVER,
    rack_panel: (RACK_PANEL, wiring::RACK),
    row_panel: (ROW_PANEL, wiring::ROW),
    servers: Servers::Plain,
    host_ports: 24,
    uplinks: 1,
    spine_ports: 32,
    spine_to_border: 29,
    border_leaf_ports: 32,
    pods_in_hall: 6,
    management_ports: 24,
    console_ports: 32,
    transfer_networks: 8,
};

/// The equipment of the data centres of a fleet.
pub(super) const FLEET: FitOut = FitOut {
    leaf: FLEET_LEAF,
    wide_leaf: FLEET_WIDE_LEAF,
    spine: FLEET_SPINE,
    border_leaf: FLEET_BORDER_LEAF,
    management_switch: FLEET_MANAGEMENT_SWITCH,
    console_server: FLEET_CONSOLE_SERVER,
    rack_panel: (FLEET_RACK_PANEL, wiring::FLEET_RACK),
    row_panel: (FLEET_ROW_PANEL, wiring::FLEET_ROW),
    servers: Servers::Full,
    host_ports: 48,
    uplinks: 2,
    spine_ports: 48,
    spine_to_border: 45,
    border_leaf_ports: 64,
    pods_in_hall: 12,
    management_ports: 48,
    console_ports: 96,
    transfer_networks: 16,
};

/// The equipment of the edge site of a fleet: as small as in the demo, with the addresses of the fleet's plan.
pub(super) const FLEET_EDGE: FitOut = FitOut { transfer_networks: FLEET.transfer_networks, ..DEMO };

impl FitOut {
    /// Returns the leaf's port to a spine of its pod, for one of the lines between them.
    pub(super) fn leaf_to_spine(&self, spine: usize, line: usize) -> String {
        format!("Ethernet{}", self.host_ports + spine * self.uplinks + line + 1)
    }

    /// Returns the numbers of the leaf's ports to the other leaf of the rack.
    pub(super) fn leaf_peers(&self) -> [usize; 2] {
        let before = self.host_ports + SPINES * self.uplinks;
        [before + 1, before + 2]
    }

    /// Returns the numbers of the leaf's ports that can be broken out to four servers.
    pub(super) fn leaf_breakouts(&self) -> [usize; 2] {
        self.leaf_peers().map(|port| port + 2)
    }

    /// Returns the number of a compute rack's transfer network from a leaf to a spine of its pod, for one of the lines.
    pub(super) fn transfer(&self, leaf: usize, spine: usize, line: usize) -> usize {
        (leaf * SPINES + spine) * self.uplinks + line
    }
}
