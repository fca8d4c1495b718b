//! The GraphQL root fields that read and write host classes.

use super::input::{HostClassInput, HostClassPatch, HostClassPayload};
use super::node::HostClass;
use crate::roots;

roots! {
    HostClass;
    query HostClassQuery { host_class(), host_classes }
    mutation HostClassMutation { create_host_class, update_host_class, delete_host_class }
    with HostClassInput, HostClassPatch, HostClassPayload { host_class }
}
