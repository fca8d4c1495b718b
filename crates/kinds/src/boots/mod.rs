//! Boots from the network: whether a machine gets its disk or what an order prepared, and what it reports.
//!
//! A controller opens an *attempt* for the order of a host (`control`). A boot server asks for each boot (`answer`), and
//! passes on what machines report (`report`). `attempt` has the decisions: pure functions of the inventory, the attempt and
//! the time.
//!
//! Guarantees: nothing but an open attempt of the order that is at work gives a machine anything else than its disk, and
//! only to the machine that is the host by everything that it says of itself. From the first text that a boot works by, the
//! next boot gets the disk. The disk is also the answer while controllers only observe, and whenever something is not known.

mod answer;
mod attempt;
mod control;
mod log;
mod machine;
mod refusal;
mod render;
mod report;
mod shown;

pub use answer::BootMutation;
pub use control::BootControlMutation;
pub use log::{BootLog, BootLogWriter};
pub use report::BootReportMutation;
pub use shown::{BootAttempt, NetworkBoot, attempt_of, boots_of};

use crate::hosts::DIRECT;
