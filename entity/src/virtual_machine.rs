//! The row of a virtual machine, which belongs to a host, a cluster or a provider.

use sea_orm::entity::prelude::*;

use crate::lifecycle::Status;
use crate::machine::{Addresses, Allocation};
use crate::object_reference::ObjectReference;

crate::row::kind_row! {
    /// One virtual machine in the table `virtual_machine`. At least one of `host_id`, `cluster_id` and `provider_id` is
    /// set.
    table "virtual_machine" {
        /// The device on which the virtual machine runs.
        pub host_id: Option<Uuid>,
        pub cluster_id: Option<Uuid>,
        pub provider_id: Option<Uuid>,
        pub project_ref: Option<ObjectReference>,
        pub allocation: Option<Allocation>,
        pub addresses: Addresses,
        pub status: Status,
    }
}
