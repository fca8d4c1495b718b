//! The cabling of hosts in the API.

use std::sync::Arc;

use async_graphql::{Context, Result, SimpleObject};
use underlay_inventory::{Held, Snapshot};

use super::judge::{CablingVerdict, Heard, InterfaceCabling, Judge};
use crate::device::Device;
use crate::facts::load::facts_of_host;
use crate::facts::neighbours::FactsNeighbour;
use crate::facts::report::FactsReport;
use crate::host::Host;
use crate::port::Port;
use crate::request::Request;

/// The cabling of a network interface of a host: what is heard at it by LLDP, beside what is recorded.
#[derive(Clone, Debug, SimpleObject)]
pub struct HostCabling {
    /// The name of the interface, as the machine has it.
    interface: String,
    /// The port of the host's device that the interface is, by its MAC address or else by its name. Null if the device
    /// has no such port.
    port: Option<Port>,
    /// The ports at which the line of the port ends, through panels and over circuits. Empty if none is recorded.
    recorded: Vec<Port>,
    /// The neighbours that are heard at the interface, without the machine itself.
    heard: Vec<HeardNeighbour>,
    /// The verdict about the interface.
    verdict: CablingVerdict,
}

/// A neighbour that is heard at a network interface of a host, and what it leads to in the inventory.
#[derive(Clone, Debug, SimpleObject)]
pub struct HeardNeighbour {
    /// The neighbour, as it says itself.
    neighbour: FactsNeighbour,
    /// The port that the neighbour leads to: by its MAC address, else by its names, else by its description. Null if there
    /// is none, or several.
    port: Option<Port>,
    /// The device that the neighbour leads to. Null if there is none, or several.
    device: Option<Device>,
}

impl HostCabling {
    fn new(snapshot: &Arc<Snapshot>, cabling: InterfaceCabling<'_>) -> Self {
        let InterfaceCabling { interface, port, recorded, heard, verdict, is_cut: _ } = cabling;
        Self {
            interface: interface.to_owned(),
            port: port.and_then(|port| snapshot.hold(port)).map(Port),
            recorded: recorded.into_iter().filter_map(|port| snapshot.hold(port).map(Port)).collect(),
            heard: heard.into_iter().map(|heard| HeardNeighbour::new(snapshot, &heard)).collect(),
            verdict,
        }
    }
}

impl HeardNeighbour {
    fn new(snapshot: &Arc<Snapshot>, heard: &Heard<'_>) -> Self {
        Self {
            neighbour: FactsNeighbour(heard.neighbour.clone()),
            port: heard.port.and_then(|port| snapshot.hold(port)).map(Port),
            device: heard.device.and_then(|device| snapshot.hold(device)).map(Device),
        }
    }
}

/// Returns the cabling of a host, for callers who see everything. It is empty if the host has no device, or no agent has
/// reported. The function yields before each interface, so that a long list does not block other requests.
///
/// # Errors
/// Returns an error if the database does not answer.
pub async fn cabling_of_host(context: &Context<'_>, host: &Held<Host>) -> Result<Option<Vec<HostCabling>>> {
    let request = Request::of(context);
    if request.view.log().is_none() {
        return Ok(None);
    }
    let mut all = Vec::new();
    let Some(machine) = host.follow::<Device>(Host::MACHINE) else { return Ok(Some(all)) };
    let reports = facts_of_host(context, host.row.id).await?;
    let Some(report) = reports.iter().find(|report| report.is_of_agent()).map(FactsReport::report) else {
        return Ok(Some(all));
    };
    let judge = Judge::new(&host.snapshot, machine.object_ref(), &report.sections);
    let mut cabling = judge.cabling();
    loop {
        request.yield_now().await;
        match cabling.next() {
            Some(interface) => all.push(HostCabling::new(&host.snapshot, interface)),
            None => return Ok(Some(all)),
        }
    }
}
