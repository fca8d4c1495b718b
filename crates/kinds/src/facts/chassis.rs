//! The parts that only a BMC tells of, in the API.

use async_graphql::{Enum, Object};
use underlay_facts::{Fan, Firmware, PowerSupply};

use super::parts::int;

/// A power supply. Empty bays are none.
#[derive(Clone, Debug)]
pub struct FactsPowerSupply(pub PowerSupply);

/// A power supply. Empty bays are none.
#[Object]
impl FactsPowerSupply {
    /// The bay, as the BMC names it. Unique in a report.
    async fn place(&self) -> &str {
        &self.0.place
    }

    /// The maker.
    async fn manufacturer(&self) -> Option<&str> {
        self.0.manufacturer.as_deref()
    }

    /// The model.
    async fn model(&self) -> Option<&str> {
        self.0.model.as_deref()
    }

    /// The maker's part number.
    async fn part_number(&self) -> Option<&str> {
        self.0.part_number.as_deref()
    }

    /// The serial number.
    async fn serial(&self) -> Option<&str> {
        self.0.serial.as_deref()
    }

    /// The power that it can give, in watts.
    async fn capacity_watts(&self) -> Option<i32> {
        self.0.capacity_watts.map(int)
    }

    /// The version of the firmware.
    async fn firmware_version(&self) -> Option<&str> {
        self.0.firmware_version.as_deref()
    }

    /// The health that the BMC sees.
    async fn health(&self) -> Option<FactsPartHealth> {
        self.0.health.map(Into::into)
    }
}

/// A fan. Empty places are none.
#[derive(Clone, Debug)]
pub struct FactsFan(pub Fan);

/// A fan. Empty places are none.
#[Object]
impl FactsFan {
    /// The place, as the BMC names it. Unique in a report.
    async fn place(&self) -> &str {
        &self.0.place
    }

    /// The model.
    async fn model(&self) -> Option<&str> {
        self.0.model.as_deref()
    }

    /// The serial number.
    async fn serial(&self) -> Option<&str> {
        self.0.serial.as_deref()
    }

    /// The health that the BMC sees.
    async fn health(&self) -> Option<FactsPartHealth> {
        self.0.health.map(Into::into)
    }
}

/// The firmware of a part, as the BMC lists it.
#[derive(Clone, Debug)]
pub struct FactsFirmware(pub Firmware);

/// The firmware of a part, as the BMC lists it.
#[Object]
impl FactsFirmware {
    /// The part, as the BMC names it, such as `BIOS`. Unique in a report.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// The version.
    async fn version(&self) -> Option<&str> {
        self.0.version.as_deref()
    }
}

/// The health of a part, as a BMC sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(remote = "underlay_facts::PartHealth")]
pub enum FactsPartHealth {
    /// It works.
    Ok,
    /// It needs attention.
    Warning,
    /// It failed, or is about to.
    Critical,
}
