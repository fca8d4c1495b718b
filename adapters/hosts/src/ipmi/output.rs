//! Reads the output of `ipmitool` 1.8: what a run printed, and why it failed.

use underlay_address::is_junk;

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
    value_of(output, "Product Serial").or_else(|| value_of(output, "Chassis Serial")).map(str::to_owned)
}

/// Returns all serial numbers that `fru print` printed. Makers put the number of a machine into any of them.
pub fn serials_of(output: &str) -> Vec<&str> {
    let names = ["Product Serial", "Chassis Serial", "Board Serial"];
    names.into_iter().filter_map(|name| value_of(output, name)).collect()
}

/// Returns the UUID that `mc guid` printed. IPMI sends its bytes in another order than SMBIOS has them, many BMCs do not,
/// and versions of `ipmitool` turn them or do not.
pub fn uuid_of(output: &str) -> Option<&str> {
    value_of(output, "System GUID").filter(|uuid| !is_junk(uuid))
}

/// Returns the first value with a name.
fn value_of<'a>(output: &'a str, name: &str) -> Option<&'a str> {
    let values = output.lines().filter_map(|line| line.split_once(':'));
    let mut values = values.filter(|(found, _)| found.trim() == name).map(|(_, value)| value.trim());
    values.find(|value| !value.is_empty())
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
    lines.find(is_telling).unwrap_or("it printed nothing")
}
