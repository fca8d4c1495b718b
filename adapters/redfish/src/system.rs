//! A computer system of a BMC: its names, its power, and the comparison with the names of a host.

use underlay_hosts::host::Power;
use underlay_hosts::machine::Identity;

use crate::resource::Resource;

/// Returns the names by which a system identifies itself.
pub fn identity(system: &Resource) -> Identity {
    Identity {
        serial: system.text("SerialNumber").map(str::to_owned),
        uuid: system.text("UUID").filter(|uuid| hex(uuid).len() == 32).map(str::to_lowercase),
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

/// The result of comparing a system with the `uid` of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// The system is the machine.
    Yes,
    /// The system is certainly another machine.
    No,
    /// The system does not say enough.
    Unknown,
}

/// Compares a system with the `uid` of a host, which is a UUID or a serial number. Only two UUIDs can show that machines
/// differ: vendors put different numbers into the serial number of a system, such as that of the board.
pub fn compare(system: &Resource, uid: &str) -> Same {
    let (uid, digits) = (uid.trim(), hex(uid));
    if digits.len() == 32 {
        return match identity(system).uuid.map(|uuid| hex(&uuid)) {
            Some(own) if own == digits || swapped(&own) == digits => Same::Yes,
            Some(_) => Same::No,
            None => Same::Unknown,
        };
    }
    // Dell has the service tag, which the system itself calls its serial number, in SKU.
    let is_same = |name| system.text(name).is_some_and(|text: &str| text.eq_ignore_ascii_case(uid));
    if is_same("SerialNumber") || is_same("SKU") { Same::Yes } else { Same::Unknown }
}

/// Returns the digits of a UUID or a MAC address; nothing if the text is neither.
pub fn hex(text: &str) -> String {
    let text = text.trim().trim_start_matches("urn:uuid:").trim_matches(['{', '}']);
    let is_fitting = text.chars().all(|it| it.is_ascii_hexdigit() || matches!(it, '-' | ':' | '.'));
    let digits = text.chars().filter(char::is_ascii_hexdigit).map(|it| it.to_ascii_lowercase());
    if is_fitting { digits.collect() } else { String::new() }
}

/// Returns a UUID with the bytes of its first three groups in the other order. SMBIOS has them in little-endian order, and
/// some BMCs do not turn them.
fn swapped(digits: &str) -> String {
    let bytes: Vec<&str> = (0..16).filter_map(|at| digits.get(at * 2..at * 2 + 2)).collect();
    let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
    order.iter().filter_map(|at| bytes.get(*at).copied()).collect()
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
    fn only_a_uuid_shows_that_machines_differ() {
        let uuid = "38947555-7742-3448-3784-823347823834";
        let all = json!({"UUID": uuid, "SerialNumber": "CN123", "SKU": "7XKT0Z1"});
        for (uid, expected) in [
            ("38947555-7742-3448-3784-823347823834", Same::Yes),
            ("38947555774234483784823347823834", Same::Yes),
            ("{38947555-7742-3448-3784-823347823834}", Same::Yes),
            ("55759438-4277-4834-3784-823347823834", Same::Yes),
            ("38947555-7742-3448-3784-823347823835", Same::No),
            ("cn123", Same::Yes),
            ("7xkt0z1", Same::Yes),
            ("OTHER", Same::Unknown),
        ] {
            assert_eq!(compare(&system(all.clone()), uid), expected, "{uid}");
        }
        assert_eq!(compare(&system(json!({"SerialNumber": "CN123"})), uuid), Same::Unknown);
    }
}
