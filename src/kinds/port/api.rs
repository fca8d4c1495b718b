//! The root fields for ports.

use underlay_entity::port::PortFamily;

use super::input::{PortInput, PortPatch, PortPayload};
use super::node::Port;
use crate::kinds::grammar::{KeyPart, enum_text};
use crate::roots;

impl KeyPart for PortFamily {
    fn text(self) -> String {
        enum_text(self)
    }
}

roots! {
    Port;
    query PortQuery {
        port(
            /// The name of the site of its device or rack, or of the host of its virtual machine.
            site: String,
            /// The name of its device.
            device: String,
            /// The name of its rack.
            rack: String,
            /// The name of the cluster of its virtual machine.
            cluster: String,
            /// The name of the host of its virtual machine.
            host: String,
            /// The name of the provider of its virtual machine.
            provider: String,
            /// The name of its virtual machine.
            virtual_machine: String,
            /// Its family.
            family: PortFamily,
        ),
        ports
    }
    mutation PortMutation { create_port, update_port, delete_port }
    with PortInput, PortPatch, PortPayload { port }
}
