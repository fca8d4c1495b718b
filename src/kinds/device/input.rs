//! What clients write and ask of devices.

use underlay_entity::device::{DeviceRole, Face, Model, Plane};
use underlay_entity::lifecycle::Status;
use underlay_entity::machine::{Address, Hardware};

use super::node::Device;
use super::placement::PlacementInput;
use crate::kinds::cluster::{Cluster, ClusterFilter, ClusterRef};
use crate::kinds::filters::StatusFilter;
use crate::kinds::location::{Location, LocationFilter, LocationRef};
use crate::kinds::port::{Port, PortListFilter};
use crate::kinds::rack::{Rack, RackFilter};
use crate::kinds::site::{Site, SiteFilter, SiteRef};
use crate::kinds::virtual_machine::{VirtualMachine, VirtualMachineListFilter};
use crate::read::{BooleanFilter, FloatFilter, IntFilter, TextFilter};
use crate::{enum_filter, filter, inputs, order};

enum_filter!(DeviceRoleFilter, DeviceRole);
enum_filter!(PlaneFilter, Plane);
enum_filter!(FaceFilter, Face);

inputs! {
    Device as device;
    input DeviceInput;
    patch DevicePatch;
    payload DevicePayload;

    reference DeviceRef {
        /// The name of its site.
        site: String;
        /// Its name.
        device: String;
    }

    fixed {}

    fields {
        /// What it is for. Required to create it.
        role: DeviceRole;
        /// The site where it is. Required to create it.
        site: SiteRef;
        /// The location, of the same site.
        location: LocationRef;
        /// The cluster that it works for.
        cluster: ClusterRef;
        /// The device whose bay or stack it is in, at the same site; not itself or one in it. A member of a stack may have
        /// a placement of its own; a device in a chassis, or in a slot of a device that does not stand for a stack, has
        /// none.
        parent: DeviceRef;
        /// The bay of its parent that it is in, or its number in a stack; unique in the parent.
        slot: String;
        /// Where it stands in a rack; not for a device that is in another. Replaced as a whole.
        placement: PlacementInput;
        /// Who made it.
        manufacturer: String;
        /// The model.
        model: String;
        /// The serial number.
        serial: String;
        /// The asset tag, unique over all devices.
        asset_tag: String;
        /// The operating system or firmware family: free text.
        platform: String;
        /// Whether it passes traffic between its ports; null: as its role does.
        forwards: bool;
        /// The plane that it works on. Default: DATA.
        plane: Plane;
        /// How many live power inlets it needs to work: at least 1. Default: 1.
        inlets_required: i32;
        /// Its addresses; replaced as a whole.
        addresses: Vec<Address>;
        /// What is in it; replaced as a whole.
        hardware: Hardware;
        /// Where it stands in its life. Default: ACTIVE.
        status: Status;
    }
}

filter! {
    Device: Model;
    filter DeviceFilter, DeviceListFilter;

    values {
        role: DeviceRoleFilter = |device| Some(device.role);
        slot: TextFilter = |device| device.slot.as_deref();
        start_unit: FloatFilter = |device| device.start_unit;
        face: FaceFilter = |device| device.face;
        manufacturer: TextFilter = |device| device.manufacturer.as_deref();
        model: TextFilter = |device| device.model.as_deref();
        serial: TextFilter = |device| device.serial.as_deref();
        asset_tag: TextFilter = |device| device.asset_tag.as_deref();
        platform: TextFilter = |device| device.platform.as_deref();
        forwards: BooleanFilter = |device| device.forwards;
        plane: PlaneFilter = |device| Some(device.plane);
        inlets_required: IntFilter = |device| Some(device.inlets_required.into());
        status: StatusFilter = |device| Some(device.status);
    }

    references {
        site: SiteFilter => Site, Device::SITE;
        location: LocationFilter => Location, Device::LOCATION;
        cluster: ClusterFilter => Cluster, Device::CLUSTER;
        parent: DeviceFilter => Device, Device::PARENT;
        rack: RackFilter => Rack, Device::RACK;
    }

    lists {
        ports: PortListFilter => Port, Port::DEVICE;
        children: DeviceListFilter => Device, Device::PARENT;
        virtual_machines: VirtualMachineListFilter => VirtualMachine, VirtualMachine::HOST;
    }

    more {
        /// One of its addresses fits.
        address: TextFilter = |filter, device, _| {
            device.addresses.0.iter().any(|it| crate::read::ValueFilter::fits(filter, Some(&it.address)))
        };
    }
}

order! {
    Device: Model;
    order DeviceOrder, DeviceOrderBy;

    values {
        StartUnit as "startUnit" = |device| device.start_unit;
        Manufacturer as "manufacturer" = |device| device.manufacturer.as_deref();
        Model as "model" = |device| device.model.as_deref();
        Serial as "serial" = |device| device.serial.as_deref();
        AssetTag as "assetTag" = |device| device.asset_tag.as_deref();
    }
}
