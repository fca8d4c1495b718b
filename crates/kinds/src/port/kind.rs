//! Declares a port.

use async_graphql::InputObject;
use serde::Serialize;
use underlay_entity::long::Long;
use underlay_entity::port::{Model, PortFamily, PortType, PowerDraw};
use underlay_entity::row::Row as AnyRow;
use underlay_entity::text::Mac;
use underlay_inventory::{Family, Form, cast};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::{TextFilter, enum_filter};

use super::rules;
use super::topology::TOPOLOGY;
use super::values;
use super::wiring::PassThrough;
use crate::cable::{Cable, CableEnd};
use crate::circuit_termination::CircuitTermination;
use crate::common::{LARGE_COUNT, POWER_DRAW, TEXT, TEXTS};
use crate::device::{Device, DeviceFilter, DeviceRef};
use crate::grammar::{KeyPart, enum_text};
use crate::power_feed::{
    PowerFeed, PowerFeedListFilter, PowerSource, PowerSourceFilter, PowerSourceInput, check_outlets_supply,
};
use crate::rack::{Rack, RackFilter, RackRef};
use crate::virtual_machine::{VirtualMachine, VirtualMachineFilter, VirtualMachineRef};

enum_filter!(PortTypeFilter, PortType);
enum_filter!(PortFamilyFilter, PortFamily);

/// A port: a socket of a device or rack where something can be plugged in, or the interface of a virtual machine.
#[kind(
    id = PORT,
    row = Model,
    key(device, rack, virtual_machine),
    family = Some(Family { member: "family", field: "type", names: FAMILIES, of: family }),
    reference(
        site = "The name of the site of the port's device or rack, or of the host of its virtual machine.",
        device = "The name of the port's device.",
        rack = "The name of the port's rack.",
        cluster = "The name of the cluster of the port's virtual machine.",
        host = "The name of the host of the port's virtual machine.",
        provider = "The name of the provider of the port's virtual machine.",
        virtual_machine = "The name of the port's virtual machine.",
        family: PortFamily = "The family of the port.",
        port = "The name of the port.",
    ),
    rules = &[
        rules::owner,
        rules::of_virtual_machine,
        rules::group,
        rules::power,
        rules::pass_through,
        rules::plugged,
        check_outlets_supply,
    ],
    searched(mac, addresses => |port| &port.addresses.0),
    traced,
)]
pub struct Port {
    /// The device that has the port. Null if a rack or a virtual machine has it.
    #[input = "The device that has the port. Exactly one of `device`, `rack` and `virtualMachine` is required to \
        create a port."]
    #[reference(6, filter, immutable, contained)]
    device: Option<Device>,

    /// The rack that has the port. Null if a device or a virtual machine has it.
    #[input = "The rack that has the port, instead of a device."]
    #[reference(7, filter, immutable, contained)]
    rack: Option<Rack>,

    /// The virtual machine that has the port. Null if a device or a rack has it.
    #[input = "The virtual machine that has the port, instead of a device. Its ports have the type VIRTUAL and no \
        connector, positions or LAG."]
    #[reference(22, filter, immutable, contained)]
    virtual_machine: Option<VirtualMachine>,

    /// The type of the port.
    #[written = "Required to create a port."]
    #[field(8, default = PortType::Ethernet, filter, required)]
    r#type: PortType,

    /// The family of the port. Within a family, names are unique in a device, rack or virtual machine.
    #[computed(|port| port.r#type.family(), filter(PortFamilyFilter, |port| Some(port.r#type.family())))]
    family: PortFamily,

    /// The form of the connector: free text, such as `10gbase-x-sfpp`, `lc-apc`, `iec-60320-c14`.
    #[field(9, filter)]
    connector: Option<String>,

    /// The speed in bits per second.
    #[input = "The speed in bits per second: at least 1."]
    #[field(10, shape = LARGE_COUNT, filter, order("the speed"))]
    speed_bps: Option<Long>,

    /// The size of the largest frame in bytes.
    #[input = "The size of the largest frame in bytes: 1 to 65536."]
    #[field(11, range = 1..=65_536, filter)]
    mtu: Option<i32>,

