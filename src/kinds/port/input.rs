//! What clients write and ask of ports.

use underlay_entity::long::Long;
use underlay_entity::port::{Model, PortFamily, PortType};
use underlay_entity::text::Mac;

use super::node::Port;
use super::wiring::PassThroughInput;
use crate::kinds::device::{Device, DeviceFilter, DeviceRef};
use crate::kinds::power_feed::{PowerFeed, PowerFeedListFilter, PowerSourceFilter, PowerSourceInput};
use crate::kinds::rack::{Rack, RackFilter, RackRef};
use crate::kinds::virtual_machine::{VirtualMachine, VirtualMachineFilter, VirtualMachineRef};
use crate::read::{BooleanFilter, IntFilter, LongFilter, TextFilter};
use crate::{enum_filter, filter, inputs, order};

enum_filter!(PortTypeFilter, PortType);
enum_filter!(PortFamilyFilter, PortFamily);

inputs! {
    Port as port;
    input PortInput;
    patch PortPatch;
    payload PortPayload;

    reference PortRef {
        /// The name of the site of its device or rack, or of the host of its virtual machine.
        site: String;
        /// The name of its device.
        device: String;
        /// The name of its rack.
        rack: String;
        /// The name of the cluster of its virtual machine.
        cluster: String;
        /// The name of the host of its virtual machine.
        host: String;
        /// The name of the provider of its virtual machine.
        provider: String;
        /// The name of its virtual machine.
        virtual_machine: String;
        /// Its family.
        family: PortFamily;
        /// Its name.
        port: String;
    }

    fixed {
        /// The device that has it. Exactly one of `device`, `rack` and `virtualMachine` is required to create it.
        device: DeviceRef;
        /// The rack that has it, instead of a device.
        rack: RackRef;
        /// The virtual machine that has it, instead of a device. Its ports are of type VIRTUAL and have no connector,
        /// no positions and no LAG.
        virtual_machine: VirtualMachineRef;
    }

    fields {
        /// What it is. Required to create it.
        r#type: PortType;
        /// The form of the plug: free text, such as `10gbase-x-sfpp`, `lc-apc`, `iec-60320-c14`.
        connector: String;
        /// The speed in bits per second: at least 1.
        speed_bps: Long;
        /// The largest frame in bytes: 1 to 65536.
        mtu: i32;
        /// The MAC address in any usual form; kept in lower case with colons.
        mac: Mac;
        /// IP addresses with their prefix lengths, such as `192.0.2.1/24`; replaced as a whole.
        addresses: Vec<String>;
        /// The LAG that it is a member of: a LAG port of the same device or of its stack.
        lag: PortRef;
        /// The port of the same device, rack or virtual machine that it is a part of.
        parent: PortRef;
        /// Whether it is for management only. Default: false.
        mgmt_only: bool;
        /// Whether it is switched on. Default: true.
        enabled: bool;
        /// Whether it is joined to something outside the inventory. Default: false.
        mark_connected: bool;
        /// How many lanes or fibres it carries: 1 to 1024. Default: 1.
        positions: i32;
        /// What feeds an outlet: inlets of the same device or, on a rack, power feeds; replaced as a whole.
        fed_by: Vec<PowerSourceInput>;
        /// What a front port is joined to inside; replaced as a whole.
        pass_through: Vec<PassThroughInput>;
    }
}

filter! {
    Port: Model;
    filter PortFilter, PortListFilter;

    values {
        r#type: PortTypeFilter = |port| Some(port.r#type);
        family: PortFamilyFilter = |port| Some(port.r#type.family());
        connector: TextFilter = |port| port.connector.as_deref();
        speed_bps: LongFilter = |port| port.speed_bps.map(Long);
        mtu: IntFilter = |port| port.mtu.map(i64::from);
        mac: TextFilter = |port| port.mac.as_deref();
        mgmt_only: BooleanFilter = |port| Some(port.mgmt_only);
        enabled: BooleanFilter = |port| Some(port.enabled);
        mark_connected: BooleanFilter = |port| Some(port.mark_connected);
        positions: IntFilter = |port| Some(port.positions.into());
    }

    references {
        device: DeviceFilter => Device, Port::DEVICE;
        rack: RackFilter => Rack, Port::RACK;
        virtual_machine: VirtualMachineFilter => VirtualMachine, Port::VIRTUAL_MACHINE;
        lag: PortFilter => Port, Port::LAG;
        parent: PortFilter => Port, Port::PARENT;
    }

    lists {
        members: PortListFilter => Port, Port::LAG;
        children: PortListFilter => Port, Port::PARENT;
        outlets: PortListFilter => Port, Port::FED_BY;
        power_feeds: PowerFeedListFilter => PowerFeed, PowerFeed::UPSTREAM;
    }

    more {
        /// One of its addresses fits.
        address: TextFilter = |filter, port, _| port.addresses.0.iter().any(|it| filter.fits(Some(it)));
        /// By what feeds it.
        fed_by: Box<PowerSourceFilter> = |filter, _, at| filter.fits(Port::FED_BY, at);
        /// Whether there is a cable on it.
        cabled: bool = |cabled, _, at| crate::kinds::cable::is_cabled(at.snapshot, at.place) == *cabled;
    }
}

order! {
    Port: Model;
    order PortOrder, PortOrderBy;

    values {
        SpeedBps as "speedBps" = |port| port.speed_bps;
        Mac as "mac" = |port| port.mac.as_deref();
    }
}
