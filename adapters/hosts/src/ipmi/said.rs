//! The words of `ipmitool` 1.8: what a run printed, and why it failed.

use crate::host::Power;

/// Returns the power that `chassis power status` printed.
pub fn power_of(output: &str) -> Power {
    let state = output.lines().find_map(|line| line.trim().strip_prefix("Chassis Power is "));
    match state.map(str::trim) {
        Some("on") => Power::On,
        Some("off") => Power::Off,
        _ => Power::Unknown,
    }
}

/// Returns the serial number that `fru print` printed: that of the product, or of the chassis.
pub fn serial_of(output: &str) -> Option<String> {
    let of = |name: &str| {
        let values = output.lines().filter_map(|line| line.split_once(':'));
        let mut values = values.filter(|(found, _)| found.trim() == name).map(|(_, value)| value.trim());
        values.find(|value| !value.is_empty()).map(str::to_owned)
    };
    of("Product Serial").or_else(|| of("Chassis Serial"))
}

/// The reason why a run failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No session was opened, so nothing was done.
    NoSession,
    /// The BMC refused the credential, so nothing was done.
    Credential,
    /// The BMC answered that it does not do it.
    Refused,
    /// Nobody knows.
    Unknown,
}

/// Returns the reason why a run failed, by what it wrote to standard error.
pub fn reason_of(errors: &str) -> Reason {
    let has = |words: &[&str]| words.iter().any(|word| errors.contains(word));
    if has(&["HMAC is invalid", "unauthorized name", "Invalid user name", "Privilege level insufficient"]) {
        Reason::Credential
    } else if has(&["Unable to establish", "Could not open socket", "Address lookup"]) {
        Reason::NoSession
    } else if has(&["No response", "Close Session", "timeout"]) {
        Reason::Unknown
    } else if has(&["failed: ", "(rsp=0x", "Unable to send RAW command (", "Device not present ("]) {
        Reason::Refused
    } else {
        Reason::Unknown
    }
}

/// Returns the last line that says something.
pub fn last_line(errors: &str) -> &str {
    let mut lines = errors.lines().rev().map(str::trim);
    let is_telling = |line: &&str| !line.is_empty() && !line.starts_with("Unable to Get Channel Cipher Suites");
    lines.find(is_telling).unwrap_or("it said nothing")
}
