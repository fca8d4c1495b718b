//! Declares a device.

use underlay_entity::device::{DeviceRole, Face, Model, Plane};
use underlay_entity::lifecycle::Status;
use underlay_entity::machine::{Address, Hardware};
use underlay_entity::row::Row;
use underlay_inventory::{Role, Unique, cast};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::{FloatFilter, TextFilter, enum_filter};

use super::placement::{Placement, PlacementInput};
use super::topology::TOPOLOGY;
use super::{placement, rules};
use crate::cluster::{Cluster, ClusterFilter, ClusterRef};
use crate::common::COUNT;
use crate::filters::StatusFilter;
use crate::host::{Host, HostListFilter};
use crate::location::{Location, LocationFilter, LocationRef};
use crate::machine::{ADDRESSES, HARDWARE, addresses, machine};
use crate::port::{Port, PortListFilter};
use crate::rack::{Rack, RackFilter};
use crate::site::{Site, SiteFilter, SiteRef};
use crate::virtual_machine::{VirtualMachine, VirtualMachineListFilter};

enum_filter!(DeviceRoleFilter, DeviceRole);
enum_filter!(PlaneFilter, Plane);
enum_filter!(FaceFilter, Face);

/// The attribute of a device that holds the UUID of its firmware. It can be searched, and identifies the machine of a
/// host.
pub const UUID_ATTRIBUTE: &str = "uuid";

/// A device: any box in the inventory, distinguished by its role.
#[kind(
    id = DEVICE,
    row = Model,
    key(site),
    reference(site = "The name of the device's site.", device = "The name of the device."),
    rules = &[rules::same_site, rules::bays, rules::moved, placement::check],
    unique = &[
        Unique { field: "assetTag", of: |row| cast::<Model>(row).asset_tag.clone() },
        Unique { field: "slot", of: slot },
    ],
    searched(
        serial => |row| row.serial.as_deref().map(str::trim),
        attributes => |row| row.attributes.0.get(UUID_ATTRIBUTE).and_then(|uuid| uuid.as_str()).map(str::trim),
        asset_tag,
        addresses => |row| row.addresses.0.iter().map(|it| &it.address),
    ),
)]
pub struct Device {
    /// The role of the device.
    #[written = "Required to create a device."]
    #[field(6, default = DeviceRole::Other, filter, required)]
    role: DeviceRole,

    /// The site where the device is.
    #[written = "Required to create a device."]
    #[reference(7, filter, required, contained)]
    site: Site,

    /// The location of the device within its site.
    #[input = "The location of the device, in the same site."]
    #[reference(8, filter, within)]
    location: Option<Location>,

    /// The cluster that the device works for.
    #[reference(9, filter, assigned_by(Role::Reconciler), placing_target)]
    cluster: Option<Cluster>,

    /// The parent: the device whose bay or stack the device is in. A device with its own placement is a member of a
    /// stack: it is not within its parent, and stays up when the parent fails.
    #[input = "The parent: the device whose bay or stack the device is in, at the same site. It must not be the device \
        itself or one in it. A member of a stack may have its own placement. A device in a chassis, or in a slot of a \
        device that does not stand for a stack, has none."]
    #[reference(10, filter, contained, unless(has_its_own_place))]
    parent: Option<Device>,

    /// The bay of the parent that the device is in, or its number in a stack.
    #[written = "Unique in the parent."]
    #[field(11, filter)]
    slot: Option<String>,

    /// The place of the device in a rack. Null if it has none.
    #[input = "The place of the device in a rack. A device in a bay of another device cannot have one. A write replaces \
        the whole placement."]
    #[described(
        placement::FIELD,
        columns(rack_id = None, start_unit = None, unit_height = None, face = None, full_depth = false),
        input = PlacementInput,
        unread,
    )]
    placement: Option<Placement>,

    /// The rack that the device is placed in.
    #[through("placement", filter, unread)]
    rack: Option<Rack>,

    /// The lowest unit that the device takes.
    #[computed(
        |row| row.start_unit,
        unread,
        filter(FloatFilter, |row| row.start_unit),
        order("the lowest unit in the rack", |row| row.start_unit),
    )]
    start_unit: Option<f64>,

    /// The face of the rack that the device is mounted on.
    #[computed(|row| row.face, unread, filter(FaceFilter, |row| row.face))]
    face: Option<Face>,

    /// The manufacturer of the device.
    #[field(13, filter, order("the manufacturer"))]
    manufacturer: Option<String>,

    /// The model name that the manufacturer uses.
    #[field(14, filter, order("the model"))]
    model: Option<String>,

    /// The serial number of the device.
    #[field(15, filter, order("the serial number"))]
    serial: Option<String>,

    /// The asset tag of the device, unique over all devices.
    #[field(16, filter, order("the asset tag"))]
    asset_tag: Option<String>,

    /// The operating system or firmware family: free text.
    #[field(17, filter)]
    platform: Option<String>,

    /// True if the device forwards traffic between its ports. Null means that its role decides.
    #[field(18, filter)]
    forwards: Option<bool>,

    /// The plane that the device works on.
    #[written = "Defaults to DATA."]
    #[field(19, filter)]
    plane: Plane,

    /// The number of live power inlets that the device needs to work.
    #[input = "The number of live power inlets that the device needs to work: at least 1. Defaults to 1."]
    #[field(20, shape = COUNT, default = 1, filter)]
    inlets_required: i32,

    /// The addresses of the device.
    #[written = "A write replaces the whole list."]
    #[field(21, shape = ADDRESSES, normalised(addresses))]
    addresses: Vec<Address>,

    /// The hardware of the device: processor, memory and disks.
    #[written = "A write replaces the whole object."]
    #[field(22, shape = HARDWARE, borrowed, normalised(machine))]
    hardware: Option<Hardware>,

    /// The lifecycle status of the device.
    #[written = "Defaults to ACTIVE."]
    #[field(23, filter, assigned_by(Role::Reconciler))]
    status: Status,

    /// The ports of the device.
    #[list(Port::DEVICE, filter)]
    ports: Vec<Port>,

    /// The devices in the bays of the device, or the members of its stack.
    #[list(Device::PARENT, filter)]
    children: Vec<Device>,

    /// The virtual machines that the device hosts.
    #[list(VirtualMachine::HOST, filter)]
    virtual_machines: Vec<VirtualMachine>,

    /// The host that the device is: at most one.
    #[list(Host::MACHINE, filter)]
    hosts: Vec<Host>,

    /// Matches if one of the addresses of the device matches.
    #[filter(
        |filter, device, _| device.addresses.0.iter().any(|it| filter.fits(Some(&it.address))),
    )]
    address: TextFilter,
}

#[resolvers]
impl Device {
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

/// Returns true if a device has its own placement. If it has a parent too, it is a member of a stack: it belongs to the
/// parent, but does not stand in it.
fn has_its_own_place(row: &dyn Row) -> bool {
    cast::<Model>(row).rack_id.is_some()
}

/// Returns the key that makes a slot unique in its parent. Its last line is the slot, which messages show.
fn slot(row: &dyn Row) -> Option<String> {
    let device = cast::<Model>(row);
    Some(format!("{}\n{}", device.parent_id?, device.slot.as_ref()?))
}
