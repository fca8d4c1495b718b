//! The faults that a simulated machine can have.

use std::str::FromStr;

/// A fault of a simulated machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// Connections to the BMC are refused.
    Unreachable,
    /// The BMC never answers, and does nothing.
    PowerTimeout,
    /// The BMC never answers, and does what it was asked.
    PowerLate,
    /// The BMC refuses to change the power.
    PowerRefused,
    /// The BMC accepts a change of power, and does nothing.
    PowerIgnored,
    /// The BMC does not say if the machine is on.
    PowerUnknown,
    /// The system ignores the request to shut down.
    StaysOn,
    /// The machine boots from its disk though it was set to boot from the network.
    BootIgnored,
    /// The BMC does not say which machine it is.
    TellsNothing,
    /// The BMC refuses to tell the hardware of the machine.
    HardwareRefused,
    /// The discovery never ends.
    InspectHangs,
    /// The installer ends with an error.
    InstallFails,
    /// The installer never ends.
    InstallHangs,
    /// The wipe ends with an error.
    WipeFails,
}

impl Fault {
    /// All faults with their names in addresses.
    pub const ALL: [(&'static str, Self); 14] = [
        ("unreachable", Self::Unreachable),
        ("power-timeout", Self::PowerTimeout),
        ("power-late", Self::PowerLate),
        ("power-refused", Self::PowerRefused),
        ("power-ignored", Self::PowerIgnored),
        ("power-unknown", Self::PowerUnknown),
        ("stays-on", Self::StaysOn),
        ("boot-ignored", Self::BootIgnored),
        ("tells-nothing", Self::TellsNothing),
        ("hardware-refused", Self::HardwareRefused),
        ("inspect-hangs", Self::InspectHangs),
        ("install-fails", Self::InstallFails),
        ("install-hangs", Self::InstallHangs),
        ("wipe-fails", Self::WipeFails),
    ];
}

impl FromStr for Fault {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(name, _)| *name == text).map(|(_, fault)| *fault).ok_or(())
    }
}
