//! The GraphQL object of a device.

use underlay_entity::device::{DeviceRole, Model, Plane};
use underlay_entity::lifecycle::Status;
use underlay_entity::machine::{Address, Hardware};

use super::placement::Placement;
use crate::cluster::Cluster;
use crate::host::Host;
use crate::location::Location;
use crate::object;
use crate::port::Port;
use crate::rack::Rack;
use crate::site::Site;
use crate::virtual_machine::VirtualMachine;

object! {
    /// A device: any box in the inventory, distinguished by its role.
    Device: Model;

    own {
        /// The role of the device.
        role: DeviceRole = |device| device.role;
        /// The bay of the parent that the device is in, or its number in a stack.
        slot: Option<&str> = |device| device.slot.as_deref();
        /// The manufacturer of the device.
        manufacturer: Option<&str> = |device| device.manufacturer.as_deref();
        /// The model name that the manufacturer uses.
        model: Option<&str> = |device| device.model.as_deref();
        /// The serial number of the device.
        serial: Option<&str> = |device| device.serial.as_deref();
        /// The asset tag of the device, unique over all devices.
        asset_tag: Option<&str> = |device| device.asset_tag.as_deref();
        /// The operating system or firmware family: free text.
        platform: Option<&str> = |device| device.platform.as_deref();
        /// True if the device forwards traffic between its ports. Null means that its role decides.
        forwards: Option<bool> = |device| device.forwards;
        /// The plane that the device works on.
        plane: Plane = |device| device.plane;
        /// The number of live power inlets that the device needs to work.
        inlets_required: i32 = |device| device.inlets_required;
        /// The addresses of the device.
        addresses: &[Address] = |device| &device.addresses.0;
        /// The hardware of the device: processor, memory and disks.
        hardware: Option<&Hardware> = |device| device.hardware.as_ref();
        /// The lifecycle status of the device.
        status: Status = |device| device.status;
    }

    requires {
        /// The site where the device is.
        site: Site by Device::SITE;
    }

    refers {
        /// The location of the device within its site.
        location: Location by Device::LOCATION;
        /// The cluster that the device works for.
        cluster: Cluster by Device::CLUSTER;
        /// The parent: the device whose bay or stack the device is in. A device with its own placement is a member of a
        /// stack: it is not within its parent, and stays up when the parent fails.
        parent: Device by Device::PARENT;
    }

    lists {
        /// The ports of the device.
        ports: Port by Port::DEVICE;
        /// The devices in the bays of the device, or the members of its stack.
        children: Device by Device::PARENT;
        /// The virtual machines that the device hosts.
        virtual_machines: VirtualMachine by VirtualMachine::HOST;
        /// The host that the device is: at most one.
        hosts: Host by Host::MACHINE;
    }

    more {
        /// The rack that the device stands in, the same as `placement.rack`. Null if the device has no placement.
        async fn rack(&self) -> Option<Rack> {
            self.0.follow(Device::RACK).map(Rack)
        }

        /// The lowest unit that the device takes, the same as `placement.startUnit`. Null if it takes no unit.
        async fn start_unit(&self) -> Option<f64> {
            self.0.row.start_unit
        }

        /// The place of the device in a rack. Null if it has none.
        async fn placement(&self) -> Option<Placement> {
            self.0.row.rack_id.map(|_| Placement(self.0.clone()))
        }
    }
}
