//! The GraphQL inputs, filters and sort orders of devices.

use underlay_entity::device::{DeviceRole, Face, Model, Plane};
use underlay_entity::lifecycle::Status;
use underlay_entity::machine::{Address, Hardware};

use super::node::Device;
use super::placement::PlacementInput;
use crate::cluster::{Cluster, ClusterFilter, ClusterRef};
use crate::filters::StatusFilter;
use crate::host::{Host, HostListFilter};
use crate::location::{Location, LocationFilter, LocationRef};
use crate::port::{Port, PortListFilter};
use crate::rack::{Rack, RackFilter};
use crate::site::{Site, SiteFilter, SiteRef};
use crate::virtual_machine::{VirtualMachine, VirtualMachineListFilter};
use crate::{filter, inputs, order};
use underlay_read::enum_filter;
use underlay_read::{BooleanFilter, FloatFilter, IntFilter, TextFilter};

enum_filter!(DeviceRoleFilter, DeviceRole);
enum_filter!(PlaneFilter, Plane);
enum_filter!(FaceFilter, Face);

inputs! {
    Device as device;
    input DeviceInput;
    patch DevicePatch;
    payload DevicePayload;

    reference DeviceRef {
        /// The name of the device's site.
        site: String;
        /// The name of the device.
        device: String;
    }

    fixed {}

    fields {
        /// The role of the device. Required to create a device.
        role: DeviceRole;
        /// The site where the device is. Required to create a device.
        site: SiteRef;
        /// The location of the device, in the same site.
        location: LocationRef;
        /// The cluster that the device works for.
        cluster: ClusterRef;
        /// The parent: the device whose bay or stack the device is in, at the same site. It must not be the device
        /// itself or one in it. A member of a stack may have its own placement. A device in a chassis, or in a slot of
        /// a device that does not stand for a stack, has none.
        parent: DeviceRef;
        /// The bay of the parent that the device is in, or its number in a stack. Unique in the parent.
        slot: String;
        /// The place of the device in a rack. A device in a bay of another device cannot have one. A write replaces the
        /// whole placement.
        placement: PlacementInput;
        /// The manufacturer of the device.
        manufacturer: String;
        /// The model name that the manufacturer uses.
        model: String;
        /// The serial number of the device.
        serial: String;
        /// The asset tag of the device, unique over all devices.
        asset_tag: String;
        /// The operating system or firmware family: free text.
        platform: String;
        /// True if the device forwards traffic between its ports. Null means that its role decides.
        forwards: bool;
        /// The plane that the device works on. Defaults to DATA.
        plane: Plane;
        /// The number of live power inlets that the device needs to work: at least 1. Defaults to 1.
        inlets_required: i32;
        /// The addresses of the device. A write replaces the whole list.
        addresses: Vec<Address>;
        /// The hardware of the device: processor, memory and disks. A write replaces the whole object.
        hardware: Hardware;
        /// The lifecycle status of the device. Defaults to ACTIVE.
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
        hosts: HostListFilter => Host, Host::MACHINE;
    }

    more {
        /// Matches if one of the addresses of the device matches.
        address: TextFilter = |filter, device, _| {
            device.addresses.0.iter().any(|it| underlay_read::ValueFilter::fits(filter, Some(&it.address)))
        };
    }
}

order! {
    Device: Model;
    order DeviceOrder, DeviceOrderBy;

    values {
        StartUnit as "startUnit": "the lowest unit in the rack" = |device| device.start_unit;
        Manufacturer as "manufacturer": "the manufacturer" = |device| device.manufacturer.as_deref();
        Model as "model": "the model" = |device| device.model.as_deref();
        Serial as "serial": "the serial number" = |device| device.serial.as_deref();
        AssetTag as "assetTag": "the asset tag" = |device| device.asset_tag.as_deref();
    }
}
