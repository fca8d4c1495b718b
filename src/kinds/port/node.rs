//! A port in the API.

use underlay_entity::long::Long;
use underlay_entity::port::{Model, PortFamily, PortType};
use underlay_entity::text::Mac;

use super::wiring::PassThrough;
use crate::kinds::cable::{Cable, CableEnd};
use crate::kinds::circuit_termination::CircuitTermination;
use crate::kinds::device::Device;
use crate::kinds::power_feed::{PowerFeed, PowerSource};
use crate::kinds::rack::Rack;
use crate::kinds::virtual_machine::VirtualMachine;
use crate::object;

object! {
    /// A port: where something can be plugged in, of a device or of a rack; or the interface of a virtual machine.
    Port: Model;

    own {
        /// What it is.
        r#type: PortType = |port| port.r#type;
        /// The family within which its name is unique in its device, rack or virtual machine.
        family: PortFamily = |port| port.r#type.family();
        /// The form of the plug: free text, such as `10gbase-x-sfpp`, `lc-apc`, `iec-60320-c14`.
        connector: Option<&str> = |port| port.connector.as_deref();
        /// The speed in bits per second.
        speed_bps: Option<Long> = |port| port.speed_bps.map(Long);
        /// The largest frame in bytes.
        mtu: Option<i32> = |port| port.mtu;
        /// The MAC address, in lower case with colons.
        mac: Option<Mac> = |port| port.mac.clone().map(Mac);
        /// IP addresses with their prefix lengths.
        addresses: &[String] = |port| &port.addresses.0;
        /// Whether it is for management only.
        mgmt_only: bool = |port| port.mgmt_only;
        /// Whether it is switched on.
        enabled: bool = |port| port.enabled;
        /// Whether it is joined to something outside the inventory.
        mark_connected: bool = |port| port.mark_connected;
        /// How many lanes or fibres it carries.
        positions: i32 = |port| port.positions;
    }

    requires {}

    refers {
        /// The device that has it; null if a rack or a virtual machine has it.
        device: Device by Port::DEVICE;
        /// The rack that has it; null if a device or a virtual machine has it.
        rack: Rack by Port::RACK;
        /// The virtual machine that has it; null if a device or a rack has it.
        virtual_machine: VirtualMachine by Port::VIRTUAL_MACHINE;
        /// The LAG that it is a member of.
        lag: Port by Port::LAG;
        /// The port of the same device, rack or virtual machine that it is a part of.
        parent: Port by Port::PARENT;
    }

    lists {
        /// The members of a LAG.
        members: Port by Port::LAG;
        /// The ports that are parts of it.
        children: Port by Port::PARENT;
        /// The outlets that an inlet feeds.
        outlets: Port by Port::FED_BY;
        /// The power feeds that an outlet supplies.
        power_feeds: PowerFeed by PowerFeed::UPSTREAM;
    }

    traced {}

    more {
        /// What feeds an outlet: it is live while one of them is.
        async fn fed_by(&self) -> Vec<PowerSource> {
            PowerSource::followed(&self.0, Port::FED_BY)
        }

        /// What it is joined to inside: of a front port its rear ports, of a rear port the front ports that lead to it,
        /// in the order of its positions.
        async fn pass_through(&self) -> Vec<PassThrough> {
            PassThrough::of(&self.0)
        }

        /// The cable on it.
        async fn cable(&self) -> Option<Cable> {
            Cable::on(&self.0)
        }

        /// The ends on the other side of the cable on it. Where the cable has lanes: those that a lane joins it with.
        async fn peers(&self) -> Vec<CableEnd> {
            Cable::peers(&self.0)
        }

        /// The end of a circuit that is plugged straight into it.
        async fn circuit_termination(&self) -> Option<CircuitTermination> {
            self.0.referrers(CircuitTermination::PORT).next().map(CircuitTermination)
        }
    }
}
