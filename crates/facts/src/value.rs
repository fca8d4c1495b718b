//! Texts of the hardware: cleaned, and without what makers leave in place of a value. Agents leave such values out of their
//! reports, and a server does not take them for what recognises a part.

/// The texts that makers leave in place of serial numbers, makers and models, in lower case and without full stops at the
/// end.
const JUNK: [&str; 42] = [
    "",
    "0123456789",
    "0123456789abcdef",
    "123456789",
    "1234567890",
    "12345678",
    "asset tag",
    "base board serial number",
    "baseboard serial number",
    "chassis serial number",
    "default",
    "default string",
    "default_string",
    "empty",
    "[empty]",
    "invalid",
    "na",
    "n/a",
    "no asset information",
    "no asset tag",
    "no dimm",
    "no module installed",
    "none",
    "not applicable",
    "not available",
    "not installed",
    "not provided",
    "not specified",
    "null",
    "o.e.m",
    "oem",
    "system manufacturer",
    "system product name",
    "system serial number",
    "serial number",
    "to be filled by o.e.m",
    "unassigned",
    "undefined",
    "unknown",
    "unspecified",
    "unspecified base board serial number",
    "uninitialized",
];
/// Returns a text as one line without control characters, without spaces at the ends, and with single ones within.
#[must_use]
pub fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true if a cleaned text stands in place of a value that nobody filled in, or is one letter again and again.
#[must_use]
pub fn is_junk(text: &str) -> bool {
    let lower = text.to_lowercase();
    let digits = lower.strip_prefix("0x").unwrap_or(&lower);
    let mut letters = digits.chars().filter(|letter| !matches!(letter, ' ' | '-' | ':' | '_' | '.'));
    let first = letters.next();
    is_placeholder(&lower) || letters.all(|letter| Some(letter) == first)
}

/// Returns true if a cleaned text stands in place of a value. Of versions, short numbers are real.
#[must_use]
pub fn is_placeholder(text: &str) -> bool {
    JUNK.contains(&text.to_lowercase().trim_end_matches('.').trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makers_leave_in_place_of_a_value_is_junk() {
        for junk in [
            "To be filled by O.E.M.",
            "Default string",
            "System Serial Number",
            "Not Specified",
            "None",
            "N/A",
            "0",
            "00000000",
            "0x00000000",
            "0123456789",
            "Unspecified Base Board Serial Number",
            "................",
            "FFFFFFFF",
            "xxxx",
            "  ",
            "\0\0",
        ] {
            assert!(is_junk(&clean(junk.as_bytes())), "{junk}");
        }
        for (value, expected) in [("  S4EVNX0R \0", "S4EVNX0R"), ("Dell  Inc.", "Dell Inc."), ("a\x1b[2Jb", "a [2Jb")] {
            let cleaned = clean(value.as_bytes());
            assert_eq!((cleaned.as_str(), is_junk(&cleaned)), (expected, false));
        }
    }
}
