//! The GraphQL inputs, filters and sort orders of ports.

use async_graphql::InputObject;
use serde::Serialize;
use underlay_entity::long::Long;
use underlay_entity::port::{Model, PortFamily, PortType, PowerDraw};
use underlay_entity::text::Mac;

use super::node::Port;
use crate::device::{Device, DeviceFilter, DeviceRef};
use crate::power_feed::{PowerFeed, PowerFeedListFilter, PowerSourceFilter, PowerSourceInput};
use crate::rack::{Rack, RackFilter, RackRef};
use crate::virtual_machine::{VirtualMachine, VirtualMachineFilter, VirtualMachineRef};
use crate::{filter, inputs, order};
use underlay_read::enum_filter;
use underlay_read::{BooleanFilter, IntFilter, LongFilter, TextFilter};

enum_filter!(PortTypeFilter, PortType);
enum_filter!(PortFamilyFilter, PortFamily);

inputs! {
    Port as port;
    input PortInput;
    patch PortPatch;
    payload PortPayload;

    reference PortRef {
        /// The name of the site of the port's device or rack, or of the host of its virtual machine.
        site: String;
        /// The name of the port's device.
        device: String;
        /// The name of the port's rack.
        rack: String;
        /// The name of the cluster of the port's virtual machine.
        cluster: String;
        /// The name of the host of the port's virtual machine.
        host: String;
        /// The name of the provider of the port's virtual machine.
        provider: String;
        /// The name of the port's virtual machine.
        virtual_machine: String;
        /// The family of the port.
        family: PortFamily;
        /// The name of the port.
        port: String;
    }

    fixed {
        /// The device that has the port. Exactly one of `device`, `rack` and `virtualMachine` is required to create a
        /// port.
        device: DeviceRef;
        /// The rack that has the port, instead of a device.
        rack: RackRef;
        /// The virtual machine that has the port, instead of a device. Its ports have the type VIRTUAL and no
        /// connector, positions or LAG.
        virtual_machine: VirtualMachineRef;
    }

    fields {
        /// The type of the port. Required to create a port.
        r#type: PortType;
        /// The form of the connector: free text, such as `10gbase-x-sfpp`, `lc-apc`, `iec-60320-c14`.
        connector: String;
        /// The speed in bits per second: at least 1.
        speed_bps: Long;
        /// The size of the largest frame in bytes: 1 to 65536.
        mtu: i32;
        /// The MAC address in any usual notation. It is stored in lower case with colons.
        mac: Mac;
        /// The IP addresses of the port with their prefix lengths, such as `192.0.2.1/24`. A write replaces the whole
        /// list.
        addresses: Vec<String>;
        /// The LAG that the port is a member of: a LAG port of the same device or of its stack.
        lag: PortRef;
        /// The parent port that the port is a part of, on the same device, rack or virtual machine.
        parent: PortRef;
        /// True if the port is for management only. Defaults to false.
        mgmt_only: bool;
        /// True if the port is switched on. Defaults to true.
        enabled: bool;
        /// True if the port is connected to something outside the inventory. Defaults to false.
        mark_connected: bool;
        /// The number of lanes or fibres that the port carries: 1 to 1024. Defaults to 1.
        positions: i32;
        /// The sources that feed an outlet: inlets of the same device or, on a rack, power feeds. A write replaces the
        /// whole list.
        fed_by: Vec<PowerSourceInput>;
        /// The rear ports that a front port is connected to inside. A write replaces the whole list.
        pass_through: Vec<PassThroughInput>;
        /// The power that a port of the type POWER_INLET draws: `maximum`, `allocated` or both. A write replaces the whole
        /// object.
        draw_w: PowerDraw;
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
        /// Matches if one of the addresses of the port matches.
        address: TextFilter = |filter, port, _| port.addresses.0.iter().any(|it| filter.fits(Some(it)));
        /// A condition on the sources that feed the port.
        fed_by: Box<PowerSourceFilter> = |filter, _, at| filter.fits(Port::FED_BY, at);
        /// True matches ports with a cable, false ports without one.
        cabled: bool = |cabled, _, at| crate::cable::is_cabled(at.snapshot, at.object) == *cabled;
    }
}

order! {
    Port: Model;
    order PortOrder, PortOrderBy;

    values {
        SpeedBps as "speedBps": "the speed" = |port| port.speed_bps;
        Mac as "mac": "the MAC address" = |port| port.mac.as_deref();
    }
}
