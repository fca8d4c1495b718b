//! A device in the API.

use underlay_entity::device::{DeviceRole, Model, Plane};
use underlay_entity::lifecycle::Status;
use underlay_entity::machine::{Address, Hardware};

use super::placement::Placement;
use crate::kinds::cluster::Cluster;
use crate::kinds::location::Location;
use crate::kinds::port::Port;
use crate::kinds::rack::Rack;
use crate::kinds::site::Site;
use crate::kinds::virtual_machine::VirtualMachine;
use crate::object;

object! {
    /// A device: any box, told apart by its role.
    Device: Model;

    own {
        /// What it is for.
        role: DeviceRole = |device| device.role;
        /// The bay of its parent that it is in, or its number in a stack.
        slot: Option<&str> = |device| device.slot.as_deref();
        /// Who made it.
        manufacturer: Option<&str> = |device| device.manufacturer.as_deref();
        /// The model.
        model: Option<&str> = |device| device.model.as_deref();
        /// The serial number.
        serial: Option<&str> = |device| device.serial.as_deref();
        /// The asset tag, unique over all devices.
        asset_tag: Option<&str> = |device| device.asset_tag.as_deref();
        /// The operating system or firmware family: free text.
        platform: Option<&str> = |device| device.platform.as_deref();
        /// Whether it passes traffic between its ports; null: as its role does.
        forwards: Option<bool> = |device| device.forwards;
        /// The plane that it works on.
        plane: Plane = |device| device.plane;
        /// How many live power inlets it needs to work.
        inlets_required: i32 = |device| device.inlets_required;
        /// Its addresses.
        addresses: &[Address] = |device| &device.addresses.0;
        /// What is in it.
        hardware: Option<&Hardware> = |device| device.hardware.as_ref();
        /// Where it stands in its life.
        status: Status = |device| device.status;
    }

    requires {
        /// The site where it is.
        site: Site by Device::SITE;
    }

    refers {
        /// The location within the site.
        location: Location by Device::LOCATION;
        /// The cluster that it works for.
        cluster: Cluster by Device::CLUSTER;
        /// The device whose bay or stack it is in. A device with a placement of its own is a member of a stack: it is not
        /// within its parent and stays up when that fails.
        parent: Device by Device::PARENT;
    }

    lists {
        /// Its ports.
        ports: Port by Port::DEVICE;
        /// The devices in its bays, or the members of its stack.
        children: Device by Device::PARENT;
        /// The virtual machines that it hosts.
        virtual_machines: VirtualMachine by VirtualMachine::HOST;
    }

    more {
        /// The rack that it stands in: the same as `placement.rack`. Null if it has no placement.
        async fn rack(&self) -> Option<Rack> {
            self.0.follow(Device::RACK).map(Rack)
        }

        /// The lowest unit that it takes: the same as `placement.startUnit`. Null if it takes no unit.
        async fn start_unit(&self) -> Option<f64> {
            self.0.row.start_unit
        }

        /// Where it stands in a rack.
        async fn placement(&self) -> Option<Placement> {
            self.0.row.rack_id.map(|_| Placement(self.0.clone()))
        }
    }
}
