//! A host: a machine as something that can be powered, booted and installed. The machine is a device or a virtual
//! machine; a host may be known before its machine is.
//!
//! Guarantees: a machine is that of one host. What was last seen of a host, and what is ordered, is never set by an
//! ordinary write. A write that changes the address of the BMC without a credential clears the credential. A host is
//! seen by the tenant of its cluster and by no other. Orders are judged by `crate::hosts`.

mod arrival;
mod claim;
mod kind;
mod linking;
mod machine;
mod names;
mod orders;
mod place;
mod protection;
mod role;
mod rules;
mod topology;
mod values;
mod wanted;
mod write;

pub use claim::{is_claimable, shared_machines};
pub use kind::{DESCRIPTION, Host, HostFilter, HostInput, HostListFilter, HostMutation, HostQuery, HostRef};
pub use linking::{Linked, machine_of};
pub use machine::{HostMachine, HostMachineFilter, HostMachineInput};
pub use names::{made_up, short_id};
pub use orders::{ClaimMutation, HostDeletion, OrderMutation, ReplaceMutation, end_orders};
pub use place::host_site;
pub use role::ROLE;
pub use rules::MACHINE_FIELDS;
pub use topology::TOPOLOGY;
