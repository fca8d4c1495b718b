//! The machine of a host: a device or a virtual machine.

use async_graphql::{InputObject, OneofObject, Union};
use serde::Serialize;

use super::kind::Host;
use crate::device::{Device, DeviceFilter, DeviceRef};
use crate::virtual_machine::{VirtualMachine, VirtualMachineFilter, VirtualMachineRef};
use underlay_inventory::Held;
use underlay_read::{At, Nests, any_reference_fits};

/// The machine that a host is.
#[derive(Clone, Debug, Union)]
pub enum HostMachine {
    /// A device that is the machine.
    Device(Device),
    /// A virtual machine that is the machine.
    VirtualMachine(VirtualMachine),
}

impl HostMachine {
    /// Returns the machine of a host.
    pub fn of(host: &Held<Host>) -> Option<Self> {
        let device = host.follow(Host::MACHINE).map(Device).map(Self::Device);
        device.or_else(|| host.follow(Host::MACHINE).map(VirtualMachine).map(Self::VirtualMachine))
    }
}

/// Names the machine that a host is. Exactly one member must be given.
#[derive(Clone, Debug, OneofObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum HostMachineInput {
    /// The device that the host is.
    Device(DeviceRef),
    /// The virtual machine that the host is.
    VirtualMachine(VirtualMachineRef),
}

/// A condition on the machine of a host. All given members must match.
#[derive(Clone, Debug, Default, InputObject)]
pub struct HostMachineFilter {
    /// The machine is a device that matches.
    pub device: Option<Box<DeviceFilter>>,
    /// The machine is a virtual machine that matches.
    pub virtual_machine: Option<Box<VirtualMachineFilter>>,
    /// True matches hosts without a machine, false matches hosts with one.
    pub is_null: Option<bool>,
}

impl Nests for HostMachineFilter {
    fn nesting(&self) -> usize {
        1 + self.device.nesting().max(self.virtual_machine.nesting())
    }
}

impl HostMachineFilter {
    /// Returns true if the machine of a host matches.
    pub fn fits(&self, has_machine: bool, at: At<'_>) -> bool {
        let device = |filter: &DeviceFilter| any_reference_fits::<Device, _>(filter, Host::MACHINE, at);
        let machine =
            |filter: &VirtualMachineFilter| any_reference_fits::<VirtualMachine, _>(filter, Host::MACHINE, at);
        self.device.as_deref().is_none_or(device)
            && self.virtual_machine.as_deref().is_none_or(machine)
            && self.is_null.is_none_or(|is_null| is_null != has_machine)
    }
}
