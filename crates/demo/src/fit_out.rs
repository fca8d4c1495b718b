//! How racks are fitted out: in the demo with what fits on a screen, in fleets with what large ones have.
//!
//! All numbers that differ between the two stand here; where things stand and how they are named is the same.

use super::catalogue::{
    BORDER_LEAF, CONSOLE_SERVER, FLEET_BORDER_LEAF, FLEET_CONSOLE_SERVER, FLEET_LEAF, FLEET_MANAGEMENT_SWITCH,
    FLEET_RACK_PANEL, FLEET_ROW_PANEL, FLEET_SPINE, FLEET_WIDE_LEAF, LEAF, MANAGEMENT_SWITCH, Model, RACK_PANEL,
    ROW_PANEL, SPINE, WIDE_LEAF,
};
use super::panel::{self, Wiring};

/// Spines of a pod.
const SPINES: usize = 4;
/// Lines that an MPO trunk carries, one on each of its positions.
pub(super) const TRUNK_LINES: usize = 4;

/// What servers are connected to, besides power, the controller and their first two network ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Servers {
    /// Nothing else.
    Plain,
    /// Further network ports for storage and backup, a port to be installed over, a serial console.
    Full,
}

/// How the racks of a fleet are fitted out.
#[derive(Debug)]
pub(super) struct FitOut {
    pub(super) leaf: Model,
    /// A leaf whose ports are all fast ones.
    pub(super) wide_leaf: Model,
    pub(super) spine: Model,
    pub(super) border_leaf: Model,
    pub(super) management_switch: Model,
    pub(super) console_server: Model,
    pub(super) rack_panel: (Model, Wiring),
    pub(super) row_panel: (Model, Wiring),
    pub(super) servers: Servers,
    /// Ports of a leaf for servers; those to the spines follow.
    pub(super) host_ports: usize,
    /// Lines from a leaf to each spine.
    pub(super) uplinks: usize,
    pub(super) spine_ports: usize,
    /// The spine's port to the first border leaf; the second follows.
    pub(super) spine_to_border: usize,
    pub(super) border_leaf_ports: usize,
    /// How many pods share a pair of border leaves: a hall.
    pub(super) pods_in_hall: usize,
    /// Ports of a rack's management switch for what it manages; two to the management hubs follow.
    pub(super) management_ports: usize,
    pub(super) console_ports: usize,
    /// How many transfer networks a rack has addresses for.
    pub(super) transfer_networks: usize,
}

/// The demo.
pub(super) const DEMO: FitOut = FitOut {
    leaf: LEAF,
    wide_leaf: WIDE_LEAF,
    spine: SPINE,
    border_leaf: BORDER_LEAF,
    management_switch: MANAGEMENT_SWITCH,
    console_server: CONSOLE_SERVER,
    rack_panel: (RACK_PANEL, panel::RACK),
    row_panel: (ROW_PANEL, panel::ROW),
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

/// Data centres of a fleet.
pub(super) const FLEET: FitOut = FitOut {
    leaf: FLEET_LEAF,
    wide_leaf: FLEET_WIDE_LEAF,
    spine: FLEET_SPINE,
    border_leaf: FLEET_BORDER_LEAF,
    management_switch: FLEET_MANAGEMENT_SWITCH,
    console_server: FLEET_CONSOLE_SERVER,
    rack_panel: (FLEET_RACK_PANEL, panel::FLEET_RACK),
    row_panel: (FLEET_ROW_PANEL, panel::FLEET_ROW),
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

/// The edge site of a fleet: as small as in the demo, with addresses of the fleet's plan.
pub(super) const FLEET_EDGE: FitOut = FitOut { transfer_networks: FLEET.transfer_networks, ..DEMO };

impl FitOut {
    /// The leaf's port to a spine of its pod, for one of the lines between them.
    pub(super) fn leaf_to_spine(&self, spine: usize, line: usize) -> String {
        format!("Ethernet{}", self.host_ports + spine * self.uplinks + line + 1)
    }

    /// The leaf's ports to the other leaf of the rack.
    pub(super) fn leaf_peers(&self) -> [usize; 2] {
        let before = self.host_ports + SPINES * self.uplinks;
        [before + 1, before + 2]
    }

    /// The leaf's ports that can be broken out to four.
    pub(super) fn leaf_breakouts(&self) -> [usize; 2] {
        self.leaf_peers().map(|port| port + 2)
    }

    /// The number of a transfer network of a compute rack: from a leaf to a spine of its pod, for one of the lines.
    pub(super) fn transfer(&self, leaf: usize, spine: usize, line: usize) -> usize {
        (leaf * SPINES + spine) * self.uplinks + line
    }
}
