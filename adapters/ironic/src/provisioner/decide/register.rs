//! Register: the node exists, has the address and the credential of the BMC, and Ironic has verified them. The machine is not
//! touched.

use underlay_hosts::provisioner::Call;

use super::{Act, At, Next, View, verified};
use crate::client::Node;

/// Decides what to do next.
pub fn next(view: &View<'_>, node: &Node) -> Next {
    let at = At::of(node);
    match at {
        At::Verifying => Next::Wait,
        // Ironic works on it, so it knows it.
        at if at.is_working() => Next::Done,
        _ if view.call == Call::Begin && !view.is_fresh => Next::Act(Act::Refresh),
        At::Enroll => verified(view, node),
        _ => Next::Done,
    }
}
