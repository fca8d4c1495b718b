//! The host controller: a client of the API that powers, installs and gives back machines.
//!
//! The graph holds what is wanted and, in few words, what was last seen. The controller does the work and reports.
//! [`life`] decides what to do next, by pure functions; [`controller`] does it through a [`machine::Driver`] and a
//! [`provisioner::Provisioner`]; [`api`] is the server as the controller sees it. [`simulated`] has machines in memory;
//! [`direct`] has machines boot what the server prepared; [`exec`] reaches machines by a program, [`ipmi`] by `ipmitool`,
//! and [`libvirt`] by `virsh`.
//!
//! Guarantee: nothing here reboots, wipes or reinstalls a machine that somebody uses. Where safety and progress disagree,
//! the controller stops and says why.

pub mod api;
pub mod controller;
pub mod direct;
pub mod exec;
mod group;
pub mod host;
pub mod ipmi;
pub mod libvirt;
pub mod life;
pub mod machine;
pub mod provisioner;
pub mod simulated;
