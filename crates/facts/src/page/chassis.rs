//! The lines of power supplies, fans and firmware.

use super::values::{known, words};
use crate::parts::{Fan, Firmware, PartHealth, PowerSupply};

pub(super) fn power_supply(supply: &PowerSupply) -> Vec<String> {
    vec![
        supply.place.clone(),
        supply.capacity_watts.map(|watts| format!("{watts} W")).unwrap_or_default(),
        words([&supply.manufacturer, &supply.model]).unwrap_or_default(),
        numbered(supply.serial.as_ref()),
        supply.firmware_version.as_ref().map(|version| format!("firmware {version}")).unwrap_or_default(),
        health(supply.health),
    ]
}

pub(super) fn fan(fan: &Fan) -> Vec<String> {
    vec![fan.place.clone(), fan.model.clone().unwrap_or_default(), numbered(fan.serial.as_ref()), health(fan.health)]
}

pub(super) fn firmware(firmware: &Firmware) -> Vec<String> {
    vec![firmware.name.clone(), known(firmware.version.as_ref())]
}

fn numbered(serial: Option<&String>) -> String {
    serial.map(|serial| format!("serial {serial}")).unwrap_or_default()
}

fn health(health: Option<PartHealth>) -> String {
    let text = match health {
        None => "",
        Some(PartHealth::Ok) => "healthy",
        Some(PartHealth::Warning) => "needs attention",
        Some(PartHealth::Critical) => "failed",
    };
    text.to_owned()
}
