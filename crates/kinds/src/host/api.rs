//! The GraphQL root fields that read and write hosts.

use super::input::{HostInput, HostPatch, HostPayload};
use super::node::Host;
use crate::roots;

roots! {
    Host;
    query HostQuery { host(), hosts }
    mutation HostMutation { create_host, update_host }
    with HostInput, HostPatch, HostPayload { host }
}
