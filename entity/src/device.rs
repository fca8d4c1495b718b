//! The row of a device: any physical box, distinguished by its role.

use sea_orm::entity::prelude::*;

use crate::lifecycle::Status;
use crate::machine::{Addresses, Hardware};

crate::row::kind_row! {
    /// One device in the table `device`.
    table "device" {
        pub role: DeviceRole,
        pub site_id: Uuid,
        pub location_id: Option<Uuid>,
        pub cluster_id: Option<Uuid>,
        /// The chassis or stack that contains the device. It must be in the same site, and the chain of parents has no
        /// cycle.
        pub parent_id: Option<Uuid>,
        /// The bay of the device in its parent. A bay holds one device.
        pub slot: Option<String>,
        /// The rack of the device. The next four columns have no meaning without it.
        pub rack_id: Option<Uuid>,
        /// The lowest rack unit that the device occupies, from U1 at the bottom, in steps of 0.5. Null if the device is in
        /// the rack but in no unit.
        pub start_unit: Option<f64>,
        /// The height in rack units, in steps of 0.5.
        pub unit_height: Option<f64>,
        pub face: Option<Face>,
        /// True if the device occupies both faces of the rack.
        pub full_depth: bool,
        pub manufacturer: Option<String>,
        pub model: Option<String>,
        pub serial: Option<String>,
        /// The asset tag, unique among all devices.
        pub asset_tag: Option<String>,
        /// The operating system, in free text.
        pub platform: Option<String>,
        /// True if the device forwards traffic. Null: the role decides.
        pub forwards: Option<bool>,
        pub plane: Plane,
        /// The number of live power inlets that the device needs to run.
        pub inlets_required: i32,
        pub addresses: Addresses,
        pub hardware: Option<Hardware>,
        pub status: Status,
    }
}

crate::choice::choice! {
    /// The function of a device. SPINE, LEAF, BORDER_ROUTER, ROUTER, SWITCH, FIREWALL and LOAD_BALANCER forward traffic,
    /// unless the field `forwards` of the device overrides this.
    pub enum DeviceRole {
        /// Runs workloads.
        Server,
        /// The upper layer of a leaf-spine fabric.
        Spine,
        /// The layer of a leaf-spine fabric to which servers are connected.
        Leaf,
        /// Connects the fabric to external networks.
        BorderRouter,
        /// Routes traffic, without a more specific role.
        Router,
        /// Switches traffic, without a more specific role.
        Switch,
        /// Filters the traffic that passes through it.
        Firewall,
        /// Distributes traffic over servers.
        LoadBalancer,
        /// Gives access to serial consoles.
        ConsoleServer,
        /// Distributes power in a rack (power distribution unit).
        Pdu,
        /// Supplies power from batteries when its input fails (uninterruptible power supply).
        Ups,
        /// Connects cables to each other, without power of its own.
        PatchPanel,
        /// Holds other devices in its bays.
        Chassis,
        /// Stores data for other machines.
        Storage,
        /// Any other function.
        Other,
    }
}

crate::choice::choice! {
    /// The side of the rack on which a device is mounted. Defaults to FRONT.
    #[derive(Default)]
    pub enum Face {
        /// The front of the rack.
        #[default]
        Front,
        /// The rear of the rack.
        Rear,
    }
}

crate::choice::choice! {
    /// The network to which a device belongs. Defaults to DATA.
    #[derive(Default)]
    pub enum Plane {
        /// The network that carries the traffic of users.
        #[default]
        Data,
        /// The network over which machines are managed.
        Management,
    }
}
