//! The part of the API that host controllers call: they report what became of hosts, and enlist the machines of
//! appliances. It also has the state of the server that controllers depend on, observe only, and strays.
//!
//! Guarantees: a report is written only while its controller holds the lease of the host, only on the host as the
//! controller read it, and only for the order that the host has. Whether that is so is decided on the snapshot that the
//! write is planned on. A report that is refused leaves the others as they are.

mod allowed;
mod decide;
mod enlist;
mod facts;
mod hardware;
mod hosts_status;
mod input;
mod keep;
mod leases;
mod listing;
mod machines;
mod mutation;
mod pace;
mod payload;
mod strays;
mod write;

pub use enlist::{EnlistMutation, EnlistRoots};
pub use hardware::HardwareMutation;
pub use hosts_status::HostsStatusRoots;
pub use keep::keep_hosts;
pub use leases::LeasesOf;
pub use mutation::ReportMutation;
pub use pace::ReportPace;
pub use strays::{StrayMutation, StrayRoots};
pub use write::{MAX_SENTENCE_CHARACTERS, check_text};

use underlay_inventory::Refusal;

/// Returns the refusal of a value.
pub fn invalid(field: impl Into<String>, reason: impl Into<String>) -> Refusal {
    Refusal::Invalid { field: field.into(), reason: reason.into() }
}
