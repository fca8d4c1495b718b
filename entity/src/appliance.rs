//! The row of an appliance: a system that lists machines and switches them on and off.

use sea_orm::entity::prelude::*;

crate::row::kind_row! {
    /// One appliance in the table `appliance`.
    table "appliance" {
        pub r#type: ApplianceType,
        pub url: Option<String>,
        pub credential_id: Option<Uuid>,
        /// The pattern of the names of the machines that become hosts.
        pub name_pattern: Option<String>,
        /// The beginning of the names of these hosts.
        pub prefix: Option<String>,
        pub site_id: Option<Uuid>,
        pub rack_id: Option<Uuid>,
        /// The time between two looks at the appliance, in seconds.
        pub interval_seconds: i32,
    }
}

crate::choice::choice! {
    /// The way in which a controller talks to an appliance.
    pub enum ApplianceType {
        /// The appliance speaks Redfish.
        Redfish,
        /// The appliance is a hypervisor with libvirt.
        Libvirt,
        /// The appliance is one machine that speaks IPMI.
        Ipmi,
        /// The appliance and its machines exist only in a controller.
        Simulated,
        /// A program that is configured at the controller talks to the appliance.
        Exec,
        /// People switch the machines on and off.
        Manual,
    }
}
