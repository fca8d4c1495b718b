//! The driver against BMCs: one of our own with faults, and the emulator of OpenStack.

mod bmc;
mod emulator;
mod faults;
mod hardware;
mod machines;
mod sessions;

use underlay_address::Exceptions;
use underlay_redfish::{Pace, Redfish};

/// A driver that may connect to this machine.
fn driver() -> Redfish {
    driver_at(bmc::pace())
}

/// Such a driver with other times of calls.
fn driver_at(pace: Pace) -> Redfish {
    let loopback = Exceptions::new(vec!["127.0.0.0/8".parse().expect("a network")]);
    Redfish::new(loopback, Some("http://10.0.0.1/shim.efi".to_owned()), pace)
}
