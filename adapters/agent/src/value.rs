//! Texts of the hardware: cleaned, and without what makers leave in place of a value.

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
/// The UUID that boards have before their maker gives them one.
const UUID_OF_NOBODY: &str = "03000200-0400-0500-0006-000700080009";

/// Returns a text as one line without control characters, without spaces at the ends, and with single ones within.
pub fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a cleaned text stands in place of a value that nobody filled in, or is one letter again and again.
pub fn is_junk(text: &str) -> bool {
    let lower = text.to_lowercase();
    let digits = lower.strip_prefix("0x").unwrap_or(&lower);
    let mut letters = digits.chars().filter(|letter| !matches!(letter, ' ' | '-' | ':' | '_' | '.'));
    let first = letters.next();
    is_placeholder(&lower) || letters.all(|letter| Some(letter) == first)
}

/// Returns whether a cleaned text stands in place of a value. Of versions, short numbers are real.
fn is_placeholder(text: &str) -> bool {
    JUNK.contains(&text.to_lowercase().trim_end_matches('.').trim())
}

/// Returns a cleaned text if it is a version.
pub fn version(bytes: &[u8]) -> Option<String> {
    Some(clean(bytes)).filter(|text| !is_placeholder(text))
}

/// Returns a cleaned text if it is a value.
pub fn real(bytes: &[u8]) -> Option<String> {
    Some(clean(bytes)).filter(|text| !is_junk(text))
}

/// Returns a UUID in lower case if it is one, and that of somebody.
pub fn uuid(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let groups: Vec<usize> = lower.split('-').map(str::len).collect();
    let is_hexadecimal = lower.chars().all(|letter| letter == '-' || letter.is_ascii_hexdigit());
    (groups == [8, 4, 4, 4, 12] && is_hexadecimal && !is_junk(&lower) && lower != UUID_OF_NOBODY).then_some(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makers_leave_in_place_of_a_value_is_none() {
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
            assert_eq!(real(junk.as_bytes()), None, "{junk}");
        }
        for (value, expected) in [("  S4EVNX0R \0", "S4EVNX0R"), ("Dell  Inc.", "Dell Inc."), ("a\x1b[2Jb", "a [2Jb")] {
            assert_eq!(real(value.as_bytes()).as_deref(), Some(expected));
        }
    }

    #[test]
    fn versions_may_be_short() {
        for (text, expected) in [("0x1", Some("0x1")), ("11", Some("11")), ("Not Specified", None), (" ", None)] {
            assert_eq!(version(text.as_bytes()).as_deref(), expected);
        }
    }

    #[test]
    fn uuids_of_nobody_are_none() {
        for junk in [
            "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
            "00000000-0000-0000-0000-000000000000",
            "03000200-0400-0500-0006-000700080009",
            "Not Settable",
            "4c4c4544-0042",
        ] {
            assert_eq!(uuid(junk), None, "{junk}");
        }
        let own = "4C4C4544-0042-4B10-8057-B7C04F503533";
        assert_eq!(uuid(own).as_deref(), Some("4c4c4544-0042-4b10-8057-b7c04f503533"));
    }
}
