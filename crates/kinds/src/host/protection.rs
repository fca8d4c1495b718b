//! The protection of a host: from ACQUIRED on, and in FAILED after these states, nothing may delete the host or its machine,
//! or clear their placement.

use underlay_entity::host::{HostState, Model};
use underlay_entity::row::Row;

use crate::grammar::enum_name;
use underlay_inventory::{InUse, Protection, Snapshot, cast};

/// The protection of hosts in use.
pub const PROTECTION: Protection = Protection { of, with: &["machine"] };

fn of(row: &dyn Row, _: &Snapshot) -> Option<InUse> {
    let host = cast::<Model>(row);
    let during = host.failure.as_ref().map(|failure| failure.during);
    let is_taken = host.state.is_taken() || host.state == HostState::Failed && during.is_some_and(HostState::is_taken);
    let state = enum_name(host.state);
    is_taken.then(|| InUse {
        reason: match &host.acquired_for {
            Some(purpose) => format!("is {state}, for {purpose}"),
            None => format!("is {state}"),
        },
        remedy: "release it with releaseHosts".to_owned(),
    })
}
