//! A computer system of a BMC: its names, its power, and the comparison with the names of a host.

use underlay_address::hex;
use underlay_hosts::host::Power;
use underlay_hosts::machine::{self, Identity, Same};

use crate::resource::Resource;

/// Returns the names by which a system identifies itself.
pub fn identity(system: &Resource) -> Identity {
    Identity {
        serial: system.text("SerialNumber").map(str::to_owned),
        uuid: system.text("UUID").filter(|uuid| hex(uuid).len() == 32).map(str::to_lowercase),
        // Dell has the service tag, which people take for the serial number, in SKU.
        aliases: system.text("SKU").map(str::to_owned).into_iter().collect(),
    }
}

/// Returns the power of a system. One that is switching counts as on, so that nobody takes it for free.
pub fn power(system: &Resource) -> Power {
    match state(system) {
        PowerState::Off => Power::Off,
        PowerState::On | PowerState::PoweringOn | PowerState::PoweringOff | PowerState::Paused => Power::On,
        PowerState::Unknown => Power::Unknown,
    }
}

/// The power as DSP0268 has it (`Resource.PowerState`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerState {
    /// The system is on.
    On,
    /// The system is off.
    Off,
    /// The system is being switched on.
    PoweringOn,
    /// The system is shutting down.
    PoweringOff,
    /// The system is paused.
    Paused,
    /// The BMC does not say it.
    Unknown,
}

/// Returns the power that a system states.
pub fn state(system: &Resource) -> PowerState {
    let stated = system.text("PowerState").unwrap_or_default().to_ascii_lowercase();
    match stated.as_str() {
        "on" => PowerState::On,
        "off" => PowerState::Off,
        "poweringon" => PowerState::PoweringOn,
        "poweringoff" => PowerState::PoweringOff,
        "paused" => PowerState::Paused,
        _ => PowerState::Unknown,
    }
}

/// Compares a system with the `uid` of a host, which is a UUID or a serial number.
pub fn compare(system: &Resource, uid: &str) -> Same {
    let serials: Vec<&str> = ["SerialNumber", "SKU"].into_iter().filter_map(|name| system.text(name)).collect();
    let uuid = identity(system).uuid;
    machine::compare(uid, &serials, uuid.as_deref().as_slice())
}

#[cfg(test)]
mod tests {
    use reqwest::Url;
    use serde_json::{Value, json};

    use super::*;

    fn system(value: Value) -> Resource {
        let url = Url::parse("https://10.0.0.7/redfish/v1/Systems/1").unwrap();
        let Value::Object(members) = value else { panic!("no object") };
        Resource { call: format!("GET {url}").into(), url, etag: None, members }
    }

    #[test]
    fn power_is_read_in_any_case_and_never_guessed() {
        for (stated, expected) in [
            (json!("On"), Power::On),
            (json!("OFF"), Power::Off),
            (json!("PoweringOn"), Power::On),
            (json!("PoweringOff"), Power::On),
            (json!("Paused"), Power::On),
            (json!("Standby"), Power::Unknown),
            (json!(null), Power::Unknown),
            (json!(1), Power::Unknown),
            (json!(""), Power::Unknown),
        ] {
            assert_eq!(power(&system(json!({ "PowerState": stated }))), expected, "{stated}");
        }
        assert_eq!(power(&system(json!({}))), Power::Unknown);
    }

    #[test]
    fn names_that_are_none_are_left_out() {
        let it = identity(&system(json!({"UUID": "38947555-7742-3448-3784-823347823834", "SerialNumber": " 437XR "})));
        assert_eq!(it.uuid.as_deref(), Some("38947555-7742-3448-3784-823347823834"));
        assert_eq!(it.serial.as_deref(), Some("437XR"));
        assert_eq!(identity(&system(json!({"UUID": "unknown", "SerialNumber": null}))), Identity::default());
    }

    #[test]
    fn a_system_is_compared_by_its_uuid_or_its_serial_numbers() {
        let uuid = "38947555-7742-3448-3784-823347823834";
        let all = json!({"UUID": uuid, "SerialNumber": "CN123", "SKU": "7XKT0Z1"});
        let other = |found: &str| Same::No(found.to_owned());
        for (system_says, uid, expected) in [
            (all.clone(), uuid, Same::Yes),
            (all.clone(), "7xkt0z1", Same::Yes),
            (all.clone(), "OTHER", other("the serial number CN123")),
            (all, "38947555-7742-3448-3784-823347823835", other(&format!("the UUID {uuid}"))),
            (json!({"SKU": "7XKT0Z1"}), "CN123", other("the serial number 7XKT0Z1")),
            (json!({"SerialNumber": "To be filled by O.E.M.", "UUID": uuid}), "CN123", Same::Unknown),
            (json!({"SerialNumber": "CN123"}), uuid, Same::Unknown),
            (json!({}), "CN123", Same::Unknown),
        ] {
            assert_eq!(compare(&system(system_says.clone()), uid), expected, "{system_says} {uid}");
        }
    }
}
