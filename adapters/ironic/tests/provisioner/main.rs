//! The provisioner against a small model of Ironic, and against Ironic itself.

mod agent;
mod faults;
mod life;
mod lost;
mod model;
mod order;
mod real;
mod redfish;
mod site;
