//! The orders that people give for hosts, and the claims by which they get hosts.
//!
//! An order is judged on the very snapshot that its batch is planned on, so no two orders for a host can both pass: it
//! states what is wanted and raises the generation of the host by one, and a controller does the rest. A claim chooses
//! hosts on a snapshot outside the sequencer, and is written only if each of them can still be claimed then.
//!
//! Guarantees: an order for several hosts is written for all of them or for none. A host in maintenance, with an order
//! at work, or about to be deleted gets no order. A machine that may be in use is not rebooted by an order for many
//! hosts. Every order ends by itself if it is not begun in time. Every refusal names the host and what to do. This module
//! names no kind: what it must know of them besides the rows of hosts and profiles is given as a [`HostRole`].

mod acquire;
mod act;
mod bond;
mod choose;
mod claim;
mod claimable;
mod ending;
mod error;
mod facts;
mod looks;
mod named;
mod obstacle;
mod order;
mod role;
mod rules;
mod settings;
mod sharing;
mod shortage;
mod single_failures;
mod spread;
mod stop;

pub use acquire::{Acquired, Desk, acquire, worst};
pub use act::{Act, Afterwards, MayForce};
pub use claim::{Claim, Selection};
pub use claimable::{Unclaimable, unclaimable};
pub use ending::EndOfOrders;
pub use error::OrderError;
pub use facts::{tells_nothing, touches};
pub use obstacle::DIRECT;
pub use order::Order;
pub use role::{HostRole, Names, Spread};
pub use settings::machine_settings;
pub use sharing::{Machines, SharedBy};
pub use single_failures::keep_ready;
pub use spread::Worst;

/// The greatest number of hosts in one order or claim.
pub const MAX_HOSTS: usize = 1_000;
/// The type of the condition that an override leaves.
const OVERRIDDEN: &str = "Overridden";
/// The type of the condition of a host whose machine is that of another host too.
pub const SHARES_MACHINE: &str = "SharesMachine";
