//! The GraphQL root fields that read and write ports.

use underlay_entity::port::PortFamily;

use super::input::{PortInput, PortPatch, PortPayload};
use super::node::Port;
use crate::grammar::{KeyPart, enum_text};
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
            /// The name of the site of the port's device or rack, or of the host of its virtual machine.
            site: String,
            /// The name of the port's device.
            device: String,
            /// The name of the port's rack.
            rack: String,
            /// The name of the cluster of the port's virtual machine.
            cluster: String,
            /// The name of the host of the port's virtual machine.
            host: String,
            /// The name of the provider of the port's virtual machine.
            provider: String,
            /// The name of the port's virtual machine.
            virtual_machine: String,
            /// The family of the port.
            family: PortFamily,
        ),
        ports
    }
    mutation PortMutation { create_port, update_port, delete_port }
    with PortInput, PortPatch, PortPayload { port }
}