    /// The MAC address, in lower case with colons.
    #[input = "The MAC address in any usual notation. It is stored in lower case with colons."]
    #[field(
        12,
        shape = TEXT,
        output(Option<Mac>, |port| port.mac.clone().map(Mac)),
        filter(TextFilter, |port| port.mac.as_deref()),
        order("the MAC address", |port| port.mac.as_deref()),
        normalised(values::interface_address),
    )]
    mac: Option<Mac>,

    /// The IP addresses of the port with their prefix lengths.
    #[input = "The IP addresses of the port with their prefix lengths, such as `192.0.2.1/24`. A write replaces the \
        whole list."]
    #[field(13, shape = TEXTS, normalised(values::addresses))]
    addresses: Vec<String>,

    /// Matches if one of the addresses of the port matches.
    #[filter(|filter, port, _| port.addresses.0.iter().any(|it| filter.fits(Some(it))))]
    address: TextFilter,

    /// The LAG that the port is a member of.
    #[input = "The LAG that the port is a member of: a LAG port of the same device or of its stack."]
    #[reference(14, filter)]
    lag: Option<Port>,

    /// The parent port that the port is a part of, on the same device, rack or virtual machine.
    #[reference(15, filter)]
    parent: Option<Port>,

    /// True if the port is for management only.
    #[written = "Defaults to false."]
    #[field(16, filter)]
    mgmt_only: bool,

    /// True if the port is switched on.
    #[written = "Defaults to true."]
    #[field(17, default = true, filter)]
    enabled: bool,

    /// True if the port is connected to something outside the inventory.
    #[written = "Defaults to false."]
    #[field(18, filter)]
    mark_connected: bool,

    /// The number of lanes or fibres that the port carries.
    #[input = "The number of lanes or fibres that the port carries: 1 to 1024. Defaults to 1."]
    #[field(19, range = 1..=1024, default = 1, filter)]
    positions: i32,

    /// The inlets or power feeds that feed an outlet.
    #[input = "The sources that feed an outlet: inlets of the same device or, on a rack, power feeds. A write replaces \
        the whole list."]
    #[reference(
        20,
        form = Form::ManyOf,
        kinds("Port", "PowerFeed"),
        input = Vec<PowerSourceInput>,
        filter(Box<PowerSourceFilter>, |filter, _, at| filter.fits(Port::FED_BY, at)),
        filter_text = "A condition on the sources that feed the port.",
        unread,
    )]
    fed_by: Vec<PowerSource>,

    /// The rear ports that a front port is connected to inside.
    #[written = "A write replaces the whole list."]
    #[reference(
        21,
        form = Form::ManyMember("rear"),
        kinds("Port"),
        input = Vec<PassThroughInput>,
        unread,
        normalised(values::mappings),
    )]
    pass_through: Vec<PassThrough>,

    /// The power that a port of the type POWER_INLET draws. Null if it is not recorded.
    #[input = "The power that a port of the type POWER_INLET draws: `maximum`, `allocated` or both. A write replaces \
        the whole object."]
    #[field(23, shape = POWER_DRAW, normalised(values::draw))]
    draw_w: Option<PowerDraw>,

    /// True matches ports with a cable, false ports without one.
    #[filter(|cabled, _, at| crate::cable::is_cabled(at.snapshot, at.object) == *cabled)]
    cabled: bool,

    /// The ports that are members of the LAG.
    #[list(Port::LAG, filter)]
    members: Vec<Port>,

    /// The ports that are parts of the port.
    #[list(Port::PARENT, filter)]
    children: Vec<Port>,

    /// The outlets that an inlet feeds.
    #[list(Port::FED_BY, filter)]
    outlets: Vec<Port>,

    /// The power feeds that an outlet supplies.
    #[list(PowerFeed::UPSTREAM, filter)]
    power_feeds: Vec<PowerFeed>,
}

#[resolvers]
impl Port {
    /// The sources that feed an outlet. The outlet is live while one of them is live.
    async fn fed_by(&self) -> Vec<PowerSource> {
        PowerSource::followed(&self.0, Port::FED_BY)
    }

    /// The connections inside the device or rack, in the order of the port's positions. For a front port, these
    /// lead to its rear ports; for a rear port, to the front ports that map to it.
    async fn pass_through(&self) -> Vec<PassThrough> {
        PassThrough::of(&self.0)
    }

    /// The cable that is plugged into the port. Null if there is none.
    async fn cable(&self) -> Option<Cable> {
        Cable::on(&self.0)
    }

    /// The ends on the other side of the cable. If the cable has lanes, only those that a lane joins to the port.
    async fn peers(&self) -> Vec<CableEnd> {
        Cable::peers(&self.0)
    }

    /// The circuit termination that is plugged directly into the port. Null if there is none.
    async fn circuit_termination(&self) -> Option<CircuitTermination> {
        self.0.referrers(CircuitTermination::PORT).next().map(CircuitTermination)
    }
}

/// A connection of a position of a front port to a position of a rear port, inside their device or rack.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PassThroughInput {
    /// The position of this port: from 1 to its `positions`. Defaults to 1.
    #[graphql(default = 1)]
    pub position: i32,
    /// The rear port, of the same device or rack.
    pub rear: PortRef,
    /// The position of the rear port: from 1 to its `positions`. Defaults to 1.
    #[graphql(default = 1)]
    pub rear_position: i32,
}

impl KeyPart for PortFamily {
    fn text(self) -> String {
        enum_text(self)
    }
}

/// The families in which names are unique, in the order in which ports are listed.
const FAMILIES: &[&str] = &["DATA", "SERIAL", "INLET", "OUTLET", "FRONT", "REAR"];

fn family(row: &dyn AnyRow) -> u8 {
    match cast::<Model>(row).r#type.family() {
        PortFamily::Data => 0,
        PortFamily::Serial => 1,
        PortFamily::Inlet => 2,
        PortFamily::Outlet => 3,
        PortFamily::Front => 4,
        PortFamily::Rear => 5,
    }
}
