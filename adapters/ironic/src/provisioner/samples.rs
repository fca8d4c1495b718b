//! Hosts and nodes for tests.

use underlay_hosts::host::{Host, Image, Observed, Order, Power, Profile, State, Wanted};
use uuid::Uuid;

use super::mark::{Mark, Prepared};
use crate::client::{Node, ProvisionState, States};

/// Returns a host without an order.
pub fn host(state: State) -> Host {
    Host {
        id: Uuid::from_u128(7),
        name: "h".into(),
        observed_version: 1,
        bmc_url: Some("simulated://h".into()),
        bmc_credential: None,
        bmc_insecure: false,
        bmc_trusted_cas: None,
        uid: None,
        serial: None,
        seen_identity: None,
        look_asked: None,
        hardware_asked: None,
        ignored: std::sync::Arc::default(),
        is_pinned_by_nothing: false,
        boot_mac: None,
        boot_mode: None,
        root_device: None,
        provisioner: Some("ironic".into()),
        in_maintenance: false,
        deleting: false,
        wanted: None,
        generation: 0,
        generation_done: 0,
        state,
        power: Power::Unknown,
        step: None,
        conditions: Vec::new(),
        failure: None,
        was_installed: false,
        observed: Observed::default(),
        site: None,
        appliance: None,
        interval: None,
    }
}

/// Gives a host its next order, which has an image.
pub fn ordered(mut host: Host, act: Order) -> Host {
    host.generation += 1;
    host.generation_done = host.generation - 1;
    let image = Image {
        url: "http://images.example/linux.qcow2".into(),
        checksum: format!("sha256:{}", "ab".repeat(32)),
        format: "QCOW2".into(),
    };
    host.wanted = Some(Wanted {
        id: Some(Uuid::from_u128(1_000 + u128::try_from(host.generation).unwrap_or_default())),
        profile: Some(Profile { id: Uuid::from_u128(9), image: Some(image) }),
        ..Wanted::of(act)
    });
    host
}

/// Returns the node of a host in a provision state, prepared for its last order.
pub fn prepared(host: &Host, state: &str) -> Node {
    let order = Some(Prepared::of(host.order_key(), None));
    let mark = Mark { host: host.id, name: host.name.clone(), order, created_for: None };
    marked(&Node { uuid: host.id.to_string(), ..node(state) }, &mark)
}

/// Returns a node with a mark.
pub fn marked(node: &Node, mark: &Mark) -> Node {
    Node { extra: [mark.member()].into_iter().collect(), ..node.clone() }
}

/// Returns a node in a provision state, whose disks are left as they are.
pub fn node(state: &str) -> Node {
    let provision = Some(ProvisionState::parse(state));
    let states = States { provision, last_error: Some("it broke".into()), ..States::default() };
    Node { uuid: Uuid::from_u128(7).to_string(), automated_clean: Some(false), states, ..Node::default() }
}
