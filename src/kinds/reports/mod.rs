//! The part of the API that host controllers call: they report what became of hosts, and enlist the machines of
//! appliances. It also has the state of the server that controllers depend on, observe only, and strays.
//!
//! Guarantees: a report is written only while its controller holds the lease of the host, only on the host as the controller
//! read it, and only for the order that the host has. Whether that is so is decided on the snapshot that the write is
//! planned on. A report that is refused leaves the others as they are.

mod allowed;
mod decide;
mod enlist;
mod facts;
mod input;
mod keep;
mod mutation;
mod pace;
mod payload;
mod standing;
mod strays;
mod write;

pub use enlist::{EnlistMutation, EnlistRoots};
pub use keep::keep_hosts;
pub use mutation::ReportMutation;
pub use pace::ReportPace;
pub use standing::StandingRoots;
pub use strays::{StrayMutation, StrayRoots};

use uuid::Uuid;

use underlay_inventory::Refusal;

/// The number of leases that hosts are divided over.
const LEASES: u8 = 64;

/// Returns the name of the lease that a host belongs to. Controllers compute the same, so this never changes.
pub fn lease_of(host: Uuid) -> String {
    // The last byte of an id is random, whatever its version.
    format!("hosts/{:02}", host.as_bytes()[15] % LEASES)
}

/// Returns the name of the lease that a provisioner belongs to. Controllers compute the same, so this never changes.
fn lease_of_provisioner(name: &str) -> String {
    let sum = name.bytes().fold(0, u8::wrapping_add);
    format!("hosts/{:02}", sum % LEASES)
}

/// Returns the refusal of a value.
fn invalid(field: impl Into<String>, reason: impl Into<String>) -> Refusal {
    Refusal::Invalid { field: field.into(), reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lease_of_a_host_never_changes() {
        for (id, lease) in [(0, "hosts/00"), (63, "hosts/63"), (64, "hosts/00"), (255, "hosts/63"), (256, "hosts/00")] {
            assert_eq!(lease_of(Uuid::from_u128(id)), lease, "{id}");
        }
        let long = "z".repeat(253);
        for (name, lease) in [("simulated", "hosts/08"), ("ironic", "hosts/04"), (&long, "hosts/18")] {
            assert_eq!(lease_of_provisioner(name), lease, "{name}");
        }
    }
}
