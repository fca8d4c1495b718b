//! The GraphQL object of a port.

use underlay_entity::long::Long;
use underlay_entity::port::{Model, PortFamily, PortType, PowerDraw};
use underlay_entity::text::Mac;

use super::wiring::PassThrough;
use crate::cable::{Cable, CableEnd};
use crate::circuit_termination::CircuitTermination;
use crate::device::Device;
use crate::object;
use crate::power_feed::{PowerFeed, PowerSource};
use crate::rack::Rack;
use crate::virtual_machine::VirtualMachine;

object! {
    /// A port: a socket of a device or rack where something can be plugged in, or the interface of a virtual machine.
    Port: Model;

    own {
        /// The type of the port.
        r#type: PortType = |port| port.r#type;
        /// The family of the port. Within a family, names are unique in a device, rack or virtual machine.
        family: PortFamily = |port| port.r#type.family();
        /// The form of the connector: free text, such as `10gbase-x-sfpp`, `lc-apc`, `iec-60320-c14`.
        connector: Option<&str> = |port| port.connector.as_deref();
        /// The speed in bits per second.
        speed_bps: Option<Long> = |port| port.speed_bps.map(Long);
        /// The size of the largest frame in bytes.
        mtu: Option<i32> = |port| port.mtu;
        /// The MAC address, in lower case with colons.
        mac: Option<Mac> = |port| port.mac.clone().map(Mac);
        /// The IP addresses of the port with their prefix lengths.
        addresses: &[String] = |port| &port.addresses.0;
        /// True if the port is for management only.
        mgmt_only: bool = |port| port.mgmt_only;
        /// True if the port is switched on.
        enabled: bool = |port| port.enabled;
        /// True if the port is connected to something outside the inventory.
        mark_connected: bool = |port| port.mark_connected;
        /// The number of lanes or fibres that the port carries.
        positions: i32 = |port| port.positions;
        /// The power that a port of the type POWER_INLET draws. Null if it is not recorded.
        draw_w: Option<PowerDraw> = |port| port.draw_w;
    }

    requires {}

    refers {
        /// The device that has the port. Null if a rack or a virtual machine has it.
        device: Device by Port::DEVICE;
        /// The rack that has the port. Null if a device or a virtual machine has it.
        rack: Rack by Port::RACK;
        /// The virtual machine that has the port. Null if a device or a rack has it.
        virtual_machine: VirtualMachine by Port::VIRTUAL_MACHINE;
        /// The LAG that the port is a member of.
        lag: Port by Port::LAG;
        /// The parent port that the port is a part of, on the same device, rack or virtual machine.
        parent: Port by Port::PARENT;
    }

    lists {
        /// The ports that are members of the LAG.
        members: Port by Port::LAG;
        /// The ports that are parts of the port.
        children: Port by Port::PARENT;
        /// The outlets that an inlet feeds.
        outlets: Port by Port::FED_BY;
        /// The power feeds that an outlet supplies.
        power_feeds: PowerFeed by PowerFeed::UPSTREAM;
    }

    traced {}

    more {
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
}
